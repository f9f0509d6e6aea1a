//! The memory needed to read a file is a small multiple of its size.
#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs::File;

use hemiola_tableau::Method;

/// System allocator that counts the bytes held by the current thread.
struct Counting;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn taken(bytes: usize) {
    let live = LIVE.get().wrapping_add(bytes);
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
}

fn given_back(bytes: usize) {
    LIVE.set(LIVE.get().saturating_sub(bytes));
}

// SAFETY: every call is forwarded to the system allocator; the counters are plain numbers without destructors.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's guarantees are those that `System` requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    // The default `realloc` calls alloc and dealloc: old and new block count together, as they may in the system
    // allocator.
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the largest number of bytes that a call holds at a time.
fn peak_of<T>(call: impl FnOnce() -> T) -> usize {
    let before = LIVE.get();
    PEAK.set(before);
    let result = call();
    let peak = PEAK.get() - before;
    drop(result);
    peak
}

/// Returns a method file with `partitions` as given.
fn document(partitions: &str) -> String {
    format!(r#"{{"format": "hemiola-method/1", "id": "large", "name": "Large", "partitions": {partitions}}}"#)
}

/// Returns a method file with one partition of these rows and weights.
fn single(rows: &str, weights: &str) -> String {
    document(&format!(r#"[{{"name": "all", "a": [{rows}], "b": [{weights}]}}]"#))
}

/// Repeats `item`, separated by commas, up to a length of about `bytes`.
fn repeated(item: &str, bytes: usize) -> String {
    vec![item; bytes / (item.len() + 1) + 1].join(",")
}

#[test]
fn the_peak_is_a_small_multiple_of_the_text() {
    for size in [1 << 20, 3 << 20, 7 << 20] {
        let rows = |row: &str| single(&repeated(row, size), "");
        let long = "x".repeat(size);
        let documents = [
            ("empty rows", rows("[]")),
            ("rows of one entry", rows("[0]")),
            ("rows of five entries", rows("[0,0,0,0,0]")),
            ("a row of numbers", rows(&format!("[{}]", repeated("0", size)))),
            ("a row of empty texts", rows(&format!("[{}]", repeated(r#""""#, size)))),
            ("a row of empty arrays", rows(&format!("[{}]", repeated("[]", size)))),
            ("weights", single("[0]", &repeated("0", size))),
            ("partitions", document(&format!("[{}]", repeated(r#"{"name":"","a":[],"b":[]}"#, size)))),
            ("partitions as arrays", document(&format!("[{}]", repeated(r#"["",[],[],[],[]]"#, size)))),
            ("a name", document("[]").replace("Large", &long)),
            ("an id", document("[]").replace("large", &long)),
            ("a field", document("[]").replace("name", &long)),
            ("a text for a number", document("[]").replace("\"name\"", &format!(r#""claims": "{long}", "name""#))),
            ("a coefficient", rows(&format!("[\"{}\"]", "1".repeat(size)))),
            ("a nest", rows(&format!("[{}{}]", "[".repeat(size / 2), "]".repeat(size / 2)))),
            ("an open nest", "[".repeat(size)),
        ];
        for (what, document) in documents {
            let peak = peak_of(|| Method::from_json(document.as_bytes(), "large.json").is_ok());
            assert!(peak <= 8 * document.len(), "{what}: {peak} bytes for a text of {}", document.len());
        }
    }
}

#[test]
fn short_texts_of_large_numbers_are_bounded() {
    // The largest number of stages, with roots and powers of ten: a few characters each for hundreds of bytes.
    let sums: Vec<String> = [2, 3, 5, 7, 11, 13, 17, 19].iter().map(|prime| format!("(1+sqrt({prime}))")).collect();
    for entry in ["0", "1/3", "1e-307", "1e300", "sqrt(2)", &sums[..4].join("*"), &sums.join("*")] {
        let weights = vec![format!("{entry:?}"); 256].join(",");
        let rows = vec![format!("[{weights}]"); 256].join(",");
        let document = single(&rows, &weights);
        let peak = peak_of(|| Method::from_json(document.as_bytes(), "large.json").is_ok());
        assert!(peak <= 32 << 20, "{entry}: {peak} bytes for a text of {}", document.len());
    }
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.json");
    // A sparse file takes no disk space.
    File::create(&path).unwrap().set_len(200 << 20).unwrap();
    let mut message = String::new();
    let peak = peak_of(|| message = Method::read(&path).unwrap_err().to_string());
    assert!(message.contains("large.json: found 209715200 bytes; expected at most 8388608"), "{message}");
    assert!(peak < 1 << 16, "{peak} bytes");
}
