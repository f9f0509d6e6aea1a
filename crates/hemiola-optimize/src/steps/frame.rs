//! What a step depends on, and where it stands in time.

/// The sizes of a problem; the arguments of a step are w = (y, u₀, u₁, T, p): the state at its beginning, the controls at both ends of the
/// interval of the control grid that it lies in, the duration and the parameters. Equations have z = (y, u, p, t).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The number of states.
    pub states: usize,
    /// The number of controls.
    pub controls: usize,
    /// The number of parameters.
    pub parameters: usize,
}

impl Local {
    /// The number of entries of w.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states + 2 * self.controls + 1 + self.parameters
    }

    /// Whether there is nothing: a problem has a duration, so there is not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where the duration is in w.
    #[must_use]
    pub fn duration(&self) -> usize {
        self.states + 2 * self.controls
    }

    /// The number of entries of z.
    #[must_use]
    pub fn arguments(&self) -> usize {
        self.states + self.controls + self.parameters + 1
    }
}

/// Where a step stands: in units of the duration, and in its interval of the control grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The time at its beginning, over the duration.
    pub start: f64,
    /// Its length, over the duration.
    pub length: f64,
    /// Its beginning and its length in its interval of the control grid, whose length is one.
    pub place: [f64; 2],
    /// Whether controls are linear between grid points, rather than constant.
    pub is_linear: bool,
}

impl Frame {
    /// The weight of u₁ at a fraction c of the step; that of u₀ is the rest.
    pub(crate) fn blend(&self, c: f64) -> f64 {
        if self.is_linear { self.place[0] + c * self.place[1] } else { 0.0 }
    }

    /// The time at a fraction c of the step, over the duration.
    pub(crate) fn time(&self, c: f64) -> f64 {
        self.start + c * self.length
    }
}
