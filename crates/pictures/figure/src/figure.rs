//! A figure: panels on a page.

use serde::{Deserialize, Serialize};

use crate::draw;
use crate::error::FigureError;
use crate::layout::LegendEntries;
use crate::layout::{EDGE, Page, PageOptions, millimeters, points};
use crate::panel::Panel;
use crate::scene::{Layer, Scene};
use crate::style::Style;
use crate::text::{Anchor, Font, Label, Text, plain, size};

/// Height of a figure's title with the gap below it.
const TITLE_HEIGHT: f64 = 1.5 * size::TITLE;

/// Gap above the common legend.
const LEGEND_GAP: f64 = 4.0;

/// Smallest height of a plot in points, and number of corrections of it towards the requested height of the page.
const LEAST_PLOT: f64 = 20.0;
const HEIGHT_ROUNDS: usize = 4;

/// Largest number of characters of a description that serve as the name of a figure.
const LONGEST_NAME: usize = 80;

/// One or more panels on a page of a given width; the height follows from the panels.
///
/// ```
/// use hemiola_figure::{Axis, Curve, Figure, Panel};
///
/// let panel = |title: &str| {
///     Panel::new(Axis::new("*x*"), Axis::new("*y*")).title(title).curve(Curve::new().open([[0.0, 0.0], [1.0, 1.0]]))
/// };
/// let svg = Figure::two_columns().panel(panel("left")).panel(panel("right")).to_svg()?;
/// assert!(svg.contains("(a) left") && svg.contains("(b) right"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Figure {
    width: f64,
    height: Option<f64>,
    columns: Option<usize>,
    title: String,
    description: Option<String>,
    pub(crate) style: Style,
    #[serde(skip)]
    font: Font,
    pub(crate) legend_below: bool,
    pub(crate) panels: Vec<Panel>,
}

impl Default for Figure {
    fn default() -> Self {
        Self::one_column()
    }
}

impl Figure {
    /// The width of one column of a journal in millimeters.
    pub const ONE_COLUMN: f64 = 85.0;
    /// The width of two columns of a journal in millimeters.
    pub const TWO_COLUMNS: f64 = 178.0;

    /// Creates a figure without panels, `width` millimeters wide.
    #[must_use]
    pub fn new(width: f64) -> Self {
        Self {
            width,
            height: None,
            columns: None,
            title: String::new(),
            description: None,
            style: Style::Color,
            font: Font::Sans,
            legend_below: false,
            panels: Vec::new(),
        }
    }

    /// Creates a figure as wide as one column of a journal.
    #[must_use]
    pub fn one_column() -> Self {
        Self::new(Self::ONE_COLUMN)
    }

    /// Creates a figure as wide as two columns of a journal.
    #[must_use]
    pub fn two_columns() -> Self {
        Self::new(Self::TWO_COLUMNS)
    }

    /// Sets the width in millimeters.
    #[must_use]
    pub fn width(mut self, millimeters: f64) -> Self {
        self.width = millimeters;
        self
    }

    /// Sets the height of the page in millimeters. Plots grow or shrink; plots of equal aspect become narrower if
    /// necessary.
    #[must_use]
    pub fn height(mut self, millimeters: f64) -> Self {
        self.height = Some(millimeters);
        self
    }

    /// Returns the number of panels.
    #[must_use]
    pub fn panels(&self) -> usize {
        self.panels.len()
    }

