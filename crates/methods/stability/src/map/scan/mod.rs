//! Maps of S over a window: one number, or one bit, for each grid point.
//!
//! S of an explicit pair is a polynomial along a ray (`ray`) and a recursion over the stages elsewhere (`stages`);
//! `stage_equations` solves implicit pairs. Points are processed eight at a time in vector registers, rows in
//! parallel (`rows`, `sampling`). `slice` and `plane` define the points, and `points` takes lists of them; `quantity`
//! defines the function of S, with `spectrum` and `exponential`; `guard` handles points at which double precision may
//! not suffice.

mod exponential;
mod guard;
mod plane;
mod points;
mod quantity;
pub(crate) mod ray;
mod rows;
mod sampling;
mod slice;
pub(crate) mod spectrum;
pub(crate) mod stage_equations;
pub(crate) mod stages;
#[cfg(test)]
mod tests;

pub use plane::Plane;
pub use points::spectral_radii;
pub use quantity::Quantity;
pub(crate) use quantity::relative_growth;
pub use sampling::Scan;
pub use slice::Slice;
pub use spectrum::spectral_radius;
