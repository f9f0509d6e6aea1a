//! Any bytes: see `hemiola_tests::fuzz::search` for what must hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hemiola_tests::fuzz::search(bytes);
});
