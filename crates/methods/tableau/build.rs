//! Embeds every method file of the library, so that the binary needs no data folder.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    // A package has its own copy of the folder. In a checkout, the copy is a symbolic link, which some systems make a text.
    let own = Path::new(&root).join("tableaus");
    let folder = if own.is_dir() { own } else { Path::new(&root).join("../../../tableaus") }.canonicalize()?;
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        // Schemas and the files that designs write beside their methods are not named after an id.
        let is_method = stem != "schema" && !stem.contains('.');
        if path.extension().is_some_and(|extension| extension == "json") && is_method {
            entries.push(format!("({stem:?}, include_bytes!({path:?})),\n"));
        }
    }
    entries.sort();
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let list = format!("pub(super) static FILES: &[(&str, &[u8])] = &[\n{}];\n", entries.concat());
    fs::write(Path::new(&out).join("library_files.rs"), list)
}
