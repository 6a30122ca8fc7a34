//! `place`: what stands at a path that is to be registered.

use crate::desk::Desk;
use crate::generated::facts::Place;
use crate::git::Repository;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, path: &str) -> Result<Place, Trouble> {
    let path = desk.resolve(path);
    let repository = match Repository::at(&path) {
        Ok(repository) => repository,
        Err(Trouble::NoRepository { reason, .. }) => {
            return Ok(Place { not_a_repository: Some(reason.to_owned()), taken_by: None });
        }
        Err(trouble) => return Err(trouble),
    };
    let here = |registered: &str| {
        desk.resolve(registered).canonicalize().is_ok_and(|registered| registered == repository.path())
    };
    let taken = desk.registry()?.repos.into_iter().find(|(_, entry)| here(&entry.path));
    Ok(Place { not_a_repository: None, taken_by: taken.map(|(repo, _)| repo) })
}
