//! Convex model with the same solution: curvature is moved along the equations from each state to the variables of the
//! preceding segment.
//!
//! In min ½dᵀHd subject to the linearized equations ξₖ₊₁ = Φₖ(ξₖ, νₖ) + rₖ, a term ½ξₖ₊₁ᵀPξₖ₊₁ may be replaced by its
//! pullback through the equation. The recursion starts at the last segment and moves all curvature in ξₖ that is not
//! needed to determine νₖ to the preceding segment. The remaining blocks are positive semidefinite if and only if the
//! problem of the later segments is convex (Riccati's recursion; Verschueren, Zanon, Quirynen & Diehl 2017). If it is
//! not convex, a multiple of the identity is added to all blocks: the smallest power of ten that suffices.

use nalgebra::{DMatrix, DVector};

use super::layout::VariableLayout;
use crate::sqp::blocks::{LEAST_CURVATURE, absolute};
use crate::sqp::{ActiveRow, ConvexModel, HessianBlock, MultiplierCorrection, Ranges};

/// First nonzero multiple of the identity that is tried, and its growth factor.
const FIRST_SHIFT: f64 = 1e-8;
const GROWTH: f64 = 10.0;
const LARGEST_SHIFT: f64 = 1e10;

/// Equations that join the segments.
pub(crate) struct SegmentChain<'a> {
    pub(crate) layout: &'a VariableLayout,
    /// Derivatives of the state at the end of each segment with respect to the segment's variables.
    pub(crate) ends_w: Vec<&'a DMatrix<f64>>,
    /// Residuals of the equations, segment by segment.
    pub(crate) defects: &'a [f64],
    pub(crate) variables: &'a Ranges,
}

/// Active set, and the sum of ½(row · d)² over its rows for each block.
pub(crate) struct ActiveSet {
    pub(crate) held: Vec<ActiveRow>,
    pub(crate) added: Vec<DMatrix<f64>>,
}

/// Builds a convex model from the blocks of the Hessian. Curvature along active constraints is added only if the model
/// is not convex without it.
pub(crate) fn convex(
    chain: &SegmentChain<'_>,
    mut blocks: Vec<HessianBlock>,
    least: f64,
    active: ActiveSet,
) -> ConvexModel {
    if let Some(convex) = convex_with_ends(chain, blocks.clone(), least) {
        return convex;
    }
    blocks.iter_mut().zip(&active.added).for_each(|(block, added)| block.matrix += added);
    let mut shift = least;
    while shift < LARGEST_SHIFT {
        if let Some(mut convex) = convex_with_ends(chain, blocks.clone(), shift) {
            convex.held = active.held;
            return convex;
        }
        shift = if shift == 0.0 { FIRST_SHIFT } else { shift * GROWTH };
    }
    ConvexModel::clipped(blocks)
}

/// Builds the model with a multiple of the identity added. The Hessian of the boundary functions is merged into that of
/// the last state if possible.
fn convex_with_ends(chain: &SegmentChain<'_>, mut blocks: Vec<HessianBlock>, shift: f64) -> Option<ConvexModel> {
    let local = chain.layout.local;
    let (ends, last) = (blocks.pop()?, blocks.pop()?);
    let mut moved = last.matrix;
    let is_taken = merge_end_hessian(&ends, local.states, local.controls, &mut moved);
    let mut convex = convex_with_shift(chain, &blocks, &moved, shift)?;
    if !is_taken {
        convex.blocks.extend(ConvexModel::clipped(vec![ends]).blocks);
    }
    Some(convex)
}

