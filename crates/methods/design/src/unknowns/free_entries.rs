//! The unknown entries of the two tableaus.

use hemiola_tableau::{Scalar, Tableau};

use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::pair::place::CoefficientIndex;
use crate::simd::lanes::WeightNumber;
use crate::specification::structure::Structure;
use crate::unknowns::linear_form::LinearForm;
use crate::unknowns::slopes::Slopes;

/// The unknowns of an explicit pair whose slow partition is evaluated only at some stages.
#[derive(Clone, Debug)]
pub(crate) struct Unknowns {
    stages: usize,
    places: Vec<CoefficientIndex>,
    /// The columns of A of each partition that contain unknowns.
    occupied: [Vec<usize>; 2],
    equalities: Vec<LinearForm>,
    inequalities: Vec<LinearForm>,
}

impl Unknowns {
    pub(crate) fn new(stages: usize, slow_stages: &[usize], structure: &Structure) -> Self {
        let mut places = Vec::new();
        for partition in [SLOW, FAST] {
            let evaluated = |column: &usize| partition == FAST || slow_stages.contains(column);
            for row in 0..=stages {
                let columns = (0..row.min(stages)).filter(evaluated);
                let row = columns.map(|column| CoefficientIndex { partition, row, column });
                places.extend(row.filter(|place| structure.allows(place, stages, slow_stages)));
            }
        }
        let (equalities, inequalities) =
            (structure.equalities(&places, stages, slow_stages), structure.inequalities(&places, stages, slow_stages));
        let occupied = [SLOW, FAST].map(|partition| occupied(&places, partition, stages));
        Self { stages, places, occupied, equalities, inequalities }
    }

    /// Returns the unknowns without one of them, which is then zero.
    pub(crate) fn without(&self, unknown: usize) -> Self {
        let mut smaller = self.clone();
        smaller.places.remove(unknown);
        for form in smaller.equalities.iter_mut().chain(&mut smaller.inequalities) {
            form.terms.retain(|&(j, _)| j != unknown);
            form.terms.iter_mut().filter(|(j, _)| *j > unknown).for_each(|(j, _)| *j -= 1);
        }
        smaller
    }

    /// Returns the linear forms that must vanish.
    pub(crate) fn equalities(&self) -> &[LinearForm] {
        &self.equalities
    }

    /// Returns the largest violation of an inequality, negative if all hold.
    ///
    /// Conditions may fix a form at its bound, such as c₄ = 1 in every method of order four with four stages.
    /// Rounding errors in the solution of the conditions do not count as a violation.
    pub(crate) fn worst(&self, x: &[f64]) -> f64 {
        const ROUNDING: f64 = 1e-12;
        self.inequalities.iter().map(|form| form.excess(x)).fold(f64::NEG_INFINITY, f64::max) - ROUNDING
    }

    /// Returns whether all inequalities hold.
    pub(crate) fn is_within(&self, x: &[f64]) -> bool {
        self.worst(x) <= 0.0
    }

    /// Returns the linear forms that must not be positive.
    pub(crate) fn inequalities(&self) -> &[LinearForm] {
        &self.inequalities
    }

    pub(crate) fn stages(&self) -> usize {
        self.stages
    }

    pub(crate) fn places(&self) -> &[CoefficientIndex] {
        &self.places
    }

    /// Returns the tableaus for given values of the unknowns.
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

    /// Returns the coefficients of both partitions.
    pub(crate) fn coefficients<T: WeightNumber>(&self, x: &[T]) -> PairCoefficients<T> {
        let mut all = PairCoefficients::zero(self.stages);
        all.occupied.clone_from(&self.occupied);
        for (place, x) in self.places.iter().zip(x) {
            let at = all.row_offset(place.partition, place.row) + place.column;
            all.entries[at] = *x;
        }
        all
    }

    /// Extracts the values of the unknowns from tableaus.
    pub(crate) fn of_tableau<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let entry = |place: &CoefficientIndex| {
            let part = &tableau.partitions[place.partition];
            part.a.get(place.row).unwrap_or(&part.b)[place.column].clone()
        };
        self.places.iter().map(entry).collect()
    }

    /// Selects the derivatives with respect to the unknowns from those with respect to all entries.
    pub(crate) fn restrict<T: WeightNumber>(&self, all: &PairCoefficients<T>) -> Vec<T> {
        self.positions(all).map(|position| all.entries[position]).collect()
    }

    /// Returns the positions of the unknowns among all entries.
    pub(crate) fn positions<T: WeightNumber>(&self, all: &PairCoefficients<T>) -> impl Iterator<Item = usize> {
        self.places.iter().map(|place| all.row_offset(place.partition, place.row) + place.column)
    }
}

impl Slopes for Unknowns {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn pull(&self, gradient: &PairCoefficients, slopes: &mut [f64]) {
        slopes.iter_mut().zip(self.positions(gradient)).for_each(|(slope, at)| *slope = gradient.entries[at]);
    }
}

fn occupied(places: &[CoefficientIndex], partition: usize, stages: usize) -> Vec<usize> {
    let is_unknown = |&column: &usize| {
        places.iter().any(|place| (place.partition, place.column) == (partition, column) && place.row < stages)
    };
    (0..stages).filter(is_unknown).collect()
}
