//! Hessians from differences of gradients: damped BFGS (Powell 1978), block by block, since the Lagrangian is a sum of
//! functions of few variables (Bock & Plitt 1984).

use nalgebra::{DMatrix, DVector};

use super::blocks::HessianBlock;

/// Gradient of a part of the Lagrangian.
#[derive(Clone, Debug, PartialEq)]
pub struct LagrangianPart {
    /// Variables that the part depends on.
    pub indices: Vec<usize>,
    /// Derivatives with respect to these variables.
    pub gradient: Vec<f64>,
}

/// Positive definite approximations of the blocks of the Hessian.
#[derive(Clone, Debug)]
pub(crate) struct QuasiNewton {
    blocks: Vec<HessianBlock>,
}

/// Fraction of the approximate curvature below which an update is damped.
const DAMPING: f64 = 0.2;
/// Initial curvature. One difference corrects a value that is too small; a value that is too large takes many.
const FIRST: f64 = 1e-2;

impl QuasiNewton {
    pub(crate) fn new(parts: &[LagrangianPart]) -> Self {
        let block = |part: &LagrangianPart| {
            let size = part.indices.len();
            HessianBlock { indices: part.indices.clone(), matrix: DMatrix::identity(size, size) * FIRST }
        };
        Self { blocks: parts.iter().map(block).collect() }
    }

    pub(crate) fn blocks(&self) -> Vec<HessianBlock> {
        self.blocks.clone()
    }

    /// Updates the blocks with the change of the parts' gradients along a step, with equal multipliers at both ends.
    pub(crate) fn update(&mut self, step: &[f64], before: &[LagrangianPart], after: &[LagrangianPart]) {
        for ((block, before), after) in self.blocks.iter_mut().zip(before).zip(after) {
            let s = DVector::from_iterator(block.indices.len(), block.indices.iter().map(|&k| step[k]));
            let y = DVector::from_iterator(
                block.indices.len(),
                after.gradient.iter().zip(&before.gradient).map(|(after, before)| after - before),
            );
            damped(&mut block.matrix, &s, &y);
        }
    }
}

/// Updates B to B − Bs sᵀB/sᵀBs + r rᵀ/sᵀr with r between y and Bs, so that sᵀr ≥ 0.2 sᵀBs.
fn damped(matrix: &mut DMatrix<f64>, s: &DVector<f64>, y: &DVector<f64>) {
    let along = &*matrix * s;
    let (curvature, found) = (s.dot(&along), s.dot(y));
    // Steps whose squares are rounding errors carry no information.
    if !(curvature > f64::MIN_POSITIVE.sqrt() && found.is_finite()) {
        return;
    }
    let share = if found >= DAMPING * curvature { 1.0 } else { (1.0 - DAMPING) * curvature / (curvature - found) };
    let mixed = y * share + &along * (1.0 - share);
    let update = &mixed * mixed.transpose() / s.dot(&mixed) - &along * along.transpose() / curvature;
    if update.iter().all(|entry| entry.is_finite()) {
        *matrix += update;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convex_quadratic_is_learned_and_damping_keeps_blocks_definite() {
        let hessian = DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.0, 1.0, 3.0, -1.0, 0.0, -1.0, 2.0]);
        let part = |x: &DVector<f64>, factor: f64| {
            vec![LagrangianPart { indices: vec![0, 1, 2], gradient: (&hessian * x * factor).iter().copied().collect() }]
        };
        let origin = DVector::zeros(3);
        let mut found = QuasiNewton::new(&part(&origin, 1.0));
        // Three steps along conjugate directions recover the full Hessian.
        let eigen = hessian.clone().symmetric_eigen();
        for k in 0..3 {
            let step = eigen.eigenvectors.column(k).into_owned();
            found.update(step.as_slice(), &part(&origin, 1.0), &part(&step, 1.0));
        }
        assert!((&found.blocks()[0].matrix - &hessian).amax() < 1e-12);
        // The same steps with a concave function leave the approximation positive definite.
        for k in 0..3 {
            let step = eigen.eigenvectors.column(k).into_owned();
            found.update(step.as_slice(), &part(&origin, -1.0), &part(&step, -1.0));
            assert!(found.blocks()[0].matrix.clone().cholesky().is_some());
        }
        // A zero step changes nothing.
        let before = found.blocks();
        found.update(&[0.0; 3], &part(&origin, 1.0), &part(&origin, 1.0));
        assert_eq!(found.blocks(), before);
    }
}
