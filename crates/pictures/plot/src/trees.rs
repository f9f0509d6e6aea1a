//! Drawings of rooted trees and their order conditions.

use hemiola_figure::{Diagram, Figure, Fill, Gallery, Marker, NodeStyle};
use hemiola_order::{Condition, NodeKind, Tree};

use crate::{escaped, minus};

/// Height of an edge relative to the distance of neighbors.
const EDGE_HEIGHT: f64 = 1.1;
/// Largest number of trees in a figure one column wide.
const ONE_COLUMN: usize = 6;
/// Significant digits of elementary weights; the residual shows the rest.
const DIGITS: usize = 6;

/// Outlines of nodes; the fillings vary first, then the outlines.
const OUTLINES: [Marker; 3] = [Marker::Circle, Marker::Diamond, Marker::Triangle];

/// A page of rooted trees with their texts, and with the residuals of the order conditions they represent.
///
/// ```
/// use hemiola_plot::TreeFigure;
/// use hemiola_order::{Grammar, Trees};
/// let trees = Trees::new(&Grammar::partitioned(2), 3)?;
/// let all = trees.of_order(3).into_iter().map(|id| trees.tree(id));
/// let figure = all.fold(TreeFigure::new(&[("s", "slow"), ("f", "fast")]), |figure, tree| figure.tree(&tree));
/// assert!(figure.gallery().to_svg()?.contains("slow (s)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeFigure {
    /// Colors: the label in the text of trees, and the name of each.
    colors: Vec<(String, String)>,
    description: String,
    trees: Vec<(Tree, Vec<String>)>,
    note: String,
}

impl TreeFigure {
    /// Creates a page without trees, for trees with the given colors: the label and the name of each.
    #[must_use]
    pub fn new(colors: &[(&str, &str)]) -> Self {
        let colors = colors.iter().map(|(label, name)| ((*label).to_owned(), (*name).to_owned()));
        Self {
            colors: colors.collect(),
            description: "Rooted trees".to_owned(),
            trees: Vec::new(),
            note: String::new(),
        }
    }

    /// Sets the description for readers who cannot see the figure.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a tree with its text.
    #[must_use]
    pub fn tree(mut self, tree: &Tree) -> Self {
        self.trees.push((tree.clone(), Vec::new()));
        self
    }

    /// Adds a tree with its text, its order, the right-hand side 1/γ of its condition, the elementary weight, and the
    /// residual.
    #[must_use]
    pub fn condition(mut self, condition: &Condition) -> Self {
        let (order, density) = (condition.tree.order(), condition.tree.density());
        let expected = if density == 1 { "1".to_owned() } else { format!("1/{density}") };
        let captions = vec![
            format!("order {order}, 1/*γ* = {expected}"),
            format!("*Φ* = {}", significant(condition.value)),
            format!("residual {}", scientific(condition.residual)),
        ];
        self.trees.push((condition.tree.clone(), captions));
        self
    }

    /// Sets a line of text below everything else.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.note = escaped(note);
        self
    }

    /// Arranges the trees on a page one or two columns wide. A key is needed only for several colors.
    #[must_use]
    pub fn gallery(&self) -> Gallery {
        let width = if self.trees.len() <= ONE_COLUMN { Figure::ONE_COLUMN } else { Figure::TWO_COLUMNS };
        let page = Gallery::new(width).description(&self.description).note(&self.note);
        let page = self.key().into_iter().fold(page, |page, (style, label)| page.key(style, label));
        // A label in braces is set as a subscript.
        let labels: Vec<String> = self.colors.iter().map(|(label, _)| format!("{{{}}}", escaped(label))).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let diagram = |(tree, captions): &(Tree, Vec<String>)| {
            let diagram = diagram(tree).caption(tree.text(&labels));
            captions.iter().fold(diagram, Diagram::caption)
        };
        self.trees.iter().map(diagram).fold(page, Gallery::diagram)
    }

    /// Returns the key: the colors if there are several, and the time nodes of each color that has them.
    fn key(&self) -> Vec<(NodeStyle, String)> {
        let named =
            |label: &str, name: &str| if label == name { escaped(name) } else { escaped(&format!("{name} ({label})")) };
        let mut key = Vec::new();
        for (color, (label, name)) in self.colors.iter().enumerate() {
            let has_time = self.trees.iter().any(|(tree, _)| has(tree, NodeKind::Time(color)));
            if self.colors.len() > 1 || has_time {
                key.push((look(NodeKind::Partition(color)), named(label, name)));
            }
            if has_time {
                key.push((look(NodeKind::Time(color)), format!("time in {}", escaped(name))));
            }
        }
        key
    }
}

