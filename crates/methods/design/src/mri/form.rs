//! The unknowns of a multirate design: abscissae, forcing polynomials and corrections of an internally consistent method.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::{Exact, Scalar};
use num_traits::Zero;

use crate::mri::specification::{MriSpecification, SlowPart};

/// The rows of a method as functions of the unknowns.
///
/// The unknowns are c₂ … c_s, then for each slow partition γᵏᵢⱼ with j ≥ 2, row by row, power by power, and for an implicit
/// one Γᵢⱼ with 2 ≤ j < i, row by row, and the diagonal entry Γᵢᵢ = γ. The first columns follow from internal consistency,
/// Σⱼ γᵏᵢⱼ = Δᵢ for k = 0 and 0 for k ≥ 1, and Σⱼ Γᵢⱼ = 0, so that rows are affine functions of the unknowns.
#[derive(Clone, Debug)]
pub(crate) struct MriForm {
    pub(crate) stages: usize,
    pub(crate) powers: usize,
    pub(crate) restarts: bool,
    pub(crate) part: SlowPart,
}

/// The derivatives of a function with respect to the entries of one row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSlopes {
    pub(crate) interval: f64,
    /// Entries of γᵏⱼ at `[σ][k][j − 1]`.
    pub(crate) forcing: Vec<Vec<Vec<f64>>>,
    /// Entries of Γⱼ at `[σ][j − 1]`; empty for explicit partitions.
    pub(crate) correction: Vec<Vec<f64>>,
}

impl MriForm {
    pub(crate) fn new(specification: &MriSpecification) -> Self {
        let &MriSpecification { degree, restarts, part, .. } = specification;
        Self { stages: specification.rows(), powers: degree + 1, restarts, part }
    }

    /// Returns the form of the rows of a method, and their unknowns; `None` if they have another form or are not consistent.
    pub(crate) fn of_rows(rows: &[InfinitesimalStage<Exact>]) -> Option<(Self, Vec<Exact>)> {
        let first = rows.first()?;
        let powers = first.forcing.first()?.len();
        let restarts = rows.len() > 1 && rows.iter().all(|row| row.from == 1);
        let is_implicit: Vec<bool> =
            first.correction.iter().map(|columns| !columns.iter().all(Zero::is_zero)).collect();
        let part = SlowPart::ALL.into_iter().find(|part| part.is_implicit() == is_implicit)?;
        let form = Self { stages: rows.len(), powers, restarts, part };
        if powers == 0 || !rows.iter().enumerate().all(|(e, row)| form.has_shape(e, row)) {
            return None;
        }
        let mut c = vec![Exact::zero()];
        rows.iter().for_each(|row| c.push(c[row.from - 1].clone() + row.interval.clone()));
        let mut x: Vec<Exact> = c[1..rows.len()].to_vec();
        for (part, is_implicit) in is_implicit.into_iter().enumerate() {
            let forcing = rows.iter().flat_map(|row| row.forcing[part].iter().flat_map(|columns| &columns[1..]));
            x.extend(forcing.cloned());
            if is_implicit {
                x.extend(rows.iter().enumerate().flat_map(|(e, row)| row.correction[part][1..=e].iter().cloned()));
                x.push(first.correction[part][1].clone());
            }
        }
        // The first columns, the diagonal and the last abscissa are not unknowns; check that they have the values of
        // the form.
        let again = form.rows(&x);
        let agrees = |(x, y): (&InfinitesimalStage<Exact>, &InfinitesimalStage<Exact>)| {
            x.interval == y.interval && x.forcing == y.forcing && same_columns(&x.correction, &y.correction)
        };
        rows.iter().zip(&again).all(agrees).then_some((form, x))
    }

    fn has_shape(&self, e: usize, row: &InfinitesimalStage<Exact>) -> bool {
        let parts = self.part.is_implicit();
        let is_wide = |powers: &Vec<Vec<Exact>>| powers.iter().all(|columns| columns.len() == e + 1);
        row.from == self.from(e) + 1
            && row.is_simple()
            && [row.forcing.len(), row.correction.len()] == [parts.len(); 2]
            && row.forcing.iter().all(|powers| powers.len() == self.powers && is_wide(powers))
            && row.correction.iter().zip(parts).all(|(columns, is_implicit)| !is_implicit || columns.len() == e + 2)
    }

