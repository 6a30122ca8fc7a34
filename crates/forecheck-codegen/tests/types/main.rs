//! Rust types from schemas: what is written, that it compiles, and that it agrees with the schemas.

#[cfg(test)]
mod built;
#[cfg(test)]
mod deep;
#[cfg(test)]
mod random;
#[cfg(test)]
mod support;
#[cfg(test)]
mod surface;
#[cfg(test)]
mod written;
