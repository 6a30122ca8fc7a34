//! Rust from a surface.

pub mod names;

pub(crate) fn generate(
    _: &crate::generator::Source<'_, '_>,
) -> Result<Vec<crate::generator::GeneratedFile>, crate::generator::GenerateError> {
    Ok(Vec::new())
}
