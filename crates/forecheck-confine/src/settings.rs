//! Where things are on this host. Nothing is looked up in `PATH`.

use forecheck_boundary::AbsolutePath;

use crate::discovery::Rule;
use crate::identity::from_path;

/// What a launcher needs to know of its host.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program `forecheck-supervisor`.
    pub supervisor: AbsolutePath,
    /// bubblewrap; where systems install it, if not said.
    pub bubblewrap: Option<AbsolutePath>,
    /// The user's home: never granted as a whole.
    pub home: Option<AbsolutePath>,
    /// Where the host's programs keep temporary files. A root that holds it is not searched for what is to be
    /// protected.
    pub temporary: AbsolutePath,
    /// The folder for what commands write, while they run, and after where it is long. Never inside of a root.
    pub spool: AbsolutePath,
    /// What is protected.
    pub policy: Vec<Rule>,
}

impl Settings {
    /// The supervisor beside the running program, the home and the temporary folder of its user, the default
    /// protections.
    ///
    /// # Errors
    /// Where the running program cannot be found, or one of these paths is not absolute.
    pub fn of_this_host() -> std::io::Result<Self> {
        let not_absolute = || std::io::Error::other("a folder of this user has no absolute path");
        let path = |path: &std::path::Path| from_path(path).ok_or_else(not_absolute);
        let program = std::env::current_exe()?;
        let home = std::env::home_dir().and_then(|home| from_path(&home));
        let temporary = path(&std::env::temp_dir())?;
        Ok(Settings {
            supervisor: path(&program.with_file_name("forecheck-supervisor"))?,
            bubblewrap: None,
            policy: Rule::defaults(home.as_ref()).map_err(std::io::Error::other)?,
            home,
            spool: temporary.clone(),
            temporary,
        })
    }
}
