//! The collapsed table: every code once, across all verbs that it can arrive from.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::outcome::Status;
use forecheck_contract::predicate::Predicate;
use forecheck_contract::resend::{Meaning, Resend};
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::table::{
    ERRORS_FORMAT, ErrorTable, ResendStatements, RetryStatement, Row, RuntimeRow, StatusRow, Variant, VerbRow,
};

use crate::check::by_code;
use crate::schema::Schemas;
use crate::schema::bundle::bundle;
use crate::surface::{Constraint, Surface, Verb};

type Uses<'v, 's> = [(&'v Verb<'s>, &'v Constraint<'s>)];

/// The table of a surface.
pub fn error_table(surface: &Surface<'_>) -> ErrorTable {
    let rows = by_code(&surface.verbs).into_iter().map(|(code, uses)| row(&surface.schemas, code, &uses));
    let runtime = RuntimeCode::ALL.iter().map(|code| RuntimeRow {
        code: code.as_str().to_owned(),
        description: code.description().to_owned(),
        help: code.help().to_owned(),
        resend: code.resend(),
    });
    let statuses = Status::ALL
        .iter()
        .map(|status| StatusRow { status: *status, description: status.description().to_owned() });
    ErrorTable {
        schema: "errors.schema.json".to_owned(),
        format: ERRORS_FORMAT,
        surface: surface.id.clone(),
        retry: retry_statement(),
        codes: rows.collect(),
        runtime_codes: runtime.collect(),
        statuses: statuses.collect(),
        retired: surface.retired.clone(),
    }
}

/// What holds of every code of every surface. Stated once, ruled by nobody.
fn retry_statement() -> RetryStatement {
    let rules = [
        "Constraints are preconditions: they are evaluated before any effect. A refused call left nothing behind, and \
         sending it again is the same as sending it for the first time.",
        "The key is `SHA256(<verb>|<target_repo>|<canonical_input_json>)`. If what failed lay outside the input, mend it \
         and resend the identical request under the same key. If a field that the key covers must change, the key \
         changes with it.",
        "A verb with effects that already succeeded answers `skipped_idempotent` while the success is remembered, so resending is safe \
         even when it is unknown whether the first call landed. Verbs whose repeat is `run` act on each call.",
    ];
    let statement = |resend: Resend| resend.statement().to_owned();
    RetryStatement {
        statement:
            "Resending a refused call is safe. Whether it can help follows from what the failed check reads: \
                    see `resend`, `change` and `basis` of its row."
                .to_owned(),
        rules: rules.map(str::to_owned).to_vec(),
        resend: ResendStatements {
            change_input: statement(Resend::ChangeInput),
            same_input: statement(Resend::SameInput),
            either: statement(Resend::Either),
        },
    }
}

fn row(schemas: &Schemas<'_>, code: &str, uses: &Uses<'_, '_>) -> Row {
    let by_verb = by_verb(uses);
    let meaning = joined_meaning(uses);
    let variants = variants(uses);
    let details = uses.iter().find_map(|(_, constraint)| constraint.file.details);
    Row {
        code: code.to_owned(),
        description: published_text(&variants),
        variants: if variants.len() > 1 { variants } else { Vec::new() },
        help: agreed(uses, help_of).flatten(),
        verbs: names(uses),
        resend: meaning.resend,
        change: meaning.change,
        basis: meaning.basis,
        refuse_when: agreed(uses, refuse_when).flatten(),
        by_verb: if by_verb.len() > 1 { by_verb } else { Vec::new() },
        policy: uses.iter().any(|(_, constraint)| constraint.is_policy()),
        details: details.map(|node| bundle(schemas, node)),
        since: agreed(uses, |constraint| constraint.file.since.map(str::to_owned)).flatten(),
        deprecated: agreed(uses, |constraint| constraint.file.deprecated.clone()).flatten(),
        see: uses
            .iter()
            .flat_map(|(_, c)| c.file.see.iter().flatten())
            .map(|see| see.value.to_owned())
            .collect(),
        page: format!("codes/{code}/"),
    }
}

fn names(uses: &Uses<'_, '_>) -> BTreeSet<String> {
    uses.iter().map(|(verb, _)| verb.name().to_owned()).collect()
}

fn help_of(constraint: &Constraint<'_>) -> Option<String> {
    let help = crate::text::collapsed(constraint.file.help?);
    (!help.is_empty()).then(|| help.into_owned())
}

fn refuse_when(constraint: &Constraint<'_>) -> Option<Predicate> {
    constraint.file.refuse_when.as_ref().map(|stated| stated.predicate.clone())
}

fn joined_meaning(uses: &Uses<'_, '_>) -> Meaning {
    let mut meanings = uses.iter().map(|(_, constraint)| &constraint.meaning);
    let undeclared = Meaning::derive(None, None);
    let first = meanings.next().cloned().unwrap_or(undeclared);
    meanings.fold(first, |joined, meaning| joined.join(meaning))
}

/// What all uses say alike; `None` where they differ.
fn agreed<T: PartialEq>(uses: &Uses<'_, '_>, say: impl Fn(&Constraint<'_>) -> T) -> Option<T> {
    let mut said = uses.iter().map(|(_, constraint)| say(constraint));
    let first = said.next()?;
    said.all(|other| other == first).then_some(first)
}

/// The texts of a code with the verbs that use each: the published one first.
fn variants(uses: &Uses<'_, '_>) -> Vec<Variant> {
    let mut texts: BTreeMap<Cow<'_, str>, BTreeSet<String>> = BTreeMap::new();
    for (verb, constraint) in uses {
        texts.entry(constraint.description()).or_default().insert(verb.name().to_owned());
    }
    let variant = |(text, verbs): (Cow<'_, str>, _)| Variant { description: text.into_owned(), verbs };
    let mut variants: Vec<Variant> = texts.into_iter().map(variant).collect();
    variants.sort_by_key(|variant| std::cmp::Reverse(variant.description.chars().count()));
    variants
}

/// The longest text in Unicode scalar values; of several, the smallest in UTF-8 order.
fn published_text(variants: &[Variant]) -> String {
    variants.first().map(|variant| variant.description.clone()).unwrap_or_default()
}

/// Verbs grouped by what the code means for them, ordered by the first verb of each group.
fn by_verb(uses: &Uses<'_, '_>) -> Vec<VerbRow> {
    let mut groups: Vec<VerbRow> = Vec::new();
    for (verb, constraint) in uses {
        let Meaning { resend, change, basis } = constraint.meaning.clone();
        let row = VerbRow {
            verbs: BTreeSet::from([verb.name().to_owned()]),
            resend,
            change,
            basis,
            refuse_when: refuse_when(constraint),
            help: help_of(constraint),
            since: constraint.file.since.map(str::to_owned),
            deprecated: constraint.file.deprecated.clone(),
        };
        match groups.iter_mut().find(|group| says_the_same(group, &row)) {
            Some(group) => group.verbs.extend(row.verbs),
            None => groups.push(row),
        }
    }
    groups
}

/// Whether two groups differ in nothing but their verbs.
fn says_the_same(a: &VerbRow, b: &VerbRow) -> bool {
    let VerbRow { verbs: _, resend, change, basis, refuse_when, help, since, deprecated } = a;
    (resend, change, basis, refuse_when, help, since, deprecated)
        == (&b.resend, &b.change, &b.basis, &b.refuse_when, &b.help, &b.since, &b.deprecated)
}
