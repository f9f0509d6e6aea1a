//! Grammars of trees: the kinds of nodes, the possible roots, and the children that each kind may have.

use crate::error::OrderError;

/// Maximum number of kinds of nodes: 16 partitions with their times.
const MOST_KINDS: usize = 32;
/// Highest order for which trees are counted. From order 86 on, the number of trees of one color exceeds 128 bits.
const HIGHEST_COUNTED: usize = 200;

/// Kinds of nodes as a set of bits.
pub(crate) type KindSet = u64;

/// The meaning of a node in an elementary differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The right-hand side of a partition (its color).
    Partition(usize),
    /// The time in the right-hand side of a partition: a leaf that occurs only below nodes of that partition. It
    /// represents the abscissae c if these differ from the row sums of A.
    Time(usize),
}

/// The rules for a family of trees.
///
/// ```
/// use hemiola_order::{Grammar, Trees};
/// // Two colors, both root colors: 2, 4, 14, 52, … trees (OEIS A038055).
/// let trees = Trees::new(&Grammar::partitioned(2), 4).unwrap();
/// let counts: Vec<usize> = (1..=4).map(|order| trees.of_order(order).len()).collect();
/// assert_eq!(counts, [2, 4, 14, 52]);
/// ```
#[derive(Clone, Debug)]
pub struct Grammar {
    kinds: Vec<NodeKind>,
    /// For each kind, the kinds that its children may have.
    children: Vec<KindSet>,
    /// The number of kinds requested; no more than one beyond the limit are stored.
    requested: usize,
}

impl Grammar {
    /// Creates the grammar of trees colored by `partitions` colors in every way (P-trees), for the general
    /// autonomous problem. Counting and enumeration reject more than 32 kinds of nodes.
    #[must_use]
    pub fn partitioned(partitions: usize) -> Self {
        let requested = partitions;
        let partitions = stored_partitions(partitions);
        let all = first(partitions);
        Self { kinds: (0..partitions).map(NodeKind::Partition).collect(), children: vec![all; partitions], requested }
    }

    /// Creates the grammar of trees in which neighbors differ in color, for separable systems. There the
    /// derivative of a partition depends only on the other partitions (Hairer, Lubich & Wanner, *Geometric
    /// Numerical Integration*, 2006, §III.2).
    #[must_use]
    pub fn separable(partitions: usize) -> Self {
        let all = first(stored_partitions(partitions));
        let children = (0..stored_partitions(partitions)).map(|color| all & !(1 << color)).collect();
        Self { children, ..Self::partitioned(partitions) }
    }

    /// Creates the grammar of trees with a further kind of leaf below each color, for the explicit dependence on
    /// time.
    #[must_use]
    pub fn non_autonomous(partitions: usize) -> Self {
        let requested = partitions.saturating_mul(2);
        // Twice as many kinds fit into a set.
        let partitions = partitions.min(MOST_KINDS);
        let mut grammar = Self { requested, ..Self::partitioned(partitions) };
        for color in 0..partitions {
            grammar.kinds.push(NodeKind::Time(color));
            grammar.children[color] |= 1 << (partitions + color);
            grammar.children.push(0);
        }
        grammar
    }

    /// Creates the grammar of trees colored by partitions with the given set of children for each.
    pub(crate) fn with_children(children: Vec<KindSet>) -> Self {
        let kinds = children.len();
        Self { kinds: (0..kinds).map(NodeKind::Partition).collect(), children, requested: kinds }
    }

    /// Returns all kinds of nodes.
    #[must_use]
    pub fn kinds(&self) -> &[NodeKind] {
        &self.kinds
    }

    /// Iterates over the kinds that may have all of these kinds below them.
    pub(crate) fn parents(&self, below: KindSet) -> impl Iterator<Item = usize> {
        self.children.iter().enumerate().filter(move |(_, allowed)| below & !**allowed == 0).map(|(kind, _)| kind)
    }

    /// Returns whether trees may have a root of this kind.
    pub(crate) fn is_root(&self, kind: usize) -> bool {
        matches!(self.kinds[kind], NodeKind::Partition(_))
    }

    /// Returns whether a node of this kind may have all of these kinds below it.
    pub(crate) fn allows(&self, parent: usize, below: KindSet) -> bool {
        below & !self.children[parent] == 0
    }

    /// Returns whether a node of this kind may have children of every kind.
    pub(crate) fn allows_all(&self, parent: usize) -> bool {
        self.allows(parent, (1 << self.kinds.len()) - 1)
    }

