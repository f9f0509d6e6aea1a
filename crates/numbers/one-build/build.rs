//! Empty build script, required for Cargo to count the build dependencies.

fn main() {}
