//! Stability of the coupled problem: one method with two or more partitions.
//!
//! `matrix` computes the stability matrix S(Z), `limit` the first exit from ρ(S) ≤ 1 along a ray by exact signs of
//! polynomials (`gaussian_integer`), and `pair_steps` all exits by sampling. `profile` summarizes how coupling shortens
//! the stable step, and `robust` takes the worst case of all couplings up to a strength.
//!
//! ```
//! use hemiola_stability::coupled::stability_matrix;
//! use num_complex::Complex64;
//! let pair = hemiola_tableau::library::method("mprk-p2")?.to_f64();
//! let (z, zero) = (Complex64::new(-0.5, 0.0), Complex64::ZERO);
//! let s = stability_matrix(&pair, &[vec![z, zero], vec![zero, z]])?;
//! // Without coupling the slow partition of two stages is 1 + z + z²/2 alone.
//! assert!((s[0][0].re - 0.625).abs() < 1e-15 && s[0][1] == zero);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gaussian_integer;
mod limit;
pub(crate) mod matrix;
mod pair_steps;
mod profile;
mod robust;

pub use limit::coupled_limit;
pub use matrix::{Matrix, stability_matrix};
pub use profile::{CoupledProfile, CoupledStep, Growth, Infimum, ProfileValue, check_profiles, coupled_profile};
pub use robust::Robust;
