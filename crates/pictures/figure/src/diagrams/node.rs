//! Nodes of diagrams: shapes and fillings that differ in black and white.

use serde::{Deserialize, Serialize};

use crate::geometry::Point;
use crate::marks::outline;
use crate::scene::{Layer, Shape};
use crate::style::{Color, Marker};

/// Diameter of a node in points.
pub(crate) const NODE: f64 = 5.2;
/// Line width of the outline.
const STROKE: f64 = 0.7;
/// Radius of the dot and half the diagonal of the cross in a node, relative to its radius.
const DOT: f64 = 0.36;
const CROSS: f64 = 0.68;

/// Filling of a node. All variants can be distinguished in black and white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Black.
    #[default]
    Solid,
    /// White.
    Open,
    /// Gray.
    Gray,
    /// White with a dot.
    Dotted,
    /// White with a diagonal cross.
    Crossed,
}

impl Fill {
    /// All variants, the most common first.
    pub const ALL: [Self; 5] = [Self::Solid, Self::Open, Self::Gray, Self::Dotted, Self::Crossed];

    fn ground(self) -> Color {
        match self {
            Self::Solid => Color::BLACK,
            Self::Gray => Color::GRAY,
            Self::Open | Self::Dotted | Self::Crossed => Color::WHITE,
        }
    }
}

/// Appearance of a node.
///
/// ```
/// use hemiola_figure::{Fill, Marker, NodeStyle};
/// assert_eq!(NodeStyle::default(), NodeStyle { marker: Marker::Circle, fill: Fill::Solid });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeStyle {
    /// Shape of the outline. Crosses have no interior and are drawn without a filling.
    pub marker: Marker,
    /// Filling of the interior.
    pub fill: Fill,
}

impl Default for NodeStyle {
    fn default() -> Self {
        Self { marker: Marker::Circle, fill: Fill::Solid }
    }
}

impl NodeStyle {
    /// Draws a node centered at a point of the page.
    pub(crate) fn draw(self, center: Point, layer: &mut Layer) {
        let radius = 0.5 * (NODE - STROKE);
        let shape = |marker, radius| Shape::new(outline(marker, center, radius));
        let ground = shape(self.marker, radius).stroked(Color::BLACK, STROKE);
        layer.shape(if self.marker.is_filled() { ground.filled(self.fill.ground()) } else { ground });
        match self.fill {
            Fill::Dotted => layer.shape(shape(Marker::Circle, DOT * radius).filled(Color::BLACK)),
            Fill::Crossed => layer.shape(shape(Marker::Cross, CROSS * radius).stroked(Color::BLACK, STROKE)),
            Fill::Solid | Fill::Open | Fill::Gray => {}
        }
    }
}
