//! `PATH_TAKEN`

use forecheck::Failed;

use crate::generated::details::PathTaken;
use crate::generated::facts::Place;

pub(super) fn check(place: &Place) -> Result<(), Failed<PathTaken>> {
    match &place.taken_by {
        None => Ok(()),
        Some(by) => Err(PathTaken { by: by.clone() }.into()),
    }
}
