//! Properties of the fuzz targets on fixed sets of mutated texts; `fuzz/` searches for more.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hemiola_tableau::Method;
use hemiola_tests::fuzz::{FuzzTarget, TARGETS, import, method_file};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Difficult values for numbers, names and fields.
const NASTY: &str = r#"
    "NaN" NaN "inf" 1e999 "-1e-999" 1e-400 "1e308*10" "1/0" "0/0" -0 "-0" 0.1e1 "" "." "1." "1e" "--1" "((((1))))" -1 1e308 0.5 1e9 65536
    "sqrt(-1)" "sqrt(2)" "sqrt(0)" "1/sqrt(3)" "sqrt(3+2*sqrt(2))" "√(5)÷2−1" "\u0000" "\ud800" "\"\\" "b̂𝟙" "b_hat" "dense" "dense_order"
    null true [] {} [[ ]] } , : 18446744073709551616 9007199254740993 -9223372036854775808
    ( ) ; = / // \ ' if else end for case return #if #else #endif #define def function while ? && ++ += @ ! ~ ^ ... .. | & i z x y
"#;

/// Time limit per text on a busy machine; the texts have a few kilobytes.
const LONGEST: Duration = Duration::from_secs(20);

/// Chooses a range of up to `longest` bytes of a text.
fn slice(rng: &mut ChaCha8Rng, text: &[u8], longest: usize) -> (usize, usize) {
    let start = rng.random_range(0..=text.len());
    (start, text.len().min(start + rng.random_range(0..=longest)))
}

/// Chooses the ends of a random token: a quoted text, or a text between commas and brackets.
fn token(rng: &mut ChaCha8Rng, text: &[u8]) -> (usize, usize) {
    let is_end = |byte: &u8| b",[]{}():;=\n ".contains(byte);
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

/// Returns the text of a case: one file with one to three mutations.
fn spoiled(seeds: &[Vec<u8>], case: u64) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(case);
    // The square of a uniform number prefers small files.
    let uniform: f64 = rng.random();
    let mut text = seeds[(uniform * uniform * seeds.len() as f64) as usize].clone();
    let other = &seeds[rng.random_range(0..seeds.len())];
    for _ in 0..rng.random_range(1..=3) {
        spoil(&mut rng, &mut text, other);
    }
    text
}

/// Checks a target on mutated texts, and that some of them are accepted, so that both rejections and round trips are
/// tested.
fn withstands(target: &FuzzTarget, cases: u64) {
    let seeds = target.texts();
    assert!(!seeds.is_empty(), "{}", target.name);
    for seed in &seeds {
        assert!((target.check)(seed), "{}: {}", target.name, String::from_utf8_lossy(seed));
    }
    let accepted = AtomicU64::new(0);
    (0..cases).into_par_iter().for_each(|case| {
        let text = spoiled(&seeds, case);
        let start = Instant::now();
        let outcome = catch_unwind(|| (target.check)(&text));
        let shown = || format!("{}, case {case}: {}", target.name, String::from_utf8_lossy(&text));
        assert!(start.elapsed() < LONGEST, "{:?}, {}", start.elapsed(), shown());
        let Ok(is_accepted) = outcome else { panic!("{}", shown()) };
        accepted.fetch_add(u64::from(is_accepted), Ordering::Relaxed);
    });
    let accepted = accepted.into_inner();
    assert!(accepted > cases / 200 && accepted < cases, "{}: {accepted} of {cases} were accepted", target.name);
}

fn cases(name: &str, cases: u64) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"));
    withstands(target, cases);
}

#[test]
fn spoiled_method_files() {
    cases("method_file", 20_000);
}

#[test]
fn spoiled_imports() {
    cases("import", 20_000);
}

#[test]
fn spoiled_certificates() {
    cases("certificate", 2_000);
}

#[test]
fn spoiled_designs_searches_and_sweeps() {
    cases("design", 5_000);
    cases("search", 5_000);
    cases("sweep", 2_000);
}

#[test]
fn spoiled_machines_and_problems() {
    cases("machine", 5_000);
    cases("problem", 5_000);
}

#[test]
fn spoiled_figures_and_slices() {
    cases("figure", 5_000);
    cases("slice", 20_000);
}

/// Runs many more cases if time permits: `HEMIOLA_FUZZ_CASES=1000000`.
#[test]
#[ignore = "takes minutes"]
fn spoiled_texts_for_hours() {
    let count = std::env::var("HEMIOLA_FUZZ_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    TARGETS.iter().for_each(|target| withstands(target, count));
}

/// Checks that every target has its program, its entry in `fuzz/Cargo.toml` and its minute in hosted CI.
#[test]
fn every_target_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = |file: &str| fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (manifest, workflow) = (text("fuzz/Cargo.toml"), text(".github/workflows/ci.yml"));
    for FuzzTarget { name, seeds: (folder, _), .. } in &TARGETS {
        assert!(text(&format!("fuzz/fuzz_targets/{name}.rs")).contains(&format!("hemiola_tests::fuzz::{name}(bytes)")));
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(workflow.contains(&format!("{{ target: {name}, seeds: {folder} }}")), "{name}");
    }
}

/// Checks texts that violated the property in the past.
#[test]
fn what_was_found_before() {
    let document = |rest: &str| {
        let partitions = r#""partitions": [{"name": "all", "a": [["0"]], "b": ["1"]}]"#;
        format!(r#"{{"format": "hemiola-method/1", "id": "found", "name": "Found", {partitions}, {rest}}}"#)
    };
    // An empty text was written as an absent one.
    method_file(document(r#""source": {"doi": "", "where": "", "note": ""}"#).as_bytes());
    // Objects as arrays of their fields were accepted.
    assert!(Method::from_json(document(r#""claims": [1, null, null]"#).as_bytes(), "found.json").is_err());
    // Long keys and texts were quoted in full.
    method_file(document(&format!(r#""{}": 1"#, "k".repeat(10_000))).as_bytes());
    method_file(document(&format!(r#""claims": "{}""#, "k".repeat(10_000))).as_bytes());
}

/// Checks imports that violated the property in the past.
#[test]
fn imports_found_before() {
    // Chains of powers and casts took a stack frame each.
    for (file, link) in [("m.py", "2**"), ("m.c", "(double)"), ("m.c", "&"), ("m.jl", "@x "), ("m.m", "-2^")] {
        import(format!("{file}\nA = [[0]]\nb = {}1", link.repeat(200_000)).as_bytes());
    }
    // Positions of cells were counted from the beginning of the text each time.
    import(format!("m.tex\n\\begin{{array}}{{c|c}}{}\\end{{array}}", "0 &\n".repeat(200_000)).as_bytes());
    import(format!("m.tex\n{}", "\\begin{array}\\end{array}\n".repeat(100_000)).as_bytes());
}
