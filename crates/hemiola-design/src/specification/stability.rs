//! How the stability polynomial of a partition is chosen.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_polynomial::{Axis, Problem, Spectrum};

use crate::error::{DesignError, require};

/// The stability polynomial of one part, R(z) = Σ β_k zᵏ with β_k = bᵀAᵏ⁻¹𝟙.
#[derive(Clone, Debug, PartialEq)]
pub enum Stability {
    /// Whatever the search finds.
    Free,
    /// The optimum along an axis (see [`Problem`]).
    Optimal {
        /// The axis.
        axis: Axis,
        /// The damping η: weak coupling makes the frequencies resonate at which |R| is one.
        damping: f64,
    },
    /// These coefficients β₀, β₁, …; missing ones are zero.
    Given(Vec<RBig>),
}

impl Stability {
    /// The coefficients up to the degree that this many evaluations allow.
    pub(crate) fn polynomial(&self, evaluations: usize, order: usize) -> Result<Option<Vec<RBig>>, DesignError> {
        /// More digits than the 50 of the method.
        const DIGITS: usize = 64;
        match self {
            Self::Free => Ok(None),
            Self::Optimal { axis, damping } => {
                let optimum = Problem::new(Spectrum::Axis(*axis), evaluations, order).damping(*damping).solve()?;
                Ok(Some(optimum.polynomial(DIGITS)?.coefficients().to_vec()))
            }
            Self::Given(coefficients) => {
                let (length, most) = (coefficients.len(), evaluations + 1);
                let name = "the number of the polynomial's coefficients";
                require(
                    length > order && length <= most,
                    name,
                    &length,
                    "more than the order, and at most \
                    one more than the number of evaluations",
                )?;
                let begins = coefficients.iter().zip(taylor(order)).all(|(beta, expected)| *beta == expected);
                require(
                    begins,
                    "a coefficient β_k of the polynomial up to the order",
                    &"not 1/k!",
                    "β_k = 1/k! for k ≤ p",
                )?;
                let zeros = std::iter::repeat_n(RBig::ZERO, most - length);
                Ok(Some(coefficients.iter().cloned().chain(zeros).collect()))
            }
        }
    }
}

/// 1/k! for k ≤ order.
pub(crate) fn taylor(order: usize) -> Vec<RBig> {
    let mut factorial = RBig::ONE;
    let term = |k: usize| {
        factorial *= RBig::from(IBig::from(k.max(1)));
        RBig::ONE / &factorial
    };
    (0..=order).map(term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_optimal_or_given() {
        let optimal = Stability::Optimal { axis: Axis::Imaginary, damping: 0.0 };
        assert_eq!(optimal.polynomial(5, 2).unwrap().unwrap()[5].to_string(), "1/128");
        let half = RBig::from_parts(1.into(), 2u8.into());
        let given = Stability::Given(vec![RBig::ONE, RBig::ONE, half]);
        assert_eq!(given.polynomial(4, 2).unwrap().unwrap().len(), 5);
        assert!(matches!(given.polynomial(4, 3), Err(DesignError::OutOfRange { .. })));
        assert!(matches!(Stability::Given(vec![RBig::ONE; 4]).polynomial(4, 2), Err(DesignError::OutOfRange { .. })));
        let too_damped = Stability::Optimal { axis: Axis::Imaginary, damping: 0.1 };
        assert!(matches!(too_damped.polynomial(2, 2), Err(DesignError::Polynomial(_))));
        assert_eq!(Stability::Free.polynomial(4, 2).unwrap(), None);
    }
}
