//! Arguments of a step and its position in time.

/// Sizes of a problem.
///
/// The arguments of a step are w = (y, u₀, u₁, T, p): the state at its beginning, the controls at both ends of its
/// interval of the control grid, the duration and the parameters. The arguments of the equations are z = (y, u, p, t).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemSizes {
    /// Number of states.
    pub states: usize,
    /// Number of controls.
    pub controls: usize,
    /// Number of parameters.
    pub parameters: usize,
}

impl ProblemSizes {
    /// Returns the number of entries of w.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states + 2 * self.controls + 1 + self.parameters
    }

    /// Returns false: w always contains the duration.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the index of the duration in w.
    #[must_use]
    pub fn duration(&self) -> usize {
        self.states + 2 * self.controls
    }

    /// Returns the number of entries of z.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.states + self.controls + self.parameters + 1
    }
}

/// Position of a step in time, in units of the duration, and in its interval of the control grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepFrame {
    /// Time at the beginning of the step, divided by the duration.
    pub start: f64,
    /// Step size divided by the duration.
    pub length: f64,
    /// Beginning and length of the step within its interval of the control grid, which has length one.
    pub place: [f64; 2],
    /// Whether controls are linear between grid points rather than constant.
    pub is_linear: bool,
}

impl StepFrame {
    /// Returns the weight of u₁ at a fraction c of the step; u₀ has the complementary weight.
    pub(crate) fn blend(&self, c: f64) -> f64 {
        if self.is_linear { self.place[0] + c * self.place[1] } else { 0.0 }
    }

    /// Returns the time at a fraction c of the step, divided by the duration.
    pub(crate) fn time(&self, c: f64) -> f64 {
        self.start + c * self.length
    }
}
