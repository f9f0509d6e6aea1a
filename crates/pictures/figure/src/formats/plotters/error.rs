//! Errors of drawing on a plotters area.

use std::error::Error;

use plotters::drawing::DrawingAreaErrorKind;

use crate::error::FigureError;

/// Reason why a figure cannot be drawn on a plotters area.
#[derive(Debug, thiserror::Error)]
pub enum DrawOnError<E: Error + Send + Sync> {
    /// The figure cannot be laid out.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The backend reports an error.
    #[error("the figure cannot be drawn on its plotters area: {0}")]
    Backend(#[from] DrawingAreaErrorKind<E>),
}
