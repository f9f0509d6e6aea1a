//! Implementations of a stability polynomial in doubles and their sensitivity to rounding.
//!
//! One polynomial R belongs to many explicit Runge–Kutta methods, and they differ in their propagation of rounding
//! errors: a perturbation of the stage Y_j reaches the result multiplied by the internal stability polynomial Q_j(z),
//! which depends on the form in which the stages are computed (Ketcheson, Lóczi & Parsani 2014, "Internal error
//! propagation in explicit Runge–Kutta methods", SIAM J. Numer. Anal. 52:2227–2249). [`implementations`] computes M =
//! max_j sup |Q_j(z)| for three forms.
//!
//! `methods` defines the three forms ([`StageForm`]): the `chain`, the `factors` (over the `roots`, in an `ordering`) and
//! the `recurrence`. `stages` computes the propagation of perturbations, and `monomial` the loss by rounded
//! coefficients.
//!
//! ```
//! use hemiola_polynomial::implementation::{StageForm, implementations};
//! use hemiola_polynomial::{Axis, optimal};
//! let polynomial = optimal(Axis::Imaginary, 4, 4)?;
//! let end = num_complex::Complex64::new(0.0, polynomial.limit());
//! let all = implementations(polynomial.coefficients(), None, &[end]);
//! let schemes: Vec<StageForm> = all.iter().map(|method| method.scheme).collect();
//! assert_eq!(schemes, [StageForm::Chain, StageForm::Factors]); // no recurrence without an interval
//! # Ok::<(), hemiola_polynomial::PolynomialError>(())
//! ```

mod chain;
mod factors;
mod interval;
mod methods;
mod monomial;
mod ordering;
mod recurrence;
mod roots;
mod stages;

pub use interval::StabilityInterval;
pub use methods::{Implementation, StageForm, implementations};
pub use monomial::monomial_digits_lost;
pub use stages::Term;

#[cfg(test)]
mod tests;
