//! One panel of a map.

use hemiola_figure::{Axis, Color, Curve, Dash, Legend, Panel};
use hemiola_number::Counter;
use hemiola_stability::Window;
use hemiola_stability::map::Sampled;

use crate::layer::Layer;
use crate::map::extents::{Extent, with_extents};

/// Width of the sample line for ticks in the legend.
const TICKS_WIDTH: f64 = 0.4;

/// A panel: title, axes, window and layers.
pub(crate) struct MapPanel {
    pub(crate) title: String,
    pub(crate) axes: (String, String),
    /// Whether the axes are those of a complex number, with equal units.
    pub(crate) is_complex: bool,
    pub(crate) window: Window,
    pub(crate) layers: Vec<Layer>,
    pub(crate) legend: Legend,
    /// Marked crossings of the axes.
    pub(crate) extents: Vec<Extent>,
}

impl MapPanel {
    /// Returns the layers with samples of their own.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.is_comparison())
    }

    /// Draws the panel, and returns the samples of each layer at the grid points of the window if drawing needed them.
    pub(crate) fn draw(&self, counter: &Counter<'_>) -> (Panel, Vec<Option<Sampled>>) {
        let axis = |label: &str, (low, high)| Axis::new(label).range(low, high);
        let shown = self.shown_window();
        let (x, y) = (axis(&self.axes.0, shown.x), axis(&self.axes.1, shown.y));
        let panel = Panel::new(x, y).title(&self.title).legend(self.legend);
        let mut panel = if self.is_complex { panel.equal_aspect() } else { panel.height(1.0).without_zero_lines() };
        let mut samples = Vec::new();
        for layer in &self.layers {
            let found;
            (panel, found) = layer.draw(panel, &shown, counter);
            if !layer.is_comparison() {
                samples.push(found.filter(|_| shown == self.window));
            }
        }
        let panel = with_extents(panel, &self.extents, &shown);
        let panel = match self.layers.iter().find_map(Layer::ticked_side) {
            Some(side) => {
                panel.curve(Curve::new().color(Color::GRAY).dash(Dash::Solid).width(TICKS_WIDTH).hachured().label(side))
            }
            None => panel,
        };
        (panel, samples)
    }

    /// Returns the full window shown by the panel, which extends `window` if it is flat or narrow and the units are
    /// equal. White margins could be misread as unstable.
    pub(crate) fn shown_window(&self) -> Window {
        if !self.is_complex {
            return self.window;
        }
        let [x, y] = Panel::equal_ranges(self.window.x, self.window.y);
        Window { x, y, ..self.window }
    }
}
