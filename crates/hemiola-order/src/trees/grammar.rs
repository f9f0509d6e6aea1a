//! Which trees occur: the kinds of nodes, which of them may be roots, and which may be children of which.

use crate::error::OrderError;

/// The highest order of trees that are enumerated: densities γ up to 20! fit into 64 bits.
pub(crate) const HIGHEST_ORDER: usize = 20;
/// Conditions of higher orders are not even counted.
const MOST_COUNTED: usize = 40;

/// Kinds of nodes as a set of bits.
pub(crate) type KindSet = u64;

/// What a node of some kind stands for in an elementary differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The right-hand side of a partition (its color).
    Partition(usize),
    /// The time in the right-hand side of a partition: a leaf below nodes of that partition alone. It stands for the
    /// abscissae c, where these differ from the row sums of A.
    Time(usize),
}

/// The rules for the trees of a family.
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
    kinds: Vec<Kind>,
    /// For each kind, the kinds that may hang below it.
    children: Vec<KindSet>,
}

impl Grammar {
    /// Trees colored by `partitions` colors in every way (P-trees): the general autonomous problem.
    #[must_use]
    pub fn partitioned(partitions: usize) -> Self {
        let all = (1 << partitions) - 1;
        Self { kinds: (0..partitions).map(Kind::Partition).collect(), children: vec![all; partitions] }
    }

    /// Trees in which neighbors differ in color: separable systems, in which the derivative of a partition depends
    /// on the other partitions alone (Hairer, Lubich & Wanner, *Geometric Numerical Integration*, 2006, §III.2).
    #[must_use]
    pub fn separable(partitions: usize) -> Self {
        let all = (1 << partitions) - 1;
        let children = (0..partitions).map(|color| all & !(1 << color)).collect();
        Self { children, ..Self::partitioned(partitions) }
    }

    /// Trees with a further kind of leaf below each color for the explicit dependence on time.
    #[must_use]
    pub fn non_autonomous(partitions: usize) -> Self {
        let mut grammar = Self::partitioned(partitions);
        for color in 0..partitions {
            grammar.kinds.push(Kind::Time(color));
            grammar.children[color] |= 1 << (partitions + color);
            grammar.children.push(0);
        }
        grammar
    }

    /// Trees colored by partitions, of which only these may hang below each.
    pub(crate) fn with_children(children: Vec<KindSet>) -> Self {
        Self { kinds: (0..children.len()).map(Kind::Partition).collect(), children }
    }

    /// All kinds of nodes.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kinds that may have all of these kinds below them.
    pub(crate) fn parents(&self, below: KindSet) -> impl Iterator<Item = usize> {
        self.children.iter().enumerate().filter(move |(_, allowed)| below & !**allowed == 0).map(|(kind, _)| kind)
    }

    /// Whether trees may have a root of this kind.
    pub(crate) fn is_root(&self, kind: usize) -> bool {
        matches!(self.kinds[kind], Kind::Partition(_))
    }

    /// Whether a node of this kind may have all of these kinds below it.
    pub(crate) fn allows(&self, parent: usize, below: KindSet) -> bool {
        below & !self.children[parent] == 0
    }

    /// Whether a node of this kind may have anything below it.
    pub(crate) fn allows_all(&self, parent: usize) -> bool {
        self.allows(parent, (1 << self.kinds.len()) - 1)
    }

    /// The number of trees that stand for conditions, for orders 1 to `order`, without enumerating them; saturating.
    ///
    /// Below a root of kind p stands a multiset of trees whose roots are allowed there; multisets are counted by Euler's
    /// transform n F(n) = Σ_k (Σ_{d|k} d t(d)) F(n−k) (Harary & Palmer 1973, §3.1).
    ///
    /// ```
    /// use hemiola_order::Grammar;
    /// assert_eq!(Grammar::partitioned(2).counts(14)[13], 265_713_532);
    /// ```
    #[must_use]
    pub fn counts(&self, order: usize) -> Vec<u128> {
        let kinds = self.kinds.len();
        // trees[p][n]: trees of n nodes with a root of kind p; forests[p][n]: forests of n nodes that p may carry.
        let mut trees = vec![vec![0u128; order + 1]; kinds];
        let mut forests = vec![vec![1u128]; kinds];
        for n in 1..=order {
            for p in 0..kinds {
                trees[p][n] = forests[p][n - 1];
            }
            for p in 0..kinds {
                let allowed = |d: usize| {
                    let below = (0..kinds).filter(|&kind| self.allows(p, 1 << kind));
                    below.fold(0u128, |sum, kind| sum.saturating_add(trees[kind][d]))
                };
                let weighted: Vec<u128> = (0..=n).map(|d| allowed(d).saturating_mul(d as u128)).collect();
                let divisors = |k: usize| {
                    (1..=k).filter(|d| k.is_multiple_of(*d)).fold(0u128, |sum, d| sum.saturating_add(weighted[d]))
                };
                let sum =
                    (1..=n).fold(0u128, |sum, k| sum.saturating_add(divisors(k).saturating_mul(forests[p][n - k])));
                forests[p].push(sum / n as u128);
            }
        }
        let roots: Vec<usize> = (0..kinds).filter(|&kind| self.is_root(kind)).collect();
        (1..=order).map(|n| roots.iter().fold(0u128, |sum, &p| sum.saturating_add(trees[p][n]))).collect()
    }

    /// The number of trees of orders 1 to `order` together, saturating.
    ///
    /// # Errors
    /// [`OrderError::OrderTooHigh`] where counting itself would take long: memory and time grow with the order, and no computation
    /// on trees gets anywhere near.
    pub(crate) fn total(&self, order: usize) -> Result<u128, OrderError> {
        if order > MOST_COUNTED {
            return Err(OrderError::OrderTooHigh { order, highest: HIGHEST_ORDER });
        }
        Ok(self.counts(order).iter().fold(0, |sum, count| sum.saturating_add(*count)))
    }
}
