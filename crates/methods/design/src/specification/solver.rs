//! The choice of the solver of descents.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The solver of the descents from starts to minima.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescentSolver {
    /// Hemiola's own Newton method for the Lagrangian, with restorations of the constraints.
    #[default]
    Newton,
    /// argmin's L-BFGS along the constraints.
    LBfgs,
    /// argmin's trust region with Steihaug's conjugate gradients along the constraints.
    TrustRegion,
    /// argmin's Gauss–Newton method with a line search along the constraints, for objectives of errors alone.
    GaussNewton,
}

impl DescentSolver {
    /// All solvers.
    pub const ALL: [Self; 4] = [Self::Newton, Self::LBfgs, Self::TrustRegion, Self::GaussNewton];

    /// Returns its name in design files.
    ///
    /// ```
    /// use hemiola_design::DescentSolver;
    /// assert_eq!(DescentSolver::LBfgs.name(), "l-bfgs");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::LBfgs => "l-bfgs",
            Self::TrustRegion => "trust-region",
            Self::GaussNewton => "gauss-newton",
        }
    }
}

impl<'de> Deserialize<'de> for DescentSolver {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = String::deserialize(deserializer)?;
        let known = Self::ALL.into_iter().find(|solver| solver.name() == found);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            D::Error::custom(format!("found {found:?}; expected one of {names}"))
        })
    }
}
