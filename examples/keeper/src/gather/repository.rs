//! `repository`: whether the registered path still holds a repository.

use crate::desk::Desk;
use crate::generated::facts::Repository;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<Repository, Trouble> {
    match desk.repository(target) {
        Ok(_) => Ok(Repository { unreadable: None }),
        Err(Trouble::NoRepository { reason, .. }) => Ok(Repository { unreadable: Some(reason.to_owned()) }),
        Err(trouble) => Err(trouble),
    }
}
