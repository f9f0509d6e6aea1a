//! Library model with controls: time-dependent parameters and terms added to the rates. The integrand of the objective,
//! if any, is the rate of an additional state.

use super::polynomial::PolynomialMap;
use crate::calculus::Differentiable;
use crate::identification::LibraryModel;

/// Rates as a function of z = (y, integral, u, p, t).
pub(crate) struct ControlledModel {
    pub(crate) model: LibraryModel,
    /// Indices in z of the model's own arguments (its states, its free parameters, t).
    pub(crate) places: Vec<usize>,
    /// Control terms added to the rates: index of the control in z, row, factor.
    pub(crate) added: Vec<(usize, usize, f64)>,
    /// Integrand of the objective: one polynomial or none.
    pub(crate) integrand: PolynomialMap,
}

impl ControlledModel {
    fn own(&self, z: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| z[place]).collect()
    }

    /// Returns the number of states of the model.
    fn rows(&self) -> usize {
        self.model.outputs()
    }

    /// Copies a Jacobian in the model's own arguments into a Jacobian in z.
    fn put_rows(&self, own: &[f64], out: &mut [f64]) {
        let m = self.inputs();
        for (row, entries) in own.chunks(self.places.len()).enumerate() {
            self.places.iter().zip(entries).for_each(|(&place, entry)| out[row * m + place] += entry);
        }
    }

    /// Adds a Hessian in the model's own arguments to a Hessian in z.
    fn add_square(&self, own: &[f64], out: &mut [f64]) {
        let m = self.inputs();
        for (&row, entries) in self.places.iter().zip(own.chunks(self.places.len())) {
            self.places.iter().zip(entries).for_each(|(&column, entry)| out[row * m + column] += entry);
        }
    }

    fn own_matrix(&self) -> Vec<f64> {
        vec![0.0; self.rows() * self.places.len()]
    }

    fn own_square(&self) -> Vec<f64> {
        vec![0.0; self.places.len() * self.places.len()]
    }
}

impl Differentiable for ControlledModel {
    fn inputs(&self) -> usize {
        Differentiable::inputs(&self.integrand)
    }

    fn outputs(&self) -> usize {
        self.rows() + self.integrand.all.len()
    }

    fn value(&self, z: &[f64], out: &mut [f64]) {
        let (rates, integral) = out.split_at_mut(self.rows());
        self.model.value(&self.own(z), rates);
        self.added.iter().for_each(|&(control, row, factor)| rates[row] += factor * z[control]);
        self.integrand.value(z, integral);
    }

    fn jacobian(&self, z: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let (m, mut own) = (z.len(), self.own_matrix());
        self.model.jacobian(&self.own(z), &mut own);
        self.put_rows(&own, out);
        self.added.iter().for_each(|&(control, row, factor)| out[row * m + control] += factor);
        self.integrand.jacobian(z, &mut out[self.rows() * m..]);
    }

    fn linearization(&self, z: &[f64], d: &[f64], jacobian: &mut [f64], bend: &mut [f64]) {
        jacobian.fill(0.0);
        bend.fill(0.0);
        let (m, mut own, mut own_bend) = (z.len(), self.own_matrix(), self.own_matrix());
        self.model.linearization(&self.own(z), &self.own(d), &mut own, &mut own_bend);
        self.put_rows(&own, jacobian);
        self.put_rows(&own_bend, bend);
        self.added.iter().for_each(|&(control, row, factor)| jacobian[row * m + control] += factor);
        let first = self.rows() * m;
        self.integrand.linearization(z, d, &mut jacobian[first..], &mut bend[first..]);
    }

    fn curvature(&self, z: &[f64], w: &[f64], out: &mut [f64]) {
        let (own_w, last) = w.split_at(self.rows());
        self.integrand.curvature(z, last, out);
        let mut own = self.own_square();
        self.model.curvature(&self.own(z), own_w, &mut own);
        self.add_square(&own, out);
    }

    fn linearization_curvature(&self, z: &[f64], d: &[f64], w: &[f64], curvature: &mut [f64], bend: &mut [f64]) {
        let (own_w, last) = w.split_at(self.rows());
        self.integrand.linearization_curvature(z, d, last, curvature, bend);
        let (mut own, mut own_bend) = (self.own_square(), self.own_square());
        self.model.linearization_curvature(&self.own(z), &self.own(d), own_w, &mut own, &mut own_bend);
        self.add_square(&own, curvature);
        self.add_square(&own_bend, bend);
    }
}
