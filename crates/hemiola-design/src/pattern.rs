//! Which entries of the two tableaus are unknowns.

use hemiola_tableau::{Scalar, Tableau};

use crate::forests::Coefficients;

/// The slow partition is the first, the fast one the second.
pub(crate) const SLOW: usize = 0;
pub(crate) const FAST: usize = 1;

/// One unknown coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) partition: usize,
    /// The row of A, or s for the weights b.
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// The unknowns of an explicit pair whose slow part is evaluated at some stages only.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    stages: usize,
    places: Vec<Place>,
}

impl Pattern {
    pub(crate) fn new(stages: usize, slow_stages: &[usize]) -> Self {
        let mut places = Vec::new();
        for partition in [SLOW, FAST] {
            let evaluated = |column: &usize| partition == FAST || slow_stages.contains(column);
            for row in 0..=stages {
                let columns = (0..row.min(stages)).filter(evaluated);
                places.extend(columns.map(|column| Place { partition, row, column }));
            }
        }
        Self { stages, places }
    }

    pub(crate) fn stages(&self) -> usize {
        self.stages
    }

    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// The tableaus with these unknowns.
    pub(crate) fn tableau<T: Scalar>(&self, x: &[T]) -> Tableau<T> {
        let s = self.stages;
        let mut parts = vec![(vec![vec![T::zero(); s]; s], vec![T::zero(); s], None); 2];
        for (place, x) in self.places.iter().zip(x) {
            let (a, b, _) = &mut parts[place.partition];
            let row = if place.row == s { b } else { &mut a[place.row] };
            row[place.column] = x.clone();
        }
        Tableau::new(parts)
    }

    /// The coefficients of both partitions in doubles.
    pub(crate) fn coefficients(&self, x: &[f64]) -> Coefficients {
        let mut all = Coefficients::zero(self.stages);
        for (place, x) in self.places.iter().zip(x) {
            let at = all.at(place.partition, place.row) + place.column;
            all.entries[at] = *x;
        }
        all
    }

    /// The derivatives with respect to the unknowns, out of those with respect to all entries.
    pub(crate) fn restrict(&self, all: &Coefficients) -> Vec<f64> {
        let entry = |place: &Place| all.entries[all.at(place.partition, place.row) + place.column];
        self.places.iter().map(entry).collect()
    }
}
