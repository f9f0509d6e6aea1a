//! The coupled steps that a wanted profile makes stable.

use hemiola_polynomial::Axis;
use num_complex::Complex64;

use crate::pair::partitions::{FAST, SLOW};
use crate::terms::coupled_hinges::{CoupledHinges, CoupledStep};

/// Returns the wanted profiles at γ/2, γ and 2γ, in turn.
pub(crate) fn ladder(axis: Axis) -> &'static [[f64; 3]] {
    match axis {
        Axis::Imaginary => &[
            [0.992, 0.97, 0.89],
            [0.995, 0.98, 0.93],
            [0.997, 0.988, 0.955],
            [0.999, 0.995, 0.975],
            [1.0, 0.999, 0.99],
        ],
        Axis::Real => &[[0.96; 3], [0.98; 3], [0.99; 3], [1.0; 3]],
    }
}

/// Boxes of coupled steps: at each strength, all steps up to the wanted profile.
pub(crate) struct CoupledBoxes {
    pub(crate) direction: Complex64,
    /// L_s and L_f.
    pub(crate) limits: [f64; 2],
    pub(crate) gamma: f64,
    pub(crate) stages: usize,
    pub(crate) is_real: bool,
}

impl CoupledBoxes {
    /// Largest ratio of relative steps.
    const FARTHEST: f64 = 10.0;
    /// Distance beyond the wanted profile.
    const BEYOND: f64 = 0.002;

    /// Returns inequalities on a coarse grid, slightly stricter than growth requires.
    pub(crate) fn coarse(&self, wanted: &[f64; 3]) -> CoupledHinges {
        let radius = if self.is_real { 0.99 } else { 0.9995 };
        self.hinges(wanted, [9, 4 * self.stages], &[0.4, 1.0], radius)
    }

    /// Returns inequalities on a grid that resolves resonances.
    pub(crate) fn fine(&self, wanted: &[f64; 3]) -> CoupledHinges {
        let radius = if self.is_real { 0.9905 } else { 1.0 };
        self.hinges(wanted, [24, 12 * self.stages], &[0.15, 0.4, 0.7, 1.0], radius)
    }

    fn hinges(&self, wanted: &[f64; 3], counts: [usize; 2], shares: &[f64], radius: f64) -> CoupledHinges {
        let mut steps = Vec::new();
        for (k, wanted) in wanted.iter().enumerate() {
            let gamma = self.gamma * [0.5, 1.0, 2.0][k];
            let end = (wanted + Self::BEYOND).min(1.0 - 1e-9);
            for share in shares {
                let layer = steps.len();
                self.push(&mut steps, end, share * gamma * gamma, counts);
                let first = 10_000 * (layer + 1);
                steps[layer..].iter_mut().for_each(|step: &mut CoupledStep| step.cell += first);
            }
        }
        CoupledHinges::new(steps, radius, self.is_real)
    }

    fn push(&self, steps: &mut Vec<CoupledStep>, end: f64, g: f64, [slow, fast]: [usize; 2]) {
        let u = self.direction;
        for i in 1..=slow {
            let x = end * i as f64 / slow as f64;
            for j in 1..=fast {
                let angle = std::f64::consts::PI * j as f64 / fast as f64;
                let y = end * (1.0 - angle.cos()) / 2.0;
                if y > Self::FARTHEST * x || x > Self::FARTHEST * y {
                    continue;
                }
                let [slow, fast] = [x * self.limits[SLOW], y * self.limits[FAST]];
                let cell = 100 * (12.0 * x) as usize + (60.0 * (1.0 - 2.0 * y).acos() / std::f64::consts::PI) as usize;
                steps.push(CoupledStep { own: [u * slow, u * fast], mixed: u * u * (g * slow * fast), cell });
            }
        }
    }
}
