//! Tests of whole searches.

mod output;
mod race;
