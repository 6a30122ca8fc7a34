//! Random schemas and instances that are likely to be valid.

use serde_json::{Map, Value, json};

/// A small generator of numbers (xorshift): the same schemas on every machine.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    fn some<T: Clone>(&mut self, choices: &[T], most: usize) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| self.pick(choices)).collect()
    }

    /// A schema with two definitions, which may refer to each other.
    pub(crate) fn schema(&mut self) -> Value {
        let mut root = self.inner(3);
        let definitions = json!({"x": self.inner(2), "y": self.inner(2), "z": self.object(2)});
        match root.as_object_mut() {
            Some(members) => {
                members.insert("$defs".to_owned(), definitions);
            }
            None => root = json!({"$defs": definitions, "$ref": "#/$defs/z"}),
        }
        root
    }

    fn inner(&mut self, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        match self.below(14) {
            0..=3 => self.object(depth),
            4 => self.array(depth),
            5 => json!({"$ref": self.pick(&["#/$defs/x", "#/$defs/y", "#/$defs/z"])}),
            6 => json!({self.pick(&["oneOf", "anyOf"]): self.several(depth)}),
            7 => json!({"allOf": self.several(depth), "unevaluatedProperties": self.one_in(2)}),
            8 => self.tagged(depth),
            9 => {
                let mut object = self.object(depth);
                object[self.pick(&["oneOf", "anyOf", "allOf"])] = self.several(depth).into();
                object
            }
            10 => json!({"type": self.types(), "properties": {"a": self.inner(depth - 1)}}),
            11 => json!({"$ref": self.pick(&["#/$defs/x", "#/$defs/z"]), "required": self.some(&NAMES, 2)}),
            _ => self.leaf(),
        }
    }

    fn several(&mut self, depth: usize) -> Vec<Value> {
        (0..=self.below(3)).map(|_| self.inner(depth - 1)).collect()
    }

    fn types(&mut self) -> Vec<&'static str> {
        let mut types = self.some(&["null", "string", "integer", "number", "array", "object", "boolean"], 3);
        types.push("object");
        types.sort_unstable();
        types.dedup();
        types
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        if !self.one_in(6) {
            schema.insert("type".to_owned(), json!("object"));
        }
        let properties: Map<String, Value> =
            self.some(&NAMES, 3).into_iter().map(|name| (name.to_owned(), self.inner(depth - 1))).collect();
        schema.insert("properties".to_owned(), properties.into());
        let mut required = self.some(&NAMES, 2);
        required.sort_unstable();
        required.dedup();
        schema.insert("required".to_owned(), json!(required));
        match self.below(8) {
            0..=2 => drop(schema.insert("additionalProperties".to_owned(), json!(false))),
            3 => drop(schema.insert("additionalProperties".to_owned(), self.inner(depth - 1))),
            4 => drop(schema.insert("unevaluatedProperties".to_owned(), json!(false))),
            5 => drop(schema.insert("patternProperties".to_owned(), json!({"^[ab]": self.inner(depth - 1)}))),
            _ => {}
        }
        schema.into()
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut schema = json!({"type": "array"});
        if self.one_in(2) {
            schema["items"] = self.inner(depth - 1);
        }
        if self.one_in(2) {
            let prefix = self.several(depth);
            schema["minItems"] = self.pick(&[0, prefix.len()]).into();
            schema["prefixItems"] = prefix.into();
            if self.one_in(2) {
                schema["items"] = json!(false);
            }
        }
        schema
    }

    fn tagged(&mut self, depth: usize) -> Value {
        let branches = ["x", "y", "z"].iter().take(1 + self.below(3)).map(|tag| {
            let mut object = self.object(depth);
            object["properties"]["k"] = json!({"const": tag});
            object["required"].as_array_mut().unwrap().push(json!("k"));
            object
        });
        json!({"oneOf": branches.collect::<Vec<_>>()})
    }

    fn leaf(&mut self) -> Value {
        self.pick(&[
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            json!({"type": "integer"}),
            json!({"type": "integer", "minimum": 0, "maximum": 3}),
            json!({"type": "number"}),
            json!({"type": "boolean"}),
            json!({"type": "null"}),
            json!({"enum": ["x", "y"]}),
            json!({"enum": ["x", null, "a"]}),
            json!({"enum": [1, 2]}),
            json!({"const": "x"}),
            json!({"const": 1}),
            json!({"type": "array"}),
            json!({"type": "object"}),
            json!({"not": {"type": "string"}}),
            json!(true),
            json!(false),
            json!({}),
        ])
    }

    /// A value for `schema`, a part of `root`; often one that is valid, but nothing is promised.
    pub(crate) fn instance(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        if depth == 0 || self.one_in(12) {
            return self.anything(2);
        }
        let keys = ["$ref", "oneOf", "anyOf", "allOf", "then", "const", "enum"];
        let chosen: Vec<&str> = keys.into_iter().filter(|key| schema.get(key).is_some()).collect();
        let mut value = self.typed(root, schema, depth);
        for key in chosen {
            let other = match key {
                "$ref" => {
                    let target =
                        root.pointer(schema["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap();
                    self.instance(root, target, depth - 1)
                }
                "then" => self.instance(root, &schema["then"], depth - 1),
                "const" => schema["const"].clone(),
                "enum" => self.pick(schema["enum"].as_array().unwrap()),
                "allOf" => {
                    let all = schema["allOf"].as_array().unwrap().clone();
                    let all = all.iter().map(|one| self.instance(root, one, depth - 1));
                    all.reduce(together).unwrap_or_default()
                }
                _ => {
                    let branch = self.pick(schema[key].as_array().unwrap());
                    self.instance(root, &branch, depth - 1)
                }
            };
            value = together(value, other);
        }
        value
    }

    fn typed(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        let of = match &schema["type"] {
            Value::String(of) => of.clone(),
            Value::Array(types) => self.pick(types).as_str().unwrap().to_owned(),
            _ if ["properties", "required", "if"].iter().any(|key| schema.get(key).is_some()) => {
                "object".to_owned()
            }
            _ => return self.anything(1),
        };
        match of.as_str() {
            "object" => self.members(root, schema, depth),
            "array" => self.items(root, schema, depth),
            "string" => self.text(schema),
            "integer" => self.number(schema, &[json!(0), json!(1), json!(2.0), json!(-1), json!(1e3)]),
            "number" => self.number(schema, &[json!(0), json!(1.5), json!(1.0), json!(-2e10)]),
            "boolean" => self.one_in(2).into(),
            _ => Value::Null,
        }
    }

    fn members(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let own = schema["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        let others = own.chain(required.iter().copied()).filter(|name| !NAMES.contains(name));
        let mut members = Map::new();
        for name in NAMES.into_iter().chain(["k", "extra", "x-extra"]).chain(others) {
            if required.contains(&name) || self.one_in(3) {
                let anything = json!({});
                let inner = inner(schema, name).unwrap_or(&anything);
                if inner == &json!(false) && !required.contains(&name) {
                    continue;
                }
                members.insert(name.to_owned(), self.instance(root, inner, depth - 1));
            }
        }
        members.into()
    }

    /// A text that has the right length, if the schema states one.
    fn text(&mut self, schema: &Value) -> Value {
        let text = self.pick(&["x", "y", "a", "", "\u{1f600}"]);
        let length = schema["minLength"].as_u64().unwrap_or(0);
        text.repeat(usize::try_from(length.max(1)).unwrap()).into()
    }

    /// A number at or beside a limit of the schema, or else one of `others`.
    fn number(&mut self, schema: &Value, others: &[Value]) -> Value {
        let limits = ["minimum", "maximum", "exclusiveMinimum"].map(|limit| schema.get(limit).cloned());
        let limits: Vec<Value> = limits.into_iter().flatten().collect();
        if limits.is_empty() || self.one_in(4) {
            return self.pick(others);
        }
        let limit = self.pick(&limits);
        let within = limit.as_i64().map(|limit| limit + i64::try_from(self.below(3)).unwrap() - 1);
        within.map_or(limit, Value::from)
    }

    fn items(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        let anything = json!({});
        let prefix = schema["prefixItems"].as_array().cloned().unwrap_or_default();
        let rest = schema.get("items").unwrap_or(&anything);
        let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap();
        let mut items: Vec<Value> = prefix.iter().map(|item| self.instance(root, item, depth - 1)).collect();
        if rest != &json!(false) {
            let more = self.below(3).max(least.saturating_sub(items.len()));
            items.extend((0..more).map(|_| self.instance(root, rest, depth - 1)).collect::<Vec<_>>());
        }
        items.into()
    }

    pub(crate) fn anything(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(true),
            2 => self.pick(&[json!(0), json!(1), json!(2.0), json!(1.5), json!(-7)]),
            3..=5 => self.pick(&["x", "y", "a"]).into(),
            6 => (0..self.below(3)).map(|_| self.anything(depth - 1)).collect::<Vec<_>>().into(),
            _ => {
                let names = self.some(&NAMES, 3);
                let members = names.into_iter().map(|name| (name.to_owned(), self.anything(depth - 1)));
                members.collect::<Map<_, _>>().into()
            }
        }
    }
}

/// The schema of a member.
fn inner<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let patterned = schema["patternProperties"].as_object().into_iter().flatten();
    let prefix = |pattern: &str| pattern.strip_prefix('^').is_some_and(|prefix| name.starts_with(prefix));
    let mut fitting = patterned.filter(|(pattern, _)| prefix(pattern)).map(|(_, schema)| schema);
    let own = schema["properties"].get(name).or_else(|| fitting.next());
    own.or_else(|| schema.get("additionalProperties"))
}

const NAMES: [&str; 4] = ["a", "b", "c", "k"];

/// One value with the members of both, where both are objects, or else the second.
fn together(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            one.extend(other);
            Value::Object(one)
        }
        (_, other) => other,
    }
}
