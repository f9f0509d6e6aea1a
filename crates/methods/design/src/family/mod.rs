//! Families of many rates: methods over the same stages with shared weights and abscissae, any two of which may be
//! neighbors on a mesh.
//!
//! `shared_stages` contains the last stages, shared by all levels, in closed forms that satisfy the order and coupling
//! conditions exactly. `search` finds their parameters, and `level` the stability polynomial of each level and its
//! chain of stages. `method` assembles the coefficients, `design` leads from a [`FamilySpecification`] to a
//! [`Family`], and `file` reads and writes specifications.
//!
//! `coupling` examines families on partitioned systems. `windows` predicts which shared stages allow long steps of
//! all levels.

pub(crate) mod coupling;
pub(crate) mod design;
pub(crate) mod file;
pub(crate) mod level;
pub(crate) mod method;
pub(crate) mod search;
pub(crate) mod shared_stages;
pub(crate) mod specification;
pub(crate) mod windows;

pub use coupling::{LeastRatio, coupled_step};
pub use design::{Family, FamilyLevel, design_family, level_on};
pub use file::FamilyFile;
pub use specification::FamilySpecification;
