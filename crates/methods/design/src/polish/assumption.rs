//! Simplifying assumptions of a table: equations that are not conditions themselves, but hold at solutions where
//! conditions are degenerate.
//!
//! The conditions of order five imply Σ bᵢ(Σⱼ aᵢⱼcⱼ − cᵢ²/2)² = 0. If all its terms vanish, so does its gradient.
//! The conditions alone then have no regular solution, and Newton's method stalls at half of the digits. Conditions
//! and assumptions together are regular.

use hemiola_order::{NodeKind, Tree, value_and_gradient};
use hemiola_tableau::{Butcher, Scalar, Tableau, dot};

use crate::proof::trees::psi;

/// A vector over the stages that may vanish at some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AssumptionVector {
    /// Difference of γΨ of two trees of the same size, as in C(η) and in shared abscissae (Butcher 1964).
    Stages { left: Tree, right: Tree },
    /// kΣᵢ bᵢʳcᵢᵏ⁻¹aᵢⱼᑫ − bⱼᑫ(1 − cⱼᵏ), as in D(ζ), with the abscissae of the last partition.
    Weights { b: usize, a: usize, power: usize },
}

/// One component of such a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssumptionComponent {
    pub(crate) vector: AssumptionVector,
    pub(crate) stage: usize,
    /// The number of partitions; further ones in a tableau hold embedded weights.
    pub(crate) partitions: usize,
}

impl AssumptionComponent {
    /// Returns the components whose vanishing may be needed for conditions up to an order; `trees` contains the
    /// trees of these conditions.
    pub(crate) fn all(trees: &[Tree], partitions: usize, stages: usize, order: usize) -> Vec<Self> {
        // If bᵀ(u ∘ v) for two stage vectors is a condition, one of them has at most this number of nodes. Larger ones
        // …
        let largest = order.div_ceil(2);
        // … are paired with vectors of weights, of at most this power.
        let highest = (order - largest).saturating_sub(1);
        let mut vectors = Vec::new();
        for size in 2..=largest {
            let alike = |tree: &&Tree| tree.order() == size && tree.kind() == NodeKind::Partition(0);
            let alike: Vec<&Tree> = trees.iter().filter(alike).collect();
            let pairs = (0..alike.len()).flat_map(|i| (0..i).map(move |k| (i, k)));
            vectors.extend(
                pairs.map(|(i, k)| AssumptionVector::Stages { left: alike[i].clone(), right: alike[k].clone() }),
            );
        }
        for power in 1..=highest {
            let pairs = (0..partitions).flat_map(|b| (0..partitions).map(move |a| (b, a)));
            vectors.extend(pairs.map(|(b, a)| AssumptionVector::Weights { b, a, power }));
        }
        let components =
            |vector: AssumptionVector| (0..stages).map(move |stage| Self { vector: vector.clone(), stage, partitions });
        vectors.into_iter().flat_map(components).collect()
    }

    pub(crate) fn value<T: Scalar>(&self, tableau: &Tableau<T>) -> T {
        let (parts, j) = (&tableau.partitions, self.stage);
        match &self.vector {
            AssumptionVector::Stages { left, right } => scaled_psi(left, j, tableau) - scaled_psi(right, j, tableau),
            AssumptionVector::Weights { b, a, power } => {
                let c = |i: usize| abscissa(&parts[self.partitions - 1], i);
                let term = |i: usize| parts[*b].b[i].clone() * power_of(&c(i), power - 1) * parts[*a].a[i][j].clone();
                let sum = (0..parts[*b].b.len()).map(term).fold(T::zero(), |sum, term| sum + term);
                sum * T::ratio(*power as i64, 1) - parts[*a].b[j].clone() * (T::one() - power_of(&c(j), *power))
            }
        }
    }

    /// Adds the derivatives with respect to all entries to a gradient.
    pub(crate) fn add_gradient<T: Scalar>(&self, tableau: &Tableau<T>, gradient: &mut Tableau<T>) {
        let (parts, j) = (&tableau.partitions, self.stage);
        match &self.vector {
            AssumptionVector::Stages { left, right } => {
                add_gradient_of_psi(left, j, tableau, T::one(), gradient);
                add_gradient_of_psi(right, j, tableau, -T::one(), gradient);
            }
            AssumptionVector::Weights { b, a, power } => {
                let (last, k) = (self.partitions - 1, T::ratio(*power as i64, 1));
                let c = |i: usize| abscissa(&parts[last], i);
                let add_to_abscissa = |gradient: &mut Tableau<T>, i: usize, by: T| {
                    gradient.partitions[last].a[i].iter_mut().for_each(|slope| *slope += by.clone());
                };
                for i in 0..parts[*b].b.len() {
                    let (weight, entry) = (parts[*b].b[i].clone(), parts[*a].a[i][j].clone());
                    let factor = k.clone() * power_of(&c(i), power - 1);
                    gradient.partitions[*b].b[i] += factor.clone() * entry.clone();
                    gradient.partitions[*a].a[i][j] += factor * weight.clone();
                    if *power > 1 {
                        let slope = k.clone() * T::ratio(*power as i64 - 1, 1) * power_of(&c(i), power - 2);
                        add_to_abscissa(gradient, i, slope * weight * entry);
                    }
                }
                gradient.partitions[*a].b[j] += power_of(&c(j), *power) - T::one();
                add_to_abscissa(gradient, j, k * parts[*a].b[j].clone() * power_of(&c(j), power - 1));
            }
        }
    }
}

fn power_of<T: Scalar>(x: &T, power: usize) -> T {
    (0..power).fold(T::one(), |product, _| product * x.clone())
}

fn abscissa<T: Scalar>(butcher: &Butcher<T>, stage: usize) -> T {
    butcher.a[stage].iter().fold(T::zero(), |sum, entry| sum + entry.clone())
}

/// Computes γΨ of a tree at one stage.
fn scaled_psi<T: Scalar>(tree: &Tree, stage: usize, tableau: &Tableau<T>) -> T {
    let pushed = |child: &Tree| match child.kind() {
        NodeKind::Partition(color) => dot(&tableau.partitions[color].a[stage], &psi(child, tableau)),
        NodeKind::Time(_) => T::zero(),
    };
    tree.children().iter().map(pushed).fold(T::ratio(tree.density() as i64, 1), |product, factor| product * factor)
}

/// Adds the gradient of γΨ at a stage. It is the gradient of the tree's elementary weight for b that vanishes at
/// all other stages.
fn add_gradient_of_psi<T: Scalar>(tree: &Tree, stage: usize, tableau: &Tableau<T>, sign: T, gradient: &mut Tableau<T>) {
    let NodeKind::Partition(root) = tree.kind() else { return };
    let mut picked = tableau.clone();
    picked.partitions[root].b.fill(T::zero());
    picked.partitions[root].b[stage] = sign * T::ratio(tree.density() as i64, 1);
    let slopes = value_and_gradient(tree, &picked).1;
    for (sum, part) in gradient.partitions.iter_mut().zip(slopes.partitions) {
        for (sum, slope) in sum.a.iter_mut().flatten().zip(part.a.into_iter().flatten()) {
            *sum += slope;
        }
    }
}
