//! Diagrams: nodes and edges without axes.

use serde::{Deserialize, Serialize};

use super::node::{NODE, NodeStyle};
use crate::error::FigureError;
use crate::geometry::{Path, Point};
use crate::scene::{Layer, Shape};
use crate::style::Color;
use crate::text::{Anchor, Font, Label, Text, size};

/// Line width of edges.
const EDGE_WIDTH: f64 = 0.7;
/// Font size of captions, their line spacing, and the gap between the drawing and the first caption.
const CAPTION: f64 = size::LEGEND;
const LINE: f64 = 8.8;
const CAPTION_GAP: f64 = 3.0;

/// A small drawing of nodes and edges with lines of text below it; a [`Gallery`](crate::Gallery) arranges several on a
/// page.
///
/// Coordinates have an arbitrary unit, the same in both directions, and y points upwards. A gallery draws all its
/// diagrams to one scale, with nodes of equal size.
///
/// ```
/// use hemiola_figure::{Diagram, NodeStyle};
///
/// let node = NodeStyle::default();
/// let tree = Diagram::new().edge([0.0, 0.0], [0.0, 1.0]).node([0.0, 0.0], node).node([0.0, 1.0], node).caption("[*τ*]");
/// # let _ = tree;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Diagram {
    nodes: Vec<([f64; 2], NodeStyle)>,
    edges: Vec<[[f64; 2]; 2]>,
    captions: Vec<String>,
}

impl Diagram {
    /// Creates an empty diagram.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node.
    #[must_use]
    pub fn node(mut self, at: [f64; 2], style: NodeStyle) -> Self {
        self.nodes.push((at, style));
        self
    }

    /// Adds an edge; edges lie below all nodes.
    #[must_use]
    pub fn edge(mut self, from: [f64; 2], to: [f64; 2]) -> Self {
        self.edges.push([from, to]);
        self
    }

    /// Adds a line of text below the drawing; it may use markup.
    #[must_use]
    pub fn caption(mut self, line: impl Into<String>) -> Self {
        self.captions.push(line.into());
        self
    }

    /// Measures the diagram; `number` is its position in the gallery, counted from 1.
    pub(crate) fn measure(&self, number: usize, font: &Font) -> Result<Measured<'_>, FigureError> {
        let points = || self.nodes.iter().map(|(at, _)| *at).chain(self.edges.iter().flatten().copied());
        if let Some([x, y]) = points().find(|point| !point.iter().all(|value| value.is_finite())) {
            return Err(FigureError::NonFiniteNode { diagram: number, x, y });
        }
        let first = points().next().unwrap_or_default();
        let least = points().fold(first, |[x, y], [a, b]| [x.min(a), y.min(b)]);
        let most = points().fold(first, |[x, y], [a, b]| [x.max(a), y.max(b)]);
        let captions = self.captions.iter().map(|line| Label::new(line, font)).collect();
        Ok(Measured { diagram: self, captions, least, extent: [most[0] - least[0], most[1] - least[1]] })
    }
}

/// A diagram with its dimensions.
pub(crate) struct Measured<'d> {
    diagram: &'d Diagram,
    captions: Vec<Label>,
    /// Lower left corner and extent, in the unit of the diagram.
    least: [f64; 2],
    pub(crate) extent: [f64; 2],
}

impl Measured<'_> {
    pub(crate) fn caption_width(&self) -> f64 {
        self.captions.iter().map(|line| line.width(CAPTION)).fold(0.0, f64::max)
    }

    /// Returns the height of the drawing for a unit in points.
    pub(crate) fn height(&self, unit: f64) -> f64 {
        unit * self.extent[1] + NODE
    }

    pub(crate) fn caption_height(&self) -> f64 {
        if self.captions.is_empty() { 0.0 } else { CAPTION_GAP + LINE * self.captions.len() as f64 }
    }

    /// Draws the diagram on a base line, centered at `middle`, with captions at most `room` wide.
    pub(crate) fn draw(&self, [middle, base]: Point, unit: f64, room: f64, layer: &mut Layer) {
        let place = |[x, y]: [f64; 2]| {
            let across = x - self.least[0] - 0.5 * self.extent[0];
            [middle + unit * across, base - 0.5 * NODE - unit * (y - self.least[1])]
        };
        let edge = |ends: &[[f64; 2]; 2]| Path { points: ends.map(place).to_vec(), closed: false };
        layer.shape(Shape::of(self.diagram.edges.iter().map(edge)).stroked(Color::BLACK, EDGE_WIDTH));
        for &(at, style) in &self.diagram.nodes {
            style.draw(place(at), layer);
        }
        for (k, label) in self.captions.iter().enumerate() {
            let at = [middle, base + CAPTION_GAP + LINE * (k + 1) as f64];
            let size = label.fitted_size(CAPTION, room);
            layer.text(Text::new(label.clone(), Anchor::Middle, at, size));
        }
    }
}
