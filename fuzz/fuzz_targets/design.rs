//! Fuzzes arbitrary bytes against the properties of `hemiola_tests::fuzz::design`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hemiola_tests::fuzz::design(bytes);
});
