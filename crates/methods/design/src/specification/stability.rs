//! The choice of the stability polynomial of a partition.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_polynomial::{Axis, Problem, Spectrum};

use crate::error::{DesignError, require};

/// The stability polynomial of one partition, R(z) = Σ β_k zᵏ with β_k = bᵀAᵏ⁻¹𝟙.
#[derive(Clone, Debug, PartialEq)]
pub enum Stability {
    /// No requirement.
    Free,
    /// The optimal polynomial along an axis (see [`Problem`]).
    Optimal {
        /// The axis.
        axis: Axis,
        /// The damping η. Without it, weak coupling causes resonance at frequencies where |R| is one.
        damping: f64,
        /// The fraction of the imaginary limit beyond which the full damping applies ([`Problem::band`]).
        band: f64,
    },
    /// Given coefficients β₀, β₁, …; missing ones are zero.
    Given(Vec<RBig>),
    /// Any polynomial of the slow partition that is stable up to a fraction of the optimal limit along an axis.
    AtLeast {
        /// The axis.
        axis: Axis,
        /// The fraction, between 0 and 1.
        fraction: f64,
    },
    /// The choice of the search: the slow polynomial is [free](Self::Free), or has [at least](Self::AtLeast) four
    /// fifths of the optimal limit along the axis of the fast partition if this costs little error
    /// ([`SlowTradeOff`](crate::SlowTradeOff)).
    Auto,
}

/// The default of [`Stability::Optimal::band`].
pub const DEFAULT_BAND: f64 = 0.5;

impl Stability {
    /// Returns the coefficients up to the degree that `evaluations` evaluations allow; `None` for a free
    /// polynomial.
    pub(crate) fn polynomial(&self, evaluations: usize, order: usize) -> Result<Option<Vec<RBig>>, DesignError> {
        /// More digits than the 50 of the method.
        const DIGITS: usize = 64;
        match self {
            Self::Free | Self::AtLeast { .. } | Self::Auto => Ok(None),
            Self::Optimal { axis, damping, band } => {
                let problem = Problem::new(Spectrum::Axis(*axis), evaluations, order).damping(*damping).band(*band);
                let optimum = problem.solve()?;
                Ok(Some(optimum.polynomial(DIGITS)?.coefficients().iter().map(rounded_to_reliable_digits).collect()))
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
                require(begins, "a coefficient β_k of the polynomial", &"not 1/k!", "β_k = 1/k! for k ≤ p")?;
                let zeros = std::iter::repeat_n(RBig::ZERO, most - length);
                Ok(Some(coefficients.iter().cloned().chain(zeros).collect()))
            }
        }
    }
}

/// Returns the largest limit of a polynomial along an axis, without damping.
pub(crate) fn optimal_limit(axis: Axis, evaluations: usize, order: usize) -> Result<f64, DesignError> {
    Ok(Problem::new(Spectrum::Axis(axis), evaluations, order).solve()?.limit())
}

/// Rounds a decimal to the digits that do not depend on the starting point of its iteration, which uses the sines of
/// the platform; returns other fractions unchanged.
fn rounded_to_reliable_digits(beta: &RBig) -> RBig {
    /// Iterations end with more than eighty decimals, and the refinement of a method carries 56.
    const DECIMALS: usize = 72;
    /// Longest decimal expected from the iterations.
    const LONGEST: usize = 1000;
    let ten = UBig::from(10u8);
    if !(ten.pow(LONGEST) % beta.denominator()).is_zero() {
        return beta.clone();
    }
    let scale = ten.pow(DECIMALS);
    RBig::from_parts((beta * RBig::from(IBig::from(scale.clone()))).round(), scale)
}

/// Returns 1/k! for k ≤ order.
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
    fn fractions_are_exact_and_decimals_end_where_they_are_reliable() {
        let [third, eighth] = [3u8, 8].map(|denominator| RBig::from_parts(1.into(), denominator.into()));
        assert_eq!((rounded_to_reliable_digits(&third), rounded_to_reliable_digits(&eighth)), (third, eighth));
        let unit = |decimals| RBig::from_parts(1.into(), UBig::from(10u8).pow(decimals));
        assert_eq!(rounded_to_reliable_digits(&(unit(5) + unit(72) + unit(73))), unit(5) + unit(72));
    }

    #[test]
    fn polynomials_are_optimal_or_given() {
        let optimal = Stability::Optimal { axis: Axis::Imaginary, damping: 0.0, band: DEFAULT_BAND };
        assert_eq!(optimal.polynomial(5, 2).unwrap().unwrap()[5].to_string(), "1/128");
        let half = RBig::from_parts(1.into(), 2u8.into());
        let given = Stability::Given(vec![RBig::ONE, RBig::ONE, half]);
        assert_eq!(given.polynomial(4, 2).unwrap().unwrap().len(), 5);
        assert!(matches!(given.polynomial(4, 3), Err(DesignError::OutOfRange { .. })));
        assert!(matches!(Stability::Given(vec![RBig::ONE; 4]).polynomial(4, 2), Err(DesignError::OutOfRange { .. })));
        let too_damped = Stability::Optimal { axis: Axis::Imaginary, damping: 0.1, band: DEFAULT_BAND };
        assert!(matches!(too_damped.polynomial(2, 2), Err(DesignError::Polynomial(_))));
        assert_eq!(Stability::Free.polynomial(4, 2).unwrap(), None);
    }
}
