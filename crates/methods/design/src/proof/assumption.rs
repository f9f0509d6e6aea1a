//! Simplifying assumptions: equations of the stages or of the weights that imply several conditions at once.
//!
//! If the slow weights are positive, the conditions of order three imply Σ bᵢ(cᵢˢ − cᵢᶠ)² = 0, which forces the
//! abscissae to agree. The conditions then have no regular solution, but conditions and assumptions together do.

use std::fmt;

use hemiola_order::Tree;
use hemiola_tableau::{Scalar, Tableau};

use crate::pair::partitions::{FAST, LABELS, SLOW};
use crate::proof::trees::{is_colored, psi, transposed_times};

/// A vector with one component for each stage, and the stages at which it vanishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The vector.
    pub vector: Vector,
    /// The stages, from 0, at which it vanishes, except those at which it is zero by the structure of the tableaus.
    pub stages: Vec<usize>,
    /// The stages among these at which the equation is imposed; at the others it follows.
    pub imposed: Vec<usize>,
}

/// The vector of a simplifying assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vector {
    /// γΨ of a tree minus γΨ of another tree of the same size.
    Stages {
        /// The first tree.
        left: Tree,
        /// The second tree.
        right: Tree,
    },
    /// xᵢy − yᵢx for one stage i, where x and y are the γΨ of two trees minus that of a third. It vanishes if x and y
    /// are proportional, which Σ bᵢxᵢ² = 0 permits, as in the methods of order five with six stages of Cassity (1969).
    Proportional {
        /// The tree of x.
        left: Tree,
        /// The tree of y.
        right: Tree,
        /// The third tree.
        base: Tree,
        /// The stage i, from 0.
        pivot: usize,
    },
    /// Σᵢ bᵢʳ aᵢⱼᑫ − bⱼᑫ(1 − cⱼᶠ): D(1) of Butcher (1964) with the weights of r and the matrix of q.
    Weights {
        /// The partition r of the weights.
        b: usize,
        /// The partition q of the matrix.
        a: usize,
    },
    /// Σᵢ bᵢʳ (aᵢⱼˢ − aᵢⱼᶠ).
    Matrices {
        /// The partition r of the weights.
        b: usize,
    },
    /// bˢ − bᶠ.
    SharedWeights,
    /// bʳ.
    ZeroWeights {
        /// The partition r of the weights.
        b: usize,
    },
    /// Σᵢ bᵢʳ cᵢᶠ aᵢⱼᑫ. At order six it must vanish at early stages of low stage order (Butcher 1964).
    WeightedColumns {
        /// The partition r of the weights.
        b: usize,
        /// The partition q of the matrix.
        a: usize,
    },
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages: Vec<String> = self.stages.iter().map(|stage| (stage + 1).to_string()).collect();
        write!(f, "{} at j = {}", self.vector, stages.join(", "))
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |tree: &Tree| tree.text(&LABELS);
        let label = |r: &usize| LABELS.get(*r).copied().unwrap_or("?");
        match self {
            Self::Stages { left, right } => write!(f, "γΨ({}) = γΨ({})", text(left), text(right)),
            Self::Proportional { left, right, base, .. } => {
                let [left, right, base] = [left, right, base].map(text);
                write!(f, "γΨ({left}) − γΨ({base}) proportional to γΨ({right}) − γΨ({base})")
            }
            Self::Weights { b, a } => {
                let [b, a] = [b, a].map(label);
                write!(f, "Σᵢ bᵢ^{b} aᵢⱼ^{a} = bⱼ^{a}(1 − cⱼ^f)")
            }
            Self::Matrices { b } => write!(f, "Σᵢ bᵢ^{0} aᵢⱼ^s = Σᵢ bᵢ^{0} aᵢⱼ^f", label(b)),
            Self::SharedWeights => write!(f, "bⱼ^s = bⱼ^f"),
            Self::ZeroWeights { b } => write!(f, "bⱼ^{} = 0", label(b)),
            Self::WeightedColumns { b, a } => write!(f, "Σᵢ bᵢ^{} cᵢ^f aᵢⱼ^{} = 0", label(b), label(a)),
        }
    }
}

/// Computes γΨ(t) − γΨ(u).
pub(crate) fn difference<T: Scalar>(left: &Tree, right: &Tree, tableau: &Tableau<T>) -> Vec<T> {
    let scaled = |tree: &Tree| {
        let gamma = T::ratio(tree.density() as i64, 1);
        psi(tree, tableau).into_iter().map(move |x| x * gamma.clone()).collect::<Vec<T>>()
    };
    minus(scaled(left), scaled(right))
}

fn minus<T: Scalar>(x: Vec<T>, y: impl IntoIterator<Item = T>) -> Vec<T> {
    x.into_iter().zip(y).map(|(x, y)| x - y).collect()
}

impl Vector {
    /// Evaluates the vector at a tableau.
    pub(crate) fn at<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let parts = &tableau.partitions;
        match self {
            Self::Stages { left, right } => difference(left, right, tableau),
            Self::Proportional { left, right, base, pivot } => {
                let [x, y] = [left, right].map(|tree| difference(tree, base, tableau));
                let (at_x, at_y) = (x[*pivot].clone(), y[*pivot].clone());
                let mut all: Vec<T> = x.into_iter().zip(y).map(|(x, y)| x * at_y.clone() - y * at_x.clone()).collect();
                // The difference of two equal products is exactly zero.
                all[*pivot] = T::zero();
                all
            }
            Self::Weights { b, a } => {
                let left = transposed_times(&parts[*a].a, &parts[*b].b);
                let right = parts[*a].b.iter().zip(&parts[FAST].c);
                minus(left, right.map(|(b, c)| b.clone() * (T::one() - c.clone())))
            }
            Self::Matrices { b } => {
                let [slow, fast] = [SLOW, FAST].map(|q| transposed_times(&parts[q].a, &parts[*b].b));
                minus(slow, fast)
            }
            Self::SharedWeights => minus(parts[SLOW].b.clone(), parts[FAST].b.iter().cloned()),
            Self::ZeroWeights { b } => parts[*b].b.clone(),
            Self::WeightedColumns { b, a } => {
                let weighted = parts[*b].b.iter().zip(&parts[FAST].c).map(|(b, c)| b.clone() * c.clone());
                transposed_times(&parts[*a].a, &weighted.collect::<Vec<T>>())
            }
        }
    }

    /// Returns whether the trees, stages and partitions are valid for pairs with `stages` stages up to an order.
    pub(crate) fn is_sound(&self, stages: usize, order: usize) -> bool {
        let alike = |left: &Tree, right: &Tree| {
            is_colored(left) && is_colored(right) && left.order() == right.order() && left.order() <= order
        };
        let is_partition = |r: &usize| *r < LABELS.len();
        match self {
            Self::Stages { left, right } => alike(left, right),
            Self::Proportional { left, right, base, pivot } => {
                alike(left, base) && alike(right, base) && *pivot < stages
            }
            Self::Weights { b, a } | Self::WeightedColumns { b, a } => is_partition(b) && is_partition(a),
            Self::SharedWeights => true,
            Self::Matrices { b } | Self::ZeroWeights { b } => is_partition(b),
        }
    }
}
