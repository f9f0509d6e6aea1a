//! Tables of other programs, read and written.

mod bad_texts;
mod layouts;
mod round_trips;
mod running_code;
