//! Figures of results of the libraries: stability maps, optimal polynomials with their limits, and rooted trees.
//!
//! - `map/`: schemes ([`MapScheme`]) on slices, as regions or in color bands ([`StabilityMap`]).
//! - `slice/`: planes of Z in a text notation ([`Slice`]); `expression/` parses the complex expressions in them.
//! - `curves/`: limits, profiles and radii over one parameter, error over work.
//! - A file for each other kind of figure: [`boundary()`] of a spectrum, [`polynomial_figure`], [`limits_figure`],
//!   [`dispersion_figure`], [`monotonicity_figure`], [`ssp_figure`], [`profile_figure`], [`TreeFigure`], [`system_figure`], [`front_figure`], [`sweep_figure`],
//!   [`series_figure`], [`solution_figure`], [`outputs_figure`], [`precision_figure`].
//!
//! ```
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5")?;
//! let svg = hemiola_plot::stability_figure(&method)?.to_svg()?;
//! assert!(svg.contains("slow") && svg.contains("fast"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boundary;
mod coupling;
mod curves;
mod dispersion;
mod expression;
mod front;
mod layer;
mod map;
mod map_scheme;
mod polynomial;
mod runs;
mod slice;
mod slope_triangle;
mod system;
mod trees;
mod view;

pub(crate) use hemiola_figure::escaped;
use hemiola_figure::{Figure, FigureError};
use hemiola_stability::StabilityError;
use hemiola_tableau::Method;
use thiserror::Error;

pub use boundary::boundary;
pub use curves::limits::{LimitCurve, LimitVariable, limits_figure};
pub use curves::monotonicity::{MonotonicityPair, monotonicity_figure};
pub use curves::profile::profile_figure;
pub use curves::ssp::{SspMethod, ssp_figure};
pub use curves::work_precision::{PrecisionCurve, precision_figure};
pub use dispersion::dispersion_figure;
pub use expression::ExpressionError;
pub use front::{DesignGroup, front_figure, sweep_figure};
pub use map::{Extent, MapQuantity, Samples, ScaledSpectrum, SpectrumStep, StabilityMap};
pub use map_scheme::MapScheme;
pub use polynomial::polynomial_figure;
pub use runs::{
    ConfidenceEllipse, Drive, FittedVariable, MachineOutline, OptimumTrajectory, OutputPanel, Series, course_figure,
    drive_figure, fit_figure, outline_figure, outline_size, outputs_figure, series_figure, solution_figure,
};
pub use slice::{Entries, Phases, Sign, Slice, SliceError, Values};
pub use system::{SystemCurve, system_figure};
pub use trees::TreeFigure;
pub use view::View;

/// Reason why a map cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MapError {
    /// The receiver of progress stopped the map.
    #[error("interrupted")]
    Interrupted,
    /// The method does not have the requested map.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// The scheme does not fit the slice.
    #[error("{name} on `{slice}`: {problem}")]
    Unfit {
        /// The scheme.
        name: String,
        /// The slice.
        slice: String,
        /// Cause of the misfit.
        #[source]
        problem: StabilityError,
    },
    /// The figure cannot be laid out.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A number is out of range.
    #[error("found {name} {found}; expected {expected}")]
    OutOfRange {
        /// The name of the number.
        name: &'static str,
        /// The number.
        found: String,
        /// The accepted numbers.
        expected: &'static str,
    },
    /// There is no data to show.
    #[error("found no {what}; expected at least 1")]
    Nothing {
        /// Name of the missing data.
        what: &'static str,
    },
    /// A spectrum cannot be drawn because the map has no region of a complex plane.
    #[error(
        "found no region of a complex plane to draw the spectrum in; expected a slice in a complex plane and `region`"
    )]
    NoRegions,
    /// The largest step of the first region is unbounded or zero.
    #[error("{name} has no largest step for the spectrum; expected a step with which to scale it")]
    NoLargestStep {
        /// The region.
        name: String,
    },
    /// The slice requires coefficients, but the scheme has none.
    #[error("{name} has no tableau; expected a method, or a slice in which two components are coupled")]
    NoTableau {
        /// The scheme.
        name: String,
    },
    /// The slice is scaled by the stability limit of the fast part, which is infinite if the fast part is solved
    /// exactly.
    #[error("{name} solves the fast part exactly, so that κ* = L_f/L_s is infinite; expected a method with fast steps")]
    NoFastLimit {
        /// The scheme.
        name: String,
    },
    /// A plain method is required, but the method has partitions.
    #[error("{name} has partitions; expected a method without partitions")]
    NotPlain {
        /// The method.
        name: String,
    },
    /// The method has no embedded weights.
    #[error("{name} has no embedded weights; expected a method with embedded weights in every partition")]
    NoEmbedded {
        /// The method.
        name: String,
    },
    /// The slice does not have the quantity.
    #[error("`{slice}` does not show {show}; expected {expected}")]
    NotShown {
        /// The quantity.
        show: &'static str,
        /// The slice.
        slice: String,
        /// The quantities of the slice.
        expected: &'static str,
    },
}

/// Draws the stability regions of all partitions in one figure with automatic bounds: Fig. 1 of most papers.
///
/// # Errors
/// Returns [`MapError`] if the figure cannot be drawn.
pub fn stability_figure(method: &Method) -> Result<Figure, MapError> {
    let schemes = [MapScheme::method(method)];
    Ok(StabilityMap::new(&schemes, &[Slice::Partitions], MapQuantity::Region, View::default())?.sample(&())?.figure())
}

/// Formats a number with a true minus sign.
fn minus(value: f64) -> String {
    value.to_string().replace('-', "\u{2212}")
}

/// Doctest of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
