//! What can be asked of a tree.

use forecheck_contract::json::{self, Limits, Node, Number, Value};

const TEXT: &str = r#"{"a":[null,true,1.5,"x",{"":{"m~n/o":false}}],"0":-1}"#;

fn tree() -> Node<'static> {
    json::read(TEXT.as_bytes(), Limits::CALL).unwrap()
}

/// The text at a pointer.
fn found(pointer: &str) -> Option<&'static str> {
    let span = tree().at(pointer)?.span;
    TEXT.get(span.start as usize..span.end as usize)
}

#[test]
fn pointers_lead_to_values() {
    let check = |pointer, expected| {
        assert_eq!(found(pointer), expected, "{pointer}");
        let mut tree = tree();
        let other = tree.at_mut(pointer).map(|node| node.span);
        assert_eq!(other, self::tree().at(pointer).map(|node| node.span), "{pointer}");
    };
    check("", Some(TEXT));
    check("/0", Some("-1"));
    check("/a/1", Some("true"));
    check("/a/4/", Some(r#"{"m~n/o":false}"#));
    check("/a/4//m~0n~1o", Some("false"));
    check("/b", None);
    check("/a/5", None);
    check("/a/01", None);
    check("/a/-", None);
    check("/0/0", None);
    check("a", None);
    check("/a/4//m~2", None);
}

#[test]
fn a_value_can_be_changed_in_its_place() {
    let mut tree = tree();
    tree.at_mut("/a/4/").unwrap().value = Value::Null;
    assert_eq!(tree.at("/a/4/").map(|node| &node.value), Some(&Value::Null));
}

#[test]
fn a_value_is_of_one_kind() {
    let check = |pointer, kind: &str, is: [bool; 5]| {
        let tree = tree();
        let node = tree.at(pointer).unwrap();
        let found = [
            node.as_bool().is_some(),
            node.as_number().is_some(),
            node.as_str().is_some(),
            node.as_array().is_some(),
            node.as_object().is_some(),
        ];
        assert_eq!((node.kind(), found), (kind, is), "{pointer}");
    };
    check("/a/0", "null", [false; 5]);
    check("/a/1", "a boolean", [true, false, false, false, false]);
    check("/a/2", "a number", [false, true, false, false, false]);
    check("/a/3", "a string", [false, false, true, false, false]);
    check("/a", "an array", [false, false, false, true, false]);
    check("", "an object", [false, false, false, false, true]);
}

#[test]
fn a_value_is_what_was_read() {
    let tree = tree();
    let items = tree.get("a").and_then(Node::as_array).unwrap();
    assert_eq!((items.len(), items[1].as_bool(), items[3].as_str()), (5, Some(true), Some("x")));
    assert_eq!(tree.at("/a/4//m~0n~1o").and_then(Node::as_bool), Some(false));
    assert_eq!(items[2].as_number(), Some(Number::Float(1.5)));
    let members = tree.as_object().unwrap();
    assert_eq!(members.iter().map(|member| &*member.name).collect::<Vec<_>>(), ["a", "0"]);
    assert_eq!(tree.member("0"), members.get(1));
    assert_eq!(tree.get("1"), None);
}

#[test]
fn whole_numbers_are_whole_however_they_are_written() {
    let check = |number, whole| assert_eq!(Number::as_u64(number), whole, "{number:?}");
    check(Number::Unsigned(u64::MAX), Some(u64::MAX));
    check(Number::Signed(-1), None);
    check(Number::Float(3.0), Some(3));
    check(Number::Float(-0.0), Some(0));
    check(Number::Float(1.5), None);
    check(Number::Float(-1.0), None);
    check(Number::Float(18_446_744_073_709_549_568.0), Some(18_446_744_073_709_549_568));
    check(Number::Float(18_446_744_073_709_551_616.0), None);
}

#[test]
fn a_number_is_the_nearest_double() {
    let check =
        |number, bits: f64| assert_eq!(Number::as_f64(number).to_bits(), bits.to_bits(), "{number:?}");
    check(Number::Unsigned(9_007_199_254_740_993), 9_007_199_254_740_992.0);
    check(Number::Signed(-9_007_199_254_740_995), -9_007_199_254_740_996.0);
    check(Number::Float(-0.0), -0.0);
}

#[test]
fn a_tree_serialises_as_what_it_is() {
    assert_eq!(serde_json::to_string(&tree()).unwrap(), TEXT);
    let numbers = "[18446744073709551615,-9223372036854775808,1e300]";
    let tree = json::read(numbers.as_bytes(), Limits::SPEC).unwrap();
    assert_eq!(serde_json::to_value(&tree).unwrap(), serde_json::json!([u64::MAX, i64::MIN, 1e300]));
}
