//! `PATH_NOT_A_REPO`

use forecheck::Failed;

use crate::generated::details::PathNotARepo;
use crate::generated::facts::Place;

pub(super) fn check(place: &Place) -> Result<(), Failed<PathNotARepo>> {
    match &place.not_a_repository {
        None => Ok(()),
        Some(reason) => Err(PathNotARepo { reason: reason.clone() }.into()),
    }
}
