//! The stability function R(z₁, z₂, …) of an additive problem, with its derivatives.

use hemiola_tableau::{Butcher, Tableau};
use num_complex::Complex64;

/// R at a point, with what its derivatives need.
pub(crate) struct Amplification {
    pub(crate) r: Complex64,
    /// The stages u = (I − Σ zA)⁻¹e.
    stages: Vec<Complex64>,
    /// The solution w of (I − Σ zA)ᵀw = Σ zb.
    adjoint: Vec<Complex64>,
    /// The number of partitions; embedded weights are further ones, without z.
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
}
