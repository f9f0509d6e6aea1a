//! Errors of the atlas.

use hemiola_figure::FigureError;
use hemiola_multirate::MultirateError;
use hemiola_order::OrderError;
use hemiola_plot::MapError;
use hemiola_stability::StabilityError;
use thiserror::Error;

/// A reason why the atlas cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The receiver of progress stopped the tasks.
    #[error("interrupted")]
    Interrupted,
    /// A file cannot be written.
    #[error("{path}: cannot write: {problem}")]
    Write {
        /// The path of the file from the root of the site.
        path: String,
        /// The cause.
        problem: std::io::Error,
    },
    /// A link has no target.
    #[error("{page}: broken link to `{target}`; expected a page or an anchor of the site")]
    BrokenLink {
        /// The page with the link.
        page: String,
        /// The target of the link.
        target: String,
    },
    /// An anchor occurs twice on a page.
    #[error("{page}: the anchor `{anchor}` occurs twice; expected unique anchors")]
    TwiceAnchored {
        /// The page.
        page: String,
        /// The anchor.
        anchor: String,
    },
    /// A property or figure of a method failed.
    #[error("{id}: {problem}")]
    Method {
        /// The method.
        id: String,
        /// The cause.
        #[source]
        problem: Box<MethodProblem>,
    },
}

/// A failure to compute a result of a method or to draw it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MethodProblem {
    /// Order conditions could not be checked.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A stability limit was not found.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A multirate method could not be checked.
    #[error(transparent)]
    Multirate(#[from] MultirateError),
    /// A map cannot be drawn.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

impl AtlasError {
    /// Returns a conversion of problems into errors that name the method.
    pub(crate) fn of<P: Into<MethodProblem>>(id: &str) -> impl Fn(P) -> Self + '_ {
        move |problem| Self::Method { id: id.to_owned(), problem: Box::new(problem.into()) }
    }
}
