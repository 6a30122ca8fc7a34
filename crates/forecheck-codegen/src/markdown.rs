//! Markdown for agents that read: one page per code and verb, also of those that are gone, and `llms.txt`, which
//! lists them.
//!
//! Text from a spec is untrusted. On one line it is escaped; a description of several lines stands
//! in a block quote, where it cannot pass for the page around it.

mod escape;

use std::collections::BTreeSet;

use askama::Template;
use forecheck_contract::resend::{Basis, Change, Resend};
use forecheck_contract::table::{Deprecated, Retired, Row, VerbRow};
use forecheck_spec::surface::{Constraint, Verb};

use crate::generator::{GenerateError, GeneratedFile, Source};
use escape::{code, line, quote};

pub(crate) fn generate(source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    let mut files = vec![page("llms.txt".to_owned(), &Index { source })?];
    for row in &source.table.codes {
        files.push(page(format!("codes/{}.md", row.code), &CodePage { row })?);
    }
    for verb in &source.surface.verbs {
        files.push(page(format!("verbs/{}.md", verb.name()), &VerbPage { verb })?);
    }
    for row in &source.table.retired {
        files.push(page(retired_path(row), &RetiredPage { row })?);
    }
    Ok(files)
}

fn page(path: String, template: &impl Template) -> Result<GeneratedFile, GenerateError> {
    match template.render() {
        Ok(text) => Ok(GeneratedFile { path, content: text.trim_end().to_owned() + "\n" }),
        Err(error) => Err(GenerateError { path, reason: error.to_string() }),
    }
}

#[derive(Template)]
#[template(path = "llms.txt", escape = "none")]
struct Index<'a, 's> {
    source: &'a Source<'a, 's>,
}

#[derive(Template)]
#[template(path = "code.md", escape = "none")]
struct CodePage<'a> {
    row: &'a Row,
}

#[derive(Template)]
#[template(path = "verb.md", escape = "none")]
struct VerbPage<'a, 's> {
    verb: &'a Verb<'s>,
}

#[derive(Template)]
#[template(path = "retired.md", escape = "none")]
struct RetiredPage<'a> {
    row: &'a Retired,
}

impl CodePage<'_> {
    fn details(&self) -> Option<String> {
        let schema = serde_json::to_string_pretty(self.row.details.as_ref()?).ok()?;
        Some(escape::fenced(&schema))
    }

    /// The conditions that are published: one for all verbs, or each with its verbs.
    fn conditions(&self) -> Vec<(&BTreeSet<String>, String)> {
        let of_all = self.row.refuse_when.iter().map(|stated| (&self.row.verbs, stated));
        let of_some = self.row.by_verb.iter().filter(|_| self.row.refuse_when.is_none());
        let of_some = of_some.filter_map(|group| Some((&group.verbs, group.refuse_when.as_ref()?)));
        let shown = |predicate| escape::fenced(&serde_json::to_string_pretty(predicate).unwrap_or_default());
        of_all.chain(of_some).map(|(verbs, stated)| (verbs, shown(stated))).collect()
    }
}

impl VerbPage<'_, '_> {
    fn input(&self) -> String {
        fenced_json(self.verb.file.input)
    }

    fn output(&self) -> Option<String> {
        self.verb.file.output.map(fenced_json)
    }

