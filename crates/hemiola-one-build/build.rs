//! Exists so that Cargo counts the build dependencies.

fn main() {}
