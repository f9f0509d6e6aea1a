//! Families of many rates: methods over the same stages with shared weights and abscissae, any two of which may be
//! neighbors.
//!
//! `tail` has the last stages, shared by all levels, in closed forms that satisfy the order and coupling conditions exactly;
//! `search` finds their parameters; `level` the stability polynomial of each level and its chain of stages; `method` writes
//! all of them down, and `design` leads from a [`FamilySpecification`] to a [`Family`]; `file` has both as text.
//!
//! `coupling` measures families on systems in parts. `windows` says beforehand which shared stages leave the polynomials of all levels long enough.

pub(crate) mod coupling;
pub(crate) mod design;
pub(crate) mod file;
pub(crate) mod level;
pub(crate) mod method;
pub(crate) mod search;
pub(crate) mod specification;
pub(crate) mod tail;
pub(crate) mod windows;

pub use coupling::{LeastRatio, coupled_step};
pub use design::{Family, FamilyLevel, design_family, level_on};
pub use file::FamilyFile;
pub use specification::FamilySpecification;
