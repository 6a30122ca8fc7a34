//! `REPO_UNREADABLE`

use forecheck::Failed;

use crate::generated::details::RepoUnreadable;
use crate::generated::facts::Repository;

pub(super) fn check(repository: &Repository) -> Result<(), Failed<RepoUnreadable>> {
    match &repository.unreadable {
        None => Ok(()),
        Some(reason) => Err(RepoUnreadable { reason: reason.clone() }.into()),
    }
}
