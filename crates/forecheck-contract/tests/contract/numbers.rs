//! The first million lines of the number corpus of RFC 8785, by their published SHA-256.

use std::fs;
use std::path::PathBuf;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Node, Number, Value};
use sha2::{Digest, Sha256};

const CHECKPOINTS: [(usize, &str); 4] = [
    (1_000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"),
    (10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"),
    (100_000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"),
    (1_000_000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"),
];

/// The doubles of the corpus, as its README describes them.
fn patterns() -> impl Iterator<Item = u64> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/jcs/static_doubles.txt");
    let listed: Vec<u64> = fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| u64::from_str_radix(line.trim(), 16).unwrap())
        .collect();
    let smallest_normal = 0x0010_0000_0000_0000;
    let blocks = std::iter::successors(Some([0_u8; 32]), |block| Some(Sha256::digest(block).into())).skip(1);
    let random = blocks
        .flat_map(|block| std::array::from_fn::<_, 4, _>(|at| block.as_chunks::<8>().0[at]))
        .map(u64::from_le_bytes)
        .filter(|&bits| f64::from_bits(bits).is_finite() && f64::from_bits(bits) != 0.0);
    listed.into_iter().chain(smallest_normal..smallest_normal + 2000).chain(random)
}

#[test]
fn a_million_numbers_are_printed_as_ecmascript_prints_them() {
    let mut digest = Sha256::new();
    let mut checkpoints = CHECKPOINTS.into_iter().peekable();
    let mut line = Vec::new();
    for (index, bits) in patterns().take(1_000_000).enumerate() {
        line.clear();
        let number = Value::Number(Number::Float(f64::from_bits(bits)));
        line.extend(format!("{bits:x},").bytes());
        canonical::write(&Node::synthetic(number), &mut line);
        line.push(b'\n');
        digest.update(&line);
        if let Some((lines, expected)) = checkpoints.next_if(|(lines, _)| *lines == index + 1) {
            assert_eq!(hex::encode(digest.clone().finalize()), expected, "{lines}");
        }
    }
    assert_eq!(checkpoints.next(), None);
}

#[test]
fn what_is_printed_reads_as_the_same_double() {
    for bits in patterns().take(50_000) {
        let number = Node::synthetic(Value::Number(Number::Float(f64::from_bits(bits))));
        let text = canonical::to_string(&number);
        let read = json::read(text.as_bytes(), Limits::SPEC).unwrap().as_number().unwrap();
        assert_eq!(read.as_f64().abs().to_bits(), f64::from_bits(bits).abs().to_bits(), "{text}");
        assert_eq!(read.as_f64() < 0.0, f64::from_bits(bits) < 0.0, "{text}");
    }
}
