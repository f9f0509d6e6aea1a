//! Ticks and the space available to them.

/// A tick on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Position in scaled coordinates.
    pub(crate) at: f64,
    /// Number in markup; empty for a minor tick.
    pub(crate) label: String,
}

/// Space available to ticks.
pub(crate) struct TickSpace<'a> {
    /// Length of the axis.
    pub(crate) length: f64,
    /// Smallest distance between ticks, regardless of the labels.
    pub(crate) spacing: f64,
    /// Length of a label along the axis, including a gap.
    pub(crate) label: &'a dyn Fn(&str) -> f64,
}

impl TickSpace<'_> {
    /// Returns whether ticks are far enough apart and labels do not overlap; `unit` is the length of a unit of the
    /// axis.
    pub(super) fn holds(&self, ticks: &[Tick], unit: f64) -> bool {
        let apart = |pair: &[&Tick]| (pair[1].at - pair[0].at) * unit >= self.spacing;
        let labeled: Vec<&Tick> = ticks.iter().filter(|tick| !tick.label.is_empty()).collect();
        labeled.windows(2).all(apart) && self.holds_labels(ticks, unit)
    }

    /// Returns whether labels do not overlap, regardless of the distance between ticks.
    pub(super) fn holds_labels(&self, ticks: &[Tick], unit: f64) -> bool {
        let labels: Vec<(f64, f64)> = ticks
            .iter()
            .filter(|tick| !tick.label.is_empty())
            .map(|tick| (tick.at, (self.label)(&tick.label)))
            .collect();
        labels.windows(2).all(|pair| {
            let distance = (pair[1].0 - pair[0].0) * unit;
            distance >= 0.5 * (pair[0].1 + pair[1].1)
        })
    }
}

/// Clears the labels of all ticks but the outermost two.
pub(super) fn outer_labels_only(ticks: &mut [Tick]) {
    if let [_, inner @ .., _] = ticks {
        for tick in inner {
            tick.label.clear();
        }
    }
}
