//! What resending a refused call can do: derived from what the check reads, never from wording.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What resending can do after a refusal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Resend {
    /// No fact is read: with this version of the surface the identical call is refused again.
    ChangeInput,
    /// Only facts are read, and of the input at most the target: for this target no change of
    /// input helps; the identical call may pass once a fact changes.
    SameInput,
    /// Facts and other input are read, or it is not declared what is read: not known which helps.
    Either,
}

impl Resend {
    /// The value as JSON spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Resend::ChangeInput => "change_input",
            Resend::SameInput => "same_input",
            Resend::Either => "either",
        }
    }

    /// What the value promises, as `errors.json` states it once.
    pub const fn statement(self) -> &'static str {
        match self {
            Resend::ChangeInput => {
                "The check reads no fact. With this version of the surface the identical call is refused again; \
                 change one of `change.input`. The changed call has another key."
            }
            Resend::SameInput => {
                "The check reads facts and, of the input, at most the target. For this target no change of input \
                 helps; the identical call, under the same key, may pass once one of `change.facts` changes. \
                 Another target is another call."
            }
            Resend::Either => {
                "The check reads facts and other input, or what it reads is not declared. It is not known which of \
                 the two has to change."
            }
        }
    }
}

/// How strong the statement of a [`Resend`] is. Ordered from the weakest.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The constraint does not say what its check reads.
    Undeclared,
    /// The constraint declares what its check reads.
    Signature,
    /// The constraint is its own check: the published predicate reads this and nothing else.
    Predicate,
}

impl Basis {
    /// What it says about the spec.
    pub const fn in_words(self) -> &'static str {
        match self {
            Basis::Undeclared => "the spec does not say what the check reads",
            Basis::Signature => "the spec declares what the check reads, and that it is all",
            Basis::Predicate => {
                "the spec states the condition itself, `refuse_when`, and nothing else is read"
            }
        }
    }
}

/// Who, or what, can change a fact.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangedBy {
    /// The calling agent, through other calls.
    Agent,
    /// The user of the harness.
    User,
    /// Whoever runs the environment.
    Operator,
    /// Nobody: it changes as time passes.
    Time,
}

impl ChangedBy {
    /// Whom or what it names, in a sentence.
    pub const fn in_words(self) -> &'static str {
        match self {
            ChangedBy::Agent => "the agent",
            ChangedBy::User => "the user",
            ChangedBy::Operator => "the operator",
            ChangedBy::Time => "time",
        }
    }
}

/// A fact that a check reads.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct ChangingFact {
    /// Its name.
    pub fact: String,
    /// Who or what can change it; absent where the surface does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<ChangedBy>,
}

/// What has to change before a call that was refused can pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Pointers into the input; the empty pointer is the whole input.
    pub input: BTreeSet<String>,
    /// Facts.
    pub facts: BTreeSet<ChangingFact>,
}

/// What a check may look at, closed over what its facts are `of`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Whether the target is read.
    pub target: bool,
    /// Pointers of the other input fields that are read.
    pub input: BTreeSet<String>,
    /// Facts that are read.
    pub facts: BTreeSet<ChangingFact>,
}

/// What a refusal means for a resend: the derived part of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    /// What resending can do.
    pub resend: Resend,
    /// What has to change; `None` where it is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// How strong that is.
    pub basis: Basis,
}

impl Meaning {
    /// Derives the meaning of a constraint from what its check reads; `None` is undeclared.
    /// `target` is the pointer of the target, where the verb has one.
    pub fn derive(reads: Option<&Reads>, target: Option<&str>) -> Meaning {
        let Some(reads) = reads else {
            return Meaning { resend: Resend::Either, change: None, basis: Basis::Undeclared };
        };
        let resend = if reads.facts.is_empty() {
            Resend::ChangeInput
        } else if reads.input.is_empty() {
            Resend::SameInput
        } else {
            Resend::Either
        };
        let mut input = reads.input.clone();
        if reads.target && resend != Resend::SameInput {
            input.extend(target.map(str::to_owned));
        }
        Meaning {
            resend,
            change: Some(Change { input, facts: reads.facts.clone() }),
            basis: Basis::Signature,
        }
    }

    /// Derives the meaning of a constraint whose check is compiled from its predicate.
    pub fn of_predicate(reads: &Reads, target: Option<&str>) -> Meaning {
        Meaning { basis: Basis::Predicate, ..Meaning::derive(Some(reads), target) }
    }

