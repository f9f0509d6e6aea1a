//! Linear equations and inequalities that the structure of a specification imposes on the unknowns.

use crate::pair::partitions::{FAST, SLOW};
use crate::pair::place::CoefficientIndex;
use crate::specification::entry::Bound;
use crate::specification::structure::Structure;
use crate::unknowns::linear_form::LinearForm;

impl Structure {
    /// Returns the linear forms of the unknowns that must vanish.
    pub(crate) fn equalities(
        &self,
        places: &[CoefficientIndex],
        stages: usize,
        slow_stages: &[usize],
    ) -> Vec<LinearForm> {
        let mut forms = Vec::new();
        if self.shared_abscissae {
            forms.extend((0..stages).map(|i| difference(row_sum(places, SLOW, i), row_sum(places, FAST, i))));
        }
        if self.shared_weights {
            let weight = |partition, column| entry(places, CoefficientIndex { partition, row: stages, column });
            forms.extend(slow_stages.iter().map(|&j| difference(weight(SLOW, j), weight(FAST, j))));
        }
        for (j, place) in places.iter().enumerate() {
            if let Some(Bound::Fixed(value)) = self.bound(place, stages) {
                // Numerators and denominators are exact doubles, fractions are not.
                let [numerator, denominator] =
                    [value.numerator().to_f64().value(), value.denominator().to_f64().value()];
                forms.push(LinearForm { terms: vec![(j, denominator)], right: numerator });
            }
        }
        forms.retain(|form| !form.terms.is_empty());
        forms
    }

    /// Returns the linear forms of the unknowns that must not be positive, including bounds on single coefficients.
    pub(crate) fn inequalities(
        &self,
        places: &[CoefficientIndex],
        stages: usize,
        slow_stages: &[usize],
    ) -> Vec<LinearForm> {
        let mut forms: Vec<LinearForm> =
            places.iter().enumerate().flat_map(|(j, place)| self.single_bounds(j, place, stages)).collect();
        if self.non_negative_weights {
            let weights = (0..places.len()).filter(|&j| places[j].row == stages);
            forms.extend(weights.map(|j| at_least(&[(j, 1.0)], 0.0)));
        }
        if self.abscissae_in_step {
            for (partition, i) in [SLOW, FAST].into_iter().flat_map(|r| (0..stages).map(move |i| (r, i))) {
                let abscissa = row_sum(places, partition, i);
                forms.extend([at_least(&abscissa, 0.0), LinearForm { terms: abscissa, right: 1.0 }]);
            }
        }
        if self.increasing_abscissae {
            let fast: Vec<usize> = (0..stages).collect();
            for (partition, rows) in [(SLOW, slow_stages), (FAST, &fast)] {
                let pair = |pair: &[usize]| {
                    difference(row_sum(places, partition, pair[0]), row_sum(places, partition, pair[1]))
                };
                forms.extend(rows.windows(2).map(pair));
            }
        }
        forms.retain(|form| !form.terms.is_empty());
        forms
    }

    /// Returns the bounds on a single unknown.
    fn single_bounds(&self, j: usize, place: &CoefficientIndex, stages: usize) -> Vec<LinearForm> {
        let (low, high) = match self.bound(place, stages) {
            Some(Bound::Fixed(_)) => return Vec::new(),
            Some(Bound::Between(low, high)) => (*low, *high),
            None => (-self.largest_coefficient, self.largest_coefficient),
        };
        vec![LinearForm { terms: vec![(j, 1.0)], right: high }, at_least(&[(j, 1.0)], low)]
    }
}

/// Returns the abscissa c_i = Σ_j a_ij as a linear form.
fn row_sum(places: &[CoefficientIndex], partition: usize, row: usize) -> Vec<(usize, f64)> {
    let is_in_row = |j: &usize| places[*j].partition == partition && places[*j].row == row;
    (0..places.len()).filter(is_in_row).map(|j| (j, 1.0)).collect()
}

fn entry(places: &[CoefficientIndex], place: CoefficientIndex) -> Vec<(usize, f64)> {
    places.iter().position(|other| *other == place).map(|j| (j, 1.0)).into_iter().collect()
}

fn difference(mut left: Vec<(usize, f64)>, right: Vec<(usize, f64)>) -> LinearForm {
    left.extend(right.into_iter().map(|(j, factor)| (j, -factor)));
    LinearForm { terms: left, right: 0.0 }
}

/// Returns a form that is not positive if the terms sum to `low` or more.
fn at_least(terms: &[(usize, f64)], low: f64) -> LinearForm {
    LinearForm { terms: terms.iter().map(|&(j, factor)| (j, -factor)).collect(), right: -low }
}
