//! Levels of color bands.

use crate::layer::Bands;

impl Bands {
    /// Returns bands of |R| or ρ(S) up to one; unstable points stay white.
    pub(crate) fn moduli(label: String) -> Self {
        let levels = (1..=9).map(|tenth| 0.1 * f64::from(tenth)).chain([1.0]).collect();
        Self { levels, label, center: None, has_ground: false, has_line: true }
    }

    /// Returns bands of relative growth on both sides of one.
    pub(crate) fn growth(label: String) -> Self {
        let levels = vec![0.1, 0.2, 0.5, 0.8, 0.9, 0.98, 1.0, 1.02, 1.1, 1.25, 2.0, 5.0, 10.0];
        Self { levels, label, center: Some(1.0), has_ground: true, has_line: true }
    }

    /// Returns bands of errors, one per decade.
    pub(crate) fn errors(label: String) -> Self {
        let levels = (-8..=0).map(|power| 10f64.powi(power)).collect();
        Self { levels, label, center: None, has_ground: false, has_line: false }
    }

    /// Returns bands of t*/t₀ of width 0.1. Steps are followed up to twice the decoupled step; points without a step
    /// stay white.
    pub(crate) fn steps() -> Self {
        let levels = (1..=10).map(|tenth| f64::from(tenth) / 10.0).chain([2.0]).collect();
        let label = "*t*^{∗}/*t*_{0}".to_owned();
        Self { levels, label, center: None, has_ground: false, has_line: false }
    }
}
