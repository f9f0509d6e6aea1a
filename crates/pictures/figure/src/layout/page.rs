//! The grid of cells on a page.

use super::cell::{Cell, CellConstraints};
use super::shape::{Heights, fills_width};
use super::{EDGE, LINE_HEIGHT};
use crate::error::FigureError;
use crate::geometry::Point;
use crate::panel::Panel;
use crate::scale::Range;
use crate::text::{Font, plain, size};

/// Points per millimeter.
const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// Usual smallest width of panels side by side, in millimeters.
const USUAL_CELL: f64 = 55.0;
/// Smallest width of a panel, in millimeters, with space for labels and a plot.
const LEAST_CELL: f64 = 25.0;

/// Gaps between cells.
const COLUMN_GAP: f64 = 8.0;
const ROW_GAP: f64 = 8.0;

/// Height above a plot without a title: half a tick label.
const BARE_HEADER: f64 = 0.55 * size::TICK;

/// Largest ratio of the heights of plots in one row that are made equal.
const ALIKE: f64 = 1.2;

/// The widest tag of a panel.
const WIDEST_TAG: &str = "(00)";

/// Requested layout of a page.
#[derive(Clone, Copy)]
pub(crate) struct PageOptions<'p> {
    pub(crate) millimeters: f64,
    /// Number of panels side by side; `None` if it follows from the width.
    pub(crate) columns: Option<usize>,
    /// Height above the first row.
    pub(crate) header: f64,
    /// Whether panels have their own legends.
    pub(crate) keyed: bool,
    pub(crate) font: &'p Font,
    /// Height of the plots; an upper bound if their axes have equal units.
    pub(crate) plot_height: Option<f64>,
}

/// A figure laid out on a page.
pub(crate) struct Page<'p> {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Number of rows of panels.
    pub(crate) rows: usize,
    /// Cells with their upper left corners, in the order of the panels.
    pub(crate) cells: Vec<(Point, Cell<'p>)>,
}

/// A panel with its ranges.
type Ranged<'p> = (&'p Panel, [Range; 2]);

impl<'p> Page<'p> {
    /// Lays out panels on a sheet.
    pub(crate) fn new(panels: &'p [Panel], sheet: PageOptions<'p>) -> Result<Self, FigureError> {
        let millimeters = sheet.millimeters;
        let columns = sheet.columns.unwrap_or_else(|| suitable_columns(panels.len(), millimeters));
        let columns = columns.clamp(1, panels.len().max(1));
        let least = LEAST_CELL * columns as f64;
        if millimeters < least {
            return Err(FigureError::TooNarrow { millimeters, columns, least });
        }
        let ranged: Vec<Ranged<'p>> = (1..)
            .zip(panels)
            .map(|(number, panel)| Ok((panel, panel.ranges(number)?)))
            .collect::<Result<_, FigureError>>()?;
        let width = points(millimeters);
        let cell_width = (width - 2.0 * EDGE - COLUMN_GAP * (columns - 1) as f64) / columns as f64;
        let bounds = CellConstraints {
            font: sheet.font,
            width: cell_width,
            header: 0.0,
            heights: Heights { fixed: sheet.plot_height, most: sheet.plot_height, ..Heights::default() },
            left: 0.0,
            keyed: sheet.keyed,
        };
        let lefts = left_margins(&ranged, columns, CellConstraints { keyed: false, ..bounds });
        let mut page = Self { width, height: EDGE + sheet.header, rows: 0, cells: Vec::new() };
        for row in ranged.chunks(columns) {
            page.add_row(row, bounds, &lefts, panels.len() > 1);
        }
        page.height += EDGE - ROW_GAP;
        Ok(page)
    }

