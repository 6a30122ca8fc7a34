//! The strict reader, row by row.

use std::ops::Range;

use forecheck_contract::canonical;
use forecheck_contract::json::{
    self, Limits, Member, Node, Number, ReadProblem, ReadProblemKind, Reading, Span, Value,
};
use forecheck_contract::runtime_code::RuntimeCode;

use ReadProblemKind::{
    ByteOrderMark, LoneSurrogate, NotUtf8, NumberOverflow, TooDeep, TooLarge, UnsafeInteger,
};

type Row<'r> = (Range<u32>, &'r str, ReadProblemKind);

fn span(range: Range<u32>) -> Span {
    Span { start: range.start, end: range.end }
}

/// Reads `text` and compares everything: the canonical text of the tree, if there is one, and all
/// problems in order.
#[track_caller]
fn check_with(limits: Limits, text: impl AsRef<[u8]>, tree: Option<&str>, problems: &[Row<'_>]) {
    let text = text.as_ref();
    let reading = json::read_whole(text, limits);
    let expected: Vec<ReadProblem> = problems
        .iter()
        .map(|(range, pointer, kind)| ReadProblem {
            kind: kind.clone(),
            span: span(range.clone()),
            pointer: (*pointer).to_owned(),
        })
        .collect();
    let shown = String::from_utf8_lossy(text);
    assert_eq!(reading.problems, expected, "{shown}");
    assert_eq!(reading.root.as_ref().map(canonical::to_string).as_deref(), tree, "{shown}");
    match (json::read(text, limits), expected.is_empty()) {
        (Ok(root), true) => assert_eq!(Some(root), reading.root),
        (Err(problems), false) => assert_eq!(problems, reading.problems),
        (other, _) => panic!("`read` and `read_whole` disagree: {other:?}"),
    }
}

#[track_caller]
fn check(text: impl AsRef<[u8]>, tree: Option<&str>, problems: &[Row<'_>]) {
    check_with(Limits::CALL, text, tree, problems);
}

#[track_caller]
fn passes(text: impl AsRef<[u8]>, tree: &str) {
    check(text, Some(tree), &[]);
}

fn syntax(expected: &'static str) -> ReadProblemKind {
    ReadProblemKind::Syntax { expected }
}

fn duplicate(name: &str, first: Range<u32>) -> ReadProblemKind {
    ReadProblemKind::DuplicateName { name: name.to_owned(), first: span(first) }
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn a_tree_knows_its_places() {
    let text = " {\"a\\u0062\" : [1, -2,3.5 , true], \"\u{e9}\":\"\u{1f600}\" } ";
    let node = |range, value| Node { span: span(range), value };
    let number = |range, number| node(range, Value::Number(number));
    let items = vec![
        number(15..16, Number::Unsigned(1)),
        number(18..20, Number::Signed(-2)),
        number(21..24, Number::Float(3.5)),
        node(27..31, Value::Bool(true)),
    ];
    let members = vec![
        Member { name: "ab".into(), name_span: span(2..11), node: node(14..32, Value::Array(items)) },
        Member {
            name: "\u{e9}".into(),
            name_span: span(34..38),
            node: node(39..45, Value::String("\u{1f600}".into())),
        },
    ];
    let expected = Reading { root: Some(node(1..47, Value::Object(members))), problems: Vec::new() };
    assert_eq!(json::read_whole(text.as_bytes(), Limits::CALL), expected);
}

#[test]
fn what_the_grammar_allows_passes() {
    passes("null", "null");
    passes("\t\r\n [ ] ", "[]");
    passes("{ }", "{}");
    passes("[true,false,null]", "[true,false,null]");
    passes("\"\"", "\"\"");
    passes("\"\u{7f}\u{2028}/\"", "\"\u{7f}\u{2028}/\"");
    passes(r#""\"\\\/\b\f\n\r\t\u00e9""#, "\"\\\"\\\\/\\b\\f\\n\\r\\t\u{e9}\"");
    passes(r#""\uD83D\ude02 \u0000""#, "\"\u{1f602} \\u0000\"");
    passes(r#"{"":{"":""}}"#, r#"{"":{"":""}}"#);
    passes("[0,-0,10,-10,0.5,1E3,1e+3,1e-3,0e9999999999]", "[0,0,10,-10,0.5,1000,1000,0.001,0]");
}

#[test]
fn a_syntax_error_says_where_and_what_is_allowed() {
    let check = |text: &str, at: Range<u32>, pointer: &str, expected: &'static str| {
        check(text, None, &[(at, pointer, syntax(expected))]);
    };
    check("", 0..0, "", "a value");
    check(" \n", 2..2, "", "a value");
    check("nul", 0..1, "", "a value");
    check("True", 0..1, "", "a value");
    check("NaN", 0..1, "", "a value");
    check("'a'", 0..1, "", "a value");
    check("\u{e9}", 0..2, "", "a value");
    check("[1,]", 3..4, "/1", "a value");
    check("[,1]", 1..2, "/0", "a value");
    check("{\"a\":}", 5..6, "/a", "a value");
    check("{\"a/b\":{\"c~\":[0,\u{1f600}]}}", 16..20, "/a~1b/c~0/1", "a value");
    check("\u{a0}1", 0..2, "", "a value");
    check("// no\n1", 0..1, "", "a value");

    check("1 2", 2..3, "", "the end of the text");
    check("nulls", 4..5, "", "the end of the text");
    check("{}\u{0}", 2..3, "", "the end of the text");
    check("[]]", 2..3, "", "the end of the text");

    check("[1 2]", 3..4, "", "`,` or `]`");
    check("[[1}", 3..4, "/0", "`,` or `]`");
    check("[1", 2..2, "", "`,` or `]`");
    check("[0x1]", 2..3, "", "`,` or `]`");
    check("{\"a\":1]", 6..7, "", "`,` or `}`");
    check("{\"a\":{\"b\":1", 11..11, "/a", "`,` or `}`");

    check("{a:1}", 1..2, "", "a member name in double quotes");
    check("{\"a\":1,}", 7..8, "", "a member name in double quotes");
    check("{", 1..1, "", "a member name in double quotes");
    check("{\"a\" 1}", 5..6, "", "`:`");
    check("[{\"a\"}]", 5..6, "/0", "`:`");

    check("-", 1..1, "", "a digit");
    check("[-a]", 2..3, "/0", "a digit");
    check("+1", 0..1, "", "a value");
    check(".5", 0..1, "", "a value");
    check("[1.]", 3..4, "/0", "a digit");
    check("1.e5", 2..3, "", "a digit");
    check("1e", 2..2, "", "a digit");
    check("1e+-1", 3..4, "", "a digit");
    check("-Infinity", 1..2, "", "a digit");
    check("01", 1..2, "", "a number without a leading zero");
    check("[-00.5]", 3..4, "/0", "a number without a leading zero");

    check("\"a", 0..1, "", "`\"` at the end of this text");
    check("[\"\\\"]", 1..2, "/0", "`\"` at the end of this text");
    check("\"a\nb\"", 2..3, "", "an escape such as `\\n` for this control character");
    check("{\"\u{1f}\":1}", 2..3, "", "an escape such as `\\n` for this control character");
    check(r#""a\x""#, 2..3, "", "one of the escapes of JSON");
    check("\"\\\u{e9}\"", 1..2, "", "one of the escapes of JSON");
    check("\"\\", 1..2, "", "one of the escapes of JSON");
    check(r#""\u12g4""#, 1..3, "", "four hexadecimal digits after `\\u`");
    check(r#""\u+123""#, 1..3, "", "four hexadecimal digits after `\\u`");
    check("\"\\u12", 1..3, "", "four hexadecimal digits after `\\u`");
    check("\"\\u00\u{e9}\"", 1..3, "", "four hexadecimal digits after `\\u`");
}

#[test]
fn encodings_other_than_plain_utf_8_are_refused() {
    check(b"\xef\xbb\xbf1", None, &[(0..3, "", ByteOrderMark)]);
    passes("\"\u{feff}\"", "\"\u{feff}\"");
    check(b"\xff\xfe1\0", None, &[(0..1, "", NotUtf8)]);
    check(b"[\"\xc3\xa9\xc3\"]", None, &[(4..5, "", NotUtf8)]);
    check(b"\"\xed\xa0\x80\"", None, &[(1..2, "", NotUtf8)]);
    check(b"\"\xc0\xaf\"", None, &[(1..2, "", NotUtf8)]);
    check(b"\"\xf0\x9f\x98", None, &[(1..4, "", NotUtf8)]);
    passes("\"\u{e9}\u{10ffff}\"", "\"\u{e9}\u{10ffff}\"");
}

#[test]
fn half_a_surrogate_pair_is_refused_in_values_and_names() {
    let lone = |at, pointer| (at, pointer, LoneSurrogate);
    check(r#""\ud800""#, Some("\"\u{fffd}\""), &[lone(1..7, "")]);
    check(r#"["a\uDFFFb"]"#, Some("[\"a\u{fffd}b\"]"), &[lone(3..9, "/0")]);
    check(r#""\ud800\u0041""#, Some("\"\u{fffd}A\""), &[lone(1..7, "")]);
    check(r#""\ud83d\ud83d\ude02""#, Some("\"\u{fffd}\u{1f602}\""), &[lone(1..7, "")]);
    check(r#""\ude02\ud83d""#, Some("\"\u{fffd}\u{fffd}\""), &[lone(1..7, ""), lone(7..13, "")]);
    check(r#"{"a":{"\ud800":1}}"#, Some("{\"a\":{\"\u{fffd}\":1}}"), &[lone(7..13, "/a")]);
    let digits = syntax("four hexadecimal digits after `\\u`");
    check(r#""\ud800\uzzzz""#, None, &[lone(1..7, ""), (7..9, "", digits)]);
    passes(r#"["\ud83d\ude02","\\ud800","\ufffd"]"#, "[\"\u{1f602}\",\"\\\\ud800\",\"\u{fffd}\"]");
}

#[test]
fn names_with_half_a_pair_are_not_said_to_repeat() {
    let text = r#"{"\ud800":1,"\udc00":2,"\ufffd":3,"\ufffd":4}"#;
    let problems = [
        (2..8, "", LoneSurrogate),
        (13..19, "", LoneSurrogate),
        (34..42, "/\u{fffd}", duplicate("\u{fffd}", 23..31)),
    ];
    check(text, Some("{\"\u{fffd}\":3}"), &problems);
}

#[test]
fn of_two_members_of_one_name_the_first_stays() {
    check(r#"{"a":1,"a":2}"#, Some(r#"{"a":1}"#), &[(7..10, "/a", duplicate("a", 1..4))]);
    check(r#"{"a":1,"b":2,"b":3}"#, Some(r#"{"a":1,"b":2}"#), &[(13..16, "/b", duplicate("b", 7..10))]);
    check(r#"{"a":1,"b":2,"a":3}"#, Some(r#"{"a":1,"b":2}"#), &[(13..16, "/a", duplicate("a", 1..4))]);
    check(
        r#"{"a":1,"b":2,"\u0061":3,"a":4}"#,
        Some(r#"{"a":1,"b":2}"#),
        &[(13..21, "/a", duplicate("a", 1..4)), (24..27, "/a", duplicate("a", 1..4))],
    );
    check(
        r#"{"z":1,"y":2,"x":3,"w":4,"z":5}"#,
        Some(r#"{"w":4,"x":3,"y":2,"z":1}"#),
        &[(25..28, "/z", duplicate("z", 1..4))],
    );
    check(r#"[{"/":{"":0,"":1}}]"#, Some(r#"[{"/":{"":0}}]"#), &[(12..14, "/0/~1/", duplicate("", 7..9))]);
    passes("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\u{e9}\":1}");
    passes(r#"{"a":{"a":1},"b":{"a":1},"A":0}"#, r#"{"A":0,"a":{"a":1},"b":{"a":1}}"#);
}

#[test]
fn integers_are_exact_or_refused() {
    let unsafe_integer = |at| (at, "", UnsafeInteger);
    passes("9007199254740991", "9007199254740991");
    passes("-9007199254740991", "-9007199254740991");
    check("9007199254740992", Some("0"), &[unsafe_integer(0..16)]);
    check("-9007199254740992", Some("0"), &[unsafe_integer(0..17)]);
    check("9007199254740993", Some("0"), &[unsafe_integer(0..16)]);
    check("18446744073709551616", Some("0"), &[unsafe_integer(0..20)]);
    let digits = "9".repeat(400);
    check(&digits, Some("0"), &[unsafe_integer(0..400)]);
    passes("1e20", "100000000000000000000");
    passes("9007199254740992.0", "9007199254740992");

    let spec = |text: &str, number: Number| {
        let root = Node { span: span(0..u32::try_from(text.len()).unwrap()), value: Value::Number(number) };
        assert_eq!(json::read(text.as_bytes(), Limits::SPEC), Ok(root));
    };
    spec("9007199254740993", Number::Unsigned(9_007_199_254_740_993));
    spec("18446744073709551615", Number::Unsigned(u64::MAX));
    spec("18446744073709551616", Number::Float(18_446_744_073_709_551_616.0));
    spec("-9223372036854775808", Number::Signed(i64::MIN));
    spec("-9223372036854775809", Number::Float(-9_223_372_036_854_775_808.0));
    check_with(Limits::SPEC, &digits, Some("0"), &[(0..400, "", NumberOverflow)]);
    let signs: Vec<_> = ["-0", "0", "-0.0", "0.0"]
        .map(|text| {
            json::read(text.as_bytes(), Limits::CALL).unwrap().as_number().unwrap().as_f64().to_bits()
        })
        .into();
    assert_eq!(signs, [1 << 63, 0, 1 << 63, 0]);
}

#[test]
fn numbers_beyond_doubles_are_refused() {
    passes("1.7976931348623157e308", "1.7976931348623157e+308");
    passes("1.7976931348623158079e308", "1.7976931348623157e+308");
    check("1.7976931348623159e308", Some("0"), &[(0..22, "", NumberOverflow)]);
    check("[1e400]", Some("[0]"), &[(1..6, "/0", NumberOverflow)]);
    check("-1E+400", Some("0"), &[(0..7, "", NumberOverflow)]);
    check("1e99999999999999999999", Some("0"), &[(0..22, "", NumberOverflow)]);
    passes("1e-400", "0");
    passes("-5e-324", "-5e-324");
    passes(format!("0.{}1e401", "0".repeat(400)), "1");
}

#[test]
fn depth_counts_what_is_open() {
    let check_depth = |limits: Limits, depth: u32| {
        let passing = nested(depth as usize);
        check_with(limits, &passing, Some(&passing), &[]);
        let pointer = "/0".repeat(depth as usize);
        check_with(
            limits,
            nested(depth as usize + 1),
            None,
            &[(depth..depth + 1, &pointer, TooDeep { limit: depth })],
        );
    };
    check_depth(Limits::CALL, 64);
    check_depth(Limits::SPEC, 1024);

    let objects = |depth: usize| format!("{}{{}}{}", "{\"\":".repeat(depth - 1), "}".repeat(depth - 1));
    passes(objects(64), &objects(64));
    check(objects(65), None, &[(256..257, &"/".repeat(64), TooDeep { limit: 64 })]);
    let siblings = format!("[{}0]", "[[]],{},".repeat(100));
    passes(&siblings, &siblings);
}

/// What walks a tree recurses, so the deepest tree has to fit a small stack many times over.
#[test]
fn the_deepest_tree_fits_a_stack_of_1_mib() {
    let walk = || {
        let text = format!("{}0{}", "[{\"a\":".repeat(512), "}]".repeat(512));
        let root = json::read(text.as_bytes(), Limits::SPEC).unwrap();
        assert_eq!(canonical::to_string(&root.clone()), text);
        assert_eq!(serde_json::to_string(&root).unwrap(), text);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(walk).unwrap().join().unwrap();
}

#[test]
fn size_counts_bytes() {
    let text = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
    passes(text(1 << 20), &text(1 << 20));
    let kind = TooLarge { limit: 1 << 20, length: (1 << 20) + 1 };
    check(text((1 << 20) + 1), None, &[(1 << 20..1 << 20, "", kind)]);
    check_with(Limits::SPEC, text((1 << 20) + 1), Some(&text((1 << 20) + 1)), &[]);
    let three = Limits { bytes: 3, ..Limits::CALL };
    check_with(three, "\"\u{e9}\"", None, &[(3..3, "", TooLarge { limit: 3, length: 4 })]);
    check_with(three, "\"\u{1f600}\"", None, &[(1..1, "", TooLarge { limit: 3, length: 6 })]);
    check_with(three, [0x80; 9], None, &[(3..3, "", TooLarge { limit: 3, length: 9 })]);
}

#[test]
fn all_problems_are_reported_in_the_order_of_the_text() {
    check(
        r#"{"a":[1e400,9007199254740992],"b":{"c":"\ud800","c":0},"a":{"d":1,"d":2}}"#,
        Some("{\"a\":[0,0],\"b\":{\"c\":\"\u{fffd}\"}}"),
        &[
            (6..11, "/a/0", NumberOverflow),
            (12..28, "/a/1", UnsafeInteger),
            (40..46, "/b/c", LoneSurrogate),
            (48..51, "/b/c", duplicate("c", 35..38)),
            (55..58, "/a", duplicate("a", 1..4)),
            (66..69, "/a/d", duplicate("d", 60..63)),
        ],
    );
    check(
        r#"{"a":1,"a":2,"b":[{"c":1,"c":[9007199254740992,}"#,
        None,
        &[
            (7..10, "/a", duplicate("a", 1..4)),
            (25..28, "/b/0/c", duplicate("c", 19..22)),
            (30..46, "/b/0/c/0", UnsafeInteger),
            (47..48, "/b/0/c/1", syntax("a value")),
        ],
    );
}

#[test]
fn every_kind_has_a_code_and_a_sentence() {
    let check = |kind: ReadProblemKind, code: RuntimeCode, sentence: &str| {
        assert_eq!((kind.code(), kind.to_string().as_str()), (code, sentence));
    };
    check(
        TooLarge { limit: 3, length: 4 },
        RuntimeCode::InputTooLarge,
        "the text has 4 bytes, more than the 3 that are read",
    );
    check(ByteOrderMark, RuntimeCode::InputNotJson, "the text starts with a byte order mark");
    check(NotUtf8, RuntimeCode::InputInvalidUnicode, "not UTF-8");
    check(syntax("a digit"), RuntimeCode::InputNotJson, "expected a digit");
    check(TooDeep { limit: 64 }, RuntimeCode::InputTooDeep, "nested deeper than 64 arrays and objects");
    check(duplicate("a\nb", 0..0), RuntimeCode::InputDuplicateKey, "the member `a\\nb` stands here twice");
    check(LoneSurrogate, RuntimeCode::InputInvalidUnicode, "half of a surrogate pair stands alone");
    check(
        UnsafeInteger,
        RuntimeCode::InputNumberUnsafe,
        "an integer beyond ±9007199254740991 is not read alike everywhere",
    );
    check(NumberOverflow, RuntimeCode::InputNumberUnsafe, "no double holds this number");
}

/// A quadratic search would need minutes.
#[test]
fn many_repeated_names_take_no_quadratic_time() {
    let names = (0..60_000).map(|n| format!("\"{}\":0", n * 7919 % 30_000));
    let text = format!("{{{}}}", names.collect::<Vec<_>>().join(","));
    let reading = json::read_whole(text.as_bytes(), Limits::CALL);
    assert_eq!(reading.problems.len(), 30_000);
    assert_eq!(reading.root.unwrap().as_object().unwrap().len(), 30_000);

    let text = format!("{{{}\"\\ud800\":0}}", "\"\\ud800\":0,".repeat(89_999));
    let reading = json::read_whole(text.as_bytes(), Limits::CALL);
    assert_eq!(reading.problems.len(), 90_000);
    assert_eq!(reading.root.unwrap().as_object().unwrap().len(), 1);
}

#[test]
fn one_long_name_around_many_problems_does_not_fill_the_memory() {
    let name = "a".repeat(500_000);
    let text = format!("{{\"{name}\":[{}0]}}", "1e400,".repeat(50_000));
    let problems = json::read(text.as_bytes(), Limits::CALL).unwrap_err();
    assert_eq!(problems.len(), 9);
    assert_eq!(problems[0].pointer, format!("/{name}/0"));

    let short = format!("{{\"a\":[{}0]}}", "1e400,".repeat(50_000));
    assert_eq!(json::read(short.as_bytes(), Limits::CALL).unwrap_err().len(), 50_000);
}
