//! A panel with its margins, color bar and legend.

use super::EDGE;
use super::legend::{LegendEntries, PlacedLegend};
use super::margins::{Margins, axis_ticks};
use super::shape::{Heights, PlotShape};
use super::title::title_lines;
use crate::color_bar::ColorBar;
use crate::geometry::Rect;
use crate::legend::Legend;
use crate::marks::Frame;
use crate::panel::Panel;
use crate::scale::Range;
use crate::text::Font;
use crate::ticks::Tick;

/// Number of iterations for margins and plot, which depend on each other through the tick labels; two or three suffice.
const ROUNDS: usize = 4;

/// Smallest width of a plot, used if long labels leave less.
const LEAST_PLOT: f64 = 20.0;

/// Largest fraction of a cell for a legend beside the plot.
const BESIDE: f64 = 0.45;

/// Gap between a plot and a legend outside.
const LEGEND_GAP: f64 = 3.0;

/// A panel laid out in a cell with the origin at its upper left corner.
pub(crate) struct Cell<'p> {
    pub(crate) panel: &'p Panel,
    pub(crate) font: &'p Font,
    pub(crate) frame: Frame,
    pub(crate) x_ticks: Vec<Tick>,
    pub(crate) y_ticks: Vec<Tick>,
    pub(crate) bar: Option<ColorBar<'p>>,
    pub(crate) key: Option<(LegendEntries<'p>, PlacedLegend)>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    margins: Margins,
}

/// Constraints on a cell.
#[derive(Clone, Copy)]
pub(super) struct CellConstraints<'p> {
    pub(super) font: &'p Font,
    pub(super) width: f64,
    /// Height above the plot.
    pub(super) header: f64,
    pub(super) heights: Heights,
    /// Smallest left margin, which aligns the plots of a column.
    pub(super) left: f64,
    /// Whether the panel has its own legend.
    pub(super) keyed: bool,
}

impl<'p> Cell<'p> {
    /// Returns the left margin, with the labels of the y axis.
    pub(super) fn left(&self) -> f64 {
        self.margins.left
    }

    /// Returns the lines of the title after its tag, limited to the width of the plot if there is a color bar.
    pub(crate) fn title_lines(&self, tag: &str) -> Vec<String> {
        let text = [tag, &self.panel.title].join(" ");
        let room = if self.bar.is_some() { self.frame.plot.width } else { self.width };
        title_lines(text.trim(), room, self.font)
    }

    pub(super) fn new(panel: &'p Panel, ranges: [Range; 2], bounds: CellConstraints<'p>) -> Self {
        let bare = || Self::without_key(panel, ranges, bounds, 0.0);
        let key = |room: f64| LegendEntries::of(panel, room, bounds.font);
        if !bounds.keyed {
            return bare();
        }
        let keyed = match panel.legend {
            Legend::Hidden => None,
            Legend::Below => key(bounds.width).map(|key| Self::key_below(panel, ranges, bounds, key)),
            Legend::Right => key(BESIDE * bounds.width).map(|key| Self::key_right(panel, ranges, bounds, key)),
            Legend::Auto => key(bounds.width).map(|key| Self::key_where_free(panel, ranges, bounds, key)),
            Legend::TopLeft | Legend::TopRight | Legend::BottomLeft | Legend::BottomRight => {
                let cell = bare();
                let key = key(cell.frame.plot.width);
                key.map(|key| {
                    let placed = key.in_corner(panel.legend, &cell.frame.plot);
                    cell.with_key(key, placed)
                })
            }
        };
        keyed.unwrap_or_else(bare)
    }

    /// Places the legend in a free corner, else beside the plot if that costs no width, else over an area or an axis
    /// line, else below.
    fn key_where_free(
        panel: &'p Panel,
        ranges: [Range; 2],
        bounds: CellConstraints<'p>,
        key: LegendEntries<'p>,
    ) -> Self {
        let cell = Self::without_key(panel, ranges, bounds, 0.0);
        let free = cell.width - cell.frame.plot.width - cell.margins.left - cell.margins.right;
        let room_beside = key.column_size()[0] + LEGEND_GAP <= free;
        match key.in_free_corner(panel, &cell.frame) {
            Some((placed, hides_nothing)) if hides_nothing || !room_beside => cell.with_key(key, Some(placed)),
            _ if room_beside => Self::key_right(panel, ranges, bounds, key),
            _ => Self::key_below(panel, ranges, bounds, key),
        }
    }

    fn key_below(panel: &'p Panel, ranges: [Range; 2], bounds: CellConstraints<'p>, key: LegendEntries<'p>) -> Self {
        let mut cell = Self::without_key(panel, ranges, bounds, 0.0);
        let middle = cell.frame.plot.center()[0];
        let mut placed = key.lines_at(middle, cell.height + LEGEND_GAP, cell.width);
        if placed.rect.left < 0.0 || placed.rect.right() > cell.width {
            placed = key.lines_at(0.5 * cell.width, cell.height + LEGEND_GAP, cell.width);
        }
        cell.height = placed.rect.bottom();
        cell.with_key(key, Some(placed))
    }

    fn key_right(panel: &'p Panel, ranges: [Range; 2], bounds: CellConstraints<'p>, key: LegendEntries<'p>) -> Self {
        let [width, height] = key.column_size();
        let mut cell = Self::without_key(panel, ranges, bounds, width + LEGEND_GAP);
        let plot = cell.frame.plot;
        let placed = key.column_at([plot.right() + cell.margins.right + LEGEND_GAP, plot.top]);
        cell.height = cell.height.max(plot.top + height);
        cell.with_key(key, Some(placed))
    }

    fn with_key(self, key: LegendEntries<'p>, placed: Option<PlacedLegend>) -> Self {
        Self { key: placed.map(|placed| (key, placed)), ..self }
    }

    /// Lays out the cell without a legend, with `reserved` of its width left free at the right.
    fn without_key(panel: &'p Panel, ranges: [Range; 2], bounds: CellConstraints<'p>, reserved: f64) -> Self {
        let mut margins = Margins { left: 0.0, right: EDGE, bottom: 0.0 };
        let mut room = bounds.width;
        let mut shape = PlotShape::of(panel.aspect(), ranges, room, bounds.heights);
        let (mut across, mut up) = (Vec::new(), Vec::new());
        let mut bar = None;
        for _ in 0..ROUNDS {
            let size = [shape.width, shape.height];
            [across, up] = axis_ticks([&shape.x, &shape.y], size, panel.equal_aspect, bounds.font);
            margins = Margins::of(panel, (&shape.x, &across), (&shape.y, &up), shape.width, bounds.font);
            margins.left = margins.left.max(bounds.left);
            bar = panel.levels.as_ref().and_then(|levels| ColorBar::of(levels, shape.height, bounds.font));
            margins.right = margins.right.max(bar.as_ref().map_or(0.0, ColorBar::width));
            room = (bounds.width - reserved - margins.left - margins.right).max(LEAST_PLOT);
            shape = PlotShape::of(panel.aspect(), ranges, room, bounds.heights);
        }
        let left = margins.left + 0.5 * (room - shape.width);
        let plot = Rect { left, top: bounds.header, width: shape.width, height: shape.height };
        Self {
            panel,
            font: bounds.font,
            frame: Frame { plot, x: shape.x, y: shape.y },
            x_ticks: across,
            y_ticks: up,
            bar,
            key: None,
            width: bounds.width,
            height: plot.bottom() + margins.bottom,
            margins,
        }
    }
}
