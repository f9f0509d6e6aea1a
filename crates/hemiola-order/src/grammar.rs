//! Which trees there are: the kinds of nodes, which may be a root and which may hang below which.

/// Kinds of nodes as a set of bits.
pub(crate) type KindSet = u64;

/// What a node of some kind stands for in an elementary differential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The right-hand side of a partition (its colour).
    Partition(usize),
    /// The time in the right-hand side of a partition: a leaf below nodes of that partition alone. It stands for the
    /// abscissae c, where these differ from the row sums of A.
    Time(usize),
}

/// The rules that trees of a family obey.
///
/// ```
/// use hemiola_order::{Grammar, Trees};
/// // Two colours, both root colours: 2, 4, 14, 52, … trees (OEIS A038055).
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
    /// Trees coloured by `partitions` colours in every way (P-trees): the general autonomous problem.
    #[must_use]
    pub fn partitioned(partitions: usize) -> Self {
        let all = (1 << partitions) - 1;
        Self { kinds: (0..partitions).map(Kind::Partition).collect(), children: vec![all; partitions] }
    }

    /// Trees in which neighbours differ in colour: separable systems, in which the derivative of a partition depends
    /// on the other partitions alone (Hairer, Lubich & Wanner, *Geometric Numerical Integration*, 2006, §III.2).
    #[must_use]
    pub fn separable(partitions: usize) -> Self {
        let all = (1 << partitions) - 1;
        let children = (0..partitions).map(|colour| all & !(1 << colour)).collect();
        Self { children, ..Self::partitioned(partitions) }
    }

    /// Trees with a further kind of leaf below each colour for the explicit dependence on time.
    #[must_use]
    pub fn non_autonomous(partitions: usize) -> Self {
        let mut grammar = Self::partitioned(partitions);
        for colour in 0..partitions {
            grammar.kinds.push(Kind::Time(colour));
            grammar.children[colour] |= 1 << (partitions + colour);
            grammar.children.push(0);
        }
        grammar
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
}