    /// Counts the trees that represent conditions, for orders 1 to `order`, without enumerating them. Counts saturate.
    ///
    /// The subtrees of a root of kind p form a multiset of trees whose roots are allowed there. Multisets are counted
    /// by Euler's transform n F(n) = Σ_k (Σ_{d|k} d t(d)) F(n−k) (Harary & Palmer 1973, §3.1).
    ///
    /// ```
    /// use hemiola_order::{Grammar, OrderError};
    /// assert_eq!(Grammar::partitioned(2).counts(14)?[13], 265_713_532);
    /// assert!(matches!(Grammar::partitioned(2).counts(1_000_000_000), Err(OrderError::OrderTooHigh { .. })));
    /// # Ok::<(), OrderError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`OrderError::OrderTooHigh`] beyond order 200, [`OrderError::TooManyColors`] beyond 32 kinds of nodes.
    pub fn counts(&self, order: usize) -> Result<Vec<u128>, OrderError> {
        if order > HIGHEST_COUNTED {
            return Err(OrderError::OrderTooHigh { order, highest: HIGHEST_COUNTED });
        }
        self.check_kinds()?;
        let kinds = self.kinds.len();
        // trees[p][n]: trees of n nodes with a root of kind p; forests[p][n]: forests of n nodes allowed below p;
        // divisors[p][n]: Σ_{d|n} d t(d) over the trees allowed below p.
        let mut trees = vec![vec![0u128; order + 1]; kinds];
        let mut forests = vec![vec![1u128]; kinds];
        let mut divisors = vec![vec![0u128; order + 1]; kinds];
        for n in 1..=order {
            for p in 0..kinds {
                trees[p][n] = forests[p][n - 1];
            }
            for p in 0..kinds {
                let below = (0..kinds).filter(|&kind| self.allows(p, 1 << kind));
                let allowed = below.fold(0u128, |sum, kind| sum.saturating_add(trees[kind][n]));
                let weighted = allowed.saturating_mul(n as u128);
                for multiple in (n..=order).step_by(n) {
                    divisors[p][multiple] = divisors[p][multiple].saturating_add(weighted);
                }
                let term = |k: usize| divisors[p][k].saturating_mul(forests[p][n - k]);
                let sum = (1..=n).fold(0u128, |sum, k| sum.saturating_add(term(k)));
                forests[p].push(sum / n as u128);
            }
        }
        let roots: Vec<usize> = (0..kinds).filter(|&kind| self.is_root(kind)).collect();
        Ok((1..=order).map(|n| roots.iter().fold(0u128, |sum, &p| sum.saturating_add(trees[p][n]))).collect())
    }

    /// Returns the total number of trees of orders 1 to `order`, computed with saturation.
    pub(crate) fn total(&self, order: usize) -> Result<u128, OrderError> {
        Ok(self.counts(order)?.into_iter().fold(0, u128::saturating_add))
    }

    /// Rejects more than `limit` trees of orders 1 to `order`.
    pub(crate) fn check_total(&self, order: usize, limit: u128) -> Result<(), OrderError> {
        let count = self.total(order)?;
        if count > limit { Err(OrderError::TooManyTrees { order, count, limit }) } else { Ok(()) }
    }

    /// Rejects more kinds of nodes than a set can hold.
    pub(crate) fn check_kinds(&self) -> Result<(), OrderError> {
        let colors = self.requested;
        if colors > MOST_KINDS { Err(OrderError::TooManyColors { colors }) } else { Ok(()) }
    }
}

/// Returns the set of the first kinds.
fn first(kinds: usize) -> KindSet {
    u32::try_from(kinds).ok().and_then(|kinds| KindSet::checked_shl(1, kinds)).map_or(KindSet::MAX, |beyond| beyond - 1)
}

/// Returns the number of partitions that a grammar stores: at most one kind more than trees may have, so that later
/// checks reject it.
fn stored_partitions(partitions: usize) -> usize {
    partitions.min(MOST_KINDS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_sizes_are_refused() {
        assert_eq!(Grammar::partitioned(1).counts(HIGHEST_COUNTED).unwrap()[HIGHEST_COUNTED - 1], u128::MAX / 199);
        for order in [HIGHEST_COUNTED + 1, usize::MAX] {
            assert!(matches!(Grammar::separable(2).counts(order), Err(OrderError::OrderTooHigh { .. })));
        }
        for of_colors in [Grammar::partitioned, Grammar::separable, Grammar::non_autonomous] {
            for partitions in [33, 64, usize::MAX] {
                assert!(matches!(of_colors(partitions).counts(3), Err(OrderError::TooManyColors { .. })));
            }
        }
        assert_eq!(Grammar::partitioned(32).counts(1).unwrap(), [32]);
    }
}
