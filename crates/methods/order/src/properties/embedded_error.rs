//! The quality of an error estimate: constants of the embedded weights b̂ (Prince & Dormand 1981; Dormand 1996, §5.3).

use hemiola_tableau::{Exact, Method, Tableau};

use crate::error::OrderError;
use crate::properties::error_constants::{Norms, accurate_coefficients};
use crate::trees::grammar::Grammar;

/// Maximum number of trees enumerated for the constants.
const MOST_TREES: u128 = 200_000;

/// Constants of the embedded weights, of order p̂: τ⁽ⁿ⁾ are the error coefficients of order n with b, τ̂⁽ⁿ⁾ those
/// with b̂.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmbeddedError {
    /// The order p̂ of the embedded weights.
    pub order: usize,
    /// The norms of τ̂⁽ᵖ̂⁺¹⁾, the leading term of the error estimate.
    pub principal: Norms,
    /// B = ‖τ̂⁽ᵖ̂⁺²⁾‖₂/‖τ̂⁽ᵖ̂⁺¹⁾‖₂, a measure of how soon the next order disturbs the estimate.
    pub growth: f64,
    /// C = ‖τ̂⁽ᵖ̂⁺²⁾ − τ⁽ᵖ̂⁺²⁾‖₂/‖τ̂⁽ᵖ̂⁺¹⁾‖₂, the corresponding measure for the computed difference.
    pub difference: f64,
}

/// Computes the constants of the embedded weights, which have order `order`. Returns `None` if there are no such
/// weights, if there are too many trees, or if their principal error vanishes.
///
/// ```
/// let dp5 = hemiola_tableau::library::method("dormand-prince-5").unwrap();
/// let error = hemiola_order::embedded_error(&dp5, 4).unwrap().unwrap();
/// assert!((error.principal.two - 1.18e-3).abs() < 1e-5);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range.
pub fn embedded_error(method: &Method, order: usize) -> Result<Option<EmbeddedError>, OrderError> {
    let Some(embedded) = method.embedded() else { return Ok(None) };
    if Grammar::partitioned(method.partitions().len()).total(order.saturating_add(2))? > MOST_TREES {
        return Ok(None);
    }
    let (advancing, embedded) = (method.exact(), embedded.exact());
    let of = |tableau: &Tableau<Exact>, order| -> Result<Vec<f64>, OrderError> {
        Ok(accurate_coefficients(tableau, order)?.into_iter().map(|coefficient| coefficient.value).collect())
    };
    let principal = Norms::of(of(&embedded, order + 1)?);
    let (next, advancing) = (of(&embedded, order + 2)?, of(&advancing, order + 2)?);
    let difference = Norms::of(next.iter().zip(advancing).map(|(embedded, advancing)| embedded - advancing)).two;
    let growth = Norms::of(next).two;
    let ratio = |norm: f64| norm / principal.two;
    let constants = EmbeddedError { order, principal, growth: ratio(growth), difference: ratio(difference) };
    Ok((principal.two > 0.0).then_some(constants))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn constants_by_hand() {
        // Heun–Euler: b̂ = (1, 0), τ̂⁽²⁾ = −1/2; of order 3, τ̂ = (−1/3)/2 and −1/6, τ = (1/2 − 1/3)/2 and −1/6.
        let error = embedded_error(&library::method("heun-euler-2-1").unwrap(), 1).unwrap().unwrap();
        assert_eq!((error.order, error.principal), (1, Norms { two: 0.5, infinity: 0.5 }));
        assert!((error.growth - 2.0 * 2f64.sqrt() / 6.0).abs() < 1e-15);
        assert!((error.difference - 0.5).abs() < 1e-15);
        assert!(embedded_error(&library::method("rk4").unwrap(), 3).unwrap().is_none());
    }

    #[test]
    fn constants_of_published_pairs() {
        // The pair RK5(4)7M of orders 5 and 4 by Dormand & Prince: B = 1.54, C = 1.67 (Prince & Dormand 1981).
        let error = embedded_error(&library::method("dormand-prince-5").unwrap(), 4).unwrap().unwrap();
        assert!((error.growth - 1.54).abs() < 5e-3 && (error.difference - 1.67).abs() < 5e-3);
    }
}
