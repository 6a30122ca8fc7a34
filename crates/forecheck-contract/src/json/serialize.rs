//! Nodes as serde values, for libraries that want their own tree.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Node, Number, Value};

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Number(Number::Unsigned(n)) => serializer.serialize_u64(*n),
            Value::Number(Number::Signed(n)) => serializer.serialize_i64(*n),
            Value::Number(Number::Float(n)) => serializer.serialize_f64(*n),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for member in members {
                    map.serialize_entry(&member.name, &member.node)?;
                }
                map.end()
            }
        }
    }
}
