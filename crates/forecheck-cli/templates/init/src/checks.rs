//! The checks. Each has what it declares to read as parameters, and looks at nothing else.

use forecheck::Failed;

use crate::generated::add_note::Checks;
use crate::generated::details::TitleTooLong;
use crate::generated::facts::Boards;
use crate::world::Disk;

const MOST_LETTERS: u64 = 60;

impl Checks for Disk {
    fn title_too_long(title: &str) -> Result<(), Failed<TitleTooLong>> {
        let letters = title.chars().count() as u64;
        if letters <= MOST_LETTERS {
            return Ok(());
        }
        let details = TitleTooLong {
            letters,
            most: MOST_LETTERS,
        };
        Err(Failed::from(details).because(format!("the title has {letters} letters")))
    }

    fn board_unknown(board: &str, boards: &Boards) -> Result<(), Failed<()>> {
        if boards.names.iter().any(|name| name == board) {
            return Ok(());
        }
        Err(Failed::from(()).because(format!("there is no board `{board}`")))
    }
}
