//! What the contract promises, over its public names.

#[cfg(test)]
mod cases;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod jcs;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod nodes;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod recipes;
#[cfg(test)]
mod resend_model;
#[cfg(test)]
mod targets;
