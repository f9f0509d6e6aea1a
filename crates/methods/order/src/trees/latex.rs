//! Trees and their conditions for LaTeX.

use crate::trees::grammar::NodeKind;
use crate::trees::tree::Tree;

/// Names of stage indices in the usual order, without `o`, which resembles a zero.
const LETTERS: [&str; 17] = ["i", "j", "k", "l", "m", "n", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"];

/// Fillings that distinguish the colors in print: the interior of a node's circle, as TikZ options. They contain no
/// brackets, because `forest` would parse these as trees.
const FILLS: [&str; 5] = [
    "fill=black",
    "fill=white",
    "fill=gray",
    "path picture={\\fill (path picture bounding box.center) circle (0.6pt);}",
    "path picture={\\draw (path picture bounding box.north west) -- (path picture bounding box.south east) \
     (path picture bounding box.south west) -- (path picture bounding box.north east);}",
];

/// Returns the style `rooted tree` for the LaTeX package `forest`, which draws the output of [`Tree::latex`].
///
/// The root is at the bottom. The first color is a filled circle, the second an open one, the third a gray one, and so
/// on; time is a square. Insert the style once, in the preamble.
///
/// ```
/// let style = hemiola_order::forest_style(2);
/// assert!(style.starts_with("\\forestset{") && style.contains("c1/.style={circle, fill=white}"));
/// ```
#[must_use]
pub fn forest_style(colors: usize) -> String {
    let color = |k: usize| {
        let fill = FILLS[k % FILLS.len()];
        // Diamonds follow after the circles; `forest` cannot use their outline.
        let shape = if k < FILLS.len() { "circle" } else { "diamond, fit=rectangle" };
        format!(",\n  c{k}/.style={{{shape}, {fill}}},\n  t{k}/.style={{rectangle, {fill}}}")
    };
    let styles: String = (0..colors).map(color).collect();
    let library = if colors > FILLS.len() { "\\usetikzlibrary{shapes.geometric}\n" } else { "" };
    format!(
        "{library}\\forestset{{\n  rooted tree/.style={{for tree={{grow'=90, draw, inner sep=0pt, minimum size=3.6pt, \
         l=0pt, l sep=5pt, s sep=5pt}}}}{styles}\n}}\n"
    )
}

impl Tree {
    /// Formats the tree for the LaTeX package `forest`, in the style of [`forest_style`].
    ///
    /// ```
    /// use hemiola_order::Tree;
    /// let tree = Tree::parse("[τ_f,τ_s]_s", &["s", "f"]).unwrap();
    /// assert_eq!(tree.latex(), r"\begin{forest} rooted tree [,c0 [,c1] [,c0]] \end{forest}");
    /// ```
    #[must_use]
    pub fn latex(&self) -> String {
        format!("\\begin{{forest}} rooted tree {} \\end{{forest}}", self.forest_node())
    }

    fn forest_node(&self) -> String {
        let style = match self.kind() {
            NodeKind::Partition(color) => format!("c{color}"),
            NodeKind::Time(color) => format!("t{color}"),
        };
        let children: String = self.children().iter().map(|child| format!(" {}", child.forest_node())).collect();
        format!("[,{style}{children}]")
    }
}

/// Formats the order condition Φ(t) = 1/γ(t) with indices, for LaTeX's math mode; the sum is over all indices.
///
/// `labels` names the colors, in superscripts, which are omitted for a single color. A leaf contributes c, which
/// denotes the row sums of A. In trees with time leaves c is the abscissa, and row sums are written with A.
///
/// ```
/// use hemiola_order::{Tree, condition_latex};
/// let pair = Tree::parse("[[τ_f]_f,τ_s]_s", &["s", "f"]).unwrap();
/// let text = r"\sum b^{s}_{i} c^{s}_{i} a^{f}_{ij} c^{f}_{j} = \frac{1}{8}";
/// assert_eq!(condition_latex(&pair, &["s", "f"]), text);
///
/// let single = Tree::parse("[[τ],τ,τ]", &["all"]).unwrap();
/// assert_eq!(condition_latex(&single, &["all"]), r"\sum b_{i} c_{i}^{2} a_{ij} c_{j} = \frac{1}{10}");
/// ```
#[must_use]
pub fn condition_latex(tree: &Tree, labels: &[&str]) -> String {
    let (value, sum) = (tree.density(), SumNotation { labels, has_time: has_time(tree) });
    let expected = if value == 1 { "1".to_owned() } else { format!("\\frac{{1}}{{{value}}}") };
    let mut factors = vec![sum.factor("b", tree.kind(), &index(0))];
    sum.node(tree, 0, 1, &mut factors);
    format!("\\sum {} = {expected}", factors.join(" "))
}

/// Formats a name as LaTeX text: single letters remain, longer names are set upright, special characters are escaped.
fn label_latex(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => text.extend(['\\', c]),
            '\\' | '^' | '~' => text.push(' '),
            _ => text.push(c),
        }
    }
    if text.chars().count() > 1 { format!("\\mathrm{{{text}}}") } else { text }
}

fn has_time(tree: &Tree) -> bool {
    matches!(tree.kind(), NodeKind::Time(_)) || tree.children().iter().any(has_time)
}