    /// Returns the number of unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        self.first_of(self.part.is_implicit().len())
    }

    /// Returns the number of unknown abscissae.
    pub(crate) fn abscissae(&self) -> usize {
        self.stages - 1
    }

    /// Returns the number of entries γᵏᵢⱼ, or Γᵢⱼ, with 2 ≤ j < i for one power.
    fn triangle(&self) -> usize {
        self.stages * (self.stages - 1) / 2
    }

    /// Returns the position of the first unknown of a slow partition, from 0.
    fn first_of(&self, part: usize) -> usize {
        let implicit = self.part.is_implicit()[..part].iter().filter(|is_implicit| **is_implicit).count();
        self.abscissae() + part * self.powers * self.triangle() + implicit * (self.triangle() + 1)
    }

    /// Returns the position of the first forcing unknown of a row and a power.
    fn forcing_at(&self, part: usize, row: usize, power: usize) -> usize {
        self.first_of(part) + self.powers * row * row.saturating_sub(1) / 2 + power * row
    }

    /// Returns the position of the first correction unknown of a row.
    fn correction_at(&self, part: usize, row: usize) -> usize {
        self.first_of(part) + self.powers * self.triangle() + row * row.saturating_sub(1) / 2
    }

    /// Returns the position of the diagonal entry of each implicit partition.
    pub(crate) fn diagonals(&self) -> impl Iterator<Item = usize> {
        let parts = self.part.is_implicit().iter().enumerate().filter(|(_, is_implicit)| **is_implicit);
        parts.map(|(part, _)| self.first_of(part + 1) - 1)
    }

    /// Returns the implicit slow partition, from 0.
    pub(crate) fn implicit_part(&self) -> Option<usize> {
        self.part.is_implicit().iter().position(|is_implicit| *is_implicit)
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
            let mut forcing = Vec::new();
            let mut correction = Vec::new();
            for (part, is_implicit) in self.part.is_implicit().iter().enumerate() {
                let power = |k: usize| {
                    let start = self.forcing_at(part, e, k);
                    let whole = if k == 0 { interval.clone() } else { T::zero() };
                    summing_to(whole, &x[start..start + e])
                };
                forcing.push((0..self.powers).map(power).collect());
                correction.push(if *is_implicit {
                    let start = self.correction_at(part, e);
                    let diagonal = &x[self.first_of(part + 1) - 1];
                    let own: Vec<T> = x[start..start + e].iter().chain([diagonal]).cloned().collect();
                    summing_to(T::zero(), &own)
                } else {
                    Vec::new()
                });
            }
            let (start, drift) = (Vec::new(), Vec::new());
            InfinitesimalStage { from: self.from(e) + 1, interval, forcing, correction, start, drift }
        };
        (0..self.stages).map(row).collect()
    }

    /// Returns whether all stages have positive length, so that the fast part decays along them, end at most slightly
    /// beyond the step, and have positive diagonal entries.
    pub(crate) fn is_in_order(&self, x: &[f64]) -> bool {
        /// Shortest length, largest abscissa and smallest diagonal entry.
        const BOUNDS: [f64; 3] = [0.01, 1.1, 0.01];
        let c = |stage: usize| if stage == 0 { 0.0 } else { x.get(stage - 1).copied().unwrap_or_default() };
        let inner = &x[..self.abscissae()];
        let end = |e: usize| if e + 1 == self.stages { 1.0 } else { inner[e] };
        (0..self.stages).all(|e| end(e) - c(self.from(e)) >= BOUNDS[0])
            && inner.iter().all(|c| *c <= BOUNDS[1])
            && self.diagonals().all(|k| x[k] >= BOUNDS[2])
    }

    /// Returns vanishing derivatives for all rows.
    pub(crate) fn no_slopes(&self) -> Vec<RowSlopes> {
        let parts = self.part.is_implicit();
        let row = |e: usize| RowSlopes {
            interval: 0.0,
            forcing: vec![vec![vec![0.0; e + 1]; self.powers]; parts.len()],
            correction: parts.iter().map(|is_implicit| vec![0.0; if *is_implicit { e + 2 } else { 0 }]).collect(),
        };
        (0..self.stages).map(row).collect()
    }

    /// Converts derivatives with respect to the entries of all rows to derivatives with respect to the unknowns.
    pub(crate) fn gradient(&self, rows: &[RowSlopes]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.unknowns()];
        // The abscissa of stage j + 1 is unknown number j − 1.
        let last = self.abscissae();
        for (e, row) in rows.iter().enumerate() {
            let interval = row.interval + row.forcing.iter().map(|powers| powers[0][0]).sum::<f64>();
            for (stage, slope) in [(e + 1, interval), (self.from(e), -interval)] {
                if (1..=last).contains(&stage) {
                    gradient[stage - 1] += slope;
                }
            }
            for (part, powers) in row.forcing.iter().enumerate() {
                for (k, slopes) in powers.iter().enumerate() {
                    let start = self.forcing_at(part, e, k);
                    (1..=e).for_each(|j| gradient[start + j - 1] += slopes[j] - slopes[0]);
                }
            }
            for (part, slopes) in row.correction.iter().enumerate().filter(|(_, slopes)| !slopes.is_empty()) {
                let start = self.correction_at(part, e);
                (1..=e).for_each(|j| gradient[start + j - 1] += slopes[j] - slopes[0]);
                gradient[self.first_of(part + 1) - 1] += slopes[e + 1] - slopes[0];
            }
        }
        gradient
    }
}

/// Returns the entries preceded by a first one such that the sum is a given number.
pub(crate) fn summing_to<T: Scalar>(sum: T, free: &[T]) -> Vec<T> {
    let first = free.iter().fold(sum, |rest, entry| rest - entry.clone());
    std::iter::once(first).chain(free.iter().cloned()).collect()
}

/// Returns whether columns agree; missing entries are zero.
pub(crate) fn same_columns(a: &[Vec<Exact>], b: &[Vec<Exact>]) -> bool {
    let rest = |columns: &[Exact], from: usize| columns.get(from..).unwrap_or_default().iter().all(Zero::is_zero);
    let same = |(a, b): (&Vec<Exact>, &Vec<Exact>)| {
        a.iter().zip(b).all(|(x, y)| x == y) && rest(a, b.len()) && rest(b, a.len())
    };
    a.iter().zip(b).all(same)
}
