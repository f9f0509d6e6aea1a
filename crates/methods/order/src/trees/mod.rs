//! Rooted trees with colored nodes: single trees, enumeration, drawing and text.
//!
//! `tree` defines a single [`Tree`] with its numbers and its text, `grammar` the rules for the trees of a class of
//! problems ([`Grammar`]), and `enumerate` lists all of them up to an order ([`Trees`]). `layout` computes the
//! positions of nodes in a picture, `latex` formats trees and conditions in LaTeX.
//!
//! ```
//! use hemiola_order::trees::{Grammar, Tree, Trees};
//! let trees = Trees::new(&Grammar::partitioned(1), 4).unwrap();
//! assert_eq!(trees.of_order(4).len(), 4);
//! let bushy = Tree::parse("[τ,τ,τ]", &["all"]).unwrap();
//! assert_eq!((bushy.order(), bushy.density(), bushy.symmetry()), (4, 4, 6));
//! ```

pub(crate) mod enumerate;
pub(crate) mod grammar;
pub(crate) mod latex;
pub(crate) mod layout;
pub(crate) mod tree;

pub use enumerate::{TreeId, Trees};
pub use grammar::{Grammar, NodeKind};
pub use latex::{condition_latex, forest_style};
pub use layout::{PlacedNode, TreeLayout};
pub use tree::Tree;
