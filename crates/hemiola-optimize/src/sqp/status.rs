//! How an optimization ended.

/// How an optimization ended; the iterate is the best one found in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The conditions of Karush, Kuhn and Tucker hold to the tolerance.
    Optimal,
    /// No step makes the violation of the constraints smaller to first order: there is no feasible point nearby.
    LocallyInfeasible,
    /// No step makes progress, but the conditions do not hold to the tolerance.
    Stalled,
    /// As many iterations as were allowed.
    IterationLimit,
    /// The caller ended it.
    Interrupted,
}

impl Status {
    /// In words.
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
