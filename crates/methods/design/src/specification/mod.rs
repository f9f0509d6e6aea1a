//! The specification of a design.
//!
//! `definition` contains the [`Specification`]. Its components are in `structure` (requirements on the
//! coefficients), `entry` (single coefficients), `stability` (the stability polynomials), `objective` (the function
//! to minimize), `preference` (the choice among small errors), `solver` (the method of the descents) and `made_for` (systems whose measured errors are minimized). `validate` performs the checks that
//! need no search, `order_barriers` contains the theorems on attainable orders, and `method` builds the method
//! found.
//!
//! ```
//! use hemiola_design::specification::{Objective, Specification, Structure};
//! let mut specification = Specification::new(4, 8, None)?;
//! assert_eq!(specification.order, 4);
//! specification.structure = Structure { shared_abscissae: true, ..Structure::default() };
//! specification.objective = Objective { coefficients: 0.1, ..Objective::default() };
//! specification.validate()?;
//! // The slow abscissae vanish up to the first slow stage, so that shared abscissae need it to be the first of all.
//! specification.slow_stages = Some(vec![1, 3, 5, 7]);
//! assert!(specification.validate().is_err());
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

mod default_preference;
pub(crate) mod definition;
pub(crate) mod entry;
mod feasible_damping;
pub(crate) mod made_for;
pub(crate) mod method;
pub(crate) mod objective;
pub(crate) mod order_barriers;
pub(crate) mod preference;
pub(crate) mod slow_places;
pub(crate) mod solver;
pub(crate) mod stability;
pub(crate) mod structure;
pub(crate) mod validate;

pub use definition::Specification;
pub use entry::{Bound, Entry};
pub use made_for::TargetSystems;
pub use objective::{Coupling, Objective};
pub use order_barriers::highest_order;
pub use preference::Preference;
pub use solver::DescentSolver;
pub use stability::{DEFAULT_BAND, Stability};
pub use structure::Structure;
