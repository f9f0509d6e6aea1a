//! The unknowns of a low-storage design, and the tableaus that they determine.

use hemiola_tableau::low_storage::{StorageClass, StorageFamily, StorageForm};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};
use num_dual::Dual64;
use num_traits::Zero;

/// The coefficients of a form that influence the step and its embedded weights.
///
/// The embedded weights of 2S and 3S* are the final content of S₂, Σ δₖKₖ. The form also permits a factor g of this sum
/// and a multiple of b, but these only scale the error estimate.
#[derive(Clone, Debug)]
pub(crate) struct StorageCoordinates {
    pub(crate) family: StorageFamily,
    /// The parameters of the family that are unknown.
    active: Vec<usize>,
}

impl StorageCoordinates {
    pub(crate) fn new(class: StorageClass, stages: usize, has_embedded: bool) -> Self {
        let family = StorageFamily { class, stages, has_embedded };
        let s = stages;
        let (g, x) = (2 * s, 3 * s + usize::from(has_embedded));
        let active = |&k: &usize| match class {
            StorageClass::TwoN => k != 0,
            // β; δ of the sums that later stages or the embedded weights use; g of sums that are not empty; x of rows
            // after the first, which for 2S follows from the others.
            _ if k < s => true,
            _ if k < g => {
                let (first, end) = (usize::from(class != StorageClass::TwoS), if has_embedded { s } else { s - 1 });
                (first..end).contains(&(k - s))
            }
            _ if k < x => (2 - usize::from(class == StorageClass::TwoS)..s).contains(&(k - g)),
            _ => class == StorageClass::ThreeSStar && (1..s).contains(&(k - x)),
        };
        Self { active: (0..family.parameters()).filter(active).collect(), family }
    }

    /// Returns the number of unknowns.
    pub(crate) fn count(&self) -> usize {
        self.active.len()
    }

    /// Returns the kind of each unknown: the index of its vector among the parameters of the family.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = ParameterKind> {
        let s = self.family.stages;
        let x = 3 * s + usize::from(self.family.has_embedded);
        self.active.iter().map(move |&k| match (self.family.class, k) {
            (StorageClass::TwoN, k) if k < s => ParameterKind::Retained,
            (StorageClass::TwoN, _) => ParameterKind::Step,
            (_, k) if k < s => ParameterKind::Step,
            (_, k) if k < 2 * s => ParameterKind::Summand,
            (_, k) if k < x => ParameterKind::OfSum,
            _ => ParameterKind::OfPrevious,
        })
    }

    /// Returns all parameters of the family.
    pub(crate) fn parameters<T: Scalar>(&self, x: &[T]) -> Vec<T> {
        let mut all = vec![T::zero(); self.family.parameters()];
        if self.family.has_embedded {
            // The embedded weights are the sum itself.
            all[3 * self.family.stages] = T::one();
        }
        self.active.iter().zip(x).for_each(|(&k, x)| all[k] = x.clone());
        all
    }

    /// Returns the unknowns of a form: A and B, or β, δ, γ₂ and γ₁ + γ₂δ.
    pub(crate) fn of_form(&self, form: &StorageForm) -> Vec<Exact> {
        let vectors: Vec<&[Exact]> = form.vectors().into_iter().map(|(_, vector)| vector).collect();
        let s = self.family.stages;
        let all: Vec<Exact> = match (self.family.class, &vectors[..]) {
            (StorageClass::TwoN, vectors) => vectors.concat(),
            (_, [first, second, .., beta, delta]) => {
                let previous = (0..s).map(|i| first[i].clone() + second[i].clone() * delta[i].clone());
                let end = self.family.has_embedded.then(Exact::zero);
                let head = beta.iter().chain(&delta[..s]).chain(*second).cloned();
                head.chain(end.clone()).chain(previous).chain(end).collect()
            }
            _ => Vec::new(),
        };
        self.active.iter().filter_map(|&k| all.get(k).cloned()).collect()
    }

    /// Computes the tableau and, with embedded weights, a second tableau with these in place of b.
    pub(crate) fn tableaus<T: Scalar>(&self, x: &[T]) -> Vec<Tableau<T>> {
        let s = self.family.stages;
        let mut rows = self.family.rows(&self.parameters(x));
        let pad = |mut row: Vec<T>| {
            row.resize(s, T::zero());
            row
        };
        let ends: Vec<Vec<T>> = rows.split_off(s - 1).into_iter().map(pad).collect();
        let a: Vec<Vec<T>> = std::iter::once(Vec::new()).chain(rows).map(pad).collect();
        let with = |b: Vec<T>| Tableau { partitions: vec![Butcher { a: a.clone(), b, c: vec![T::zero(); s] }] };
        ends.into_iter().map(with).collect()
    }

    /// Computes the derivatives of the [`entries`] of all tableaus with respect to each unknown.
    pub(crate) fn slopes(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let mut duals: Vec<Dual64> = x.iter().map(|x| Dual64::from_re(*x)).collect();
        let column = |k: usize| {
            duals[k].eps = 1.0;
            let tableaus = self.tableaus(&duals);
            duals[k].eps = 0.0;
            entries(&tableaus).map(|entry| entry.eps).collect()
        };
        (0..x.len()).map(column).collect()
    }
}

/// The vector that a coefficient of a form multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// The previous change: A of 2N.
    Retained,
    /// The derivative: B of 2N, β of the others.
    Step,
    /// A stage in the sum S₂: δ.
    Summand,
    /// The sum S₂ in a stage: γ₂.
    OfSum,
    /// The previous stage: γ₁.
    OfPrevious,
}

/// Iterates over the matrix below the diagonal, and the weights of all tableaus.
pub(crate) fn entries<T>(tableaus: &[Tableau<T>]) -> impl Iterator<Item = &T> {
    let below = tableaus.first().into_iter().flat_map(|first| lower(&first.partitions[0].a));
    below.chain(tableaus.iter().flat_map(|tableau| &tableau.partitions[0].b))
}

/// Iterates over a matrix below its diagonal.
pub(crate) fn lower<T>(a: &[Vec<T>]) -> impl Iterator<Item = &T> {
    a.iter().enumerate().flat_map(|(i, row)| &row[..i])
}