fn index(k: usize) -> String {
    LETTERS.get(k).map_or_else(|| format!("i_{{{}}}", k + 1), |letter| (*letter).to_owned())
}

/// The notation for the factors of a sum.
struct SumNotation<'a> {
    labels: &'a [&'a str],
    has_time: bool,
}

impl SumNotation<'_> {
    /// Writes the factors of the subtrees of a node whose index is `own`; returns the first index that is free
    /// afterwards.
    fn node(&self, tree: &Tree, own: usize, mut free: usize, factors: &mut Vec<String>) -> usize {
        let children = tree.children();
        let is_abscissa = |child: &&Tree| match child.kind() {
            NodeKind::Time(_) => true,
            NodeKind::Partition(_) => child.children().is_empty() && !self.has_time,
        };
        // Equal children are neighbors.
        for equal in children.chunk_by(PartialEq::eq) {
            if let Some(leaf) = equal.first().filter(is_abscissa) {
                factors.push(power(self.factor("c", leaf.kind(), &index(own)), equal.len()));
            }
        }
        for child in children.iter().filter(|child| !is_abscissa(child)) {
            let its = free;
            factors.push(self.factor("a", child.kind(), &(index(own) + &index(its))));
            free = self.node(child, its, free + 1, factors);
        }
        free
    }

    /// Formats `b^{s}_{i}`, or `b_{i}` if there is a single color.
    fn factor(&self, symbol: &str, kind: NodeKind, indices: &str) -> String {
        let (NodeKind::Partition(color) | NodeKind::Time(color)) = kind;
        if self.labels.len() < 2 {
            return format!("{symbol}_{{{indices}}}");
        }
        let label = self.labels.get(color).map_or_else(|| "?".to_owned(), |label| label_latex(label));
        format!("{symbol}^{{{label}}}_{{{indices}}}")
    }
}

fn power(factor: String, exponent: usize) -> String {
    match exponent {
        1 => factor,
        _ if factor.contains('^') => format!("({factor})^{{{exponent}}}"),
        _ => format!("{factor}^{{{exponent}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, Trees};

    fn single(text: &str) -> String {
        condition_latex(&Tree::parse(text, &["all"]).unwrap(), &["all"])
    }

    #[test]
    fn conditions_are_those_of_textbooks() {
        assert_eq!(single("τ"), r"\sum b_{i} = 1");
        assert_eq!(single("[τ]"), r"\sum b_{i} c_{i} = \frac{1}{2}");
        assert_eq!(single("[[τ],[τ]]"), r"\sum b_{i} a_{ij} c_{j} a_{ik} c_{k} = \frac{1}{20}");
        assert_eq!(single("[[[τ,τ]]]"), r"\sum b_{i} a_{ij} a_{jk} c_{k}^{2} = \frac{1}{60}");
    }

    #[test]
    fn powers_of_colored_leaves_are_bracketed() {
        let tree = Tree::parse("[τ_im,τ_im,τ_ex]_ex", &["ex", "im"]).unwrap();
        let text = condition_latex(&tree, &["ex", "im"]);
        let factors = r"b^{\mathrm{ex}}_{i} (c^{\mathrm{im}}_{i})^{2} c^{\mathrm{ex}}_{i}";
        assert_eq!(text, format!(r"\sum {factors} = \frac{{1}}{{4}}"));
    }

    #[test]
    fn time_tells_abscissae_from_row_sums() {
        let leaf = Tree::new(NodeKind::Partition(0), Vec::new());
        let tree = Tree::new(NodeKind::Partition(0), vec![leaf, Tree::new(NodeKind::Time(0), Vec::new())]);
        assert_eq!(condition_latex(&tree, &["all"]), r"\sum b_{i} c_{i} a_{ij} = \frac{1}{3}");
    }

    #[test]
    fn indices_are_as_many_as_nodes_that_are_no_leaves_and_the_root() {
        let tall = (1..20).fold(Tree::new(NodeKind::Partition(0), Vec::new()), |tree, _| {
            Tree::new(NodeKind::Partition(0), vec![tree])
        });
        assert!(condition_latex(&tall, &["all"]).contains("a_{i_{18}i_{19}} c_{i_{19}}"));
        let trees = Trees::new(&Grammar::partitioned(2), 5).unwrap();
        for tree in (1..=5).flat_map(|order| trees.of_order(order)).map(|id| trees.tree(id)) {
            // Each node except the leaves contributes one `a`, and the root its `b`.
            fn inner(tree: &Tree) -> usize {
                usize::from(!tree.children().is_empty()) + tree.children().iter().map(inner).sum::<usize>()
            }
            let text = condition_latex(&tree, &["s", "f"]);
            assert_eq!(text.matches("a^").count() + 1, inner(&tree).max(1), "{text}");
        }
    }

    #[test]
    fn names_cannot_break_the_formula() {
        assert_eq!(label_latex("f"), "f");
        assert_eq!(label_latex("a_b%{"), r"\mathrm{a\_b\%\{}");
        assert_eq!(label_latex("\\x^"), r"\mathrm{ x }");
    }
}
