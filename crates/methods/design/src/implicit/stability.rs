//! The stability function R(z₁, z₂, …) of an additive problem, with its derivatives.

use hemiola_tableau::{Butcher, Tableau};
use num_complex::Complex64;

/// Points on the imaginary axis, and their range.
const POINTS: usize = 56;
const NEAREST: f64 = 0.35;
const FARTHEST: f64 = 300.0;

/// A point iy of the imaginary axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPoint {
    pub(crate) y: f64,
    /// Factor of |R(iy)|² − 1 by which its size does not depend on y: the order fixes the lower powers of y.
    pub(crate) scale: f64,
}

/// Returns points of the imaginary axis at which a method of an order is required to be stable.
pub(crate) fn axis_points(order: usize) -> Vec<AxisPoint> {
    // The first power of y² in |D|² − |N|² that the order does not fix.
    let power = order / 2 + 1;
    let step = (FARTHEST / NEAREST).powf(1.0 / (POINTS - 1) as f64);
    let axis: Vec<f64> = (0..POINTS).map(|k| NEAREST * step.powi(k as i32)).collect();
    axis.into_iter().map(|y| AxisPoint { y, scale: ((1.0 + y * y) / (y * y)).powi(power as i32) }).collect()
}

/// R at a point, with the vectors required for its derivatives.
pub(crate) struct Amplification {
    pub(crate) r: Complex64,
    /// The stages u = (I − Σ zA)⁻¹e.
    stages: Vec<Complex64>,
    /// The solution w of (I − Σ zA)ᵀw = Σ zb.
    adjoint: Vec<Complex64>,
    /// The number of partitions with a z; embedded weights are further partitions without one.
    partitions: usize,
}

/// Computes R = 1 + Σ zbᵀ(I − Σ zA)⁻¹e of diagonally implicit partitions.
pub(crate) fn amplification(tableau: &Tableau<f64>, z: &[Complex64]) -> Amplification {
    let s = tableau.stages();
    let sum = |entry: &dyn Fn(&Butcher<f64>) -> f64| -> Complex64 {
        tableau.partitions.iter().zip(z).map(|(part, z)| z * entry(part)).sum()
    };
    let matrix: Vec<Vec<Complex64>> = (0..s).map(|i| (0..=i).map(|j| sum(&|part| part.a[i][j])).collect()).collect();
    let weights: Vec<Complex64> = (0..s).map(|j| sum(&|part| part.b[j])).collect();
    let mut stages: Vec<Complex64> = Vec::with_capacity(s);
    for row in &matrix {
        let known: Complex64 = row.iter().zip(&stages).map(|(a, stage)| a * stage).sum();
        let own = row.last().copied().unwrap_or_default();
        stages.push((known + 1.0) / (1.0 - own));
    }
    let mut adjoint = vec![Complex64::ZERO; s];
    for j in (0..s).rev() {
        let known: Complex64 = (j + 1..s).map(|i| matrix[i][j] * adjoint[i]).sum();
        adjoint[j] = (weights[j] + known) / (1.0 - matrix[j][j]);
    }
    let r = weights.iter().zip(&stages).map(|(b, stage)| b * stage).sum::<Complex64>() + 1.0;
    Amplification { r, stages, adjoint, partitions: tableau.partitions.len() }
}

impl Amplification {
    /// Computes the derivatives of |R|²/2 with respect to all entries.
    pub(crate) fn gradient_of_half_square(&self, z: &[Complex64]) -> Tableau<f64> {
        let s = self.stages.len();
        let part = |k: usize| {
            let factor = self.r.conj() * z.get(k).copied().unwrap_or_default();
            let entry = |i: usize, j: usize| if j <= i { (factor * self.adjoint[i] * self.stages[j]).re } else { 0.0 };
            let a = (0..s).map(|i| (0..s).map(|j| entry(i, j)).collect()).collect();
            Butcher { a, b: self.stages.iter().map(|stage| (factor * stage).re).collect(), c: Vec::new() }
        };
        Tableau { partitions: (0..self.partitions).map(part).collect() }
    }
}

