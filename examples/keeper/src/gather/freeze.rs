//! `freeze`: until when nothing is committed to base branches.

use forecheck::FactUnavailable;

use crate::desk::Desk;
use crate::generated::facts::Freeze;

pub(super) fn gather(desk: &Desk) -> Result<Freeze, FactUnavailable> {
    let until = desk.registry()?.frozen_until().map_err(FactUnavailable::new)?;
    Ok(Freeze { until })
}
