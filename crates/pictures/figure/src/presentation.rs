//! Changes to a finished figure: ranges, legends and labels.

use crate::figure::Figure;
use crate::legend::Legend;
use crate::panel::Panel;

impl Figure {
    /// Sets the range of the horizontal axes of all panels.
    #[must_use]
    pub fn x_range(self, from: f64, to: f64) -> Self {
        self.each_panel(|panel| panel.x_range(from, to))
    }

    /// Sets the range of the vertical axes of all panels.
    #[must_use]
    pub fn y_range(self, from: f64, to: f64) -> Self {
        self.each_panel(|panel| panel.y_range(from, to))
    }

    /// Sets the position of all legends. [`Legend::Below`] gives all panels a common legend.
    #[must_use]
    pub fn legend(mut self, place: Legend) -> Self {
        self.legend_below = place == Legend::Below;
        // Panels without a legend stay so: another panel's legend names their marks.
        self.each_panel(|panel| if panel.legend == Legend::Hidden { panel } else { panel.legend(place) })
    }

    /// Replaces all labels in legends and all titles of panels by the result of `name`.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Curve, Figure, Panel};
    ///
    /// let curve = Curve::new().open([[0.0, 0.0], [1.0, 1.0]]).label("rk4");
    /// let figure = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*")).curve(curve));
    /// let svg = figure.relabeled(|label| label.replace("rk4", "Kutta 1901")).to_svg()?;
    /// assert!(svg.contains("Kutta 1901") && !svg.contains("rk4"));
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn relabeled(self, name: impl Fn(&str) -> String) -> Self {
        self.each_panel(|panel| panel.relabeled(&name))
    }

    /// Returns the labels in legends and the titles of panels that are not empty, with their markup.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let texts = self.panels.iter().flat_map(|panel| panel.labels().chain([panel.title.as_str()]));
        texts.filter(|text| !text.is_empty())
    }

    fn each_panel(mut self, change: impl Fn(Panel) -> Panel) -> Self {
        self.panels = self.panels.into_iter().map(change).collect();
        self
    }
}
