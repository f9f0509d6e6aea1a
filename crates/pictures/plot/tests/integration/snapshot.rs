//! Snapshot files, and how to update them.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Environment variable that makes the tests write the snapshots instead of comparing with them.
const WRITE: &str = "HEMIOLA_WRITE_SNAPSHOTS";

/// Size limit that keeps snapshots reviewable.
const LARGEST: usize = 40_000;

/// A snapshot file beside the tests.
pub(crate) struct Snapshot(PathBuf);

impl Snapshot {
    pub(crate) fn new(name: &str) -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/snapshots").join(name))
    }

    /// Returns the content of the file, after updating it if requested.
    pub(crate) fn contents(&self, found: &[u8]) -> Vec<u8> {
        assert!(found.len() < LARGEST, "{}: {} bytes", self.0.display(), found.len());
        if env::var_os(WRITE).is_some() {
            fs::write(&self.0, found).expect("a folder that can be written to");
        }
        fs::read(&self.0).unwrap_or_else(|error| panic!("{}: {error}; {WRITE}=1 writes it", self.0.display()))
    }

    /// Compares texts line by line.
    pub(crate) fn assert_text(&self, found: &str) {
        let expected = String::from_utf8(self.contents(found.as_bytes())).expect("text");
        let name = self.0.display();
        for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, expected, "{name}: line {}; {WRITE}=1 writes the file anew", number + 1);
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "{name}: lines");
    }
}
