//! Methods as programs and tables of other languages: `hemiola export`, `hemiola import`.

pub(crate) mod export;
pub(crate) mod import;
