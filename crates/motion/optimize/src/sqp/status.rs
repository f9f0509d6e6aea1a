//! Status of an optimization.

/// Reason why an optimization ended. The iterate is the best one found in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The Karush–Kuhn–Tucker conditions hold to the tolerance.
    Optimal,
    /// No step reduces the violation of the constraints to first order: there is no feasible point nearby.
    LocallyInfeasible,
    /// No step makes progress, but the conditions do not hold to the tolerance.
    Stalled,
    /// The iteration limit was reached.
    IterationLimit,
    /// The caller stopped the iterations.
    Interrupted,
}

impl Status {
    /// Describes the status in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::LocallyInfeasible => "locally infeasible",
            Self::Stalled => "stalled",
            Self::IterationLimit => "iteration limit",
            Self::Interrupted => "interrupted",
        }
    }
}
