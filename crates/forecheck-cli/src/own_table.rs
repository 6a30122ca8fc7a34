//! The table of this program's own surface, built in.

use forecheck_contract::table::ErrorTable;

/// `errors.json` of the surface that this program ships.
const ERRORS: &str = include_str!("../../../generated/errors.json");

/// The table.
///
/// # Errors
/// What is wrong with the file that was built in.
pub(crate) fn own_table() -> Result<ErrorTable, serde_json::Error> {
    serde_json::from_str(ERRORS)
}

/// The remedy for a code of the surface or of the runtime.
pub(crate) fn help<'t>(table: &'t ErrorTable, code: &str) -> Option<&'t str> {
    let own = table.codes.iter().find(|row| row.code == code).and_then(|row| row.help.as_deref());
    let runtime = || table.runtime_codes.iter().find(|row| row.code == code).map(|row| &*row.help);
    own.or_else(runtime)
}

#[cfg(test)]
mod tests {
    use forecheck_verbs::generated::codes::Code;

    use super::*;

    #[test]
    fn the_table_and_the_code_agree() {
        let table = own_table().unwrap();
        let rows: Vec<&str> = table.codes.iter().map(|row| row.code.as_str()).collect();
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(rows, codes);
    }
}
