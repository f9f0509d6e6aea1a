//! An interval of time in either direction, and the steps that fit into it.

/// From `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Span {
    pub(crate) fn new([start, end]: [f64; 2]) -> Self {
        Self { start, end }
    }

    /// Whether there is nothing to integrate over.
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// A first step of a size, in the direction of the end and not beyond it.
    pub(crate) fn first(self, size: f64) -> f64 {
        let length = self.end - self.start;
        size.abs().min(length.abs()).copysign(length)
    }

    /// The step from t that is no longer than h and does not pass the end, and whether it reaches it. A remainder due
    /// to rounding of times is part of the last step.
    pub(crate) fn fit(self, t: f64, h: f64) -> (f64, bool) {
        let rest = self.end - t;
        let rounding = 4.0 * f64::EPSILON * t.abs().max(self.end.abs());
        if h.abs() >= rest.abs() - rounding { (rest, true) } else { (h, false) }
    }

    /// Whether a step much smaller than h would still change the time.
    pub(crate) fn can_shrink(self, t: f64, h: f64) -> bool {
        t + h / 16.0 != t
    }
}
