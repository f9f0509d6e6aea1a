//! Violations of |R| ≤ 1 at samples of sectors, with their gradients.

use hemiola_multirate::{InfinitesimalStage, phi};
use num_complex::Complex64;
use num_traits::Zero;

use crate::mri::form::{MriForm, RowSlopes};
use crate::mri::specification::WantedSector;

/// Factor by which the sampled limits exceed the requested ones, so that the latter hold between samples.
const MARGIN: f64 = 1.001;
/// Number of samples of z_S for a sector: equally spaced, or denser near zero for implicit partitions, whose limits are
/// large.
const SLOW_SAMPLES: usize = 20;
/// Spacing of |z_F| near zero, the value from which the spacing grows, its growth, and the largest value.
const SPACING: f64 = 0.4;
const NEAR: f64 = 12.0;
const GROWTH: f64 = 1.12;
const FARTHEST: f64 = 2e4;

/// Samples of z_F on the rays that bound sectors. By the maximum principle |R| is largest there.
pub(crate) struct SectorSamples {
    rays: Vec<(Complex64, WantedSector)>,
}

/// The excess |R|² − 1 of a sample, and its gradient if requested.
pub(crate) struct Violation {
    pub(crate) excess: f64,
    pub(crate) gradient: Vec<f64>,
}

impl Violation {
    /// Multiplies the excess by a factor and adds a margin.
    pub(crate) fn scaled(mut self, factor: f64, margin: f64) -> Self {
        self.excess = self.excess * factor + margin;
        self.gradient.iter_mut().for_each(|slope| *slope *= factor);
        self
    }

    /// Returns whether there is an excess; NaN counts as one.
    pub(crate) fn is_positive(&self) -> bool {
        self.excess > 0.0 || self.excess.is_nan()
    }
}

/// R of one slow partition at a fixed z_F, without the other.
pub(crate) struct FixedFast {
    part: usize,
    fast: Complex64,
    /// e^{Δz_F} for each row.
    flows: Vec<Complex64>,
    /// k! φ_{k+1}(Δz_F) at `[row][k]`, and its derivative with respect to Δ.
    moments: Vec<Vec<[Complex64; 2]>>,
    /// Σ_k γᵏⱼ k! φ_{k+1} at `[row][j]`, and its derivative with respect to Δ.
    weights: Vec<Vec<[Complex64; 2]>>,
}

impl SectorSamples {
    pub(crate) fn new(sectors: &[WantedSector]) -> Self {
        let radii: Vec<f64> = std::iter::successors(Some(0.0), |radius: &f64| {
            let next = if *radius < NEAR { radius + SPACING } else { radius * GROWTH };
            (next < FARTHEST).then_some(next)
        })
        .collect();
        let ray = |sector: &WantedSector| {
            let direction = -Complex64::from_polar(1.0, -sector.angle.to_radians());
            radii.iter().map(move |radius| (direction * *radius, *sector)).collect::<Vec<_>>()
        };
        Self { rays: sectors.iter().flat_map(ray).collect() }
    }

    /// Finds all samples with |R| > 1.
    pub(crate) fn violations(
        &self,
        form: &MriForm,
        rows: &[InfinitesimalStage<f64>],
        with_gradient: bool,
    ) -> Vec<Violation> {
        let mut violations = Vec::new();
        let parts = form.part.is_implicit().iter().enumerate();
        for ((part, is_implicit), (fast, sector)) in parts.flat_map(|part| self.rays.iter().map(move |ray| (part, ray)))
        {
            let fixed = FixedFast::new(*fast, rows, part);
            for k in 1..=SLOW_SAMPLES {
                let share = k as f64 / SLOW_SAMPLES as f64;
                let slow = -sector.of_part(part) * MARGIN * if *is_implicit { share * share } else { share };
                let slow = Complex64::from(slow);
                let found = fixed.violation(form, rows, slow, false);
                if found.is_positive() {
                    violations.push(if with_gradient { fixed.violation(form, rows, slow, true) } else { found });
                }
            }
        }
        violations
    }
}

