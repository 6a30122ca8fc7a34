//! Only a launcher decides that a request is unconfined.
//!
//! Refused with E0451.

use forecheck_confine::{Request, Unconfined};

pub fn forged(request: Request) -> Unconfined {
    Unconfined { request, why: todo!() }
}
