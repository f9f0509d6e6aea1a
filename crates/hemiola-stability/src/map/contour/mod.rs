//! Level curves of fields, and the regions that they bound.
//!
//! `samples` evaluates the field on a grid, with `search` avoiding the whole of it where possible; `march` finds the
//! cells that a curve crosses and joins them to chains; `curve` puts points of each chain onto the level (`root`) until
//! its chords follow it. `trace` makes contours of the curves, and `region` regions. The points are therefore as
//! accurate as the field; the grid only determines which details are too small to be seen.

mod curve;
mod level_set;
mod march;
mod region;
mod root;
mod samples;
mod search;
#[cfg(test)]
mod tests;
mod trace;

pub use region::Region;
pub use trace::{Contour, contour};
