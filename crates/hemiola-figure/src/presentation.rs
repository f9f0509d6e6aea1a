//! What may be changed about a finished figure: how wide it is, how panels stand, what is called what.

use crate::figure::Figure;
use crate::legend::Legend;
use crate::panel::Panel;

impl Figure {
    /// Shows `from` to `to` on the horizontal axes of all panels.
    #[must_use]
    pub fn x_range(self, from: f64, to: f64) -> Self {
        self.each_panel(|panel| panel.x_range(from, to))
    }

    /// Shows `from` to `to` on the vertical axes of all panels.
    #[must_use]
    pub fn y_range(self, from: f64, to: f64) -> Self {
        self.each_panel(|panel| panel.y_range(from, to))
    }

    /// Sets the place of all legends; [`Legend::Below`] sets one for all panels.
    #[must_use]
    pub fn legend(mut self, place: Legend) -> Self {
        self.legend_below = place == Legend::Below;
        // A panel without a legend keeps to that: another one's names what it shows.
        self.each_panel(|panel| if panel.legend == Legend::Hidden { panel } else { panel.legend(place) })
    }

    /// Changes what marks are called in legends: each label becomes what `name` makes of it.
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

    fn each_panel(mut self, change: impl Fn(Panel) -> Panel) -> Self {
        self.panels = self.panels.into_iter().map(change).collect();
        self
    }
}