    fn add_row(&mut self, row: &[Ranged<'p>], bounds: CellConstraints<'p>, lefts: &[f64], tagged: bool) {
        let titled = tagged || row.iter().any(|(panel, _)| !plain(&panel.title).trim().is_empty());
        let header = if titled { LINE_HEIGHT * size::LABEL + 2.0 } else { BARE_HEADER };
        let bounds = CellConstraints { header, ..bounds };
        let extremes = |equal_aspect: bool| {
            let natural = |(&(panel, ranges), &left): (&Ranged<'p>, &f64)| {
                let left = if equal_aspect { bounds.left } else { left };
                Cell::new(panel, ranges, CellConstraints { left, ..bounds }).frame.plot.height
            };
            let of_kind = row.iter().zip(lefts).filter(|((panel, _), _)| panel.equal_aspect == equal_aspect);
            let natural: Vec<f64> = of_kind.map(natural).collect();
            natural.iter().copied().reduce(f64::min).zip(natural.iter().copied().reduce(f64::max))
        };
        let heights = match extremes(true) {
            // Panels with a free height take that of the tallest panel with a fixed one.
            Some((least, most)) if most <= ALIKE * least => {
                Heights { usual: Some(least), most: Some(least), ..bounds.heights }
            }
            Some((_, most)) => Heights { usual: Some(most), ..bounds.heights },
            // Heights are fractions of the widths, which vary with the tick labels.
            None => {
                let alike = extremes(false).filter(|(least, most)| most <= &(ALIKE * least)).map(|(least, _)| least);
                Heights { alike, ..bounds.heights }
            }
        };
        let cells = |header: f64| -> Vec<Cell<'p>> {
            let cell = |(&(panel, ranges), &least): (&Ranged<'p>, &f64)| {
                // The position of other panels follows from their shape.
                let left = if is_aligned(&(panel, ranges), lefts.len()) { least } else { 0.0 };
                Cell::new(panel, ranges, CellConstraints { left, header, heights, ..bounds })
            };
            row.iter().zip(lefts).map(cell).collect()
        };
        let tag = if tagged { WIDEST_TAG } else { "" };
        let once = cells(header);
        let more = once.iter().map(|cell| cell.title_lines(tag).len()).max().unwrap_or(1) - 1;
        let cells = if more > 0 { cells(header + more as f64 * LINE_HEIGHT * size::LABEL) } else { once };
        self.place_row(cells, bounds.width);
    }

    /// Places the cells of a row with the lower edges of their plots aligned.
    fn place_row(&mut self, cells: Vec<Cell<'p>>, width: f64) {
        let base = cells.iter().map(|cell| cell.frame.plot.bottom()).fold(0.0, f64::max);
        let mut left = EDGE;
        let mut lowest = 0.0_f64;
        for cell in cells {
            let drop = base - cell.frame.plot.bottom();
            lowest = lowest.max(drop + cell.height);
            self.cells.push(([left, self.height + drop], cell));
            left += width + COLUMN_GAP;
        }
        self.height += lowest + ROW_GAP;
        self.rows += 1;
    }
}

/// Returns the left margins of the columns, which align the plots of a column.
fn left_margins(panels: &[Ranged<'_>], columns: usize, bounds: CellConstraints<'_>) -> Vec<f64> {
    let mut lefts = vec![0.0_f64; columns];
    for row in panels.chunks(columns) {
        for (left, &(panel, ranges)) in lefts.iter_mut().zip(row).filter(|(_, panel)| is_aligned(panel, columns)) {
            *left = left.max(Cell::new(panel, ranges, bounds).left());
        }
    }
    lefts
}

/// Returns whether the plot of a panel is aligned with those above and below: it is as wide as its cell, or, in a single
/// column, as wide as its equal units allow.
fn is_aligned((panel, [x, y]): &Ranged<'_>, columns: usize) -> bool {
    !panel.equal_aspect || columns == 1 && fills_width(x, y)
}

/// Returns the number of columns that gives panels their usual width, reduced to the minimum for the number of rows.
fn suitable_columns(panels: usize, millimeters: f64) -> usize {
    let most = ((millimeters / USUAL_CELL) as usize).max(1);
    let rows = panels.div_ceil(most).max(1);
    panels.div_ceil(rows)
}

/// Converts millimeters to points.
pub(crate) fn points(millimeters: f64) -> f64 {
    millimeters * POINTS_PER_MM
}

/// Converts points to millimeters.
pub(crate) fn millimeters(points: f64) -> f64 {
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
