//! What our validator, ajv of npm and jsonschema of PyPI say of the same instances: valid ones, and ones that
//! differ from a valid one in one place. The schemas are the traps and what MCP servers list.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use forecheck_contract::json::{self, Limits};
use forecheck_contract::validator::Validator;
use serde_json::Value;

use crate::mutants::mutant;
use crate::peer::Peer;
use crate::random::Random;
use crate::support::files;

/// A schema and its instances.
#[derive(Debug)]
pub(crate) struct Subject {
    /// A name of its own.
    pub(crate) name: String,
    /// The schema as text.
    pub(crate) schema: String,
    /// The instances, no two alike.
    pub(crate) instances: Vec<Judged>,
}

/// An instance, and whether it is valid in the words of two others.
#[derive(Debug)]
pub(crate) struct Judged {
    /// The instance as text, on one line.
    pub(crate) text: String,
    /// What jsonschema says.
    valid: bool,
    /// What ajv says.
    valid_in_ajv: bool,
    /// Whether it holds an integer that no call gets through with, valid or not, and no type has to read.
    beyond_calls: bool,
}

impl Judged {
    /// Whether a call with it comes as far as being read as a type.
    pub(crate) fn is_read(&self) -> bool {
        self.valid && !self.beyond_calls
    }
}

/// A schema, a part of its instances, and why ajv is not asked about them.
const EXCEPTIONS: &[(&str, &str, &str)] = &[(
    "trap IntRange",
    r#""big":1.8446744073709552e+19"#,
    "2^64 is one more than the maximum, but JavaScript rounds the maximum to it",
)];

fn excepted(name: &str, text: &str) -> bool {
    EXCEPTIONS.iter().any(|(schema, part, _)| *schema == name && text.contains(part))
}

/// All schemas with their judged instances.
pub(crate) fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| judged(&unjudged()))
}

/// A schema with instances, before anyone judged them.
struct Unjudged {
    name: String,
    schema: String,
    instances: BTreeSet<String>,
}

const PER_TRAP: usize = 250;
const PER_LISTED: usize = 200;

fn unjudged() -> Vec<Unjudged> {
    let mut random = Random(1 << 40);
    let traps = files("traps").into_iter().map(|(name, schema)| {
        let schema: Value = serde_json::from_slice(&schema).unwrap();
        (format!("trap {name}"), schema, PER_TRAP)
    });
    let listed = listed().into_iter().map(|(name, schema)| (name, schema, PER_LISTED));
    traps
        .chain(listed)
        .map(|(name, schema, count)| {
            let instances = instances(&mut random, &name, &schema, count);
            Unjudged { name, schema: schema.to_string(), instances }
        })
        .collect()
}

/// The input and output schemas of all MCP servers.
fn listed() -> Vec<(String, Value)> {
    let mut schemas = Vec::new();
    for (server, listing) in files("samples/mcp") {
        let mut listing: Value = serde_json::from_slice(&listing).unwrap();
        for tool in listing["tools"].as_array_mut().unwrap() {
            let name = format!("mcp {server} {}", tool["name"].as_str().unwrap());
            for (kind, member) in [("input", "inputSchema"), ("output", "outputSchema")] {
                if let Some(schema) = tool.get_mut(member) {
                    schemas.push((format!("{name} {kind}"), schema.take()));
                }
            }
        }
    }
    schemas
}

/// `count` instances: a third as the schema suggests, the others one change away from a valid one. Our validator
/// only sees to it that about half of them are valid; what others say of them decides.
fn instances(random: &mut Random, name: &str, schema: &Value, count: usize) -> BTreeSet<String> {
    let validator = Validator::new(schema.clone()).unwrap();
    let is_valid = |value: &Value| validator.violations(value).is_empty();
    let suggested: Vec<Value> = (0..20 * count).map(|_| random.instance(schema, schema, 6)).collect();
    let valid: Vec<Value> = suggested.into_iter().filter(is_valid).take(count).collect();
    assert!(!valid.is_empty(), "{name}: no instance is valid");
    let mut instances: BTreeSet<String> = valid.iter().take(count / 3).map(Value::to_string).collect();
    let mut valid_mutants = 0;
    for _ in 0..500 * count {
        if instances.len() == count {
            break;
        }
        let base = random.pick(&valid);
        let mutant = mutant(random, &base);
        let enough = is_valid(&mutant) && valid_mutants >= count / 6;
        if !enough && instances.insert(mutant.to_string()) {
            valid_mutants += usize::from(is_valid(&mutant));
        }
    }
    instances
}

fn judged(unjudged: &[Unjudged]) -> Vec<Subject> {
    let mut lines = Vec::new();
    for Unjudged { name, schema, instances } in unjudged {
        lines.push(format!("schema\t{name}\t{schema}"));
        lines.extend(instances.iter().map(|instance| format!("instance\t{name}\t{instance}")));
    }
    let mut verdicts = [Peer::Node, Peer::Python].map(|peer| peer.answers("valid", &lines).into_iter());
    let subjects = unjudged.iter().map(|Unjudged { name, schema, instances }| {
        let validator = Validator::new(serde_json::from_str(schema).unwrap()).unwrap();
        let instances = instances.iter().map(|text| {
            let [valid_in_ajv, valid] =
                verdicts.each_mut().map(|verdicts| verdicts.next().unwrap().parse().unwrap());
            let beyond_calls = beyond_calls(&validator, text);
            Judged { text: text.clone(), valid, valid_in_ajv, beyond_calls }
        });
        Subject { name: name.clone(), schema: schema.clone(), instances: instances.collect() }
    });
    subjects.collect()
}

fn beyond_calls(validator: &Validator, text: &str) -> bool {
    let input = json::read(text.as_bytes(), Limits::CALL);
    input.is_err() || input.is_ok_and(|input| !validator.unsafe_integers(&input).is_empty())
}

#[test]
fn validators_of_three_languages_agree() {
    let mut faults = Vec::new();
    let (mut all, mut valid) = (0, 0);
    for subject in subjects() {
        let validator = Validator::new(serde_json::from_str(&subject.schema).unwrap()).unwrap();
        for Judged { text, valid, valid_in_ajv, .. } in &subject.instances {
            let ours = validator.violations(&serde_json::from_str(text).unwrap()).is_empty();
            let agreed = ours == *valid && valid == valid_in_ajv;
            if agreed == excepted(&subject.name, text) {
                let verdicts = format!("ours {ours}, ajv {valid_in_ajv}, jsonschema {valid}");
                faults.push(format!("{}: {text}: {verdicts}", subject.name));
            }
        }
        all += subject.instances.len();
        valid += subject.instances.iter().filter(|instance| instance.valid).count();
    }
    println!("{} schemas, {all} instances, {valid} of them valid", subjects().len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_schema_has_valid_and_invalid_instances() {
    for Subject { name, instances, .. } in subjects() {
        let valid = instances.iter().filter(|instance| instance.valid).count();
        println!("{name}: {valid} of {}", instances.len());
        assert!(instances.len() >= 200, "{name}: {}", instances.len());
        assert!((1..instances.len()).contains(&valid), "{name}: {valid} of {} are valid", instances.len());
    }
}
