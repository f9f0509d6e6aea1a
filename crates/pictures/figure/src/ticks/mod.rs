//! Ticks: round numbers along an axis, as many as fit.

mod decimal;
mod levels;
mod linear;
mod log;
mod tick_space;

pub(crate) use levels::{anchor, level_ticks};
pub(crate) use tick_space::{Tick, TickSpace};

use crate::scale::{Range, Scale};

/// Returns the ticks of a range.
pub(crate) fn ticks(range: &Range, room: &TickSpace<'_>) -> Vec<Tick> {
    match range.scale {
        Scale::Linear => linear::ticks(range.low, range.high, room, false),
        Scale::Whole => linear::ticks(range.low, range.high, room, true),
        Scale::Log => log::ticks(range.low, range.high, room),
    }
}

/// Smallest number of ticks that makes a scale easy to read.
const ENOUGH: usize = 3;

/// Returns the ticks of two axes with equal units. Both use the longer step if it gives each axis enough ticks.
pub(crate) fn equal_ticks(ranges: [&Range; 2], rooms: [&TickSpace<'_>; 2]) -> [Vec<Tick>; 2] {
    let each = [0, 1].map(|k| ticks(ranges[k], rooms[k]));
    let steps = each.each_ref().map(|ticks| match &ticks[..] {
        [first, second, ..] => second.at - first.at,
        _ => 0.0,
    });
    let finer = usize::from(steps[1] < steps[0]);
    let coarser = 1 - finer;
    let range = ranges[finer];
    let common = linear::with_step_of(&each[coarser], range.low, range.high);
    let is_linear = ranges.iter().all(|range| range.scale == Scale::Linear);
    let fits = common.len() >= ENOUGH
        && each[coarser].len() >= ENOUGH
        && rooms[finer].holds(&common, rooms[finer].length / range.length());
    let [x, y] = each;
    match finer {
        _ if !is_linear || !fits => [x, y],
        0 => [common, y],
        _ => [x, common],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(x: (f64, f64), y: (f64, f64), unit: f64) -> [f64; 2] {
        let range = |(low, high)| Range { scale: Scale::Linear, low, high };
        let [x, y] = [x, y].map(range);
        let label = |text: &str| 4.5 * text.chars().count() as f64 + 6.0;
        let room = |range: &Range, spacing| TickSpace { length: unit * range.length(), spacing, label: &label };
        let [x_room, y_room] = [room(&x, 26.0), room(&y, 20.0)];
        equal_ticks([&x, &y], [&x_room, &y_room]).map(|ticks| ticks[1].at - ticks[0].at)
    }

    #[test]
    fn equal_units_have_equal_steps_where_there_is_room() {
        for size in [1e-3, 1.0, 7.0, 3e5] {
            for shape in [0.6, 0.8, 1.0, 1.2] {
                let half = 3.2 * size * shape;
                let [across, up] = steps((-5.3 * size, 1.1 * size), (-half, half), 200.0 / (6.4 * size));
                // Three ticks of the longer step: one at zero, and one on each side.
                let has_room = across.max(up) <= half;
                assert_eq!((across / up - 1.0).abs() < 1e-9, has_room, "{size} {shape}: {across} {up}");
            }
        }
        // A flat panel has no room for three long vertical steps.
        let [across, up] = steps((-60.0, 0.0), (-9.0, 9.0), 200.0 / 60.0);
        assert!(across > up, "{across} {up}");
    }
}
