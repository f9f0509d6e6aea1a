//! The unknowns of a multirate design: abscissae and forcing polynomials of an internally consistent method.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::{Exact, Scalar};
use num_traits::Zero;

use crate::mri::specification::MriSpecification;

/// The rows of an explicit method as functions of the unknowns.
///
/// The unknowns are c₂ … c_s, then γᵏᵢⱼ with j ≥ 2, row by row, power by power. The first column follows from internal
/// consistency, Σⱼ γᵏᵢⱼ = Δᵢ for k = 0 and 0 for k ≥ 1, so that rows are affine functions of the unknowns.
#[derive(Clone, Debug)]
pub(crate) struct MriForm {
    pub(crate) stages: usize,
    pub(crate) powers: usize,
    pub(crate) restarts: bool,
}

/// The derivatives of a function by the entries of one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSlopes {
    pub(crate) interval: f64,
    /// Entries of γᵏⱼ at `[k][j − 1]`.
    pub(crate) forcing: Vec<Vec<f64>>,
}

impl MriForm {
    pub(crate) fn new(specification: &MriSpecification) -> Self {
        let &MriSpecification { slow, degree, restarts, .. } = specification;
        Self { stages: slow, powers: degree + 1, restarts }
    }

    /// Returns the form of the rows of a method, and their unknowns; `None` if they have another form or are not consistent.
    pub(crate) fn of_rows(rows: &[InfinitesimalStage<Exact>]) -> Option<(Self, Vec<Exact>)> {
        let powers = rows.first()?.forcing.first()?.len();
        let form =
            Self { stages: rows.len(), powers, restarts: rows.len() > 1 && rows.iter().all(|row| row.from == 1) };
        let has_shape = |(e, row): (usize, &InfinitesimalStage<Exact>)| {
            row.from == form.from(e) + 1
                && row.is_simple()
                && row.forcing.len() == 1
                && row.forcing[0].len() == powers
                && row.forcing[0].iter().all(|columns| columns.len() == e + 1)
        };
        if powers == 0 || !rows.iter().enumerate().all(has_shape) {
            return None;
        }
        let mut c = vec![Exact::zero()];
        rows.iter().for_each(|row| c.push(c[row.from - 1].clone() + row.interval.clone()));
        let forcing =
            rows.iter().flat_map(|row| row.forcing[0].iter().flat_map(|columns| columns[1..].iter().cloned()));
        let x: Vec<Exact> = c[1..rows.len()].iter().cloned().chain(forcing).collect();
        // The first columns and the last abscissa are not unknown: they have to be as the form says.
        let again = form.rows(&x);
        let agrees = |(x, y): (&InfinitesimalStage<Exact>, &InfinitesimalStage<Exact>)| {
            x.interval == y.interval && x.forcing == y.forcing && x.correction.iter().flatten().all(Exact::is_zero)
        };
        rows.iter().zip(&again).all(agrees).then_some((form, x))
    }

    /// Returns the number of unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        self.abscissae() + self.powers * self.stages * (self.stages - 1) / 2
    }

    /// Returns the number of unknown abscissae.
    pub(crate) fn abscissae(&self) -> usize {
        self.stages - 1
    }

    /// Returns the position of the first unknown of a row, from 0.
    fn start(&self, row: usize) -> usize {
        self.abscissae() + self.powers * row * row.saturating_sub(1) / 2
    }

    /// Returns the stage that a row starts from, from 0.
    pub(crate) fn from(&self, row: usize) -> usize {
        if self.restarts { 0 } else { row }
    }

    /// Computes the rows.
    pub(crate) fn rows<T: Scalar>(&self, x: &[T]) -> Vec<InfinitesimalStage<T>> {
        let inner = x[..self.abscissae()].iter().cloned();
        let c: Vec<T> = std::iter::once(T::zero()).chain(inner).chain([T::one()]).collect();
        let row = |e: usize| {
            let interval = c[e + 1].clone() - c[self.from(e)].clone();
            let power = |k: usize| {
                let start = self.start(e) + k * e;
                let free = &x[start..start + e];
                let whole = if k == 0 { interval.clone() } else { T::zero() };
                let first = free.iter().fold(whole, |rest, gamma| rest - gamma.clone());
                std::iter::once(first).chain(free.iter().cloned()).collect()
            };
            let forcing = vec![(0..self.powers).map(power).collect()];
            let correction = vec![Vec::new()];
            let (start, drift) = (Vec::new(), Vec::new());
            InfinitesimalStage { from: self.from(e) + 1, interval, forcing, correction, start, drift }
        };
        (0..self.stages).map(row).collect()
    }

    /// Returns whether stages have a length, so that the fast part decays along them, and end near the step at most.
    pub(crate) fn is_in_order(&self, x: &[f64]) -> bool {
        /// Shortest length, and largest abscissa.
        const BOUNDS: [f64; 2] = [0.01, 1.1];
        let c = |stage: usize| if stage == 0 { 0.0 } else { x.get(stage - 1).copied().unwrap_or_default() };
        let inner = &x[..self.abscissae()];
        let end = |e: usize| if e + 1 == self.stages { 1.0 } else { inner[e] };
        (0..self.stages).all(|e| end(e) - c(self.from(e)) >= BOUNDS[0]) && inner.iter().all(|c| *c <= BOUNDS[1])
    }

    /// Returns derivatives of zero.
    pub(crate) fn no_slopes(&self) -> Vec<RowSlopes> {
        let row = |e: usize| RowSlopes { interval: 0.0, forcing: vec![vec![0.0; e + 1]; self.powers] };
        (0..self.stages).map(row).collect()
    }

    /// Turns derivatives by the entries of all rows into those by the unknowns.
    pub(crate) fn gradient(&self, rows: &[RowSlopes]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.unknowns()];
        // The abscissa of stage j + 1 is unknown number j − 1.
        let last = self.abscissae();
        let mut add = |stage: usize, slope: f64| {
            if (1..=last).contains(&stage) {
                gradient[stage - 1] += slope;
            }
        };
        for (e, row) in rows.iter().enumerate() {
            let interval = row.interval + row.forcing[0][0];
            add(e + 1, interval);
            add(self.from(e), -interval);
        }
        for (e, row) in rows.iter().enumerate() {
            for (k, slopes) in row.forcing.iter().enumerate() {
                let start = self.start(e) + k * e;
                for j in 1..=e {
                    gradient[start + j - 1] += slopes[j] - slopes[0];
                }
            }
        }
        gradient
    }
}
