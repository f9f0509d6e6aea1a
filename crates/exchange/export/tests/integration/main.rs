//! Import and export of tables of other programs.

mod bad_texts;
mod layouts;
mod limits;
mod low_storage;
mod multirate;
mod packages;
mod round_trips;
mod running_code;
