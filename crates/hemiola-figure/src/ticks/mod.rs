//! Ticks: round numbers along an axis, as many as there is room for.

mod decimal;
mod levels;
mod linear;
mod log;
mod room;

pub(crate) use levels::level_ticks;
pub(crate) use room::{Room, Tick};

use crate::scale::{Range, Scale};

/// The ticks of a range.
pub(crate) fn ticks(range: &Range, room: &Room<'_>) -> Vec<Tick> {
    match range.scale {
        Scale::Linear => linear::ticks(range.low, range.high, room, false),
        Scale::Whole => linear::ticks(range.low, range.high, room, true),
        Scale::Log => log::ticks(range.low, range.high, room),
    }
}
