//! Font faces for measuring labels and for embedding in files.
//!
//! The crate bundles DejaVu Sans 2.37, CMU Serif 0.7 (Computer Modern) and Latin Modern Math 1.959, unmodified and with
//! their licenses. Together they contain every letter and symbol of the labels.

use std::sync::{Arc, OnceLock};

use miniz_oxide::inflate::decompress_to_vec;
use ttf_parser::Face as Table;

/// Font faces bundled with the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bundled {
    Sans,
    SansOblique,
    Serif,
    SerifItalic,
    Math,
}

/// Embeds a font as `build.rs` compressed it.
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".z"))
    };
}

// Statics exist once in a program, whereas constants would be copied at each use.
static SANS: &[u8] = packed!("DejaVuSans");
static SANS_OBLIQUE: &[u8] = packed!("DejaVuSans-Oblique");
#[cfg(not(target_arch = "wasm32"))]
static SERIF: &[u8] = packed!("CMUSerif-Roman");
#[cfg(not(target_arch = "wasm32"))]
static SERIF_ITALIC: &[u8] = packed!("CMUSerif-Italic");
#[cfg(not(target_arch = "wasm32"))]
static MATH: &[u8] = packed!("LatinModern-Math");

impl Bundled {
    /// Returns the font file, which is unpacked at its first use.
    fn file(self) -> &'static [u8] {
        static FILES: [OnceLock<Vec<u8>>; 5] = [const { OnceLock::new() }; 5];
        let face = self.embedded();
        // Decompression fails only if the build is corrupt; a test unpacks every face.
        FILES[face as usize].get_or_init(|| decompress_to_vec(face.packed()).unwrap_or_default())
    }

    /// Returns the face used in place of this one. Web pages use only faces without serifs, since faces with serifs
    /// would be a third of the download.
    fn embedded(self) -> Self {
        match self {
            #[cfg(target_arch = "wasm32")]
            Self::Serif | Self::SerifItalic | Self::Math => Self::Sans,
            other => other,
        }
    }

    fn packed(self) -> &'static [u8] {
        match self {
            Self::Sans => SANS,
            Self::SansOblique => SANS_OBLIQUE,
            #[cfg(target_arch = "wasm32")]
            Self::Serif | Self::SerifItalic | Self::Math => SANS,
            #[cfg(not(target_arch = "wasm32"))]
            Self::Serif => SERIF,
            #[cfg(not(target_arch = "wasm32"))]
            Self::SerifItalic => SERIF_ITALIC,
            #[cfg(not(target_arch = "wasm32"))]
            Self::Math => MATH,
        }
    }
}

/// A face: bundled with the crate, or read from another font file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    Bundled(BundledFace),
    File(FaceFile),
}

/// A face bundled with the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BundledFace(pub(super) Bundled);

/// Content of a font file and the index of a face in it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FaceFile {
    pub(crate) data: Arc<Vec<u8>>,
    pub(crate) index: u32,
}

impl std::fmt::Debug for FaceFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FaceFile({} bytes, face {})", self.data.len(), self.index)
    }
}

impl Face {
    /// Returns the content of its file and its index there.
    #[cfg(feature = "pdf")]
    pub(crate) fn file(&self) -> (&[u8], u32) {
        match self {
            Self::Bundled(BundledFace(face)) => (face.file(), 0),
            Self::File(FaceFile { data, index }) => (data, *index),
        }
    }

    /// Calls `with` on the tables of the file; returns `None` if it cannot be parsed.
    pub(crate) fn read<R>(&self, with: impl FnOnce(&Table<'_>) -> R) -> Option<R> {
        static TABLES: [OnceLock<Option<Table<'static>>>; 5] = [const { OnceLock::new() }; 5];
        match self {
            Self::Bundled(BundledFace(face)) => {
                let table = TABLES[*face as usize].get_or_init(|| Table::parse(face.file(), 0).ok());
                table.as_ref().map(with)
            }
            Self::File(file) => Table::parse(&file.data, file.index).ok().map(|table| with(&table)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_unpack_to_their_files() {
        for (face, name) in [
            (Bundled::Sans, "DejaVuSans.ttf"),
            (Bundled::SansOblique, "DejaVuSans-Oblique.ttf"),
            (Bundled::Serif, "CMUSerif-Roman.ttf"),
            (Bundled::SerifItalic, "CMUSerif-Italic.ttf"),
            (Bundled::Math, "LatinModern-Math.otf"),
        ] {
            let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts").join(name);
            assert!(face.file() == std::fs::read(file).unwrap(), "{name}");
        }
    }
}
