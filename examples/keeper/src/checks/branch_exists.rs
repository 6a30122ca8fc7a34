//! `BRANCH_EXISTS`

use forecheck::Failed;

use crate::generated::details::BranchExists;
use crate::generated::facts::Branches;

/// A branch is a file for git, so that `a` and `a/b` cannot both be there.
pub(super) fn check(branch: &str, branches: &Branches) -> Result<(), Failed<BranchExists>> {
    let in_the_way = |other: &&String| is_at_or_below(branch, other) || is_at_or_below(other, branch);
    match branches.names.iter().find(in_the_way) {
        None => Ok(()),
        Some(branch) => Err(BranchExists { branch: branch.clone() }.into()),
    }
}

fn is_at_or_below(branch: &str, other: &str) -> bool {
    branch.strip_prefix(other).is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_in_the_way_of_its_name_and_of_what_is_below_or_above() {
        let branches = Branches { names: ["fix", "main", "work/a"].map(str::to_owned).to_vec() };
        let rows = [
            ("fix", Some("fix")),
            ("fix/b", Some("fix")),
            ("work", Some("work/a")),
            ("fixed", None),
            ("work/ab", None),
        ];
        for (branch, expected) in rows {
            let expected =
                expected.map_or(Ok(()), |branch| Err(BranchExists { branch: branch.to_owned() }.into()));
            assert_eq!(check(branch, &branches), expected, "{branch}");
        }
    }
}
