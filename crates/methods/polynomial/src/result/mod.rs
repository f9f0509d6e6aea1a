//! Results: the optimum in doubles, and the polynomial with any number of digits.
//!
//! `optimum` defines the [`Optimum`], and `contact_point` the points at which it attains its bound. `digits` converts
//! it to a [`StabilityPolynomial`] with rational coefficients (`polynomial`); `stable_form` evaluates that polynomial
//! in doubles.
//!
//! ```
//! use hemiola_polynomial::{Axis, optimal};
//! let polynomial = optimal(Axis::Real, 3, 1)?; // T₃(1 + z/9)
//! assert_eq!(polynomial.limit_text(5), "18");
//! assert_eq!(polynomial.optimum().contact_points().len(), 3);
//! # Ok::<(), hemiola_polynomial::PolynomialError>(())
//! ```

pub(crate) mod contact_point;
pub(crate) mod digits;
pub(crate) mod optimum;
pub(crate) mod polynomial;
pub(crate) mod stable_form;

pub use contact_point::ContactPoint;
pub use optimum::Optimum;
pub use polynomial::StabilityPolynomial;
pub use stable_form::StableForm;
