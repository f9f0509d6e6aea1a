//! Dependent and independent coordinates of a machine with loops.

use std::ops::Range;

use crate::algebra::dense::pivot_columns;
use crate::machine::tree::{Closure, Tree};

/// Dependent and independent velocity coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CoordinatePartition {
    pub(crate) independents: Vec<usize>,
    pub(crate) blocks: Vec<ConstraintBlock>,
    /// The ranges of entries of R_z, which has a row for each coordinate and a column for each independent.
    pub(crate) rows: Vec<Range<usize>>,
    /// The columns of all entries.
    pub(crate) columns: Vec<usize>,
    /// The condition when the partition was first used.
    pub(crate) condition: Option<f64>,
}

/// Equations that share dependents. The suspensions of different wheels, for example, form different blocks and are
/// solved separately.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ConstraintBlock {
    pub(crate) rows: Vec<usize>,
    pub(crate) dependents: Vec<usize>,
    /// The independents on which the dependents depend.
    pub(crate) independents: Vec<usize>,
    /// The start of the block's factors.
    pub(crate) factors: usize,
    pub(crate) pivots: usize,
}

/// Weight of a ball joint's coordinates in the choice of dependents.
///
/// All three of them should be dependent. The closing of loops alone then determines the orientation of the body, while
/// a partly independent quaternion is determined only to second order in the correction.
const BALL_WEIGHT: f64 = 16.0;
/// Weight of a floating body's coordinates, which should remain independent since users expect to prescribe them.
const FLOATING_WEIGHT: f64 = 1.0 / 256.0;

impl CoordinatePartition {
    /// Creates the partition of a machine without loops.
    pub(crate) fn free(coordinates: usize) -> Self {
        Self::of(coordinates, &[], &[])
    }

    /// Chooses the partition for a Jacobian of the loops, with `equations` rows, by elimination with full pivoting.
    /// Returns the rank as an error if it is deficient.
    pub(crate) fn choose(tree: &Tree, jacobian: &[f64]) -> Result<Self, usize> {
        let (m, n) = (tree.equations(), tree.velocities);
        let columns = pivot_columns(&mut jacobian.to_vec(), m, n, &weights(tree));
        if columns.len() < m {
            return Err(columns.len());
        }
        let movers = |closure: &Closure| -> Vec<usize> { closure.movers.iter().map(|&(k, _)| k).collect() };
        let rows: Vec<Vec<usize>> =
            tree.closures.iter().flat_map(|closure| closure.equations().map(|_| movers(closure))).collect();
        Ok(Self::of(n, &rows, &columns))
    }

    fn of(n: usize, rows: &[Vec<usize>], dependents: &[usize]) -> Self {
        let independents: Vec<usize> = (0..n).filter(|k| !dependents.contains(k)).collect();
        let place = |k: &usize| independents.iter().position(|independent| independent == k);
        let blocks = blocks(rows, dependents);
        let mut partition = Self { blocks, ..Self::default() };
        for k in 0..n {
            let begin = partition.columns.len();
            match partition.blocks.iter().find(|block| block.dependents.contains(&k)) {
                Some(block) => partition.columns.extend(block.independents.iter().filter_map(place)),
                None => partition.columns.extend(place(&k)),
            }
            partition.rows.push(begin..partition.columns.len());
        }
        Self { independents, ..partition }
    }
}

/// Groups the rows of a matrix, each given by its columns, such that groups share no dependent column.
fn blocks(rows: &[Vec<usize>], dependents: &[usize]) -> Vec<ConstraintBlock> {
    let mut open: Vec<usize> = (0..rows.len()).collect();
    let (mut blocks, mut factors, mut pivots) = (Vec::new(), 0, 0);
    while let Some(&row) = open.first() {
        let mut block = ConstraintBlock { factors, pivots, ..ConstraintBlock::default() };
        let mut next = vec![row];
        while let Some(row) = next.pop() {
            open.retain(|other| *other != row);
            if block.rows.contains(&row) {
                continue;
            }
            block.rows.push(row);
            for k in &rows[row] {
                let group = if dependents.contains(k) { &mut block.dependents } else { &mut block.independents };
                if !group.contains(k) {
                    group.push(*k);
                    if dependents.contains(k) {
                        next.extend(open.iter().copied().filter(|other| rows[*other].contains(k)));
                    }
                }
            }
        }
        [&mut block.rows, &mut block.dependents, &mut block.independents]
            .into_iter()
            .for_each(|list| list.sort_unstable());
        factors += block.rows.len().pow(2);
        pivots += block.rows.len();
        blocks.push(block);
    }
    blocks
}

fn weights(tree: &Tree) -> Vec<f64> {
    let mut weights = vec![1.0; tree.velocities];
    for node in &tree.nodes[1..] {
        let weight = match node.quaternion() {
            None => continue,
            Some(0) => BALL_WEIGHT,
            Some(_) => FLOATING_WEIGHT,
        };
        weights[node.velocities()].fill(weight);
    }
    weights
}
