//! Rust from schemas and predicates: what is written, that it compiles, and that it agrees with them.

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod built;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod deep;
#[cfg(test)]
mod mutants;
#[cfg(test)]
#[path = "../../../../tests/oracles/peer.rs"]
mod peer;
#[cfg(test)]
mod predicates;
#[cfg(test)]
mod random;
#[cfg(test)]
mod support;
#[cfg(test)]
mod surface;
#[cfg(test)]
mod written;
