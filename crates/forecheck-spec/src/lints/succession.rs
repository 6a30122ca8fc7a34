//! What is gone stays gone, and what replaces it exists. So do the codes that other texts name.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::table::Deprecated;

use crate::check::verb_names;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::text::{nearest, quoted};

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let verbs = verb_names(raw);
    let codes: Vec<_> = raw.constraints().map(|(_, file)| file.code).collect();
    let names: BTreeSet<&str> = codes.iter().map(|code| code.value).collect();
    let of_verbs = raw.verbs.iter().map(|(_, verb)| (&verb.deprecated, verb.verb.at, true));
    let of_codes = raw.constraints().map(|(_, file)| (&file.deprecated, file.code.at, false));
    let deprecations: Vec<(&Option<Deprecated>, Location, bool)> = of_verbs.chain(of_codes).collect();
    let is_code = |name: &str| names.contains(name);
    related(raw, &names, problems);
    mentioned(raw, &names, problems);
    let mut successor = |name: &str, at, of_verb: bool| {
        let exists = if of_verb { verbs.contains(name) } else { is_code(name) };
        if !exists {
            let what = if of_verb { "verb" } else { "code" };
            let message = format!("the {what} {}, named as its successor, does not exist", quoted(name));
            problems.push(Problem::new(Lint::ReplacedBy, at, message));
        }
    };
    for (deprecated, at, of_verb) in deprecations {
        if let Some(name) = deprecated.as_ref().and_then(|deprecated| deprecated.replaced_by.as_deref()) {
            successor(name, at, of_verb);
        }
    }
    for retired in &raw.retired {
        if let Some(name) = &retired.entry.replaced_by {
            successor(name, retired.at, retired.entry.verb.is_some());
        }
    }
    let mut gone = BTreeMap::new();
    for retired in &raw.retired {
        let name = (retired.entry.code.as_deref(), retired.entry.verb.as_deref());
        if name != (None, None)
            && let Some(first) = gone.insert(name, retired.at)
        {
            let message = format!("{} is retired twice", quoted(name.0.or(name.1).unwrap_or_default()));
            problems
                .push(Problem::new(Lint::RetiredTwice, retired.at, message).related(first, "the first one"));
        }
        let code =
            retired.entry.code.as_deref().and_then(|name| codes.iter().find(|code| code.value == name));
        let verb = retired.entry.verb.as_deref();
        let verb =
            verb.and_then(|name| raw.verbs.iter().map(|(_, verb)| verb.verb).find(|verb| verb.value == name));
        for used in code.into_iter().chain(&verb) {
            let message = format!("{} is retired and cannot be used again", quoted(used.value));
            problems.push(
                Problem::new(Lint::RetiredUsed, used.at, message)
                    .related(retired.at, "retired here")
                    .help("choose another name; readers remember the old one"),
            );
        }
    }
}

/// Codes that are named as related exist.
fn related(raw: &RawSurface<'_>, codes: &BTreeSet<&str>, problems: &mut Vec<Problem>) {
    for (_, constraint) in raw.constraints() {
        for see in constraint.see.iter().flatten().filter(|see| !codes.contains(see.value)) {
            let message = format!("{} is no code of this surface", quoted(see.value));
            let near = nearest(see.value, codes.iter().copied());
            let help = near.first().map(|near| format!("did you mean `{near}`?"));
            problems.push(Problem { help, ..Problem::new(Lint::UnknownCode, see.at, message) });
        }
    }
}

/// How many words of one text are looked at.
const MOST_MENTIONS: usize = 64;
/// How many letters apart two words may be for one to be the other, misspelt.
const MISSPELT: usize = 2;

/// Codes that a description or a remedy names exist. Words in capitals mean many things, so only those count that were
/// a code once or nearly are one.
fn mentioned(raw: &RawSurface<'_>, codes: &BTreeSet<&str>, problems: &mut Vec<Problem>) {
    let gone: BTreeSet<&str> =
        raw.retired.iter().filter_map(|retired| retired.entry.code.as_deref()).collect();
    let known =
        |word: &str| codes.contains(word) || RuntimeCode::ALL.iter().any(|code| code.as_str() == word);
    let spelled: Vec<(&str, u64)> = codes.iter().map(|code| (*code, letters(code))).collect();
    let mut looked_up = BTreeMap::new();
    for (_, constraint) in raw.constraints() {
        let at = constraint.description.map_or(constraint.code.at, |text| text.at);
        let texts = [constraint.description.map(|text| text.value), constraint.help];
        for word in texts
            .into_iter()
            .flatten()
            .filter(|text| text.contains('_'))
            .flat_map(|text| capitals(text).take(MOST_MENTIONS))
        {
            if known(word) {
                continue;
            }
            let near = *looked_up.entry(word).or_insert_with(|| misspelt(word, &spelled));
            let (message, help) = match near {
                _ if gone.contains(word) => {
                    (format!("the text names {}, which is retired", quoted(word)), None)
                }
                Some(near) => (
                    format!("the text names {}, which is no code of this surface", quoted(word)),
                    Some(format!("did you mean `{near}`?")),
                ),
                None => continue,
            };
            problems.push(Problem { help, ..Problem::new(Lint::UnknownMention, at, message) });
        }
    }
}

/// The code that a word is a misspelling of, among codes that stand with their [`letters`].
fn misspelt<'c>(word: &str, codes: &[(&'c str, u64)]) -> Option<&'c str> {
    let of_word = letters(word);
    let alike = codes.iter().filter(|(code, of_code)| {
        // A misspelt letter is another one: it takes one from the letters of a word and adds one.
        code.len().abs_diff(word.len()) <= MISSPELT
            && (of_code ^ of_word).count_ones() as usize <= 2 * MISSPELT
    });
    let near = nearest(word, alike.map(|(code, _)| *code)).first().copied()?;
    (strsim::damerau_levenshtein(near, word) <= MISSPELT).then_some(near)
}

/// Which of the letters of codes a word has, a bit each.
fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte % 64))
}

/// The words of a text that are spelled as codes of several words are.
fn capitals(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| {
        word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && word.contains('_')
            && !word.contains(|letter: char| letter.is_ascii_lowercase())
    })
}
