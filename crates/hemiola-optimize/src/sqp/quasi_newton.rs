//! Damped BFGS updates, block by block (Griewank & Toint 1982; Bock & Plitt 1984; damping of Powell 1978).

use nalgebra::{DMatrix, DVector};

use super::blocks::Block;

/// The Hessians of the parts of the Lagrangian, as far as gradients have told.
#[derive(Clone, Debug)]
pub(crate) struct QuasiNewton {
    pub(crate) blocks: Vec<Block>,
    is_fresh: bool,
}

/// y·s ≥ DAMPING · sᵀBs keeps a block positive definite.
const DAMPING: f64 = 0.2;

impl QuasiNewton {
    /// Small multiples of the identity.
    pub(crate) fn new(indices: impl Iterator<Item = Vec<usize>>) -> Self {
        let block = |indices: Vec<usize>| {
            let size = indices.len();
            Block { indices, matrix: DMatrix::identity(size, size) * 1e-3 }
        };
        Self { blocks: indices.map(block).collect(), is_fresh: true }
    }

    /// Learns from the gradients of the parts before and after a step.
    pub(crate) fn update(&mut self, step: &[f64], before: &[DVector<f64>], after: &[DVector<f64>]) {
        for (block, (before, after)) in self.blocks.iter_mut().zip(before.iter().zip(after)) {
            let s = DVector::from_iterator(block.indices.len(), block.indices.iter().map(|&k| step[k]));
            let length = s.norm_squared();
            if length <= 1e-30 {
                continue;
            }
            let mut y = after - before;
            if self.is_fresh {
                // The size of the curvature along the first step (Nocedal & Wright 2006, (6.20)).
                let size = (y.norm_squared() / y.dot(&s).abs().max(1e-12)).clamp(1e-6, 1e6);
                block.matrix = DMatrix::identity(s.len(), s.len()) * size;
            }
            let bs = &block.matrix * &s;
            let (sbs, sy) = (s.dot(&bs), s.dot(&y));
            if sy < DAMPING * sbs {
                let share = (1.0 - DAMPING) * sbs / (sbs - sy);
                y = &y * share + &bs * (1.0 - share);
            }
            let sy = s.dot(&y);
            if sbs > 0.0 && sy > 0.0 {
                block.matrix += &y * y.transpose() / sy - &bs * bs.transpose() / sbs;
            }
        }
        self.is_fresh = false;
    }
}
