//! `AUTH_DENIED`

use forecheck::Failed;

use crate::generated::facts::Caller;

pub(super) fn check(target: &str, caller: &Caller) -> Result<(), Failed<()>> {
    if caller.repos.iter().any(|repos| allows(repos, target)) {
        return Ok(());
    }
    Err(Failed::from(()).because(format!("`{}` may not act on `{target}`", caller.name)))
}

fn allows(repos: &str, target: &str) -> bool {
    match repos.strip_suffix('*') {
        Some(owner) => owner.ends_with('/') && target.starts_with(owner),
        None => repos == target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_the_repositories_of_one_owner() {
        let rows = [
            ("octo/hello", "octo/hello", true),
            ("octo/hello", "octo/hello-world", false),
            ("octo/*", "octo/hello", true),
            ("octo/*", "octopus/hello", false),
            ("octo*", "octopus/hello", false),
            ("*", "octo/hello", false),
        ];
        for (repos, target, expected) in rows {
            assert_eq!(allows(repos, target), expected, "{repos} {target}");
        }
    }
}
