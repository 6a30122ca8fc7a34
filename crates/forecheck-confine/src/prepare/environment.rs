//! Variables that a launch sets itself.
//!
//! `FORECHECK_CONFINED` is `1` in a boundary, with `FORECHECK_NETWORK` beside it, `isolated` or `unrestricted`:
//! so a program can tell a boundary from a broken host.

use forecheck_boundary::{AbsolutePath, ByteText, Network};

const PLAIN: [(&str, &str); 7] = [
    ("NO_COLOR", "1"),
    ("TERM", "dumb"),
    ("LC_ALL", "C.UTF-8"),
    ("LANG", "C.UTF-8"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GH_PAGER", "cat"),
];

pub(super) fn confined(network: Network) -> Vec<(ByteText, ByteText)> {
    let network = match network {
        Network::Isolated => "isolated",
        Network::Unrestricted => "unrestricted",
    };
    // The child has a `/tmp` of its own.
    let own = [("TMPDIR", "/tmp"), ("TMPPREFIX", "/tmp/zsh")];
    let says = [("FORECHECK_CONFINED", "1"), ("FORECHECK_NETWORK", network)];
    texts(PLAIN.into_iter().chain(own).chain(says))
}

pub(super) fn direct(temporary: &AbsolutePath) -> Vec<(ByteText, ByteText)> {
    let temporary = temporary.as_bytes();
    let prefix = [temporary, b"/zsh"].concat();
    let mut all = texts(PLAIN.into_iter());
    all.push(("TMPDIR".into(), temporary.into()));
    all.push(("TMPPREFIX".into(), prefix.into()));
    all
}

fn texts<'a>(all: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(ByteText, ByteText)> {
    all.map(|(name, value)| (name.into(), value.into())).collect()
}