/// Draws a tree as nodes and edges, with the root at the bottom.
fn diagram(tree: &Tree) -> Diagram {
    let layout = tree.layout();
    let place = |index: usize| {
        let node = layout.nodes()[index];
        [node.x, EDGE_HEIGHT * node.level as f64]
    };
    let edges = layout.edges().fold(Diagram::new(), |diagram, (from, to)| diagram.edge(place(from), place(to)));
    let nodes = layout.nodes().iter().enumerate();
    nodes.fold(edges, |diagram, (index, node)| diagram.node(place(index), look(node.kind)))
}

/// Returns the look of a node. Colors differ by filling, then by outline; time is a square with the filling of its
/// color.
fn look(kind: NodeKind) -> NodeStyle {
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = kind;
    let fill = Fill::ALL[color % Fill::ALL.len()];
    let marker = match kind {
        NodeKind::Partition(_) => OUTLINES[color / Fill::ALL.len() % OUTLINES.len()],
        NodeKind::Time(_) => Marker::Square,
    };
    NodeStyle { marker, fill }
}

fn has(tree: &Tree, kind: NodeKind) -> bool {
    tree.kind() == kind || tree.children().iter().any(|child| has(child, kind))
}

/// Formats a number with six significant digits.
fn significant(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) || !rounded.is_finite();
    if is_plain { minus(rounded) } else { scientific(value) }
}

/// Formats a number with two digits and its power of ten: −4.3·10^{−4}.
fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    match text.split_once('e') {
        Some((digits, exponent)) if value != 0.0 => format!("{digits}·10^{{{exponent}}}").replace('-', "\u{2212}"),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_order::{CheckOptions, OrderCheck};
    use hemiola_tableau::library;

    #[test]
    fn a_condition_says_what_was_expected_and_what_was_found() {
        let euler = library::method("explicit-euler").unwrap();
        let check = OrderCheck::new(&euler, CheckOptions { highest_order: 2, ..CheckOptions::default() }).unwrap();
        let figure = TreeFigure::new(&[("all", "all")]);
        let svg = check.failures().fold(figure, TreeFigure::condition).gallery().to_svg().unwrap();
        for text in ["[τ]", "order 2, 1/", " = 1/2", " = 0<", "residual −5.0·10"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // A single color needs no key.
        assert!(!svg.contains("class=\"key\""));
    }

    #[test]
    fn all_colors_and_times_look_different() {
        let kinds = (0..15).map(NodeKind::Partition).chain((0..5).map(NodeKind::Time));
        let looks: std::collections::HashSet<NodeStyle> = kinds.map(look).collect();
        assert_eq!(looks.len(), 20);
    }

    #[test]
    fn time_has_a_key_where_it_occurs() {
        let leaf = Tree::new(NodeKind::Time(1), Vec::new());
        let tree = Tree::new(NodeKind::Partition(1), vec![leaf]);
        let svg = TreeFigure::new(&[("s", "slow"), ("f", "fast_part")]).tree(&tree).gallery().to_svg().unwrap();
        assert!(svg.contains("time in fast_part") && !svg.contains("time in slow"));
    }

    #[test]
    fn numbers_are_as_in_print() {
        assert_eq!(significant(-0.041_666_666_7), "−0.0416667");
        assert_eq!(significant(1e-9), "1.0·10^{−9}");
        assert_eq!((scientific(0.0), scientific(-4.32e-4)), ("0".to_owned(), "−4.3·10^{−4}".to_owned()));
    }
}
