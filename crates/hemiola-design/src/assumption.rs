//! Simplifying assumptions: equations of the stages or of the weights from which several conditions follow at once.
//!
//! Where the slow weights are positive, Σ bᵢ(cᵢˢ − cᵢᶠ)² = 0 follows from the conditions of order three, and forces the
//! abscissae to agree: the conditions have no regular solutions then, but conditions and assumptions together do.

use std::fmt;

use hemiola_order::{Kind, Tree};
use hemiola_tableau::{Scalar, Tableau};

use crate::pattern::{FAST, SLOW};

/// The labels of the colours in trees.
pub(crate) const LABELS: [&str; 2] = ["s", "f"];

/// An assumption on the coefficients of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// γΨ of two trees of one size agree at all stages that the partition of their roots evaluates.
    Stages {
        /// The one tree.
        left: Tree,
        /// The other; its root has the same colour.
        right: Tree,
    },
    /// Σᵢ bᵢʳ aᵢⱼᑫ = bⱼᑫ(1 − cⱼᶠ) for all j: D(1) of Butcher (1964) with the weights of r and the matrix of q.
    Weights {
        /// The partition r of the weights.
        b: usize,
        /// The partition q of the matrix.
        a: usize,
    },
    /// bˢ = bᶠ.
    SharedWeights,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stages { left, right } => {
                let root = if left.kind() == Kind::Partition(SLOW) { "slow" } else { "fast" };
                let [left, right] = [left, right].map(|tree| tree.text(&LABELS));
                write!(f, "γΨ({left}) = γΨ({right}) at the {root} stages")
            }
            Self::Weights { b, a } => {
                let [b, a] = [b, a].map(|r| LABELS.get(*r).copied().unwrap_or("?"));
                write!(f, "Σᵢ bᵢ^{b} aᵢⱼ^{a} = bⱼ^{a}(1 − cⱼ^f) at all stages j")
            }
            Self::SharedWeights => write!(f, "b^s = b^f"),
        }
    }
}

/// Ψ(t): what the subtrees contribute at each stage.
pub(crate) fn psi<T: Scalar>(tree: &Tree, tableau: &Tableau<T>) -> Vec<T> {
    let mut product = vec![T::one(); tableau.stages()];
    for child in tree.children() {
        if let Kind::Partition(colour) = child.kind() {
            let pushed = tableau.partitions[colour].times(&psi(child, tableau));
            product.iter_mut().zip(pushed).for_each(|(x, y)| *x = x.clone() * y);
        }
    }
    product
}

/// The left-hand sides minus the right-hand sides of an assumption, one for each stage that takes part.
pub(crate) fn residuals<T: Scalar>(assumption: &Assumption, tableau: &Tableau<T>) -> Vec<(usize, T)> {
    match assumption {
        Assumption::Stages { left, right } => {
            let Kind::Partition(root) = left.kind() else { return Vec::new() };
            let of = |tree: &Tree| {
                let gamma = T::ratio(tree.density() as i64, 1);
                psi(tree, tableau).into_iter().map(move |x| x * gamma.clone()).collect::<Vec<T>>()
            };
            let (left, right) = (of(left), of(right));
            let stages = tableau.partitions[root].evaluated_stages();
            stages.into_iter().map(|j| (j, left[j].clone() - right[j].clone())).collect()
        }
        Assumption::Weights { b, a } => {
            let (weights, matrix, c) =
                (&tableau.partitions[*b].b, &tableau.partitions[*a], &tableau.partitions[FAST].c);
            let residual = |j: usize| {
                let column: Vec<T> = matrix.a.iter().map(|row| row[j].clone()).collect();
                let sum = hemiola_tableau::dot(weights, &column);
                sum - matrix.b[j].clone() * (T::one() - c[j].clone())
            };
            matrix.evaluated_stages().into_iter().map(|j| (j, residual(j))).collect()
        }
        Assumption::SharedWeights => {
            let difference = |j: usize| tableau.partitions[SLOW].b[j].clone() - tableau.partitions[FAST].b[j].clone();
            (0..tableau.stages()).map(|j| (j, difference(j))).collect()
        }
    }
}
