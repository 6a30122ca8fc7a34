//! What every other file here differs from in one thing: this compiles.

use forecheck_confine::{Boundary, Launcher, Refused, Request, Settled};

pub fn run(launcher: &Launcher, request: Request) -> Result<Settled, Box<Refused>> {
    let prepared = match launcher.boundary(request)? {
        Boundary::Confined(confined) => launcher.confine(confined)?,
        Boundary::Unconfined(unconfined) => launcher.direct(unconfined)?,
    };
    Ok(prepared.launch().settle())
}
