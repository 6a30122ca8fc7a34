//! Launches against the real bubblewrap, as user 0 and as an ordinary one. There is no skip: a host that
//! cannot confine fails the tests.

#[cfg(test)]
mod cases;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod files;
#[cfg(test)]
mod must_not_compile;
#[cfg(test)]
mod network;
#[cfg(test)]
mod ordinary_user;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod scene;
