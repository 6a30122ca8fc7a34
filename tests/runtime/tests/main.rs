//! The runtime and generated code, from outside: what comes before what, and what is never done.

mod desk;
mod doubt;
mod hosts;
mod must_not_compile;
mod order;
mod refusals;
mod repeats;
