//! Why there is no atlas.

use hemiola_figure::FigureError;
use hemiola_order::OrderError;
use hemiola_plot::MapError;
use hemiola_stability::StabilityError;
use thiserror::Error;

/// Why there is no atlas.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// A link leads nowhere.
    #[error("{page}: broken link to `{target}`; expected a page or an anchor of the site")]
    BrokenLink {
        /// The page with the link.
        page: String,
        /// What it leads to.
        target: String,
    },
    /// An anchor that occurs twice on a page.
    #[error("{page}: the anchor `{anchor}` occurs twice; expected each once")]
    TwiceAnchored {
        /// The page.
        page: String,
        /// The anchor.
        anchor: String,
    },
    /// Something of a method could not be computed or drawn.
    #[error("{id}: {problem}")]
    Method {
        /// The method.
        id: String,
        /// What is wrong.
        #[source]
        problem: Box<MethodProblem>,
    },
}

/// What could not be computed or drawn of a method.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MethodProblem {
    /// Order conditions could not be checked.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A limit was not found.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A map cannot be drawn.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

impl AtlasError {
    /// The error of a method.
    pub(crate) fn of<P: Into<MethodProblem>>(id: &str) -> impl Fn(P) -> Self + '_ {
        move |problem| Self::Method { id: id.to_owned(), problem: Box::new(problem.into()) }
    }
}
