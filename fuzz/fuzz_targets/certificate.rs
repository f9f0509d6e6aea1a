//! Fuzzes arbitrary bytes against the properties of `hemiola_tests::fuzz::certificate`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hemiola_tests::fuzz::certificate(bytes);
});
