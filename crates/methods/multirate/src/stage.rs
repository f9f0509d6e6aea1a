//! One stage of an infinitesimal method, with coefficients of any type.

use num_traits::Zero;

/// A stage Yᵢ, i ≥ 2: the solution at τ = 1 of
///
/// v(0) = Y_r, dv/dτ = H (Δ f_fast(v) + Σ_σ Σ_j γ^σ_j(τ) f_σ(Y_j)), γ^σ_j(τ) = Σ_k γ^σ_jk τᵏ,
///
/// with the correction H Σ_σ Σ_j Γ^σ_j f_σ(Y_j) added to it (Sandu, SIAM J. Numer. Anal. 57, 2019, definition 2.1).
///
/// A stage with a `start` α begins at v(0) = Y_r + Σ_j α_j (Y_j − Y₁), and a `drift` γ adds Σ_j γ_j (Y_j − Y₁), without the
/// factor H, to dv/dτ (Wensch, Knoth & Galant, BIT 49, 2009). The fast system alone is then not solved exactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfinitesimalStage<T> {
    /// The number r of the stage from which it starts; Y₁ has the number 1.
    pub from: usize,
    /// The length Δ of the stage, as a fraction of the step.
    pub interval: T,
    /// The coefficient γ^σ_jk of τᵏ for Y_{j+1} at `[σ][k][j]`, for the slow partitions σ. Missing entries are zero.
    pub forcing: Vec<Vec<Vec<T>>>,
    /// The corrections Γ^σ_j for Y_{j+1} at `[σ][j]`. Missing entries are zero.
    pub correction: Vec<Vec<T>>,
    /// The coefficient α_j of Y_{j+1} − Y₁ in the start at `[j]`, for earlier stages. Missing entries are zero.
    pub start: Vec<T>,
    /// The coefficient γ_j of Y_{j+1} − Y₁ in the slope at `[j]`, for earlier stages. Missing entries are zero.
    pub drift: Vec<T>,
}

impl<T> InfinitesimalStage<T> {
    /// Converts every coefficient; the shape remains.
    #[must_use]
    pub fn map<U>(&self, mut convert: impl FnMut(&T) -> U) -> InfinitesimalStage<U> {
        let interval = convert(&self.interval);
        let mut row = |row: &Vec<T>| row.iter().map(&mut convert).collect::<Vec<U>>();
        let forcing = self.forcing.iter().map(|powers| powers.iter().map(&mut row).collect()).collect();
        let correction = self.correction.iter().map(&mut row).collect();
        let (start, drift) = (row(&self.start), row(&self.drift));
        InfinitesimalStage { from: self.from, interval, forcing, correction, start, drift }
    }

    /// Iterates over all coefficients, in the order in which [`map`](Self::map) converts them.
    pub fn coefficients(&self) -> impl Iterator<Item = &T> {
        let rows = self.forcing.iter().flatten().chain(&self.correction).chain([&self.start, &self.drift]);
        std::iter::once(&self.interval).chain(rows.flatten())
    }

    /// Iterates over the coefficients α_j and γ_j, each with its j. Their sum is the weight of Y_{j+1} − Y₁ at the end
    /// of the stage if all right-hand sides vanish.
    pub(crate) fn combined(&self) -> impl Iterator<Item = (usize, &T)> {
        self.start.iter().enumerate().chain(self.drift.iter().enumerate())
    }
}

impl<T: Zero> InfinitesimalStage<T> {
    /// Returns whether the stage starts from Y_r itself and does not drift, so that the fast system alone is solved exactly.
    ///
    /// ```
    /// let exact = hemiola_multirate::library::method("mis-kw3")?.exact_rows();
    /// assert!(exact.iter().all(|row| row.is_simple()));
    /// let mis4a = hemiola_multirate::library::method("mis4a")?.exact_rows();
    /// assert!(mis4a[0].is_simple() && !mis4a[1].is_simple());
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.start.iter().chain(&self.drift).all(Zero::is_zero)
    }
}
