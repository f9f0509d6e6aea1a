//! Any bytes: see `hemiola_tests::fuzz::import` for what must hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hemiola_tests::fuzz::import(bytes);
});
