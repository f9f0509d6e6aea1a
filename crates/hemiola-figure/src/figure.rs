//! A figure: panels on a page.

use crate::document;
use crate::draw;
use crate::error::FigureError;
use crate::layout::Page;
use crate::panel::Panel;
use crate::svg::{Element, Svg, number};
use crate::text::{Anchor, Label, Text, size};

/// The height of a figure's title with the gap below it.
const TITLE_HEIGHT: f64 = 1.5 * size::TITLE;

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
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    width: f64,
    columns: Option<usize>,
    title: String,
    description: Option<String>,
    panels: Vec<Panel>,
}

impl Figure {
    /// The width of one column of a journal in millimetres.
    pub const ONE_COLUMN: f64 = 85.0;
    /// The width of two columns of a journal in millimetres.
    pub const TWO_COLUMNS: f64 = 178.0;

    /// A figure without panels, `width` millimetres wide.
    #[must_use]
    pub fn new(width: f64) -> Self {
        Self { width, columns: None, title: String::new(), description: None, panels: Vec::new() }
    }

    /// A figure as wide as one column.
    #[must_use]
    pub fn one_column() -> Self {
        Self::new(Self::ONE_COLUMN)
    }

    /// A figure as wide as two columns.
    #[must_use]
    pub fn two_columns() -> Self {
        Self::new(Self::TWO_COLUMNS)
    }

    /// Sets the number of panels side by side, which follows from the width otherwise.
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

    /// Describes the figure for readers who do not see it; a list of what the panels show stands there otherwise.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a panel.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// The figure as the text of an SVG file: the same text for the same figure.
    ///
    /// # Errors
    ///
    /// If there are no panels, the width is not positive or too small, or ranges or data cannot be drawn.
    pub fn to_svg(&self) -> Result<String, FigureError> {
        if self.panels.is_empty() {
            return Err(FigureError::NoPanels);
        }
        if !(self.width > 0.0 && self.width.is_finite()) {
            return Err(FigureError::Width { millimetres: self.width });
        }
        let title = Label::parse(&self.title);
        let header = if title.is_blank() { 0.0 } else { TITLE_HEIGHT };
        let page = Page::new(&self.panels, self.width, self.columns, header)?;
        let mut content = Svg::default();
        self.draw_title(&title, &page, &mut content);
        self.draw_panels(&page, &mut content);
        Ok(document::svg([page.width, page.height], &self.name(), &self.describe(), &content))
    }

    fn draw_title(&self, title: &Label, page: &Page<'_>, svg: &mut Svg) {
        if !title.is_blank() {
            let size = title.fitted_size(size::TITLE, page.width);
            let at = [0.5 * page.width, 1.1 * size::TITLE];
            Text { label: title, at, size, anchor: Anchor::Middle, upright: false }.write(svg);
        }
    }

    fn draw_panels(&self, page: &Page<'_>, svg: &mut Svg) {
        for (k, ([left, top], cell)) in page.cells.iter().enumerate() {
            let place = format!("translate({} {})", number(*left), number(*top));
            svg.open(&Element::new("g").with("class", "panel").with("transform", place));
            draw::panel(cell, &format!("clip-{}", k + 1), self.tag(k).as_deref(), svg);
            svg.close("g");
        }
    }

    /// "(a)", "(b)", … if there is more than one panel.
    fn tag(&self, panel: usize) -> Option<String> {
        let letter = u8::try_from(panel).ok().filter(|&n| n < 26).map(|n| char::from(b'a' + n).to_string());
        (self.panels.len() > 1).then(|| format!("({})", letter.unwrap_or_else(|| (panel + 1).to_string())))
    }

    /// The title, or else the first that a panel has.
    fn name(&self) -> String {
        let titles = std::iter::once(&self.title).chain(self.panels.iter().map(|panel| &panel.title));
        let named = titles.map(|title| Label::parse(title)).find(|label| !label.is_blank());
        named.map_or_else(|| "Figure".to_owned(), |label| label.plain())
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

/// A sentence on what a panel shows.
fn describe(panel: &Panel, tag: Option<&str>) -> String {
    let plain = |text: &str| Label::parse(text).plain();
    let tag = tag.map_or(String::new(), |tag| format!("{tag} "));
    let [x, y, title] = [&panel.x.label, &panel.y.label, &panel.title].map(|text| plain(text));
    let title = if title.is_empty() { title } else { format!("{title}: ") };
    let names: Vec<String> = panel.marks().filter_map(|(_, mark)| mark.label()).map(plain).collect();
    let names = if names.is_empty() { String::new() } else { format!("; {}", names.join(", ")) };
    format!("{tag}{title}{y} over {x}{names}.")
}
