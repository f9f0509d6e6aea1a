//! Level curves of fields, and the regions that they bound.
//!
//! `samples` evaluates the field on a grid, of which `search` evaluates only a part if possible. `march` finds the
//! cells that a curve crosses and joins them to chains. `curve` computes points of each chain on the level (`root`)
//! until the chords follow the curve. `trace` converts the curves to contours, and `region` to regions. The points are
//! therefore as accurate as the field; the grid only determines which details are too small to be detected.

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
