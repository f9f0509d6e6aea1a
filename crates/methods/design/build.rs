//! Finds the schema of design files, which the crate embeds.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    // A package has its own copy. In a checkout, the copy is a symbolic link, which some systems make a text.
    let [own, shared] =
        ["design.schema.json", "../../../tableaus/design.schema.json"].map(|file| Path::new(&root).join(file));
    let is_schema = fs::read_to_string(&own).is_ok_and(|text| text.starts_with('{'));
    let file = if is_schema { own } else { shared }.canonicalize()?;
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=HEMIOLA_DESIGN_SCHEMA={}", file.display());
    Ok(())
}
