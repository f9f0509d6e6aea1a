//! Embedded weights and dense output: imposed conditions, and proof that the others follow.
//!
//! The embedded weights v = b̂ must satisfy Σᵢ vᵢʳ Ψᵢ(t) = 1/γ(t). The coefficients v of θᵏ must satisfy this for trees
//! t with k nodes, with zero in place of 1/γ(t) for all other trees (Hairer, Nørsett & Wanner 1993, Theorem II.6.1).
//!
//! The pair determines the stages at which two Ψ agree. With v in place of b, the conditions therefore have the same
//! relations as those of b, and right-hand sides that depend only on the number of nodes are consistent with these
//! relations. Further conditions follow because differences of stages span a space of full dimension (`spanning`). The
//! coefficients of the last power of θ are b minus those of the other powers, and need no conditions.

use dashu::rational::RBig;
use hemiola_order::{NodeKind, OrderError, Tree};
use hemiola_tableau::{Butcher, Exact, Method, Tableau, dot};
use num_traits::Zero;

use crate::interval::bounds::RealInterval;
use crate::pair::partitions::LABELS;
use crate::proof::assumption::{Assumption, Vector};
use crate::proof::independence::GradientSpan;
use crate::proof::relations::Relations;
use crate::proof::spanning::conditions_by_dimension;
use crate::proof::table::{Table, partition};
use crate::proof::trees::{psi, trees};

/// A Ψ counts as dependent on others if its remainder is a smaller fraction of it. Solutions are not degenerate in the
/// weights, so small numbers need only be distinguished from rounding, a fraction of 1e-16.
const LEFT: f64 = 1e-10;

/// The proof about embedded weights or a dense output.
#[derive(Clone, Debug, PartialEq)]
pub struct FurtherWeights {
    /// The order: all conditions up to it hold, and a dense output ends in the weights b.
    pub order: usize,
    /// The strength of the proof.
    pub proof: FurtherProof,
}

/// The strength of the proof about further weights.
#[derive(Clone, Debug, PartialEq)]
pub enum FurtherProof {
    /// The weights are part of the proof of the pair: all conditions hold exactly, either as written or at the solution
    /// nearby.
    ///
    /// Contains the imposed conditions for each vector: b̂, or the powers of θ except the last. Empty if the
    /// written numbers are exact.
    WithPair(Vec<Vec<Tree>>),
    /// The conditions hold to a number of decimals.
    Verified {
        /// The number of decimals to which the largest residual vanishes.
        decimals: u32,
    },
}

/// The kind of further weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightsKind {
    Embedded,
    Dense,
}

