//! Segment between two nodes: its steps and their derivatives with respect to the segment's variables.

use nalgebra::{DMatrix, DVector};

use super::transcription::Transcription;
use crate::steps::{StateFlow, StepFailure};

/// Segment of the program, with the states at its points and their derivatives.
pub(crate) struct Segment<'a> {
    pub(crate) index: usize,
    /// Grid points of the segment, excluding the last one.
    pub(crate) points: std::ops::Range<usize>,
    flows: Vec<StateFlow<'a>>,
    /// States at the points and at the end, and their derivatives with respect to the segment's variables.
    pub(crate) states: Vec<Vec<f64>>,
    pub(crate) states_w: Vec<DMatrix<f64>>,
}

impl<'a> Segment<'a> {
    pub(crate) fn new(transcription: &'a Transcription, x: &[f64], index: usize) -> Result<Self, StepFailure> {
        let layout = &transcription.layout;
        let (n, size) = (layout.local.states, layout.segment(index).len());
        let points = layout.nodes[index]..layout.nodes[index + 1];
        let mut states = vec![x[layout.state(index)].to_vec()];
        let mut states_w = vec![DMatrix::identity(n, size)];
        let mut flows = Vec::with_capacity(points.len());
        for point in points.clone() {
            let state = &states[flows.len()];
            let flow = transcription.flow(point, &transcription.local_arguments(x, point, state))?;
            let along = transcription.along(index, point, &states_w[flows.len()]);
            states_w.push(flow.jacobian() * along);
            states.push(flow.end.clone());
            flows.push(flow);
        }
        Ok(Self { index, points, flows, states, states_w })
    }

    /// Returns the state at the end.
    pub(crate) fn end(&self) -> &[f64] {
        &self.states[self.flows.len()]
    }

    /// Returns ∂(state at the end)/∂(variables).
    pub(crate) fn end_w(&self) -> &DMatrix<f64> {
        &self.states_w[self.flows.len()]
    }

    /// Returns the Hessian of λᵀ(state at the end) plus the contributions of `at_point` at each grid point: a Hessian
    /// in the segment's variables and a gradient with respect to the state at that point.
    pub(crate) fn curvature(
        &self,
        transcription: &Transcription,
        weight: &[f64],
        at_point: impl Fn(usize) -> Result<(DMatrix<f64>, DVector<f64>), StepFailure>,
    ) -> Result<DMatrix<f64>, StepFailure> {
        let size = self.end_w().ncols();
        let n = weight.len();
        let mut weight = DVector::from_column_slice(weight);
        let mut hessian = DMatrix::zeros(size, size);
        for (k, point) in self.points.clone().enumerate().rev() {
            let local = self.flows[k].curvature(weight.as_slice())?;
            let along = transcription.along(self.index, point, &self.states_w[k]);
            hessian += along.tr_mul(&(local * &along));
            let (curvature, gradient) = at_point(k)?;
            hessian += curvature;
            weight = self.flows[k].jacobian().columns(0, n).tr_mul(&weight) + gradient;
        }
        Ok(hessian)
    }
}
