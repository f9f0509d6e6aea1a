//! An axis: its label, its scale and its range.

use serde::{Deserialize, Serialize};

use crate::error::{AxisName, FigureError};
use crate::scale::{Range, Scale};

/// Smallest length of a range relative to its larger bound; below it, doubles cannot separate the ticks.
const SHORTEST: f64 = 1e-12;

/// Largest length of a range; it keeps tick steps and stretched ranges within the range of doubles.
const LONGEST: f64 = 1e300;

/// Fraction of the data's extent that an automatic range adds at each end.
const PADDING: f64 = 0.04;

/// One axis of a panel.
///
/// ```
/// use hemiola_figure::Axis;
///
/// let real_part = Axis::new("Re(*hλ*)").range(-6.0, 1.0);
/// let error = Axis::new("error").logarithmic(); // the range comes from the data
/// # let _ = (real_part, error);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    range: Option<[f64; 2]>,
}

impl Axis {
    /// Creates a linear axis with a label, which may use markup. The range follows from the data.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Sets the range to `from` … `to`, regardless of the data.
    #[must_use]
    pub fn range(mut self, from: f64, to: f64) -> Self {
        self.range = Some([from, to]);
        self
    }

    /// Makes the axis logarithmic: every decade has the same length.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.scale = Scale::Log;
        self
    }

    /// Restricts ticks to whole numbers, for data that are counts.
    ///
    /// ```
    /// let stages = hemiola_figure::Axis::new("stages *s*").whole_numbers();
    /// # let _ = stages;
    /// ```
    #[must_use]
    pub fn whole_numbers(mut self) -> Self {
        self.scale = Scale::Whole;
        self
    }

    /// Returns the range to show for data that extend from `data[0]` to `data[1]`; `None` means that there are no data.
    pub(crate) fn resolve(&self, data: Option<[f64; 2]>, name: AxisName, panel: usize) -> Result<Range, FigureError> {
        if self.scale == Scale::Log {
            let bounds = self.range.into_iter().chain(data).flatten();
            if let Some(value) = bounds.into_iter().find(|&bound| bound <= 0.0) {
                return Err(FigureError::NonPositive { panel, axis: name, value });
            }
        }
        match self.range {
            Some(range) => self.checked(range, name, panel),
            None => self.automatic(data, name, panel),
        }
    }

    fn checked(&self, [from, to]: [f64; 2], axis: AxisName, panel: usize) -> Result<Range, FigureError> {
        let size = from.abs().max(to.abs()).max((to - from).abs());
        if from.is_nan() || to.is_nan() || size > LONGEST {
            return Err(FigureError::NonFiniteRange { panel, axis, from, to });
        }
        let range = Range { scale: self.scale, low: self.scale.forward(from), high: self.scale.forward(to) };
        let size = range.low.abs().max(range.high.abs());
        if range.length() <= SHORTEST * size || to - from < f64::MIN_POSITIVE {
            return Err(FigureError::EmptyRange { panel, axis, from, to });
        }
        Ok(range)
    }

    fn automatic(&self, data: Option<[f64; 2]>, axis: AxisName, panel: usize) -> Result<Range, FigureError> {
        let [low, high] = data.map_or([0.0, 1.0], |bounds| bounds.map(|bound| self.scale.forward(bound)));
        let extent = high - low;
        let size = low.abs().max(high.abs());
        if extent.is_nan() || extent > LONGEST {
            let [from, to] = data.unwrap_or([low, high]);
            return Err(FigureError::NonFiniteRange { panel, axis, from, to });
        }
        // Data that coincide up to rounding are centered in a range of nonzero length.
        let margin = if extent > SHORTEST * size {
            PADDING * extent
        } else if size > 0.0 && self.scale != Scale::Log {
            0.5 * size
        } else {
            0.5
        };
        Ok(Range { scale: self.scale, low: low - margin, high: high + margin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(axis: &Axis, data: Option<[f64; 2]>) -> Result<Range, FigureError> {
        axis.resolve(data, AxisName::X, 1)
    }

    #[test]
    fn an_automatic_range_holds_the_data_with_a_margin() {
        for (low, high) in [(0.0, 1.0), (-3e-9, 2e-9), (1e6, 1e6 + 1.0), (-1e200, 1e200)] {
            let range = resolve(&Axis::new(""), Some([low, high])).unwrap();
            assert!(range.low < low && high < range.high);
            assert!(range.length() < 1.1 * (high - low));
        }
    }

    #[test]
    fn constant_data_lie_in_the_middle() {
        for value in [0.0, 1.0, -2.5e-8, 1e12] {
            let range = resolve(&Axis::new(""), Some([value, value])).unwrap();
            assert!(range.length() > 0.0 && (range.fraction(value) - 0.5).abs() < 1e-9);
        }
    }

    #[test]
    fn no_data_give_the_unit_range() {
        let range = resolve(&Axis::new(""), None).unwrap();
        assert!(range.low < 0.0 && range.high > 1.0);
    }

    #[test]
    fn bad_ranges_are_refused() {
        let fails = |from, to| resolve(&Axis::new("").range(from, to), None).unwrap_err();
        assert!(matches!(fails(1.0, 1.0), FigureError::EmptyRange { .. }));
        assert!(matches!(fails(2.0, 1.0), FigureError::EmptyRange { .. }));
        assert!(matches!(fails(1.0, 1.0 + 1e-14), FigureError::EmptyRange { .. }));
        assert!(matches!(fails(f64::NAN, 1.0), FigureError::NonFiniteRange { .. }));
        assert!(matches!(fails(0.0, f64::INFINITY), FigureError::NonFiniteRange { .. }));
        assert!(matches!(fails(-f64::MAX, f64::MAX), FigureError::NonFiniteRange { .. }));
        assert!(matches!(fails(0.0, 1e307), FigureError::NonFiniteRange { .. }));
        assert_eq!(fails(0.0, 1e-320).to_string(), "panel 1: the range 0.0 to 1e-320 of the x axis is empty");
    }

    #[test]
    fn logarithmic_axes_refuse_zero() {
        let axis = Axis::new("").logarithmic();
        assert!(matches!(resolve(&axis, Some([0.0, 1.0])), Err(FigureError::NonPositive { value: 0.0, .. })));
        assert!(matches!(resolve(&axis.range(-1.0, 1.0), None), Err(FigureError::NonPositive { .. })));
    }
}
