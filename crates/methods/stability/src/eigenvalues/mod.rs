//! Eigenvalues of small dense matrices.
//!
//! `pair` computes those of 2×2 matrices in closed form, `qr` others by iteration (real ones by `hessenberg` and
//! `francis`). `balance` scales real matrices beforehand and counts zero eigenvalues. `krylov` computes the outermost
//! eigenvalues of large matrices.
//!
//! ```
//! let oscillator = [vec![0.0, 1.0], vec![-4.0, 0.0]];
//! let values = hemiola_stability::eigenvalues::real_eigenvalues(&oscillator)?;
//! assert!(values.iter().all(|value| value.re == 0.0 && (value.im.abs() - 2.0).abs() < 1e-15));
//! # Ok::<(), hemiola_stability::StabilityError>(())
//! ```

pub(crate) mod balance;
mod francis;
mod hessenberg;
pub(crate) mod krylov;
pub(crate) mod pair;
pub(crate) mod qr;

pub use pair::eigenvalues_of_pair;
pub use qr::{eigenvalues, real_eigenvalues};
