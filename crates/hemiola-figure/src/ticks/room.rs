//! Ticks, and the room that they have.

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// The place in scaled coordinates.
    pub(crate) at: f64,
    /// The number in markup; empty for a minor tick.
    pub(crate) label: String,
}

/// The room that ticks have.
pub(crate) struct Room<'a> {
    /// The length of the axis.
    pub(crate) length: f64,
    /// The least distance of ticks, however short their labels are.
    pub(crate) spacing: f64,
    /// The length that a label takes along the axis, with a gap.
    pub(crate) label: &'a dyn Fn(&str) -> f64,
}

impl Room<'_> {
    /// Whether the ticks are far enough apart, and their labels do not touch, when a unit of the axis is `unit` long.
    pub(super) fn holds(&self, ticks: &[Tick], unit: f64) -> bool {
        let apart = |pair: &[&Tick]| (pair[1].at - pair[0].at) * unit >= self.spacing;
        let labeled: Vec<&Tick> = ticks.iter().filter(|tick| !tick.label.is_empty()).collect();
        labeled.windows(2).all(apart) && self.holds_labels(ticks, unit)
    }

    /// The same, however near the ticks themselves are.
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

/// Takes the numbers from all ticks but the outermost two.
pub(super) fn outer_labels_only(ticks: &mut [Tick]) {
    if let [_, inner @ .., _] = ticks {
        for tick in inner {
            tick.label.clear();
        }
    }
}
