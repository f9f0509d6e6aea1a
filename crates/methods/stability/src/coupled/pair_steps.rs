//! Stable steps of a pair along a ray, found by vector kernels.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::map::scan::{Scan, Slice};
use crate::map::window::Window;
use crate::steps::search::{StepExcess, StepSearch};
use crate::steps::stable_steps::StableSteps;

impl StableSteps {
    /// Finds the stable steps of a pair along z_ss = t z₀, z_ff = t z₁, z_sf z_fs = t² z₂ for `z` = [z₀, z₁, z₂].
    ///
    /// Exits are accurate to rounding divided by the slope of ρ. With margins below about 1e-12 rounding decides; a
    /// peak of ρ that touches 1 + margin to within rounding may or may not count.
    ///
    /// ```
    /// use hemiola_stability::{StableSteps, StepSearch};
    /// use num_complex::Complex64;
    /// let pair = hemiola_tableau::library::method("mprk-p3")?.to_f64();
    /// let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
    /// let search = StepSearch { farthest: 6.0, samples: 2000, margin: 1e-9 };
    /// let steps = StableSteps::of_pair(&pair, [u, u * 2.0, u * u * 0.02], search)?;
    /// assert!(steps.first_exit > 2.7 && steps.first_exit < 2.8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] unless the tableau has two partitions, [`StabilityError::OutOfRange`] if a
    /// number of `z` is not finite or the search is empty.
    pub fn of_pair(tableau: &Tableau<f64>, z: [Complex64; 3], search: StepSearch) -> Result<Self, StabilityError> {
        let search = search.checked()?;
        Ok(Self::find(&PairExcess::new(tableau, z, search.margin)?, search, 0.0))
    }
}

/// Function ρ(S) − 1 − margin along a ray of a pair, by vector kernels. The direction is in the coefficients, and ξ = t
/// is real.
pub(crate) struct PairExcess {
    scan: Scan,
    level: f64,
}

impl PairExcess {
    pub(crate) fn new(tableau: &Tableau<f64>, z: [Complex64; 3], margin: f64) -> Result<Self, StabilityError> {
        let zero = Complex64::ZERO;
        let slice = Slice { slow: [zero, z[0]], fast: [zero, z[1]], product: [zero, zero, z[2]] };
        Ok(Self { scan: Scan::new(tableau, slice)?, level: 1.0 + margin })
    }
}

impl StepExcess for PairExcess {
    fn at(&self, t: f64) -> f64 {
        self.scan.spectral_radius(t.into()) - self.level
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        let row = Window { x: (from, to), y: (0.0, 0.0), cells: (cells, 0) };
        self.scan.spectral_radii(&row).iter().map(|radius| radius - self.level).collect()
    }
}