    fn effects(&self) -> String {
        match self.verb.file.effects.as_deref() {
            None => "not declared".to_owned(),
            Some([]) => "none: the verb is read-only, so it has no key".to_owned(),
            Some(effects) => {
                let words = effects.iter().map(|effect| match effect.target {
                    Some(target) => format!("{} {}", line(effect.kind), line(target)),
                    None => line(effect.kind),
                });
                words.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

fn fenced_json(node: &forecheck_contract::json::Node<'_>) -> String {
    escape::fenced(&serde_json::to_string_pretty(node).unwrap_or_default())
}

/// Where links from the time before it was retired lead.
fn retired_path(row: &Retired) -> String {
    let folder = if row.code.is_some() { "codes" } else { "verbs" };
    format!("{folder}/{}.md", retired_name(row))
}

fn retired_name(row: &Retired) -> &str {
    row.code.as_deref().or(row.verb.as_deref()).unwrap_or_default()
}

fn retirement(row: &Retired) -> String {
    ending(&row.since, row.note.as_deref(), row.replaced_by.as_deref())
}

fn deprecation(deprecated: &Deprecated) -> String {
    ending(&deprecated.since, deprecated.note.as_deref(), deprecated.replaced_by.as_deref())
}

/// From when on, why, and what to use instead, whose page stands beside this one.
fn ending(since: &str, note: Option<&str>, successor: Option<&str>) -> String {
    let note = note.map_or_else(String::new, |note| format!(" {}", line(note)));
    let successor =
        successor.map_or_else(String::new, |name| format!(" Use [{}]({name}.md) instead.", line(name)));
    format!("since {}.{note}{successor}", line(since))
}

fn row_meaning(row: &Row) -> String {
    meaning(row.resend, row.change.as_ref(), row.basis)
}

fn constraint_meaning(constraint: &Constraint<'_>) -> String {
    meaning(constraint.meaning.resend, constraint.meaning.change.as_ref(), constraint.meaning.basis)
}

fn verb_row_meaning(row: &VerbRow) -> String {
    meaning(row.resend, row.change.as_ref(), row.basis)
}

fn word(resend: Resend) -> String {
    format!("`{}`", resend.as_str())
}

fn meaning(resend: Resend, change: Option<&Change>, basis: Basis) -> String {
    let what = change.map(|change| {
        let input =
            change.input.iter().map(|at| if at.is_empty() { "the input".to_owned() } else { code(at) });
        let facts = change.facts.iter().map(|fact| match fact.changed_by {
            Some(by) => format!("the fact {} (changed by {})", code(&fact.fact), by.in_words()),
            None => format!("the fact {}", code(&fact.fact)),
        });
        input.chain(facts).collect::<Vec<_>>().join(" or ")
    });
    match what.filter(|what| !what.is_empty()) {
        Some(what) => format!("{}: {what} has to change; {}", word(resend), basis.in_words()),
        None => format!("{}: {}", word(resend), basis.in_words()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn rendered(row: Value) -> String {
        let row: Row = serde_json::from_value(row).unwrap();
        page("x".to_owned(), &CodePage { row: &row }).unwrap().content
    }

    fn row(refuse_when: &Value) -> Value {
        json!({"code": "DIRTY", "description": "x", "verbs": ["close", "open"], "resend": "change_input",
            "change": {"input": ["/n"], "facts": []}, "basis": "predicate", "page": "codes/DIRTY/",
            "refuse_when": refuse_when})
    }

    /// A predicate cannot close its block, and stands with the verbs that state it.
    #[test]
    fn a_page_shows_the_condition() {
        let predicate = json!({"eq": [{"input": "/n"}, "```\n# x"]});
        let block = "````json\n{\n  \"eq\": [\n    {\n      \"input\": \"/n\"\n    },\n    \"```\\n# x\"\n  ]\n}\n````";
        let text = "The call is refused when this is true:";
        assert!(rendered(row(&predicate)).contains(&format!("\n## Condition\n\n{text}\n\n{block}\n")));
        let mut of_one = row(&Value::Null);
        let group =
            |verb: &str, basis: &str| json!({"verbs": [verb], "resend": "change_input", "basis": basis});
        let mut close = group("close", "predicate");
        close["refuse_when"] = predicate;
        of_one["by_verb"] = json!([close, group("open", "signature")]);
        let of_one = rendered(of_one);
        assert!(of_one.contains(&format!("\n## Condition for close\n\n{text}\n\n{block}\n")), "{of_one}");
        assert_eq!(of_one.matches("## Condition").count(), 1);
        assert_eq!(rendered(row(&Value::Null)).matches("## Condition").count(), 0);
    }
}
