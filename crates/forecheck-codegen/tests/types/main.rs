//! Rust types from schemas: what is written, that it compiles, and that it agrees with the schemas.

mod built;
mod random;
mod support;
mod written;
