//~ E0046
//! A declared constraint without its check is no program.

use changes::generated::land_change;

pub struct Other;

impl land_change::Checks for Other {}
