//! The operators, one function each. `None` is a value that is absent.

use std::cmp::Ordering;

use serde_json::Value;

use super::number::compare;
use super::path::is_within;
use super::pattern::Pattern;

/// `present`
pub fn present(value: Option<&Value>) -> bool {
    value.is_some()
}

/// `absent`
pub fn absent(value: Option<&Value>) -> bool {
    value.is_none()
}

/// `eq`
pub fn eq(one: Option<&Value>, other: Option<&Value>) -> bool {
    one.zip(other).is_some_and(|(one, other)| same(one, other))
}

/// `ne`
pub fn ne(one: Option<&Value>, other: Option<&Value>) -> bool {
    one.zip(other).is_some_and(|(one, other)| !same(one, other))
}

/// `in`
pub fn is_in(one: Option<&Value>, list: Option<&Value>) -> bool {
    one.zip(items(list)).is_some_and(|(one, list)| list.iter().any(|item| same(one, item)))
}

/// `starts_with`
pub fn starts_with(text: Option<&Value>, start: Option<&Value>) -> bool {
    texts(text, start).is_some_and(|(text, start)| text.starts_with(start))
}

/// `path_within`
pub fn path_within(path: Option<&Value>, folder: Option<&Value>) -> bool {
    texts(path, folder).is_some_and(|(path, folder)| is_within(path, folder))
}

/// `matches`
pub fn matches(text: Option<&Value>, pattern: &Pattern) -> bool {
    text.and_then(Value::as_str).is_some_and(|text| pattern.is_match(text))
}

/// `gt`
pub fn gt(one: Option<&Value>, other: Option<&Value>) -> bool {
    order(one, other) == Some(Ordering::Greater)
}

/// `lt`
pub fn lt(one: Option<&Value>, other: Option<&Value>) -> bool {
    order(one, other) == Some(Ordering::Less)
}

/// `size_gt`
pub fn size_gt(sized: Option<&Value>, number: Option<&Value>) -> bool {
    order(size(sized).as_ref(), number) == Some(Ordering::Greater)
}

/// `size_lt`
pub fn size_lt(sized: Option<&Value>, number: Option<&Value>) -> bool {
    order(size(sized).as_ref(), number) == Some(Ordering::Less)
}

/// The items that `all` and `any` are about; `None` for what is no array.
pub fn items(value: Option<&Value>) -> Option<&[Value]> {
    value?.as_array().map(Vec::as_slice)
}

/// Whether two values are the same, numbers by value and members in any order.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other) == Some(Ordering::Equal),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

fn texts<'v>(one: Option<&'v Value>, other: Option<&'v Value>) -> Option<(&'v str, &'v str)> {
    Some((one?.as_str()?, other?.as_str()?))
}

fn order(one: Option<&Value>, other: Option<&Value>) -> Option<Ordering> {
    match (one?, other?) {
        (Value::Number(one), Value::Number(other)) => compare(one, other),
        _ => None,
    }
}

fn size(value: Option<&Value>) -> Option<Value> {
    let size = match value? {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    Some(Value::from(size))
}
