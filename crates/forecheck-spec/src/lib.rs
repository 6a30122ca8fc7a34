//! Build time: a folder of verb schemas becomes a checked [`Surface`](surface::Surface) and its
//! collapsed [table](table::error_table).
//!
//! [`Sources`](source::Sources) holds the bytes of a folder, [`Trees`](tree::Trees) what they say
//! as JSON, and [`check`](check::check) turns them into a surface and every problem at once, each
//! with file, line and column.

pub mod check;
pub mod file;
pub mod fold;
pub mod instance;
pub mod layout;
mod lints;
mod pattern;
pub mod problem;
mod raw;
pub mod recipe;
pub mod render;
mod resolve;
pub mod schema;
mod shape;
pub mod source;
pub mod surface;
pub mod table;
pub mod text;
pub mod tree;