/// The limits of the stages of a partition for z → ∞, R_int(∞), with their derivatives.
pub(crate) struct StageLimits {
    /// The stages whose equations are implicit.
    stages: Vec<usize>,
    partition: usize,
    first: usize,
    /// v = −Â⁻¹a, where a is the column of the explicit first stage.
    pub(crate) values: Vec<f64>,
    /// Â⁻¹ by rows.
    inverse: Vec<Vec<f64>>,
}

impl StageLimits {
    /// Computes the limits of a partition with an explicit first stage that is evaluated at `evaluated`.
    pub(crate) fn new(tableau: &Tableau<f64>, partition: usize, evaluated: &[usize]) -> Self {
        let (first, stages) = (evaluated[0], evaluated[1..].to_vec());
        let a = &tableau.partitions[partition].a;
        let size = stages.len();
        let mut inverse: Vec<Vec<f64>> = Vec::with_capacity(size);
        for i in 0..size {
            let entry = |k: usize| {
                let known: f64 = (0..i).map(|j| a[stages[i]][stages[j]] * inverse[j][k]).sum();
                (f64::from(u8::from(i == k)) - known) / a[stages[i]][stages[i]]
            };
            let row = (0..size).map(entry).collect();
            inverse.push(row);
        }
        let limit = |row: &Vec<f64>| -row.iter().zip(&stages).map(|(x, &stage)| x * a[stage][first]).sum::<f64>();
        let values = inverse.iter().map(limit).collect();
        Self { stages, partition, first, values, inverse }
    }

    /// Computes the derivatives of the limit of a stage with respect to all entries: −Â⁻¹(da + dÂ v).
    pub(crate) fn gradient(&self, stage: usize, like: &Tableau<f64>) -> Tableau<f64> {
        let s = like.stages();
        let zero = Butcher { a: vec![vec![0.0; s]; s], b: vec![0.0; s], c: Vec::new() };
        let mut gradient = Tableau { partitions: vec![zero; like.partitions.len()] };
        let a = &mut gradient.partitions[self.partition].a;
        for (row, factor) in self.stages.iter().zip(&self.inverse[stage]) {
            a[*row][self.first] = -factor;
            for (column, value) in self.stages.iter().zip(&self.values).filter(|(column, _)| *column <= row) {
                a[*row][*column] = -factor * value;
            }
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn derivatives_are_those_of_differences() {
        let tableau = library::method("ars-3-4-3").unwrap().to_f64();
        let z = [Complex64::new(-0.3, 0.4), Complex64::new(-0.5, 1.2)];
        let gradient = amplification(&tableau, &z).gradient_of_half_square(&z);
        for (part, (row, column)) in [(0, (2, 1)), (1, (2, 1)), (1, (3, 3)), (0, (4, 2)), (1, (4, 2))] {
            let at = |step: f64| {
                let mut changed = tableau.clone();
                let butcher = &mut changed.partitions[part];
                *(if row < 4 { &mut butcher.a[row][column] } else { &mut butcher.b[column] }) += step;
                amplification(&changed, &z).r.norm_sqr() / 2.0
            };
            let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
            let butcher = &gradient.partitions[part];
            let found = if row < 4 { butcher.a[row][column] } else { butcher.b[column] };
            assert!((found - expected).abs() < 1e-8, "{part} {row} {column}: {found} {expected}");
        }
    }

    #[test]
    fn stage_limits_are_those_of_far_points() {
        let tableau = library::method("kennedy-carpenter-esdirk-5-4-7").unwrap().to_f64();
        let all: Vec<usize> = (0..7).collect();
        let limits = StageLimits::new(&tableau, 0, &all);
        let far = amplification(&tableau, &[Complex64::new(-1e8, 0.0)]);
        let apart = limits.values.iter().zip(&far.stages[1..]).map(|(v, stage)| (stage - v).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{apart}");
        let at = |step: f64| {
            let mut changed = tableau.clone();
            changed.partitions[0].a[3][1] += step;
            StageLimits::new(&changed, 0, &all).values[4]
        };
        let expected = (at(1e-6) - at(-1e-6)) / 2e-6;
        let found = limits.gradient(4, &tableau).partitions[0].a[3][1];
        assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{found} {expected}");
    }
}
