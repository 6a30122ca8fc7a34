//! Launches against the real bubblewrap, as user 0 and as an ordinary one. There is no skip: a host that
//! cannot confine fails the tests.

mod cases;
mod failures;
mod files;
mod must_not_compile;
mod network;
mod ordinary_user;
mod processes;
mod refusals;
mod scene;
