//! Trees whose residuals are multiples of each other, because partitions share weights or abscissae or have stage order two.

use std::collections::BTreeMap;

use hemiola_order::{NodeKind, Tree};

use crate::error::DesignError;
use crate::implicit::specification::{DiagonalStructure, ImplicitSpecification, Role};
use crate::proof::trees::trees;

/// Returns whether embedded weights must be unknowns of the design in order to exist.
///
/// The weights of a partition satisfy one linear condition for each different tree, and another one if the stability
/// function must be bounded. If there are fewer conditions than weights, further weights exist besides those of the
/// method.
pub(crate) fn needs_unknown_weights(specification: &ImplicitSpecification) -> Result<bool, DesignError> {
    if !specification.embedded || specification.order < 2 {
        return Ok(false);
    }
    let count = specification.partitions.len();
    let low = TreeReduction::new(specification).all(&trees(count, specification.order - 1)?);
    let is_esdirk = specification.structure == DiagonalStructure::Esdirk;
    let is_short = |(partition, shape): (usize, &crate::implicit::specification::PartitionShape)| {
        let root = if specification.shared_weights { 0 } else { partition };
        let conditions = low.iter().filter(|(tree, _)| tree.kind() == NodeKind::Partition(root)).count();
        let is_implicit = specification.shared_weights || shape.role == Role::Implicit;
        conditions + usize::from(is_esdirk && is_implicit) >= shape.evaluations
    };
    Ok(specification.partitions.iter().enumerate().any(is_short))
}

/// Merges trees whose residuals are multiples of each other.
pub(crate) struct TreeReduction {
    shared_weights: bool,
    shared_abscissae: bool,
    /// Partitions with stage order two where they are evaluated.
    second: Vec<usize>,
    /// The number of evaluations of each partition.
    evaluations: Vec<usize>,
}

impl TreeReduction {
    pub(crate) fn new(specification: &ImplicitSpecification) -> Self {
        let second = if specification.stage_order > 1 { specification.implicit().collect() } else { Vec::new() };
        let (shared_weights, shared_abscissae) = (specification.shared_weights, specification.has_shared_abscissae());
        let evaluations = specification.partitions.iter().map(|shape| shape.evaluations).collect();
        Self { shared_weights, shared_abscissae, second, evaluations }
    }

    /// Returns whether a partition has stage order two at all stages at which the partition of the node above it is
    /// evaluated. This is so if that partition has at most as many evaluations.
    fn has_second_order(&self, partition: usize, above: NodeKind) -> bool {
        let NodeKind::Partition(above) = above else { return false };
        self.second.contains(&partition) && self.evaluations.get(above) <= self.evaluations.get(partition)
    }

    /// Returns the different trees, smallest first. The weight of each is the root of the sum of the squares of the
    /// merged weights 1/σ.
    pub(crate) fn all(&self, trees: &[Tree]) -> Vec<(Tree, f64)> {
        let mut found: BTreeMap<(usize, String), (Tree, f64)> = BTreeMap::new();
        for tree in trees {
            let (reduced, factor) = self.reduced(tree);
            let key = (reduced.order(), reduced.text(&["s", "f"]));
            let square = (factor / tree.symmetry() as f64).powi(2);
            found.entry(key).and_modify(|entry| entry.1 += square).or_insert((reduced, square));
        }
        found.into_values().map(|(tree, square)| (tree, square.sqrt())).collect()
    }

    fn reduced(&self, tree: &Tree) -> (Tree, f64) {
        let (children, factor) = self.children(tree);
        let kind = if self.shared_weights { NodeKind::Partition(0) } else { tree.kind() };
        (Tree::new(kind, children), factor)
    }

    /// Reduces the children of a node; a child of the form [τ] becomes two leaves if the stage order is two at the
    /// relevant stages.
    fn children(&self, tree: &Tree) -> (Vec<Tree>, f64) {
        let (mut all, mut factor) = (Vec::new(), 1.0);
        for child in tree.children() {
            let (children, own) = self.children(child);
            factor *= own;
            let NodeKind::Partition(color) = child.kind() else { continue };
            let is_chain = matches!(&children[..], [leaf] if leaf.children().is_empty()
                && (self.shared_abscissae || leaf.kind() == child.kind()));
            if children.is_empty() && self.shared_abscissae {
                all.push(Tree::new(NodeKind::Partition(0), Vec::new()));
            } else if is_chain && self.has_second_order(color, tree.kind()) {
                all.extend([children[0].clone(), children[0].clone()]);
                factor *= 0.5;
            } else {
                all.push(Tree::new(child.kind(), children));
            }
        }
        (all, factor)
    }
}
