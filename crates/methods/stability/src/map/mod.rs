//! Maps of stability over a plane, with their contours and regions.
//!
//! A [`Field`] is a real function on a plane, and a [`Window`] a rectangle of the plane with a grid. `scan/`,
//! `partition`, `joint` (with `joint_extent`, a proved size) and `robust_scheme` define the fields of pairs, single partitions, additive problems and schemes
//! without a tableau; `contour/` traces level curves; `region_window` locates a region.
//!
//! ```
//! use hemiola_stability::map::{PartitionField, Quantity, Region, Window};
//! // The region of explicit Euler is the unit disk around −1.
//! let euler = hemiola_tableau::library::method("explicit-euler")?.to_f64();
//! let window = Window { x: (-3.0, 1.0), y: (-2.0, 2.0), cells: (40, 40) };
//! let region = Region::new(&window, &PartitionField::new(&euler.partitions[0], Quantity::Radius), 1.0);
//! assert!((region.area() - std::f64::consts::PI).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod contour;
pub(crate) mod field;
mod joint;
mod joint_extent;
mod partition;
mod region_window;
pub(crate) mod robust_scheme;
pub(crate) mod scan;
pub(crate) mod window;

pub use contour::{Contour, Region, contour};
pub use field::{Field, Sampled};
pub use joint::JointStability;
pub use joint_extent::joint_extent;
pub use partition::PartitionField;
pub use region_window::region_window;
pub use robust_scheme::RobustScheme;
pub use scan::{Plane, Quantity, Scan, Slice, spectral_radii, spectral_radius};
pub use window::Window;
