//! The grid of cells.

use super::cell::{Bounds, Cell};
use super::{EDGE, LINE_HEIGHT};
use crate::error::FigureError;
use crate::geometry::Point;
use crate::panel::Panel;
use crate::scale::Range;
use crate::text::{Label, size};

/// Points in a millimetre.
const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// Panels are put side by side as long as each is at least this wide, in millimetres.
const USUAL_CELL: f64 = 55.0;
/// The least width of a panel, in millimetres, in which there is room for labels and a plot.
const LEAST_CELL: f64 = 25.0;

/// The gaps between cells.
const COLUMN_GAP: f64 = 8.0;
const ROW_GAP: f64 = 8.0;

/// The height above a plot without a title: half a tick label.
const BARE_HEADER: f64 = 0.55 * size::TICK;

/// A figure laid out.
pub(crate) struct Page<'p> {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The cells with their upper left corners, in the order of the panels.
    pub(crate) cells: Vec<(Point, Cell<'p>)>,
}

impl<'p> Page<'p> {
    /// Lays out panels on a page `millimetres` wide, in a given or a suitable number of columns, with legends of their own
    /// or without.
    pub(crate) fn new(
        panels: &'p [Panel],
        millimetres: f64,
        columns: Option<usize>,
        header: f64,
        keyed: bool,
    ) -> Result<Self, FigureError> {
        let columns =
            columns.unwrap_or_else(|| suitable_columns(panels.len(), millimetres)).clamp(1, panels.len().max(1));
        let least = LEAST_CELL * columns as f64;
        if millimetres < least {
            return Err(FigureError::TooNarrow { millimetres, columns, least });
        }
        let width = points(millimetres);
        let cell_width = (width - 2.0 * EDGE - COLUMN_GAP * (columns - 1) as f64) / columns as f64;
        let numbered: Vec<(usize, &Panel)> = (1..).zip(panels).collect();
        let mut page = Self { width, height: EDGE + header, cells: Vec::new() };
        let mut lefts = vec![0.0_f64; columns];
        for row in numbered.chunks(columns) {
            for (left, &(number, panel)) in lefts.iter_mut().zip(row).filter(|(_, (_, panel))| !panel.equal_aspect) {
                let bounds = Bounds { width: cell_width, header: 0.0, plot_height: None, left: 0.0, keyed: false };
                *left = left.max(Cell::new(panel, panel.ranges(number)?, bounds).left());
            }
        }
        for row in numbered.chunks(columns) {
            page.add_row(row, cell_width, &lefts, panels.len() > 1, keyed)?;
        }
        page.height += EDGE - ROW_GAP;
        Ok(page)
    }

    fn add_row(
        &mut self,
        row: &[(usize, &'p Panel)],
        width: f64,
        lefts: &[f64],
        tagged: bool,
        keyed: bool,
    ) -> Result<(), FigureError> {
        let titled = tagged || row.iter().any(|(_, panel)| !Label::parse(&panel.title).is_blank());
        let header = if titled { LINE_HEIGHT * size::LABEL + 2.0 } else { BARE_HEADER };
        let mut panels: Vec<(&'p Panel, [Range; 2])> = Vec::new();
        for &(number, panel) in row {
            panels.push((panel, panel.ranges(number)?));
        }
        let bounds = Bounds { width, header, plot_height: None, left: 0.0, keyed };
        // Panels that are free in height take that of the tallest that is not.
        let heights = panels.iter().filter(|(panel, _)| panel.equal_aspect);
        let plot_height =
            heights.map(|&(panel, ranges)| Cell::new(panel, ranges, bounds).frame.plot.height).reduce(f64::max);
        let bounds = Bounds { plot_height, ..bounds };
        let mut left = EDGE;
        let mut tallest = 0.0_f64;
        for ((panel, ranges), &least) in panels.into_iter().zip(lefts) {
            // Panels of equal aspect take their place from their shape.
            let least = if panel.equal_aspect { 0.0 } else { least };
            let cell = Cell::new(panel, ranges, Bounds { left: least, ..bounds });
            tallest = tallest.max(cell.height);
            self.cells.push(([left, self.height], cell));
            left += width + COLUMN_GAP;
        }
        self.height += tallest + ROW_GAP;
        Ok(())
    }
}

/// As many columns as leave every panel its usual width, and no more than the number of rows needs.
fn suitable_columns(panels: usize, millimetres: f64) -> usize {
    let most = ((millimetres / USUAL_CELL) as usize).max(1);
    let rows = panels.div_ceil(most).max(1);
    panels.div_ceil(rows)
}

/// Points for millimetres.
pub(crate) fn points(millimetres: f64) -> f64 {
    millimetres * POINTS_PER_MM
}

/// Millimetres for points.
pub(crate) fn millimetres(points: f64) -> f64 {
    points / POINTS_PER_MM
}

#[cfg(test)]
mod tests {
    use super::suitable_columns;

    #[test]
    fn grids_are_even() {
        let columns = |panels| suitable_columns(panels, 178.0);
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(columns), [1, 2, 3, 2, 3, 3, 3]);
        assert_eq!([1, 2, 3].map(|panels| suitable_columns(panels, 85.0)), [1, 1, 1]);
    }
}
