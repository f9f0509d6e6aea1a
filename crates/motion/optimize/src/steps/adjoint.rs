//! Second derivatives of a step: the Hessian of λᵀy⁺ in w, by adjoints of the stage equations.
//!
//! The multipliers μ of the stage equations make the Lagrangian λᵀy⁺ + Σ μᵀ(f − k) independent of k to first order. The
//! Hessian is then that of the Lagrangian along the first derivatives: Σ (∂z/∂w)ᵀ (μᵀf)″ (∂z/∂w) plus the contributions
//! of the products hk in z and y⁺.

use nalgebra::{DMatrix, DVector};

use super::rule::RateEvaluation;
use super::step::{DifferentiatedStep, StageLevel, StepFailure};
use crate::calculus::Differentiable;

impl DifferentiatedStep<'_> {
    /// Computes the Hessian of λᵀy⁺ in w.
    pub(crate) fn curvature(&self, dynamics: &dyn Differentiable, weight: &[f64]) -> Result<DMatrix<f64>, StepFailure> {
        let (n, s) = (self.rule.variables(), self.rule.stages());
        let mut hessian = DMatrix::zeros(self.local.len(), self.local.len());
        let last = self.levels.last().ok_or(StepFailure::NotConverged)?;
        // λᵀ Σ b (T k)″: the products of the duration and the slopes.
        let mut load = DVector::zeros(s * n);
        for (v, j) in (0..n).flat_map(|v| (0..s).map(move |j| (v, j))) {
            load[j * n + v] = self.rule.b(v, j) * weight[v];
        }
        self.add_products(&load, &last.slopes_w, 1.0, &mut hessian);
        load *= self.h;
        let Some(start) = &self.start else {
            self.solved(dynamics, last, load, &mut hessian)?;
            return Ok(hessian);
        };
        for (k, level) in self.levels.iter().enumerate().rev() {
            let before = if k == 0 { start } else { &self.levels[k - 1] };
            load = self.linearized(dynamics, level, before, load, &mut hessian)?;
        }
        let weight: Vec<f64> = (0..n).map(|v| (0..s).map(|j| load[j * n + v]).sum()).collect();
        for point in &start.points {
            let curvature = curvature(dynamics, &point.z, &weight)?;
            hessian += point.z_w.tr_mul(&(curvature * &point.z_w));
        }
        Ok(hessian)
    }

    /// Adds factor · length · (e_T ⊗ g + g ⊗ e_T) with g = (∂k/∂w)ᵀ load: the mixed derivatives of the products h k,
    /// where h = length · T.
    fn add_products(&self, load: &DVector<f64>, slopes_w: &DMatrix<f64>, factor: f64, hessian: &mut DMatrix<f64>) {
        let row = slopes_w.tr_mul(load) * (factor * self.frame.length);
        let duration = self.local.duration();
        for (k, value) in row.iter().enumerate() {
            hessian[(duration, k)] += value;
            hessian[(k, duration)] += value;
        }
    }

    /// Adds the contribution of the products hkⱼ in Σⱼ aᵢⱼ h kⱼ of a stage, given the gradient with respect to its
    /// state.
    fn add_stage_products(
        &self,
        i: usize,
        gradient: &DVector<f64>,
        slopes_w: &DMatrix<f64>,
        factor: f64,
        hessian: &mut DMatrix<f64>,
    ) {
        self.add_products(&self.spread(i, gradient), slopes_w, factor, hessian);
    }

    /// Returns aᵢⱼ g_v for every slope.
    fn spread(&self, i: usize, gradient: &DVector<f64>) -> DVector<f64> {
        let (n, s) = (self.rule.variables(), self.rule.stages());
        DVector::from_fn(s * n, |row, _| self.rule.a(row % n, i, row / n) * gradient[row % n])
    }

    /// Returns the multipliers of the rows that an evaluation provides.
    fn weights(&self, evaluation: &RateEvaluation, multipliers: &DVector<f64>) -> DVector<f64> {
        let n = self.rule.variables();
        let mut weights = DVector::zeros(n);
        evaluation.rows.iter().for_each(|&row| weights[row] = multipliers[evaluation.stage * n + row]);
        weights
    }

    fn solved(
        &self,
        dynamics: &dyn Differentiable,
        level: &StageLevel,
        load: DVector<f64>,
        hessian: &mut DMatrix<f64>,
    ) -> Result<(), StepFailure> {
        let n = self.rule.variables();
        let multipliers = level.factored.solve_transposed(load).ok_or(StepFailure::Singular)?;
        for (evaluation, point) in self.rule.evaluations.iter().zip(&level.points) {
            let weights = self.weights(evaluation, &multipliers);
            let curvature = curvature(dynamics, &point.z, weights.as_slice())?;
            *hessian += point.z_w.tr_mul(&(curvature * &point.z_w));
            let gradient = point.jacobian.columns(0, n).tr_mul(&weights);
            self.add_stage_products(evaluation.stage, &gradient, &level.slopes_w, 1.0, hessian);
        }
        Ok(())
    }

    /// Adds the curvature of one Newton iteration. Returns the gradient with respect to the slopes of the preceding
    /// iteration.
    fn linearized(
        &self,
        dynamics: &dyn Differentiable,
        level: &StageLevel,
        before: &StageLevel,
        load: DVector<f64>,
        hessian: &mut DMatrix<f64>,
    ) -> Result<DVector<f64>, StepFailure> {
        let (n, s) = (self.rule.variables(), self.rule.stages());
        let multipliers = level.factored.solve_transposed(load).ok_or(StepFailure::Singular)?;
        let mut back = DVector::zeros(s * n);
        for (evaluation, point) in self.rule.evaluations.iter().zip(&level.points) {
            let (i, weights) = (evaluation.stage, self.weights(evaluation, &multipliers));
            let size = point.z.len();
            let (mut second, mut third) = (vec![0.0; size * size], vec![0.0; size * size]);
            dynamics.linearization_curvature(&point.z, &point.d, weights.as_slice(), &mut second, &mut third);
            let second = DMatrix::from_vec(size, size, second);
            let both = &second + DMatrix::from_vec(size, size, third);
            if both.iter().any(|entry| !entry.is_finite()) {
                return Err(StepFailure::NotFinite);
            }
            let mixed = point.z_w.tr_mul(&(second.columns(0, n) * &point.d_w));
            *hessian += point.z_w.tr_mul(&(both * &point.z_w)) + mixed.transpose() + mixed;
            let along = point.jacobian.columns(0, n).tr_mul(&weights);
            let bent = point.bend.columns(0, n).tr_mul(&weights);
            self.add_stage_products(i, &along, &level.slopes_w, 1.0, hessian);
            // With respect to the preceding slopes, zᵢ has the gradient along + bent, and dᵢ that of −along.
            self.add_stage_products(i, &bent, &before.slopes_w, 1.0, hessian);
            back += self.spread(i, &bent) * self.h;
        }
        Ok(back)
    }
}

fn curvature(dynamics: &dyn Differentiable, z: &[f64], weights: &[f64]) -> Result<DMatrix<f64>, StepFailure> {
    let mut out = vec![0.0; z.len() * z.len()];
    dynamics.curvature(z, weights, &mut out);
    if out.iter().any(|entry| !entry.is_finite()) {
        return Err(StepFailure::NotFinite);
    }
    Ok(DMatrix::from_vec(z.len(), z.len(), out))
}
