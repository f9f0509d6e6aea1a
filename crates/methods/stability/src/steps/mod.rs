//! Stable step sizes of a method, as intervals between sign changes.
//!
//! `stable_steps` defines the intervals, and `search` finds them from samples. `chebyshev_panels` locates the sign
//! changes of a smooth function on panels, independently of the choice of samples.
//!
//! ```
//! use hemiola_stability::steps::{StableSteps, StepSearch};
//! use num_complex::Complex64;
//! // Decoupled and equally fast, the slow partition of two stages leaves the real axis at −2.
//! let pair = hemiola_tableau::library::method("mprk-p2")?.to_f64();
//! let search = StepSearch { farthest: 3.0, samples: 300, margin: 0.0 };
//! let steps = StableSteps::of_pair(&pair, [-Complex64::ONE, -Complex64::ONE, Complex64::ZERO], search)?;
//! assert!((steps.first_exit - 2.0).abs() < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod chebyshev_panels;
pub(crate) mod search;
pub(crate) mod stable_steps;

pub use search::StepSearch;
pub use stable_steps::StableSteps;
