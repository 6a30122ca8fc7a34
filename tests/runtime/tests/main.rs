//! The runtime and generated code, from outside: what comes before what, and what is never done.

#[cfg(test)]
mod cases;
#[cfg(test)]
mod desk;
#[cfg(test)]
mod doubt;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod must_not_compile;
#[cfg(test)]
mod order;
#[cfg(test)]
mod probes;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod store;
#[cfg(test)]
mod twins;
