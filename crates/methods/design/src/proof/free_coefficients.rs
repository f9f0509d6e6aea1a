//! The coefficients that the structure of a tableau leaves free, as unknowns of a proof.

use std::ops::Range;

use hemiola_order::{Tree, free_coefficients, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};

use crate::interval::bounds::RealInterval;
use crate::interval::dual::IntervalDual;
use crate::pair::partitions::LABELS;
use crate::pair::place::CoefficientIndex;
use crate::proof::assumption::Vector;

/// The coefficients that the structure of a tableau leaves free.
pub(crate) struct FreeCoefficients {
    pub(crate) places: Vec<CoefficientIndex>,
    /// The stages whose rows are not unknowns themselves, because they equal the weights b of the pair.
    pub(crate) copies: Range<usize>,
}

impl FreeCoefficients {
    pub(crate) fn new(tableau: &Tableau<Exact>) -> Self {
        let free = free_coefficients(tableau);
        let s = tableau.stages();
        let places = (0..free.partitions.len()).flat_map(|partition| {
            (0..=s).flat_map(move |row| (0..s).map(move |column| CoefficientIndex { partition, row, column }))
        });
        Self { places: places.filter(|place| *place.entry(&free)).collect(), copies: s..s }
    }

    /// Encloses all tableaus of this structure whose coefficients differ by at most `radius`.
    pub(crate) fn ball(&self, tableau: &Tableau<Exact>, radius: f64) -> Tableau<RealInterval> {
        self.filled(tableau.stages(), tableau.partitions.len(), |_, place| {
            RealInterval::around(place.entry(tableau), radius)
        })
    }

    /// Returns the tableau of this structure with given numbers at the positions of the unknowns.
    pub(crate) fn filled<T: Scalar>(
        &self,
        s: usize,
        partitions: usize,
        entry: impl Fn(usize, CoefficientIndex) -> T,
    ) -> Tableau<T> {
        let zero = Butcher { a: vec![vec![T::zero(); s]; s], b: vec![T::zero(); s], c: Vec::new() };
        let mut tableau = Tableau { partitions: vec![zero; partitions] };
        for (k, place) in self.places.iter().enumerate() {
            *place.entry_mut(&mut tableau) = entry(k, *place);
        }
        for butcher in tableau.partitions.iter_mut().take(LABELS.len()) {
            self.copies.clone().for_each(|stage| butcher.a[stage].clone_from(&butcher.b));
        }
        tableau.partitions.iter_mut().for_each(|butcher| butcher.c = butcher.row_sums());
        tableau
    }

    /// Encloses the gradients of the components of a vector, stage by stage.
    pub(crate) fn gradients(&self, vector: &Vector, ball: &Tableau<RealInterval>) -> Vec<Vec<RealInterval>> {
        let count = self.places.len();
        let dual = |k: usize, place: CoefficientIndex| IntervalDual::unknown(*place.entry(ball), k, count);
        let tableau = self.filled(ball.stages(), ball.partitions.len(), dual);
        vector.at(&tableau).into_iter().map(|component| component.gradient(count)).collect()
    }

    pub(crate) fn weight_gradient(&self, tree: &Tree, ball: &Tableau<RealInterval>) -> Vec<RealInterval> {
        let mut gradient = value_and_gradient(tree, ball).1;
        for Butcher { a, b, .. } in gradient.partitions.iter_mut().take(LABELS.len()) {
            for row in &a[self.copies.clone()] {
                b.iter_mut().zip(row).for_each(|(sum, slope)| *sum += *slope);
            }
        }
        self.places.iter().map(|place| *place.entry(&gradient)).collect()
    }
}
