//! Plane geometry on the page in points, with y downwards.

mod apart;
#[cfg(feature = "plotters")]
mod areas;
mod clip;
mod coincide;
#[cfg(feature = "plotters")]
mod crossings;
#[cfg(feature = "plotters")]
mod dashes;
mod hatching;
mod rect;
mod simplify;
mod surrounds;

pub(crate) use apart::apart;
#[cfg(feature = "plotters")]
pub(crate) use areas::{area, areas, joined};
pub(crate) use clip::{clip_polygon, clip_polyline};
pub(crate) use coincide::coincide;
#[cfg(feature = "plotters")]
pub(crate) use dashes::dashes;
pub(crate) use hatching::hatching;
pub(crate) use rect::Rect;
pub(crate) use simplify::simplify;
pub(crate) use surrounds::surrounds;

/// Point of the page.
pub(crate) type Point = [f64; 2];

/// Polyline on the page. A closed one returns to its first point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    pub(crate) points: Vec<Point>,
    pub(crate) closed: bool,
}