    /// Sets the number of panels side by side. By default it follows from the width.
    #[must_use]
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns);
        self
    }

    /// Sets the title above all panels; it may use markup.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the description for readers who cannot see the figure. The default lists the contents of the panels.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the style: color or black and white.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Sets the font.
    #[must_use]
    pub fn font(mut self, font: Font) -> Self {
        self.font = font;
        self
    }

    pub(crate) fn own_font(&self) -> &Font {
        &self.font
    }

    /// Replaces the legends of the panels by a common one below them. Marks with equal labels and equal appearance
    /// share an entry.
    #[must_use]
    pub fn legend_below(mut self) -> Self {
        self.legend_below = true;
        self
    }

    /// Adds a panel.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Lays out the figure, independently of the format. Equal figures give equal scenes.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no panels, if the width or height is too small or not positive, or if ranges or
    /// data cannot be drawn.
    pub fn scene(&self) -> Result<Scene, FigureError> {
        if self.panels.is_empty() {
            return Err(FigureError::NoPanels);
        }
        if !(self.width > 0.0 && self.width.is_finite()) {
            return Err(FigureError::Width { millimeters: self.width });
        }
        if let Some(distinct) = self.told_apart() {
            return distinct.scene();
        }
        let title = Label::new(&self.title, &self.font);
        let page = self.page(&title)?;
        if let Some(merged) = self.merged(&page) {
            return merged.scene();
        }
        let mut content = Layer::default();
        draw_title(&title, &page, &mut content);
        for (k, (place, cell)) in page.cells.iter().enumerate() {
            content.moved("panel", *place, |layer| draw::panel(cell, self.tag(k).as_deref(), self.style, layer));
        }
        let height = self.draw_legend(&page, &mut content);
        Ok(Scene {
            size: [page.width, height],
            name: self.name(),
            description: self.describe(),
            font: self.font.clone(),
            content,
        })
    }

    /// Returns the figure with coincident marks merged, or `None` if there are none. If a common legend serves panels
    /// some of which show the same marks separately, nothing is merged.
    fn merged(&self, page: &Page<'_>) -> Option<Self> {
        let merged: Vec<Option<Panel>> = page.cells.iter().map(|(_, cell)| cell.panel.merged(&cell.frame)).collect();
        let any = merged.iter().any(Option::is_some);
        let panels = self.panels.iter().zip(merged).map(|(panel, merged)| merged.unwrap_or_else(|| panel.clone()));
        let panels: Vec<Panel> = panels.collect();
        let is_told_apart = self.legend_below && {
            let labels: Vec<&str> = panels.iter().flat_map(Panel::labels).collect();
            let gone = |(before, after): (&Panel, &Panel)| {
                let kept: Vec<&str> = after.labels().collect();
                before.labels().any(|label| !kept.contains(&label) && labels.contains(&label))
            };
            self.panels.iter().zip(&panels).any(gone)
        };
        (any && !is_told_apart).then(|| Self { panels, ..self.clone() })
    }

    /// Lays out the panels on a page of the requested height, if plots can be made to fit.
    fn page(&self, title: &Label) -> Result<Page<'_>, FigureError> {
        let header = if title.is_blank() { 0.0 } else { TITLE_HEIGHT };
        let sheet = PageOptions {
            millimeters: self.width,
            columns: self.columns,
            header,
            keyed: !self.legend_below,
            font: &self.font,
            plot_height: None,
        };
        let mut page = Page::new(&self.panels, sheet)?;
        let Some(height) = self.height else {
            return Ok(page);
        };
        if !(height > 0.0 && height.is_finite()) {
            return Err(FigureError::Height { millimeters: height });
        }
        // Without a minimum height all ticks of a plot would coincide, and their number would be unbounded.
        let mut plot_height = (points(height) / page.rows as f64).max(LEAST_PLOT);
        // Legends and margins depend only weakly on the height, so the iteration converges quickly.
        for _ in 0..HEIGHT_ROUNDS {
            page = Page::new(&self.panels, PageOptions { plot_height: Some(plot_height), ..sheet })?;
            let excess = self.draw_legend(&page, &mut Layer::default()) - points(height);
            plot_height = (plot_height - excess / page.rows as f64).max(LEAST_PLOT);
        }
        let page = Page::new(&self.panels, PageOptions { plot_height: Some(plot_height), ..sheet })?;
        let least = millimeters(self.draw_legend(&page, &mut Layer::default()));
        if plot_height <= LEAST_PLOT && least > height {
            return Err(FigureError::TooLow { millimeters: height, least });
        }
        Ok(page)
    }

    /// Returns the figure as the text of an SVG file; short for [`Scene::to_svg`].
    ///
    /// # Errors
    ///
    /// Same as [`scene`](Self::scene).
    pub fn to_svg(&self) -> Result<String, FigureError> {
        Ok(self.scene()?.to_svg())
    }

    /// Draws the common legend, if there is one, and returns the height of the page including it.
    fn draw_legend(&self, page: &Page<'_>, layer: &mut Layer) -> f64 {
        let room = page.width - 2.0 * EDGE;
        let key =
            if self.legend_below { LegendEntries::of_all(&self.panels, room, self.style, &self.font) } else { None };
        let Some(key) = key else {
            return page.height;
        };
        let placed = key.lines_at(0.5 * page.width, page.height - EDGE + LEGEND_GAP, room);
        key.draw(&placed, self.style, layer);
        placed.rect.bottom() + EDGE
    }

    /// Returns "(a)", "(b)", … if there are several panels.
    fn tag(&self, panel: usize) -> Option<String> {
        let letter = u8::try_from(panel).ok().filter(|&n| n < 26).map(|n| char::from(b'a' + n).to_string());
        (self.panels.len() > 1).then(|| format!("({})", letter.unwrap_or_else(|| (panel + 1).to_string())))
    }

    /// Returns a name: the figure's title, the first title of a panel, the first words of the description, or the axes.
    fn name(&self) -> String {
        let titles = std::iter::once(&self.title).chain(self.panels.iter().map(|panel| &panel.title));
        let titles = titles.map(|title| plain(title));
        let description = self.description.iter().map(|text| first_words(text));
        let axes = self.panels.iter().filter_map(axes);
        let named = titles.chain(description).chain(axes).find(|name| !name.trim().is_empty());
        named.unwrap_or_else(|| "Figure".to_owned())
    }

    fn describe(&self) -> String {
        if let Some(description) = &self.description {
            return description.clone();
        }
        let panels = self.panels.iter().enumerate();
        let sentences: Vec<String> = panels.map(|(k, panel)| describe(panel, self.tag(k).as_deref())).collect();
        sentences.join(" ")
    }
}