impl FixedFast {
    pub(crate) fn new(fast: Complex64, rows: &[InfinitesimalStage<f64>], part: usize) -> Self {
        let mut flows = Vec::with_capacity(rows.len());
        let (mut moments, mut weights) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for row in rows {
            let powers = &row.forcing[part];
            let phis = phi(&(fast * row.interval), powers.len() + 1);
            flows.push(phis[0]);
            let mut factorial = 1.0;
            let of_power = |k: usize| {
                factorial *= k.max(1) as f64;
                // dφ_k/dz = φ_k − k φ_{k+1}
                let slope = fast * (phis[k + 1] - phis[k + 2] * (k as f64 + 1.0));
                [phis[k + 1] * factorial, slope * factorial]
            };
            let of_row: Vec<[Complex64; 2]> = (0..powers.len()).map(of_power).collect();
            let mut of_columns = vec![[Complex64::zero(); 2]; powers[0].len()];
            for (columns, [moment, slope]) in powers.iter().zip(&of_row) {
                for (weight, gamma) in of_columns.iter_mut().zip(columns) {
                    weight[0] += moment * gamma;
                    weight[1] += slope * gamma;
                }
            }
            moments.push(of_row);
            weights.push(of_columns);
        }
        Self { part, fast, flows, moments, weights }
    }

    /// Computes |R|² − 1 at z_S, and its gradient if requested.
    pub(crate) fn violation(
        &self,
        form: &MriForm,
        rows: &[InfinitesimalStage<f64>],
        slow: Complex64,
        with_gradient: bool,
    ) -> Violation {
        let stages = self.stages(rows, slow);
        let excess = stages[rows.len()].norm_sqr() - 1.0;
        let gradient = if with_gradient { form.gradient(&self.slopes(form, rows, slow, &stages)) } else { Vec::new() };
        Violation { excess, gradient }
    }

    /// Computes all stages at z_S.
    fn stages(&self, rows: &[InfinitesimalStage<f64>], slow: Complex64) -> Vec<Complex64> {
        let mut stages = Vec::with_capacity(rows.len() + 1);
        stages.push(Complex64::from(1.0));
        for (e, row) in rows.iter().enumerate() {
            let forced: Complex64 = self.weights[e].iter().zip(&stages).map(|([weight, _], y)| weight * y).sum();
            let corrected: Complex64 = row.correction[self.part].iter().zip(&stages).map(|(entry, y)| y * entry).sum();
            let explicit = self.flows[e] * stages[row.from - 1] + (forced + corrected) * slow;
            stages.push(explicit / self.pivot(row, e, slow));
        }
        stages
    }

    /// Computes 1 − z_S Γ, the divisor of an implicit stage.
    fn pivot(&self, row: &InfinitesimalStage<f64>, e: usize, slow: Complex64) -> Complex64 {
        1.0 - slow * row.correction[self.part].get(e + 1).copied().unwrap_or_default()
    }

    /// Computes the derivatives of |R|² with respect to the entries of all rows, backward from the last stage.
    fn slopes(
        &self,
        form: &MriForm,
        rows: &[InfinitesimalStage<f64>],
        slow: Complex64,
        stages: &[Complex64],
    ) -> Vec<RowSlopes> {
        let mut slopes = form.no_slopes();
        let mut adjoint = vec![Complex64::zero(); stages.len()];
        adjoint[rows.len()] = 2.0 * stages[rows.len()].conj();
        for (e, row) in rows.iter().enumerate().rev() {
            let from = adjoint[e + 1] / self.pivot(row, e, slow);
            let along: Complex64 = self.weights[e].iter().zip(stages).map(|([_, slope], y)| slope * y).sum();
            let along = self.fast * self.flows[e] * stages[row.from - 1] + along * slow;
            slopes[e].interval = (from * along).re;
            for (k, [moment, _]) in self.moments[e].iter().enumerate() {
                for (slope, y) in slopes[e].forcing[self.part][k].iter_mut().zip(stages) {
                    *slope = (from * moment * y * slow).re;
                }
            }
            for (slope, y) in slopes[e].correction[self.part].iter_mut().zip(stages) {
                *slope = (from * y * slow).re;
            }
            for ([weight, _], adjoint) in self.weights[e].iter().zip(&mut adjoint) {
                *adjoint += from * weight * slow;
            }
            for (entry, adjoint) in row.correction[self.part].iter().zip(&mut adjoint[..=e]) {
                *adjoint += from * entry * slow;
            }
            adjoint[row.from - 1] += from * self.flows[e];
        }
        slopes
    }
}