    /// The meaning of a code that arrives from verbs where it means `self` and `other`: the one
    /// `resend` that holds in both, and everything that may have to change in either. The target of a
    /// verb that alone says `same_input` is not named: there, another target is another call.
    /// Commutative, associative and idempotent.
    #[must_use]
    pub fn join(&self, other: &Meaning) -> Meaning {
        Meaning {
            resend: if self.resend == other.resend { self.resend } else { Resend::Either },
            change: self.change.as_ref().zip(other.change.as_ref()).map(|(a, b)| Change {
                input: a.input.union(&b.input).cloned().collect(),
                facts: a.facts.union(&b.facts).cloned().collect(),
            }),
            basis: self.basis.min(other.basis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(name: &str) -> ChangingFact {
        ChangingFact { fact: name.to_owned(), changed_by: Some(ChangedBy::Operator) }
    }

    fn reads(target: bool, input: &[&str], facts: &[&str]) -> Reads {
        Reads {
            target,
            input: input.iter().map(|&at| at.to_owned()).collect(),
            facts: facts.iter().map(|name| fact(name)).collect(),
        }
    }

    fn change(input: &[&str], facts: &[&str]) -> Change {
        let Reads { input, facts, .. } = reads(false, input, facts);
        Change { input, facts }
    }

    /// Every combination of target, other input and fact, and undeclared.
    fn all() -> Vec<Option<Reads>> {
        let mut all = vec![None];
        for target in [false, true] {
            for input in [&[][..], &["/paths"], &[""]] {
                for facts in [&[][..], &["registry"], &["worktree"]] {
                    all.push(Some(reads(target, input, facts)));
                }
            }
        }
        all
    }

    #[test]
    fn resend_follows_from_reads() {
        let check = |reads: Reads, resend, change| {
            let expected = Meaning { resend, change: Some(change), basis: Basis::Signature };
            assert_eq!(Meaning::derive(Some(&reads), Some("/repo")), expected);
        };
        check(reads(false, &["/paths"], &[]), Resend::ChangeInput, change(&["/paths"], &[]));
        check(reads(true, &[], &[]), Resend::ChangeInput, change(&["/repo"], &[]));
        check(reads(true, &["/paths"], &[]), Resend::ChangeInput, change(&["/paths", "/repo"], &[]));
        check(reads(false, &[], &["registry"]), Resend::SameInput, change(&[], &["registry"]));
        check(reads(true, &[], &["registry"]), Resend::SameInput, change(&[], &["registry"]));
        check(
            reads(true, &["/paths"], &["registry"]),
            Resend::Either,
            change(&["/paths", "/repo"], &["registry"]),
        );
        let undeclared = Meaning { resend: Resend::Either, change: None, basis: Basis::Undeclared };
        assert_eq!(Meaning::derive(None, Some("/repo")), undeclared);
    }

    #[test]
    fn join_keeps_only_what_holds_in_both() {
        let input = Meaning::derive(Some(&reads(true, &[], &[])), Some("/repo"));
        let outside = Meaning::derive(Some(&reads(false, &[], &["registry"])), Some("/repo"));
        let expected = Meaning {
            resend: Resend::Either,
            change: Some(change(&["/repo"], &["registry"])),
            basis: Basis::Signature,
        };
        assert_eq!(input.join(&outside), expected);
        let undeclared = Meaning::derive(None, None);
        assert_eq!(input.join(&undeclared), undeclared);
        let proven = Meaning::of_predicate(&reads(true, &[], &[]), Some("/repo"));
        assert_eq!(proven, Meaning { basis: Basis::Predicate, ..input.clone() });
        assert_eq!((proven.join(&input), proven.join(&undeclared)), (input, undeclared));
    }

    #[test]
    fn join_is_a_semilattice() {
        let all = all();
        let derived = all.iter().map(|reads| Meaning::derive(reads.as_ref(), Some("/repo")));
        let proven = all.iter().flatten().map(|reads| Meaning::of_predicate(reads, Some("/repo")));
        let all: Vec<Meaning> = derived.chain(proven).collect();
        for a in &all {
            assert_eq!(a.join(a), *a);
            for b in &all {
                assert_eq!(a.join(b), b.join(a));
                for c in &all {
                    assert_eq!(a.join(b).join(c), a.join(&b.join(c)));
                }
            }
        }
    }
}
