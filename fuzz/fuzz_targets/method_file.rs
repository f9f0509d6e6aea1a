//! Any bytes: see `hemiola_tests::fuzz::method_file` for what must hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hemiola_tests::fuzz::method_file(bytes);
});
