//! Public failures of canonical JSON and of keys, each under the name of its report.

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, ReadProblemKind};
use forecheck_contract::recipe::Recipe;

use crate::keys::{key, recipe};

/// The input as a file of a surface may hold it.
#[track_caller]
fn written(input: &str, expected: &str) {
    let node = json::read(input.as_bytes(), Limits::SPEC).unwrap();
    assert_eq!(canonical::to_string(&node), expected);
}

/// A call with the input is refused, for these reasons.
#[track_caller]
fn refused(input: &str, expected: &[ReadProblemKind]) {
    let problems = json::read(input.as_bytes(), Limits::CALL).unwrap_err();
    assert_eq!(problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>(), expected);
}

/// A call with the input is read, and means this.
#[track_caller]
fn accepted(input: &str, expected: &str) {
    let node = json::read(input.as_bytes(), Limits::CALL).unwrap();
    assert_eq!(canonical::to_string(&node), expected);
}

#[track_caller]
fn one_key(recipe: &Recipe, a: &str, b: &str) {
    assert_eq!(key(recipe, a), key(recipe, b));
}

#[track_caller]
fn two_keys(recipe: &Recipe, a: &str, b: &str) {
    assert_ne!(key(recipe, a), key(recipe, b));
}

#[test]
fn evik42_serde_json_canonicalizer_5() {
    accepted(r#"{"number":300}"#, r#"{"number":300}"#);
    accepted(r#"{"number":300.5e1}"#, r#"{"number":3005}"#);
    accepted(r#"{"$serde_json::private::Number":"1.50"}"#, r#"{"$serde_json::private::Number":"1.50"}"#);
}

#[test]
fn in_toto_in_toto_golang_49() {
    accepted(r#"{"anumber":1.2,"znumber":2.3}"#, r#"{"anumber":1.2,"znumber":2.3}"#);
}

#[test]
fn mozilla_normandy_1210() {
    accepted("0.00001", "0.00001");
    accepted("1e-5", "0.00001");
    accepted("0.0000001", "1e-7");
}

#[test]
fn a2aproject_a2a_go_368() {
    written("1152921504606846976", "1152921504606847000");
    written("295147905179352825856", "295147905179352830000");
    refused("1152921504606846976", &[ReadProblemKind::UnsafeInteger]);
    refused("295147905179352825856", &[ReadProblemKind::UnsafeInteger]);
}

#[test]
fn cyberphone_json_canonicalization_20() {
    refused("18446744073709551615", &[ReadProblemKind::UnsafeInteger]);
    accepted("\"18446744073709551615\"", "\"18446744073709551615\"");
}

#[test]
fn cyberphone_json_canonicalization_36() {
    refused(r#""\uDC00\uD800""#, &[ReadProblemKind::LoneSurrogate, ReadProblemKind::LoneSurrogate]);
    accepted(r#""\uD800\uDC00""#, "\"\u{10000}\"");
}

#[test]
fn erdtman_canonicalize_23() {
    refused(r#""\ud800""#, &[ReadProblemKind::LoneSurrogate]);
    refused(r#"{"\udfff":1}"#, &[ReadProblemKind::LoneSurrogate]);
    accepted(r#""\\ud800""#, r#""\\ud800""#);
}

#[test]
fn pzingg_jcs_3() {
    accepted(r#"{"1":1,"\r":2,"\n":3}"#, r#"{"\n":3,"\r":2,"1":1}"#);
}

#[test]
fn mindburn_labs_helm_ai_kernel_805() {
    accepted(
        r#"{"\ue000":1,"\uffff":2,"\ud800\udc00":3}"#,
        "{\"\u{10000}\":3,\"\u{e000}\":1,\"\u{ffff}\":2}",
    );
}

/// 2^54 is a double exactly, so the reason must not be that it is none.
#[test]
fn trailofbits_rfc8785_py_46() {
    refused("18014398509481984", &[ReadProblemKind::UnsafeInteger]);
    let sentence = ReadProblemKind::UnsafeInteger.to_string();
    assert_eq!(sentence, "an integer beyond ±9007199254740991 is not read alike everywhere");
    written("18014398509481984", "18014398509481984");
    accepted("18014398509481984.0", "18014398509481984");
}

#[test]
fn provin_line_oss_50() {
    // What was 0.1 in 32 bits is another number than 0.1: it is written as it was sent, and nothing is narrowed.
    accepted("0.10000000149011612", "0.10000000149011612");
    accepted("0.1", "0.1");
}

#[test]
fn secure_systems_lab_securesystemslib_625() {
    for zero in ["0", "0.0", "-0", "-0.0", "0e5", "0.000E-9"] {
        accepted(zero, "0");
    }
}

#[test]
fn serde_rs_json_762() {
    let problems = json::read(br#"{"qty":1,"qty":-1}"#, Limits::CALL).unwrap_err();
    let first = json::Span { start: 1, end: 6 };
    let kind = ReadProblemKind::DuplicateName { name: "qty".to_owned(), first };
    assert_eq!(problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>(), [kind]);
    accepted(r#"{"qty":1,"Qty":-1}"#, r#"{"Qty":-1,"qty":1}"#);
}

/// Absent and empty are two inputs, unless the schema says that absent means empty.
#[test]
fn mcp_hangar_mcp_hangar_173() {
    let mut recipe = recipe("register");
    two_keys(&recipe, r#"{"name":"x"}"#, r#"{"name":"x","outputSchema":{}}"#);
    recipe.defaults.insert("/outputSchema".to_owned(), "{}".to_owned());
    one_key(&recipe, r#"{"name":"x"}"#, r#"{"name":"x","outputSchema":{}}"#);
    two_keys(&recipe, r#"{"name":"x"}"#, r#"{"name":"x","outputSchema":{"type":"object"}}"#);
}

#[test]
fn nodejs_undici_5012() {
    two_keys(&recipe("fetch"), r#"{"a":"x:b=y"}"#, r#"{"a":"x","b":"y"}"#);
}

#[test]
fn aws_powertools_powertools_lambda_python_638() {
    one_key(&recipe("pay"), r#"{"a":{"x":1,"y":2},"b":3}"#, r#"{"b":3,"a":{"y":2,"x":1}}"#);
    two_keys(&recipe("pay"), r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#);
}

#[test]
fn aws_powertools_powertools_lambda_typescript_2120() {
    one_key(&recipe("pay"), r#"{"a":1,"A":2}"#, r#"{"A":2,"a":1}"#);
    two_keys(&recipe("pay"), r#"{"x":1}"#, r#"{"x":1,"__proto__":{"y":1}}"#);
}

#[test]
fn apache_fineract_5674() {
    one_key(&recipe("pay"), r#"{"bucket":"b","amount":1}"#, r#"{"amount":1.0,"bucket":"b"}"#);
    two_keys(&recipe("pay"), r#"{"amount":1}"#, r#"{"amount":1,"bucket":null}"#);
}

#[test]
fn keeperhub_keeperhub_1877() {
    let mut recipe = recipe("pay");
    recipe.ignored.push("/reason".to_owned());
    one_key(&recipe, r#"{"amount":5,"reason":"Invoice 7"}"#, r#"{"amount":5,"reason":"For invoice 7"}"#);
    two_keys(&recipe, r#"{"amount":5,"reason":"Invoice 7"}"#, r#"{"amount":6,"reason":"Invoice 7"}"#);
    recipe.ignored.pop();
    two_keys(&recipe, r#"{"amount":5,"reason":"Invoice 7"}"#, r#"{"amount":5,"reason":"For invoice 7"}"#);
}

/// The same call in another spelling came under its key as another input, so that callers took a new key.
#[test]
fn keeperhub_keeperhub_1922() {
    let mut recipe = recipe("pay");
    recipe.defaults.insert("/memo".to_owned(), "\"\"".to_owned());
    let call = r#"{"amount":5,"to":"a/b\u00e9","tags":{"x":1,"y":2}}"#;
    for spelling in [
        "{ \"amount\" : 5.0e0,\n\t\"to\": \"a\\/b\u{e9}\", \"tags\": {\"y\": 2, \"x\": 1.0} }",
        r#"{"tags":{"y":2,"x":1},"to":"\u0061/b\u00E9","amount":50e-1}"#,
        r#"{"amount":5,"to":"a/b\u00e9","tags":{"x":1,"y":2},"memo":""}"#,
    ] {
        one_key(&recipe, call, spelling);
    }
    two_keys(&recipe, call, r#"{"amount":5,"to":"a/be\u0301","tags":{"x":1,"y":2}}"#);
    two_keys(&recipe, call, r#"{"amount":5,"to":"a/b\u00e9","tags":{"x":1,"y":2},"memo":" "}"#);
}

/// A hash of 32 bits: these words have one sum by CRC-32, and these by Java's `hashCode`.
#[test]
fn ddutchie_cairn_110() {
    two_keys(&recipe("pay"), r#"{"to":"plumless"}"#, r#"{"to":"buckeroo"}"#);
    two_keys(&recipe("pay"), r#"{"to":"Aa"}"#, r#"{"to":"BB"}"#);
    assert_eq!(key(&recipe("pay"), "{}").len() * 4, 256);
}

/// A call was looked up without its verb, so that one tool got the answer of another.
#[test]
fn crewaiinc_crewai_5822() {
    assert_ne!(key(&recipe("pay"), "{}"), key(&recipe("refund"), "{}"));
    assert_ne!(key(&recipe("pay"), "{}"), key(&recipe("pay@2"), "{}"));
    assert_eq!(key(&recipe("pay"), "{}"), key(&recipe("pay"), "{ }"));
}
