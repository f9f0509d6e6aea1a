//! Ranking of hypotheses by the number of equally good fits expected by chance.
//!
//! Suppose that a hypothesis is false, and that two other entries are actually wrong, with errors of a size τ that
//! explains the residuals of the printed tableau. In units of their tolerances, residuals then spread along two columns
//! of the Jacobian, times τ (cells without an effect cannot be wrong). The free value compensates the components along
//! its own column. The remainder has two half-axes, σ₁ and σ₂, and all residuals vanish within the tolerances with a
//! probability of about 1/(σ₁σ₂), where these exceed 1. The mean over all pairs, times the number of hypotheses tried,
//! is the expected number of accidental fits. Equivalent conditions do not count twice, since the half-axes are those
//! of an area, and errors of three and more entries would make accidents rarer still.

use hemiola_tableau::{Exact, Tableau};

use crate::diagnose::conditions::ClaimConditions;
use crate::verdict::cell::Cell;

/// Maximum number of conditions evaluated; the first conditions contain enough independent ones.
const MOST_CONDITIONS: usize = 1500;

/// Effects of errors of the printed coefficients on the residuals, in units of their tolerances.
pub struct ErrorEffects {
    /// For each coefficient, the effect of an error of size τ on all conditions.
    effects: Vec<Vec<f64>>,
}

impl ErrorEffects {
    pub(super) fn new(
        conditions: &ClaimConditions,
        printed: &Tableau<f64>,
        tolerances: &[f64],
        cells: &[Cell],
    ) -> Self {
        let residuals = conditions.residuals(printed, Exact::to_f64);
        let count = conditions.len().min(MOST_CONDITIONS);
        let slopes: Vec<Vec<f64>> = (0..count).map(|k| conditions.slopes(k, printed, cells)).collect();
        Self::of(&residuals[..count], &slopes, tolerances)
    }

    /// Computes the effects from the residuals of the printed coefficients, the derivatives of each residual with respect
    /// to all coefficients, and the tolerances of the residuals.
    ///
    /// ```
    /// use hemiola_order::diagnose::ErrorEffects;
    /// // The first coefficient satisfies the first condition; the second one must vanish by chance.
    /// let effects = ErrorEffects::of(&[1e-3, 1e-3], &[vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]], &[1e-12, 1e-12]);
    /// assert!(effects.log_chance_of_fit(Some(0)) < -8.0);
    /// ```
    #[must_use]
    pub fn of(residuals: &[f64], slopes: &[Vec<f64>], tolerances: &[f64]) -> Self {
        let coefficients = slopes.first().map_or(0, Vec::len);
        // Two errors of size τ cause residuals of about τ‖J‖√(2/n).
        let all: Vec<f64> = slopes.iter().flatten().copied().collect();
        let size = length(residuals) / length(&all) * (0.5 * coefficients as f64).sqrt();
        let effect =
            |j: usize| slopes.iter().zip(tolerances).map(|(row, tolerance)| size * row[j] / tolerance).collect();
        Self { effects: (0..coefficients).map(effect).collect() }
    }

    /// Returns the decimal logarithm of the probability that a hypothesis with this free coefficient fits although two
    /// other entries are wrong; `None` stands for a coefficient that cannot be wrong by itself.
    #[must_use]
    pub fn log_chance_of_fit(&self, free: Option<usize>) -> f64 {
        let own = free.and_then(|free| self.effects.get(free));
        let others = self.effects.iter().enumerate();
        let others = others.filter(|(index, effect)| Some(*index) != free && length(effect) > 1.0);
        let rest: Vec<Vec<f64>> =
            others.map(|(_, effect)| own.map_or_else(|| effect.clone(), |own| without(effect, own))).collect();
        let pairs = rest.iter().enumerate().flat_map(|(k, u)| rest[..k].iter().map(move |v| chance(u, v)));
        let (sum, count) = pairs.fold((0.0, 0.0), |(sum, count), chance| (sum + chance, count + 1.0));
        // If no two other entries can be wrong, only the free value itself supports a fit.
        if count == 0.0 { 0.0 } else { f64::log10(sum / count) }
    }
}

/// Returns the probability that errors in two cells cancel within the tolerances.
fn chance(u: &[f64], v: &[f64]) -> f64 {
    let (long, short) = if length(u) < length(v) { (v, u) } else { (u, v) };
    let within = |axis: f64| if axis > 1.0 { 1.0 / axis } else { 1.0 };
    within(length(long)) * within(length(&without(short, long)))
}

/// Returns the part of `x` that is orthogonal to a direction.
fn without(x: &[f64], direction: &[f64]) -> Vec<f64> {
    let squared: f64 = direction.iter().map(|d| d * d).sum();
    if squared == 0.0 {
        return x.to_vec();
    }
    let along = x.iter().zip(direction).map(|(x, d)| x * d).sum::<f64>() / squared;
    x.iter().zip(direction).map(|(x, d)| x - along * d).collect()
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_chance(effects: &[[f64; 3]]) -> f64 {
        ErrorEffects { effects: effects.iter().map(|effect| effect.to_vec()).collect() }.log_chance_of_fit(Some(0))
    }

    #[test]
    fn independent_effects_make_accidents_rare() {
        // The free value satisfies the first condition; the other two must vanish by chance.
        assert!((log_chance(&[[1e6, 0.0, 0.0], [1e6, 1e4, 0.0], [1e6, 0.0, 1e4]]) + 8.0).abs() < 1e-6);
    }

    #[test]
    fn what_says_the_same_counts_once() {
        assert!((log_chance(&[[1e6, 0.0, 0.0], [0.0, 1e4, 1e4], [0.0, 1e4, 1e4]]) + 4.15).abs() < 0.01);
        // The free value compensates all errors along its own column.
        assert_eq!(log_chance(&[[1e6, 0.0, 0.0], [1e4, 0.0, 0.0], [1e5, 0.0, 0.0]]), 0.0);
        assert_eq!(log_chance(&[[1e6, 0.0, 0.0]]), 0.0);
    }
}
