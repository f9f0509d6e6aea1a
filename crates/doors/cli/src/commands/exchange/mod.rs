//! Exchange of methods with programs and tables of other languages: `hemiola export`, `hemiola import`.

pub(crate) mod expand;
pub(crate) mod export;
pub(crate) mod import;
