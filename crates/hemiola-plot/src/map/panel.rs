//! One panel of a map.

use hemiola_figure::{Axis, Color, Curve, Dash, Legend, Panel};
use hemiola_stability::Window;

use crate::layer::Layer;
use crate::map::extents::{Extent, with_extents};

/// The width of the line whose ticks the legend explains.
const TICKS_WIDTH: f64 = 0.4;

/// One panel: its title, its axes, the part of the plane that it shows, and what it shows there.
pub(crate) struct MapPanel {
    pub(crate) title: String,
    pub(crate) axes: (String, String),
    /// Whether the plane is that of a complex number, with equal units.
    pub(crate) is_complex: bool,
    pub(crate) window: Window,
    pub(crate) layers: Vec<Layer>,
    pub(crate) legend: Legend,
    /// The marked crossings of the axes.
    pub(crate) extents: Vec<Extent>,
}

impl MapPanel {
    /// The layers with numbers of their own.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.is_comparison())
    }

    pub(crate) fn panel(&self) -> Panel {
        let axis = |label: &str, (low, high)| Axis::new(label).range(low, high);
        let shown = self.shown_window();
        let (x, y) = (axis(&self.axes.0, shown.x), axis(&self.axes.1, shown.y));
        let panel = Panel::new(x, y).title(&self.title).legend(self.legend);
        let panel = if self.is_complex { panel.equal_aspect() } else { panel.height(1.0).without_zero_lines() };
        let panel = self.layers.iter().fold(panel, |panel, layer| layer.draw(panel, &shown));
        let panel = with_extents(panel, &self.extents, &shown);
        match self.layers.iter().find_map(Layer::ticked_side) {
            Some(side) => {
                panel.curve(Curve::new().color(Color::GRAY).dash(Dash::Solid).width(TICKS_WIDTH).hachured().label(side))
            }
            None => panel,
        }
    }

    /// All that the panel shows: more than the window where that is flat or narrow and units are equal. White would be read
    /// as unstable there.
    pub(crate) fn shown_window(&self) -> Window {
        if !self.is_complex {
            return self.window;
        }
        let [x, y] = Panel::equal_ranges(self.window.x, self.window.y);
        Window { x, y, ..self.window }
    }
}
