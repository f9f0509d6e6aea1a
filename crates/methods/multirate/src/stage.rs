//! One stage of an infinitesimal method, with coefficients of any type.

/// A stage Yᵢ, i ≥ 2: the solution at τ = 1 of
///
/// v(0) = Y_r, dv/dτ = H (Δ f_fast(v) + Σ_σ Σ_j γ^σ_j(τ) f_σ(Y_j)), γ^σ_j(τ) = Σ_k γ^σ_jk τᵏ,
///
/// with the correction H Σ_σ Σ_j Γ^σ_j f_σ(Y_j) added to it (Sandu, SIAM J. Numer. Anal. 57, 2019, definition 2.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfinitesimalStage<T> {
    /// The number r of the stage it starts from; Y₁ has the number 1.
    pub from: usize,
    /// The length Δ of the stage, as a fraction of the step.
    pub interval: T,
    /// The coefficient γ^σ_jk of τᵏ for Y_{j+1} at `[σ][k][j]`, for the slow partitions σ. Missing entries are zero.
    pub forcing: Vec<Vec<Vec<T>>>,
    /// The corrections Γ^σ_j for Y_{j+1} at `[σ][j]`. Missing entries are zero.
    pub correction: Vec<Vec<T>>,
}

impl<T> InfinitesimalStage<T> {
    /// Converts every coefficient; the shape stays.
    #[must_use]
    pub fn map<U>(&self, mut convert: impl FnMut(&T) -> U) -> InfinitesimalStage<U> {
        let interval = convert(&self.interval);
        let mut row = |row: &Vec<T>| row.iter().map(&mut convert).collect::<Vec<U>>();
        let forcing = self.forcing.iter().map(|powers| powers.iter().map(&mut row).collect()).collect();
        let correction = self.correction.iter().map(&mut row).collect();
        InfinitesimalStage { from: self.from, interval, forcing, correction }
    }

    /// Iterates over all coefficients, in the order in which [`map`](Self::map) converts them.
    pub fn coefficients(&self) -> impl Iterator<Item = &T> {
        let rows = self.forcing.iter().flatten().chain(&self.correction);
        std::iter::once(&self.interval).chain(rows.flatten())
    }
}
