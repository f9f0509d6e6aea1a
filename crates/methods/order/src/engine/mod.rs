//! Elementary weights Φ(t), of one tree in any number type or of all trees of an order at once.
//!
//! `weights` contains the definition ([`Weights`]), and `gradient` the derivatives ([`value_and_gradient`]). The fast
//! engine assembles weights of large trees from `tables` of small forests: `walk` visits all trees of an order in
//! blocks, or in bundles of blocks that differ in one step, and `kernel` is the inner loop. The engine runs on any
//! `arithmetic`: doubles with bounds, exact numbers, ninety decimals with error bounds (`ball`), residues modulo primes
//! (`modular`). A `jet` bounds a weight and its derivatives.
//!
//! ```
//! use hemiola_order::engine::value_and_gradient;
//! use hemiola_order::trees::Tree;
//! let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
//! let (weight, gradient) = value_and_gradient(&Tree::parse("[τ]", &["all"]).unwrap(), &rk4);
//! assert_eq!((weight, gradient.partitions[0].b[1]), (0.5, 0.5)); // Σ bᵢcᵢ and c₂
//! ```

pub(crate) mod arithmetic;
pub(crate) mod ball;
pub(crate) mod doubled;
mod fixed_point;
pub(crate) mod forward;
pub(crate) mod gradient;
pub(crate) mod jet;
pub(crate) mod kernel;
pub(crate) mod modular;
pub(crate) mod slopes;
pub(crate) mod tables;
pub(crate) mod tree_path;
pub(crate) mod walk;
pub(crate) mod weights;

pub use gradient::value_and_gradient;
pub use jet::Jet;
pub use weights::{StageSolution, Weights};
