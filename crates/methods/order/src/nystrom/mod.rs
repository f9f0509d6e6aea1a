//! Runge–Kutta–Nyström methods for y″ = f(y) and y″ = f(y, y′) as special cases of pairs.
//!
//! Written as q' = v, v' = f(q, v) the equation is partitioned, and of the P-trees only N-trees remain (Hairer,
//! Nørsett & Wanner 1993, §II.14). A pair (A^q, b^q), (A^v, b^v) applied to it is the Nyström method with Ā = A^q
//! A^v, b̄ᵀ = b^qᵀ A^v, b = b^v, A = A^v and c = A^q 1. The coefficients have their own type, since not every
//! Nyström method comes from a pair.
//!
//! `method` contains the coefficients and their order ([`Nystrom`]), and `trees` the conditions ([`nystrom_trees`]).
//!
//! ```
//! use hemiola_order::nystrom::{NystromProblem, nystrom_order};
//! let verlet = hemiola_tableau::library::method("stormer-verlet").unwrap();
//! assert_eq!(nystrom_order(&verlet, 0, 1, NystromProblem::Special, 4).unwrap().order, 2);
//! ```

mod method;
mod trees;

pub use method::{Nystrom, nystrom_order};
pub use trees::{NystromProblem, POSITION, VELOCITY, essential_nystrom_trees, nystrom_trees};
