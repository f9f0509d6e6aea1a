//! Groups of stages that depend on each other.

use std::ops::Range;

use crate::stages::placed::PartitionCoefficients;

/// Stages that are solved simultaneously, after all previous blocks and before all later ones: one stage of an explicit
/// or diagonally implicit method, all stages of a fully implicit one.
#[derive(Clone, Debug)]
pub(crate) struct StageBlock {
    pub(crate) stages: Range<usize>,
    /// The rates on which the block's own stages depend: the unknowns of the Newton iterations.
    pub(crate) implicit: Vec<StageRate>,
    /// The other rates needed, which follow from the stages.
    pub(crate) explicit: Vec<StageRate>,
    /// The number of unknowns.
    pub(crate) unknowns: usize,
    /// The kind: blocks of one kind have the same coefficients, so that the same Jacobian gives the same Newton matrix.
    pub(crate) kind: usize,
}

/// The rates of one partition at one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StageRate {
    pub(crate) stage: usize,
    pub(crate) part: usize,
    /// The first of their rows in the linear system.
    pub(crate) row: usize,
}

/// Divides the stages into the finest sequence of consecutive blocks in which no stage depends on a later block.
pub(crate) fn blocks(parts: &[PartitionCoefficients]) -> Vec<StageBlock> {
    let stages = parts.first().map_or(0, |part| part.part.butcher.stages());
    let (mut blocks, mut start, mut reach): (Vec<StageBlock>, _, _) = (Vec::new(), 0, 0);
    for i in 0..stages {
        let last = parts.iter().filter_map(|part| part.part.butcher.a[i].iter().rposition(|a| *a != 0.0)).max();
        reach = reach.max(last.unwrap_or(0));
        if reach <= i {
            let mut block = block(parts, start..i + 1);
            let kind = blocks.iter().find(|other| are_of_a_kind(parts, other, &block)).map(|other| other.kind);
            block.kind = kind.unwrap_or(blocks.len());
            blocks.push(block);
            start = i + 1;
        }
    }
    blocks
}

fn block(parts: &[PartitionCoefficients], stages: Range<usize>) -> StageBlock {
    let mut block =
        StageBlock { stages: stages.clone(), implicit: Vec::new(), explicit: Vec::new(), unknowns: 0, kind: 0 };
    for stage in stages.clone() {
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.is_evaluated[stage]) {
            let rate = StageRate { stage, part: index, row: block.unknowns };
            if stages.clone().any(|i| part.a(i, stage) != 0.0) {
                block.implicit.push(rate);
                block.unknowns += part.range.len();
            } else {
                block.explicit.push(rate);
            }
        }
    }
    block
}

fn are_of_a_kind(parts: &[PartitionCoefficients], x: &StageBlock, y: &StageBlock) -> bool {
    let rows = |block: &StageBlock, i: usize| -> Vec<f64> {
        parts
            .iter()
            .flat_map(|part| part.part.butcher.a[block.stages.start + i][block.stages.clone()].to_vec())
            .collect()
    };
    let unknowns = |block: &StageBlock| -> Vec<(usize, usize)> {
        block.implicit.iter().map(|rate| (rate.stage - block.stages.start, rate.part)).collect()
    };
    x.stages.len() == y.stages.len()
        && unknowns(x) == unknowns(y)
        && (0..x.stages.len()).all(|i| rows(x, i) == rows(y, i))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::partition_tableaus::Extras;
    use crate::stages::placed::partition_coefficients;

    fn blocks_of(id: &str, sizes: &[usize]) -> Vec<StageBlock> {
        blocks(
            &partition_coefficients(&hemiola_tableau::library::method(id).unwrap(), sizes, Extras::default()).unwrap(),
        )
    }

    fn stages(id: &str, sizes: &[usize]) -> Vec<Range<usize>> {
        blocks_of(id, sizes).into_iter().map(|block| block.stages).collect()
    }

    #[test]
    fn methods_fall_into_blocks() {
        assert!(matches!(&stages("gauss-3", &[2])[..], [Range { start: 0, end: 3 }]));
        assert_eq!(stages("sdirk-2", &[2]), [0..1, 1..2]);
        // The first stage is explicit.
        assert_eq!(stages("lobatto-iiia-4", &[1, 1]), [0..1, 1..4]);
        assert_eq!(stages("rk4", &[1]), [0..1, 1..2, 2..3, 3..4]);
    }

    #[test]
    fn only_implicit_partitions_are_unknown() {
        let blocks = blocks_of("kennedy-carpenter-ark-4-3-6", &[3, 2]);
        assert!(blocks[0].implicit.is_empty() && blocks[0].explicit.len() == 2);
        let implicit = blocks[1].implicit[0].part;
        for block in &blocks[1..] {
            assert_eq!((block.implicit.len(), block.explicit.len(), block.implicit[0].part), (1, 1, implicit));
            assert_eq!((block.unknowns, block.kind), ([3, 2][implicit], blocks[1].kind));
        }
    }
}
