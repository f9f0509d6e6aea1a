//! The property of the fuzz target on a fixed set of spoiled library files; `fuzz/` looks for more.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use hemiola_tableau::{Method, library};
use hemiola_tests::fuzz_method_file;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const CASES: u64 = 20_000;

/// What a coefficient, a name or a field must not be mistaken in.
const NASTY: &str = r#"
    "NaN" NaN "inf" 1e999 "-1e-999" 1e-400 "1e308*10" "1/0" "0/0" -0 "-0" 0.1e1 "" "." "1." "1e" "--1" "((((1))))"
    "sqrt(-1)" "sqrt(2)" "sqrt(0)" "1/sqrt(3)" "sqrt(3+2*sqrt(2))" "√(5)÷2−1" "\u0000" "\ud800" "\"\\" "b̂𝟙" "b_hat" "dense" "dense_order"
    null true [] {} [[ ]] } , : 18446744073709551616
"#;

/// The library's files: what is small is spoiled most often.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus");
    let read = |id| fs::read(folder.join(format!("{id}.json"))).unwrap_or_else(|error| panic!("{id}: {error}"));
    let mut seeds: Vec<Vec<u8>> = library::ids().map(read).collect();
    seeds.sort_by_key(Vec::len);
    seeds
}

/// A range of up to `longest` bytes of a text.
fn slice(rng: &mut ChaCha8Rng, text: &[u8], longest: usize) -> (usize, usize) {
    let start = rng.random_range(0..=text.len());
    (start, text.len().min(start + rng.random_range(0..=longest)))
}

/// The ends of a random token: a text in quotes, or what stands between commas and brackets.
fn token(rng: &mut ChaCha8Rng, text: &[u8]) -> (usize, usize) {
    let is_end = |byte: &u8| b",[]{}:\n".contains(byte);
    let place = rng.random_range(0..=text.len());
    let start = text[..place].iter().rposition(is_end).map_or(0, |end| end + 1);
    (start, text[place..].iter().position(is_end).map_or(text.len(), |length| place + length))
}

fn spoil(rng: &mut ChaCha8Rng, text: &mut Vec<u8>, other: &[u8]) {
    match rng.random_range(0..8) {
        0 => {
            let place = rng.random_range(0..=text.len());
            if let Some(byte) = text.get_mut(place) {
                *byte ^= 1 << rng.random_range(0..8);
            }
        }
        1 => {
            let (start, end) = slice(rng, text, 30);
            text.drain(start..end);
        }
        2 => {
            let (start, end) = slice(rng, text, 200);
            let copy = text[start..end].to_vec();
            let place = rng.random_range(0..=text.len());
            text.splice(place..place, copy);
        }
        3 => {
            let (start, end) = slice(rng, other, 200);
            let (from, to) = slice(rng, text, 200);
            text.splice(from..to, other[start..end].iter().copied());
        }
        4 => {
            let (from, to) = token(rng, other);
            let (start, end) = token(rng, text);
            text.splice(start..end, other[from..to].iter().copied());
        }
        _ => {
            let (start, end) = token(rng, text);
            let nasty = NASTY.split_whitespace().choose(rng).unwrap_or_default();
            text.splice(start..end, nasty.bytes());
        }
    }
}

/// The text of a case: one file, spoiled once to three times.
fn spoiled(seeds: &[Vec<u8>], case: u64) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(case);
    // The square of a uniform number prefers what is small.
    let uniform: f64 = rng.random();
    let mut text = seeds[(uniform * uniform * seeds.len() as f64) as usize].clone();
    let other = &seeds[rng.random_range(0..seeds.len())];
    for _ in 0..rng.random_range(1..=3) {
        spoil(&mut rng, &mut text, other);
    }
    text
}

#[test]
fn spoiled_files_are_refused_or_survive() {
    let seeds = seeds();
    let accepted = AtomicUsize::new(0);
    (0..CASES).into_par_iter().for_each(|case| {
        let text = spoiled(&seeds, case);
        let outcome = catch_unwind(|| fuzz_method_file(&text));
        assert!(outcome.is_ok(), "case {case}: {}", String::from_utf8_lossy(&text));
        accepted.fetch_add(usize::from(Method::from_json(&text, "case.json").is_ok()), Ordering::Relaxed);
    });
    // Enough of both: neither the refusals nor the round trips go untested.
    let accepted = accepted.into_inner() as u64;
    assert!(accepted > CASES / 50 && accepted < CASES / 2, "{accepted} of {CASES} were accepted");
}

/// Texts that broke the property before.
#[test]
fn what_was_found_before() {
    let document = |rest: &str| {
        let partitions = r#""partitions": [{"name": "all", "a": [["0"]], "b": ["1"]}]"#;
        format!(r#"{{"format": "hemiola-method/1", "id": "found", "name": "Found", {partitions}, {rest}}}"#)
    };
    // An empty text was written as an absent one.
    fuzz_method_file(document(r#""source": {"doi": "", "where": "", "note": ""}"#).as_bytes());
    // Objects as arrays of their fields were accepted.
    assert!(Method::from_json(document(r#""claims": [1, null, null]"#).as_bytes(), "found.json").is_err());
    // Long keys and texts were quoted in full.
    fuzz_method_file(document(&format!(r#""{}": 1"#, "k".repeat(10_000))).as_bytes());
    fuzz_method_file(document(&format!(r#""claims": "{}""#, "k".repeat(10_000))).as_bytes());
}
