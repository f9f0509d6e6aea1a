//! An interval of time in either direction, and the steps that fit into it.

/// The interval from `start` to `end`; `end` may be earlier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: f64,
    pub(crate) end: f64,
}

impl Span {
    pub(crate) fn new([start, end]: [f64; 2]) -> Self {
        Self { start, end }
    }

    /// Returns whether the interval has zero length.
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns a first step of the given size in the direction of the end, at most up to it.
    pub(crate) fn first(self, size: f64) -> f64 {
        let length = self.end - self.start;
        size.abs().min(length.abs()).copysign(length)
    }

    /// Returns the longest step from t that neither exceeds h nor passes the end, and whether it reaches the end. The
    /// last step includes any remainder due to rounding of times.
    pub(crate) fn fit(self, t: f64, h: f64) -> (f64, bool) {
        let rest = self.end - t;
        let rounding = 4.0 * f64::EPSILON * t.abs().max(self.end.abs());
        if h.abs() >= rest.abs() - rounding { (rest, true) } else { (h, false) }
    }

    /// Returns whether a step much smaller than h would still change the time.
    pub(crate) fn can_shrink(self, t: f64, h: f64) -> bool {
        t + h / 16.0 != t
    }
}
