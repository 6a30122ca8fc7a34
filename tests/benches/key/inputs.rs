//! The inputs: the same bytes on every machine.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::peers::place;

/// A text to make a key of.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    /// How many keys a round makes of it, so that a round takes some milliseconds.
    pub(crate) times: u32,
    pub(crate) rounds: u32,
}

impl Input {
    pub(crate) fn all() -> Vec<Input> {
        vec![
            Input { name: "300 B", text: call(), times: 5000, rounds: 60 },
            Input { name: "10 KB", text: records(10_000), times: 300, rounds: 60 },
            Input { name: "10 MB", text: records(10_000_000), times: 1, rounds: 12 },
            Input { name: "24 KB of floats", text: floats(24_000), times: 40, rounds: 60 },
        ]
    }

    /// Writes the text to where programs in other languages read it.
    pub(crate) fn write(&self) -> PathBuf {
        let folder = place("key-inputs");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}.json", self.name));
        fs::write(&path, &self.text).unwrap();
        path
    }
}

/// One call of a verb, as an agent writes it.
fn call() -> String {
    let call = r#"{"target_repo":"octo/hello-world","base":"main","head":"fix/empty-list","title":"Fix the crash on an empty list",
"body":"The loop read `items[0]` first.\nNow it asks for the length.","draft":false,"labels":["bug","needs review"],
"reviewers":["ada","grace"],"paths":["src/list.rs","tests/list.rs"],"retries":3,"milestone":null}"#;
    call.replace(",\n", ",")
}

/// Records with texts, integers, a few numbers with decimals, lists and nested objects, members in no order.
fn records(bytes: usize) -> String {
    let mut random = Random(8785);
    let mut text = r#"{"target_repo":"octo/hello-world","records":["#.to_owned();
    while text.len() < bytes {
        record(&mut random, &mut text);
        text.push(',');
    }
    text.pop();
    text + "]}"
}

fn record(random: &mut Random, text: &mut String) {
    const TEXTS: [&str; 5] = [
        "Reads the list before it knows its length",
        "Über die Länge der Liste – 漢字",
        "first line\\nsecond line, \\\"quoted\\\"",
        "The retry hid an outage for two days, so the deadline is checked first now and the caller is told which of both it was.",
        "ok",
    ];
    let id = random.next();
    let body = TEXTS[random.below(5)];
    let (lines, price) = (random.below(5000), random.below(100_000));
    let (open, day) = (random.below(2) == 0, 1 + random.below(28));
    let parent = if random.below(3) == 0 { "null".to_owned() } else { random.below(90_000).to_string() };
    let (latitude, longitude) = (random.below(9_000_000), random.below(18_000_000));
    write!(
        text,
        r#"{{"id":"{id:016x}","title":"Change {lines} of a list","body":"{body}","lines":{lines},"open":{open},
"price":{}.{:02},"created_at":"2026-11-{day:02}T09:30:00Z","labels":["bug","area/reader","p{}"],"parent":{parent},
"author":{{"login":"user-{}","type":"User","site_admin":false}},"at":[{}.{:05},{}.{:05}]}}"#,
        price / 100,
        price % 100,
        random.below(4),
        random.below(10_000),
        latitude / 100_000,
        latitude % 100_000,
        longitude / 100_000,
        longitude % 100_000,
    )
    .unwrap();
}

/// Doubles with all their digits, a few of them with an exponent.
fn floats(bytes: usize) -> String {
    let mut random = Random(754);
    let mut text = r#"{"samples":["#.to_owned();
    while text.len() < bytes {
        let unit = random.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        match random.below(8) {
            0 => write!(text, "{:e},", unit * 1e-12).unwrap(),
            1 => write!(text, "{},", unit - 0.5).unwrap(),
            _ => write!(text, "{},", unit * 1000.0).unwrap(),
        }
    }
    text.pop();
    text + "]}"
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}
