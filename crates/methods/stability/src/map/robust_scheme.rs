//! Robust regions of schemes without a tableau.

use std::f64::consts::TAU;
use std::sync::Arc;

use num_complex::Complex64;

use crate::error::StabilityError;
use crate::map::field::Field;
use crate::schemes::StabilityScheme;

/// Samples of the phase, of real couplings, and of the frequency ratio, ends included.
const PHASES: usize = 16;
const REALS: usize = 9;
const RATIOS: usize = 9;
/// Step at which the search around the largest sample ends, as a fraction of the first one: the error of a smooth
/// maximum is of the order of its square.
const FINEST: f64 = 1e-4;

/// Supremum of ρ(S) of any scheme for two components over couplings and frequency ratios, as a field over ξ = z_ss.
///
/// As in [`Robust`](crate::Robust), z_ff = κξ and z_sf z_fs = gκξ² with κ in an interval and complex or real |g| ≤ γ².
/// The supremum over complex couplings is attained on the circle |g| = γ² if S has no pole inside. A pattern search
/// improves the largest sample. The value is a lower bound, because peaks narrower than the samples may be missed.
///
/// ```
/// use std::sync::Arc;
/// use hemiola_stability::{Field, RobustScheme};
/// let pair = Arc::new(hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap().to_f64());
/// let stable = |gamma| RobustScheme::new(pair.clone(), (4.0, 5.0), gamma).unwrap().at(-0.3, 0.5) <= 1.0;
/// assert!(stable(0.1) && !stable(0.9));
/// ```
#[derive(Clone, Debug)]
pub struct RobustScheme {
    scheme: Arc<dyn StabilityScheme>,
    kappa: (f64, f64),
    /// Squared coupling strength γ².
    strength: f64,
    is_real: bool,
}

impl RobustScheme {
    /// Prepares the field for all complex couplings |g| ≤ γ² and κ₁ ≤ κ ≤ κ₂.
    ///
    /// # Errors
    /// Returns [`StabilityError::OutOfRange`] if γ is negative or the interval is not positive and finite.
    pub fn new(scheme: Arc<dyn StabilityScheme>, kappa: (f64, f64), gamma: f64) -> Result<Self, StabilityError> {
        check_couplings(kappa, gamma)?;
        Ok(Self { scheme, kappa, strength: gamma * gamma, is_real: false })
    }

    /// Restricts the couplings to real ones.
    #[must_use]
    pub fn real(self) -> Self {
        Self { is_real: true, ..self }
    }

    /// Computes ρ(S) at a place (c, r): c is the phase in turns, or the part of the strongest real coupling; r is the
    /// part of the interval of κ.
    fn radius(&self, slow: Complex64, [coupling, ratio]: [f64; 2]) -> f64 {
        let factor =
            if self.is_real { coupling.clamp(-1.0, 1.0).into() } else { Complex64::from_polar(1.0, TAU * coupling) };
        let kappa = self.kappa.0 + (self.kappa.1 - self.kappa.0) * ratio.clamp(0.0, 1.0);
        let fast = slow * kappa;
        self.scheme.spectral_radius(&[vec![slow, factor * self.strength * slow], vec![fast, fast]])
    }

    /// Returns the samples, and their spacing.
    fn samples(&self) -> (Vec<[f64; 2]>, [f64; 2]) {
        let couplings: Vec<f64> = match (self.strength > 0.0, self.is_real) {
            (false, _) => vec![0.0],
            (true, true) => (0..REALS).map(|k| 2.0 * k as f64 / (REALS - 1) as f64 - 1.0).collect(),
            (true, false) => (0..PHASES).map(|k| k as f64 / PHASES as f64).collect(),
        };
        let ratios = if self.kappa.1 > self.kappa.0 { RATIOS } else { 1 };
        let part = |k: usize| k as f64 / (RATIOS - 1) as f64;
        let places = couplings.iter().flat_map(|c| (0..ratios).map(move |k| [*c, part(k)])).collect();
        let spacing = if self.is_real { 2.0 / (REALS - 1) as f64 } else { 1.0 / PHASES as f64 };
        (places, [spacing, part(1)])
    }
}

impl Field for RobustScheme {
    fn at(&self, x: f64, y: f64) -> f64 {
        let slow = Complex64::new(x, y);
        let (places, spacing) = self.samples();
        let valued = |place: [f64; 2]| (self.radius(slow, place), place);
        let larger = |a: (f64, [f64; 2]), b: (f64, [f64; 2])| if b.0 > a.0 { b } else { a };
        let is_single = places.len() == 1;
        let Some(mut best) = places.into_iter().map(valued).reduce(larger) else { return f64::INFINITY };
        let mut step = 0.5;
        while step > FINEST && best.0.is_finite() && !is_single {
            let [c, r] = best.1;
            let [dc, dr] = spacing.map(|size| size * step);
            let moves = [[c + dc, r], [c - dc, r], [c, (r + dr).min(1.0)], [c, (r - dr).max(0.0)]];
            let next = moves.into_iter().map(valued).fold(best, larger);
            if next.0 > best.0 {
                best = next;
            } else {
                step *= 0.5;
            }
        }
        best.0
    }
}

/// Returns an error unless γ and the interval of κ are valid.
pub(crate) fn check_couplings((low, high): (f64, f64), gamma: f64) -> Result<(), StabilityError> {
    let checks = [
        ("kappa", low, "a positive finite number", low > 0.0 && low.is_finite()),
        (
            "the upper end of the interval of kappa",
            high,
            "a finite number not below the lower end",
            high >= low && high.is_finite(),
        ),
        ("gamma", gamma, "a finite number, zero or positive", gamma >= 0.0 && gamma.is_finite()),
    ];
    match checks.into_iter().find(|(.., holds)| !holds) {
        Some((name, value, expected, _)) => Err(StabilityError::OutOfRange { name, value, expected }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Robust;
    use hemiola_tableau::library;

    /// The vectorized search for tableaus is a different algorithm for the same supremum.
    #[test]
    fn values_agree_with_those_of_tableaus() {
        for id in ["shome-haug-jay-2-5", "mprk-p3"] {
            let tableau = library::method(id).unwrap().to_f64();
            for (kappa, gamma, is_real) in [((1.0, 5.0), 0.3, false), ((4.0, 4.0), 0.5, true), ((2.0, 3.0), 0.0, false)]
            {
                let one = Robust::new(&tableau, kappa, gamma).unwrap();
                let other = RobustScheme::new(Arc::new(tableau.clone()), kappa, gamma).unwrap();
                let (one, other) = if is_real { (one.real(), other.real()) } else { (one, other) };
                for (x, y) in [(-0.2, 0.3), (-0.5, 0.8), (-1.0, 0.1)] {
                    let [one, other] = [one.at(x, y), other.at(x, y)];
                    assert!((one - other).abs() < 1e-6 * one, "{id} {kappa:?} {gamma} at {x}, {y}: {one} {other}");
                }
            }
        }
    }
}
