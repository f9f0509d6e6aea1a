//! The couplings of one infimum, and the level above which ρ counts as unstable.

use hemiola_stability::Growth;

use super::radius::FlowRadius;

/// The sign of the coupling numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// 0 ≤ g ≤ γ².
    Symmetric,
    /// −γ² ≤ g ≤ 0 with 4|g|κ ≤ (1 − κ)².
    Skew,
}

/// The set of couplings, and the level of ρ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    strongest: f64,
    sign: Sign,
    level: f64,
    slow_limit: f64,
}

impl Task {
    pub(super) fn new(radius: &FlowRadius, gamma: f64, sign: Sign, growth: Growth) -> Self {
        Self { strongest: gamma * gamma, sign, level: 1.0 + growth.margin(), slow_limit: radius.slow_limit() }
    }

    /// Returns the largest stable ρ.
    pub(super) fn level(&self) -> f64 {
        self.level
    }

    /// Returns g at a point, for a fraction θ of the strongest coupling there.
    pub(super) fn coupling(&self, p: f64, y: f64, theta: f64) -> f64 {
        let kappa = y / (p * self.slow_limit);
        let bound = if kappa.is_finite() { (1.0 - kappa).powi(2) / (4.0 * kappa) } else { f64::INFINITY };
        match self.sign {
            Sign::Symmetric => theta * self.strongest,
            Sign::Skew => -theta * self.strongest.min(bound),
        }
    }

    /// Returns the κ at which the region of couplings has an edge: its end, and where the strongest skew coupling begins
    /// to depend on κ, (1 − κ)² = 4γ²κ.
    pub(super) fn edges(&self) -> Vec<f64> {
        let strongest = self.strongest;
        match self.sign {
            Sign::Symmetric => vec![1.0],
            Sign::Skew => vec![1.0 + 2.0 * strongest + 2.0 * (strongest * (1.0 + strongest)).sqrt()],
        }
    }
}