/// Builds the model with a multiple of the identity added to the Hessian; `None` if it is still not convex.
fn convex_with_shift(
    chain: &SegmentChain<'_>,
    blocks: &[HessianBlock],
    last: &DMatrix<f64>,
    shift: f64,
) -> Option<ConvexModel> {
    let layout = chain.layout;
    let n = layout.local.states;
    let mut convex = ConvexModel::default();
    let mut moved = last.clone();
    add_shift(&mut moved, 0..n + layout.local.controls, shift);
    for (index, (block, end_w)) in blocks.iter().zip(&chain.ends_w).enumerate().rev() {
        let extended = moved.nrows();
        let flow = extended_flow(chain, index, end_w);
        let mut rest = DVector::zeros(extended);
        let first = index * n;
        (0..n).for_each(|k| rest[k] = chain.defects[first + k]);
        let gradient = flow.tr_mul(&(&moved * rest));
        convex.gradient.extend(block.indices.iter().copied().zip(gradient.iter().copied()));
        let matrix = moved.rows(0, n).into_owned();
        convex.corrections.push(MultiplierCorrection { first, indices: layout.extended(index + 1), matrix });
        let mut whole = &block.matrix + flow.tr_mul(&(&moved * &flow));
        add_shift(&mut whole, 0..n + layout.local.controls, shift);
        // Controls between the nodes. Those of the next node were shifted with its state.
        add_shift(&mut whole, extended..block.indices.len() - layout.local.controls, shift);
        let (kept, before) = split(&whole, extended)?;
        convex.blocks.push(HessianBlock { indices: block.indices.clone(), matrix: kept });
        moved = before;
    }
    // Fixed variables do not change; their curvature is irrelevant.
    let indices = layout.extended(0);
    let variables = chain.variables;
    for (k, &variable) in indices.iter().enumerate() {
        if variables.lower[variable] == variables.upper[variable] {
            moved.row_mut(k).fill(0.0);
            moved.column_mut(k).fill(0.0);
        }
    }
    let positive = absolute(&moved, 0.0);
    if (&positive - &moved).amax() > 1e-6 * moved.amax().min(1.0) + shift {
        return None;
    }
    convex.blocks.push(HessianBlock { indices, matrix: positive });
    Some(convex)
}

/// Adds a multiple of the identity in some variables (states and controls).
fn add_shift(matrix: &mut DMatrix<f64>, variables: std::ops::Range<usize>, shift: f64) {
    variables.for_each(|k| matrix[(k, k)] += shift);
}

/// Adds the Hessian of the boundary functions to that at the last point. Returns false if it involves the initial
/// state.
fn merge_end_hessian(ends: &HessianBlock, n: usize, controls: usize, last: &mut DMatrix<f64>) -> bool {
    if ends.matrix.columns(0, n).iter().any(|entry| *entry != 0.0) {
        return false;
    }
    let size = ends.indices.len();
    // Index map from (y(0), y(T), p, T) to (y(T), u, T, p).
    let place = |k: usize| match k {
        _ if k < 2 * n => k - n,
        _ if k + 1 == size => n + controls,
        _ => k - 2 * n + n + controls + 1,
    };
    for i in n..size {
        for j in n..size {
            last[(place(i), place(j))] += ends.matrix[(i, j)];
        }
    }
    true
}

/// Returns ξ of the next node as a function of the segment's variables: its state, followed by the controls and
/// globals, which are variables themselves.
fn extended_flow(chain: &SegmentChain<'_>, index: usize, end_w: &DMatrix<f64>) -> DMatrix<f64> {
    let layout = chain.layout;
    let local = layout.local;
    let globals = local.states + local.controls;
    let mut flow = DMatrix::zeros(globals + 1 + local.parameters, end_w.ncols());
    flow.rows_mut(0, local.states).copy_from(end_w);
    let control = layout.control_in_segment(index, layout.nodes[index + 1]);
    (0..local.controls).for_each(|k| flow[(local.states + k, control + k)] = 1.0);
    (0..=local.parameters).for_each(|k| flow[(globals + k, globals + k)] = 1.0);
    flow
}

/// Splits a matrix into a positive semidefinite part that belongs to ν and a rest in ξ alone. With B the block of ν,
/// these are [C B⁻¹Cᵀ, C; Cᵀ, B] and the Schur complement. `None` if B is not positive definite.
fn split(whole: &DMatrix<f64>, extended: usize) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let size = whole.nrows();
    let free = size - extended;
    let known = whole.view((0, 0), (extended, extended)).into_owned();
    if free == 0 {
        return Some((DMatrix::zeros(size, size), known));
    }
    let own = whole.view((extended, extended), (free, free)).into_owned();
    let factor = own.clone().cholesky()?;
    if factor.l_dirty().diagonal().iter().any(|entry| entry * entry < LEAST_CURVATURE) {
        return None;
    }
    let mixed = whole.view((0, extended), (extended, free)).into_owned();
    let complement = &mixed * factor.solve(&mixed.transpose());
    let complement = (&complement + complement.transpose()) * 0.5;
    let mut kept = DMatrix::zeros(size, size);
    kept.view_mut((0, 0), (extended, extended)).copy_from(&complement);
    kept.view_mut((0, extended), (extended, free)).copy_from(&mixed);
    kept.view_mut((extended, 0), (free, extended)).copy_from(&mixed.transpose());
    kept.view_mut((extended, extended), (free, free)).copy_from(&own);
    let before = known - complement;
    Some((kept, (&before + before.transpose()) * 0.5))
}
