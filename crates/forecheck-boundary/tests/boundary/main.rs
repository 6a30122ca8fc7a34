//! The laws of boundaries, from outside.

#[cfg(test)]
mod laws;