fn draw_title(title: &Label, page: &Page<'_>, layer: &mut Layer) {
    if !title.is_blank() {
        let size = title.fitted_size(size::TITLE, page.width);
        let at = [0.5 * page.width, 1.1 * size::TITLE];
        layer.text(Text::new(title.clone(), Anchor::Middle, at, size));
    }
}

/// Returns the first sentence of a text, cut between words if it is too long for a name.
fn first_words(text: &str) -> String {
    let sentence = text.split_once(". ").map_or(text, |(first, _)| first).trim().trim_end_matches('.');
    if sentence.chars().count() <= LONGEST_NAME {
        return sentence.to_owned();
    }
    let start: String = sentence.chars().take(LONGEST_NAME).collect();
    let words = start.rsplit_once(' ').map_or(start.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end_matches([',', ';', ':']))
}

/// Describes a panel by its axes, as in "Im(z) over Re(z)"; returns `None` if both labels are empty.
fn axes(panel: &Panel) -> Option<String> {
    let [x, y] = [&panel.x.label, &panel.y.label].map(|label| plain(label));
    match (x.trim().is_empty(), y.trim().is_empty()) {
        (true, true) => None,
        (true, false) => Some(y),
        (false, true) => Some(x),
        (false, false) => Some(format!("{y} over {x}")),
    }
}

/// Describes the content of a panel in a sentence.
fn describe(panel: &Panel, tag: Option<&str>) -> String {
    let tag = tag.map_or(String::new(), |tag| format!("{tag} "));
    let [x, y, title] = [&panel.x.label, &panel.y.label, &panel.title].map(|text| plain(text));
    let title = if title.is_empty() { title } else { format!("{title}: ") };
    let names: Vec<String> = panel.marks().filter_map(|(_, mark)| mark.label()).map(plain).collect();
    let names = if names.is_empty() { String::new() } else { format!("; {}", names.join(", ")) };
    format!("{tag}{title}{y} over {x}{names}.")
}
