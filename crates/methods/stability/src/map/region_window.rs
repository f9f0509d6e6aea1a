//! Windows that contain a region.

use crate::map::field::Field;
use crate::map::window::Window;

/// Half width of the smallest box that is searched for a region.
const SMALLEST_SEARCH: f64 = 4.0;

/// Finds a window with a margin around the region near the origin where `radius` (ρ or |R|) is at most one.
///
/// Returns `None` if there is no region, or if it extends farther than `farthest`, as for an A-stable method.
///
/// ```
/// use hemiola_stability::{PartitionField, Quantity, region_window};
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
/// let window = region_window(&PartitionField::new(&rk4.partitions[0], Quantity::Radius), 64.0, 400).unwrap();
/// assert!(window.x.0 < -2.8 && window.x.0 > -4.0 && window.y.1 > 2.9 && window.y.1 < 4.0);
/// ```
pub fn region_window(radius: &(impl Field + ?Sized), farthest: f64, cells: usize) -> Option<Window> {
    // A region could slip between the probes of a much larger box: double the box until it contains the region.
    let boxes = std::iter::successors(Some(SMALLEST_SEARCH), |extent| Some(2.0 * extent));
    boxes.take_while(|extent| *extent < 2.0 * farthest).find_map(|extent| window_within(radius, extent, cells))
}

/// Finds the window around the region in the box of half width `extent`; returns `None` without a region or if it
/// leaves the box.
fn window_within(radius: &(impl Field + ?Sized), extent: f64, cells: usize) -> Option<Window> {
    const PROBES: usize = 120;
    let mut reach = (extent, extent, extent);
    // Each pass probes the box that the previous one found.
    for pass in 0..3 {
        let (left, right, height) = reach;
        let probe = Window { x: (-left, right), y: (0.0, height), cells: (PROBES, PROBES) };
        let values = radius.sample(&probe);
        let mut found = (0.0f64, 0.0f64, 0.0f64);
        let mut is_empty = true;
        for (index, _) in values.iter().enumerate().filter(|(_, value)| **value <= 1.0) {
            let [x, y] = probe.point(index % (PROBES + 1), index / (PROBES + 1));
            found = (found.0.max(-x), found.1.max(x), found.2.max(y));
            is_empty = false;
        }
        if pass == 0 && (is_empty || found.0.max(found.1).max(found.2) >= extent) {
            return None;
        }
        // A margin of one probe cell keeps parts of the region between the grid points.
        let cell = ((left + right) / PROBES as f64, height / PROBES as f64);
        let within = |found: f64, cell: f64| (found + cell).min(extent);
        reach = (within(found.0, cell.0), within(found.1, cell.0), within(found.2, cell.1));
    }
    let (left, right, height) = reach;
    let margin = 0.06 * (left + right).max(2.0 * height);
    let window =
        Window { x: (-left - margin, right + margin), y: (-height - margin, height + margin), cells: (cells, cells) };
    (window.x.0 > -extent && window.x.1 < extent && window.y.1 < extent).then_some(window)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_or_unbounded_has_no_window() {
        assert_eq!(region_window(&|_: f64, _: f64| 2.0, 64.0, 10), None);
        assert_eq!(region_window(&|x: f64, _: f64| if x <= 0.0 { 1.0 } else { 2.0 }, 64.0, 10), None);
        // This disk fits into none of the smaller boxes.
        let window = region_window(&|x: f64, y: f64| (x + 20.0).hypot(y) / 20.0, 64.0, 10).unwrap();
        assert!(window.x.0 < -40.0 && window.x.1 > 0.0 && window.y.1 > 20.0 && window.y.1 < 25.0);
    }
}