impl WeightsKind {
    /// Returns the name of the field of a certificate for them.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Embedded => "embedded weights",
            Self::Dense => "dense output",
        }
    }

    /// Returns the order that a method claims for them.
    pub(crate) fn claimed_order(self, method: &Method) -> Option<usize> {
        match self {
            Self::Embedded => method.claims().embedded_order,
            Self::Dense => method.claims().dense_order,
        }
    }

    /// Returns the vectors with conditions of their own, each with its power of θ.
    pub(crate) fn vectors(self, table: &Table) -> Vec<(usize, Option<usize>)> {
        match self {
            Self::Embedded => table.embedded.map(|vector| (vector, None)).into_iter().collect(),
            Self::Dense => {
                let powers = table.powers.clone().zip(1..).map(|(vector, power)| (vector, Some(power)));
                powers.take(table.powers.len().saturating_sub(1)).collect()
            }
        }
    }

    /// Returns whether a proof is possible for this order. The order of a dense output is limited by its degree and by
    /// the order of the weights b in which it ends.
    pub(crate) fn can_have(self, table: &Table, order: usize, of_pair: usize) -> bool {
        match self {
            Self::Embedded => table.embedded.is_some(),
            Self::Dense => order <= of_pair && order <= table.powers.len(),
        }
    }

    /// Finds independent conditions for each vector that, with the assumptions, imply all others; `None` if they do
    /// not suffice.
    pub(crate) fn independent_conditions(
        self,
        table: &Table,
        [order, of_pair]: [usize; 2],
        assumptions: &[Assumption],
    ) -> Result<Option<Vec<Vec<Tree>>>, OrderError> {
        let (unknowns, trees) = (table.unknowns(), trees(LABELS.len(), order)?);
        let ball = unknowns.ball(&table.extended, 0.0);
        let of_vector = |(vector, _): &(usize, Option<usize>)| {
            let mut basis = GradientSpan::new(LEFT);
            let mut is_new = |tree: &&Tree| {
                let Some(color) = color(tree) else { return false };
                let weights = Table::weights(&ball, *vector, color);
                let masked = psi(tree, &ball).into_iter().zip(weights);
                // Slow and fast weights are different unknowns.
                let mut gradient = vec![RealInterval::zero(); LABELS.len() * weights.len()];
                let own = gradient[color * weights.len()..].iter_mut();
                own.zip(masked).filter(|(_, (_, v))| !v.is_zero()).for_each(|(slope, (x, _))| *slope = x);
                basis.add_enclosed(&gradient)
            };
            trees.iter().filter(&mut is_new).cloned().collect::<Vec<Tree>>()
        };
        let conditions: Vec<Vec<Tree>> = self.vectors(table).iter().map(of_vector).collect();
        let follow = self.all_follow(table, &ball, [order, of_pair], assumptions, &conditions)?;
        Ok(follow.then_some(conditions))
    }

    /// Returns whether all conditions up to an order follow on a ball from the assumptions of the pair, its
    /// conditions up to its order and the given conditions.
    pub(crate) fn all_follow(
        self,
        table: &Table,
        ball: &Tableau<RealInterval>,
        [order, of_pair]: [usize; 2],
        assumptions: &[Assumption],
        conditions: &[Vec<Tree>],
    ) -> Result<bool, OrderError> {
        let (trees, vectors) = (trees(LABELS.len(), order)?, self.vectors(table));
        let known = known_of_stages(assumptions, table);
        let follow = |((vector, power), conditions): (&(usize, Option<usize>), &Vec<Tree>)| {
            let weights = |color: usize| Table::weights(ball, *vector, color).to_vec();
            let part = |color: usize| Butcher { b: weights(color), ..ball.partitions[color].clone() };
            let tableau = Tableau { partitions: (0..LABELS.len()).map(part).collect() };
            // If no stage has both a weight and a nonzero Ψ, the condition of another power holds with right-hand
            // side zero.
            let is_empty = |tree: &&Tree| {
                let b = color(tree).map(|color| &tableau.partitions[color].b);
                let vanishes =
                    |b: &Vec<RealInterval>| psi(tree, &tableau).iter().zip(b).all(|(x, b)| x.is_zero() || b.is_zero());
                expected(tree, *power).is_zero() && b.is_some_and(vanishes)
            };
            let spanned = conditions_by_dimension(ball, of_pair, &tableau, table.pair.stages(), &trees, conditions);
            let given = conditions.iter().chain(trees.iter().filter(is_empty)).chain(&spanned);
            let given: Vec<Tree> = given.cloned().collect();
            Relations::new(&tableau, order, &trees, &known).determine_all(&given)
        };
        Ok(vectors.len() == conditions.len() && vectors.iter().zip(conditions).all(follow))
    }

    /// Returns the largest residual of a method's further weights in all conditions up to an order; `None` if it
    /// has no such weights.
    pub(crate) fn worst(self, method: &Method, order: usize) -> Result<Option<Exact>, OrderError> {
        let (tableau, parts) = (method.exact(), method.partitions());
        let embedded = |color: usize| parts[color].b_hat.as_ref().map(|b| vec![(values(b.iter()), None)]);
        let dense = |color: usize| {
            let rows = parts[color].dense.as_ref()?;
            let power = |k: usize| (values(rows.iter().map(|row| &row[k])), Some(k + 1));
            Some((0..rows[0].len()).map(power).collect::<Vec<_>>())
        };
        let of_color = |color: usize| if self == Self::Embedded { embedded(color) } else { dense(color) };
        let Some(weights) = (0..parts.len()).map(of_color).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let mut worst = Exact::zero();
        let mut see = |missed: Exact| {
            if (worst.clone() - missed.abs()).sign().is_lt() {
                worst = missed.abs();
            }
        };
        for tree in trees(parts.len(), order)? {
            let NodeKind::Partition(color) = tree.kind() else { continue };
            let at = psi(&tree, &tableau);
            // The power of θ for this tree is beyond the degree.
            if self == Self::Dense && tree.order() > weights[color].len() {
                see(Exact::from_ratio(1, tree.density()));
            }
            weights[color].iter().for_each(|(v, power)| see(dot(v, &at) - Exact::from(expected(&tree, *power))));
        }
        if self == Self::Dense {
            for (butcher, powers) in tableau.partitions.iter().zip(&weights) {
                let end = |j: usize| powers.iter().fold(-butcher.b[j].clone(), |sum, (v, _)| sum + v[j].clone());
                (0..butcher.b.len()).map(end).for_each(&mut see);
            }
        }
        Ok(Some(worst))
    }
}

fn values<'a>(coefficients: impl Iterator<Item = &'a hemiola_tableau::Coefficient>) -> Vec<Exact> {
    coefficients.map(|coefficient| coefficient.value().clone()).collect()
}

/// Returns the conditions of a vector as conditions of its partitions, with their right-hand sides.
pub(crate) fn equations(vector: usize, power: Option<usize>, conditions: &[Tree]) -> Vec<(Tree, RBig)> {
    let equation = |tree: &Tree| {
        let root = NodeKind::Partition(partition(vector, color(tree)?));
        Some((Tree::new(root, tree.children().to_vec()), expected(tree, power)))
    };
    conditions.iter().filter_map(equation).collect()
}

fn expected(tree: &Tree, power: Option<usize>) -> RBig {
    let is_zero = power.is_some_and(|power| power != tree.order());
    if is_zero { RBig::ZERO } else { RBig::ONE / RBig::from(tree.density()) }
}

fn color(tree: &Tree) -> Option<usize> {
    if let NodeKind::Partition(color) = tree.kind() { Some(color) } else { None }
}

/// Returns the assumptions of the pair about stages. At a stage whose rows equal the weights b, γΨ(t) is |t| for
/// all trees of the conditions.
fn known_of_stages(assumptions: &[Assumption], table: &Table) -> Vec<Assumption> {
    let is_of_stages =
        |assumption: &&Assumption| matches!(assumption.vector, Vector::Stages { .. } | Vector::Proportional { .. });
    let known = |Assumption { vector, stages, .. }: &Assumption| {
        let stages: Vec<usize> = stages.iter().copied().chain(table.copies()).collect();
        Assumption { vector: vector.clone(), imposed: stages.clone(), stages }
    };
    assumptions.iter().filter(is_of_stages).map(known).collect()
}
