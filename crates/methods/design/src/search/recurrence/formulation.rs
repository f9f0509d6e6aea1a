//! The search in the coordinates of a recurrence: starts for every set of slow stages, and pairs with better coupled
//! profiles from the best of them.

use hemiola_polynomial::{Axis, Problem, Spectrum};
use nalgebra::DVector;
use num_complex::Complex64;

use crate::conditions::equations::Conditions;
use crate::error::DesignError;
use crate::optimize::descent::Minimum;
use crate::optimize::gauss_newton::{DescentPoint, RecurrenceProgram, WeightedHinges};
use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::search::recurrence::boxes::{CoupledBoxes, ladder};
use crate::search::recurrence::systems::Systems;
use crate::specification::definition::Specification;
use crate::specification::preference::Preference;
use crate::specification::stability::{Stability, taylor};
use crate::terms::internal_stability::amplification;
use crate::terms::soft_bounds::SoftBounds;
use crate::terms::stability_limit::first_exit;
use crate::unknowns::bounded_basis::BoundedBasis;
use crate::unknowns::recurrence_coordinates::RecurrenceCoordinates;
use crate::unknowns::start::displaced;

/// Steps of a start with the error alone, and of each descent with coupled steps.
const STEPS: [usize; 2] = [30, 25];
/// Standard deviation of the displacement of all starts but the first of each set.
const NOISE: f64 = 0.3;
/// Relative difference of errors of different minima.
const DIFFERENT: f64 = 5e-4;
/// The weights of coupled steps, in turn.
const WEIGHTS: [f64; 7] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
/// Fraction of the bound on the amplification at which its excess begins, because it is bounded at few points only.
const SAFETY: f64 = 0.95;
/// Largest number of steps that are added after each descent.
const ADDED: usize = 300;
/// Number of points at which the amplification is judged.
const SAMPLES: usize = 2000;

/// The part of a search that the starts of all sets of slow stages share.
pub(crate) struct RecurrenceSearch {
    pub(crate) preference: Preference,
    basis: BoundedBasis,
    pub(crate) places: Vec<Vec<usize>>,
    /// The conditions and the error coefficients, with and without common abscissae of both partitions.
    systems: [Systems; 2],
    bounds: SoftBounds,
    order: usize,
    slow: usize,
    band: usize,
    seed: u64,
    /// The fast polynomial in doubles.
    polynomial: Vec<f64>,
}

/// A pair that the search found.
#[derive(Clone, Debug)]
pub(crate) struct FoundPair {
    /// The index of its set of slow stages.
    pub(crate) choice: usize,
    pub(crate) at: PairCoefficients,
    /// The norm of its error coefficients.
    pub(crate) error: f64,
    /// Whether its profile was raised.
    pub(crate) is_raised: bool,
}

impl RecurrenceSearch {
    /// Prepares the search; `None` if the specification prefers nothing but small errors.
    pub(crate) fn new(specification: &Specification, conditions: &Conditions) -> Result<Option<Self>, DesignError> {
        let Some(preference) = specification.preference else { return Ok(None) };
        let Stability::Optimal { axis, damping, band } = specification.stability[FAST] else { return Ok(None) };
        let &Specification { slow, fast, order, seed, .. } = specification;
        let optimum = Problem::new(Spectrum::Axis(axis), fast, order).damping(damping).band(band).solve()?;
        let [_, polynomial] = specification.polynomials()?;
        let polynomial = polynomial.unwrap_or_default();
        let basis = BoundedBasis::new(axis, optimum.limit(), &polynomial);
        let direction = if axis == Axis::Real { -Complex64::ONE } else { Complex64::I };
        let bounds = SoftBounds::new(
            direction,
            optimum.limit(),
            SAFETY * preference.amplification,
            specification.structure.largest_coefficient,
        );
        Ok(Some(Self {
            preference,
            basis,
            places: specification.slow_stage_choices(),
            systems: [false, true].map(|shared| Systems::new(conditions, order, shared)),
            bounds,
            order,
            slow,
            band: band_of(order, fast),
            seed,
            polynomial: polynomial.iter().map(|x| x.to_f64().value()).collect(),
        }))
    }

    /// Returns the program for one set of slow stages.
    fn program(&self, choice: usize) -> RecurrenceProgram<'_> {
        let places = &self.places[choice];
        // Common abscissae make most coupling conditions equal. With few evaluations they cost too much error.
        let shares = self.order > 2 && places[0] == 0;
        let Systems { conditions, errors } = &self.systems[usize::from(shares)];
        RecurrenceProgram {
            coordinates: RecurrenceCoordinates::new(&self.basis, places, shares, self.band),
            conditions,
            errors,
            bounds: &self.bounds,
        }
    }

    /// Returns the number of coordinates for one set of slow stages.
    pub(crate) fn count(&self, choice: usize) -> usize {
        self.program(choice).coordinates.count()
    }

    /// Descends from a start with the error alone.
    pub(crate) fn start(&self, number: usize) -> Option<Minimum> {
        let program = self.program(number % self.places.len());
        let mut x = program.coordinates.start();
        if number >= self.places.len() {
            x = displaced(&x, NOISE, self.seed, number);
        }
        let point = program.restored(&x)?;
        let DescentPoint { x, square } = program.descend(&point.x, None, STEPS[0]);
        Some(Minimum { x: x.as_slice().to_vec(), merit: square.sqrt(), converged: false })
    }

    /// Computes √(errors² + excesses of bounds²).
    pub(crate) fn merit(&self, choice: usize, x: &[f64]) -> f64 {
        self.program(choice).square(x, None).sqrt()
    }

    pub(crate) fn pair(&self, choice: usize, x: &[f64]) -> FoundPair {
        let program = self.program(choice);
        FoundPair { choice, at: program.coordinates.point(x).at, error: program.error_norm(x), is_raised: false }
    }

    pub(crate) fn axis(&self) -> Axis {
        self.basis.axis
    }

    /// Returns whether all abscissae lie in the step.
    pub(crate) fn has_abscissae(&self, at: &PairCoefficients) -> bool {
        /// Rounding of row sums, and of the refinement.
        const ROUNDING: f64 = 1e-9;
        let places = [SLOW, FAST].into_iter().flat_map(|part| (0..at.stages).map(move |i| (part, i)));
        places.into_iter().all(|(part, i)| {
            let c: f64 = at.row(part, i)[..i].iter().sum();
            (-ROUNDING..=1.0 + ROUNDING).contains(&c)
        })
    }

    /// Returns the largest amplification of the fast partition on the axis.
    pub(crate) fn amplification(&self, at: &PairCoefficients) -> f64 {
        let direction = if self.basis.axis == Axis::Real { -Complex64::ONE } else { Complex64::I };
        let at_point = |k: usize| {
            let q = amplification(at, direction * (self.basis.limit * k as f64 / SAMPLES as f64));
            q.iter().map(|q| q.norm()).fold(0.0, f64::max)
        };
        (1..=SAMPLES).map(at_point).fold(0.0, f64::max)
    }

    /// Raises the wanted profile from a minimum of the error alone, until the error exceeds `most`. Returns the pairs on
    /// the way whose error does not.
    pub(crate) fn raised(&self, choice: usize, x: &[f64], most: f64) -> Vec<FoundPair> {
        let program = self.program(choice);
        let mut x = DVector::from_column_slice(x);
        let Some(boxes) = self.boxes(&program.coordinates.point(x.as_slice()).at) else { return Vec::new() };
        let mut found = Vec::new();
        let mut first = 0;
        for wanted in ladder(self.basis.axis) {
            let (mut hinges, finer) = (boxes.coarse(wanted), boxes.fine(wanted));
            for &weight in &WEIGHTS[first..] {
                x = program.descend(&x, Some(WeightedHinges { hinges: &hinges, weight }), STEPS[1]).x;
                let at = program.coordinates.point(x.as_slice()).at;
                let before = hinges.count();
                hinges.with_worst(&finer, &at, ADDED);
                if hinges.count() == before && hinges.values(&at).iter().all(|excess| *excess == 0.0) {
                    break;
                }
            }
            let pair = self.pair(choice, x.as_slice());
            if pair.error > most {
                break;
            }
            found.push(FoundPair { is_raised: true, ..pair });
            // The next profile is near.
            first = 3;
        }
        found
    }

    /// Returns the boxes of coupled steps relative to the limits of a pair; `None` if one of them vanishes.
    fn boxes(&self, at: &PairCoefficients) -> Option<CoupledBoxes> {
        let damping = Preference::damping(self.basis.axis);
        let is_real = self.basis.axis == Axis::Real;
        let direction =
            if is_real { -Complex64::ONE } else { Complex64::new(-damping, (1.0 - damping * damping).sqrt()) };
        let fast = if is_real { self.basis.limit } else { first_exit(&self.polynomial, direction, TOLERANCE) };
        let slow = first_exit(&slow_polynomial(at, self.order, self.slow), direction, TOLERANCE);
        let boxes =
            CoupledBoxes { direction, limits: [slow, fast], gamma: self.preference.gamma, stages: at.stages, is_real };
        (slow > 0.0 && fast > 0.0).then_some(boxes)
    }
}

/// Growth that counts as stable in the limits of the parts.
const TOLERANCE: f64 = 1e-6;

/// Returns the number of diagonals of W that are unknown; slow rows are full.
fn band_of(order: usize, fast: usize) -> usize {
    match (order, fast) {
        (..=3, ..=12) | (4, ..=10) => fast,
        (..=3, _) => 1,
        (_, ..=16) => 6,
        _ => 2,
    }
}

/// Returns the coefficients of the slow polynomial, those up to the order exactly.
fn slow_polynomial(at: &PairCoefficients, order: usize, degree: usize) -> Vec<f64> {
    let mut coefficients: Vec<f64> = taylor(order).iter().map(|x| x.to_f64().value()).collect();
    let mut power = vec![1.0; at.stages];
    for k in 1..=degree {
        if k > order {
            coefficients.push(at.row(SLOW, at.stages).iter().zip(&power).map(|(b, x)| b * x).sum());
        }
        power = (0..at.stages).map(|i| at.row(SLOW, i)[..i].iter().zip(&power).map(|(a, x)| a * x).sum()).collect();
    }
    coefficients
}

/// Returns the indices of the best minima whose errors differ, at most a number.
pub(crate) fn best_distinct(merits: &[(usize, f64)], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..merits.len()).collect();
    order.sort_by(|&i, &j| merits[i].1.total_cmp(&merits[j].1).then(i.cmp(&j)));
    let mut kept: Vec<usize> = Vec::new();
    for k in order {
        let (choice, merit) = merits[k];
        let is_known = |&other: &usize| merits[other].0 == choice && merit < merits[other].1 * (1.0 + DIFFERENT);
        if !kept.iter().any(is_known) {
            kept.push(k);
        }
        if kept.len() == most {
            break;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use dashu::rational::RBig;
    use hemiola_tableau::Method;

    use super::*;
    use crate::conditions::equations::Equations;
    use crate::unknowns::bounded_basis::{expansion, recurrence};

    /// Returns the stage polynomials of a part of a table, and the polynomial of the step.
    fn polynomials(a: &[Vec<RBig>], b: &[RBig]) -> Vec<Vec<RBig>> {
        let mut stages: Vec<Vec<RBig>> = Vec::new();
        for row in a.iter().map(Vec::as_slice).chain([b]) {
            let mut y = vec![RBig::ZERO; stages.len() + 1];
            y[0] = RBig::ONE;
            for (below, a) in stages.iter().zip(row) {
                below.iter().enumerate().for_each(|(power, x)| y[power + 1] += a * x);
            }
            stages.push(y);
        }
        stages
    }

    /// Returns the coordinates of a table, whose slow stages and axis are known.
    fn coordinates(search: &RecurrenceSearch, method: &Method) -> Vec<f64> {
        let exact = method.exact();
        let rational = |x: &hemiola_tableau::Exact| x.as_rational().cloned().unwrap();
        let part = |k: usize| {
            let part = &exact.partitions[k];
            let a: Vec<Vec<RBig>> = part.a.iter().map(|row| row.iter().map(rational).collect()).collect();
            (a, part.b.iter().map(rational).collect::<Vec<RBig>>())
        };
        let ((slow, weights), (fast, b)) = (part(SLOW), part(FAST));
        let stages = polynomials(&fast, &b);
        let unit = RBig::ONE / RBig::try_from(search.basis.limit).unwrap();
        let (_, basis) = recurrence(search.basis.axis, &unit, fast.len());
        let mut x = Vec::new();
        for i in 1..fast.len() {
            // The part of the constant belongs to the first stage.
            let row = expansion(&stages[i], &basis[..=i]);
            x.extend(row[1..].iter().map(|x| x.to_f64().value()));
        }
        let places = &search.places[0];
        let columns = &places[usize::from(search.order > 2)..];
        for (j, row) in slow.iter().enumerate().skip(1) {
            x.extend(columns.iter().filter(|&&k| k < j).map(|&k| row[k].to_f64().value()));
        }
        x.extend(places[1..].iter().map(|&k| weights[k].to_f64().value()));
        x
    }

    /// Checks that a table of an independent search has coordinates in which it satisfies all conditions.
    fn shows(text: &str, places: &[usize], axis: Axis, norm: f64) {
        let method = Method::from_json(text.as_bytes(), "a reference table").unwrap();
        let tableau = method.to_f64();
        let fast = tableau.partitions[FAST].b.len();
        let mut specification = Specification::new(places.len(), fast, None).unwrap();
        let damping = if axis == Axis::Real { 0.05 } else { 0.0 };
        specification.stability[FAST] = Stability::Optimal { axis, damping, band: 0.5 };
        specification.structure.largest_coefficient = 2.0;
        specification.slow_stages = Some(places.to_vec());
        specification.preference = Some(Preference::new(fast, axis));
        let conditions = Conditions::new(&specification).unwrap();
        let mut search = RecurrenceSearch::new(&specification, &conditions).unwrap().unwrap();
        search.band = fast;
        let x = coordinates(&search, &method);
        let program = search.program(0);
        let point = program.coordinates.point(&x);
        for part in [SLOW, FAST] {
            let table = &tableau.partitions[part];
            for i in 0..=fast {
                let row = table.a.get(i).unwrap_or(&table.b);
                let far = point.at.row(part, i)[..i].iter().zip(row).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                assert!(far < 1e-10, "row {i} of part {part} differs by {far}");
            }
        }
        let residual = program.residuals(&x).amax();
        assert!(residual < 1e-11, "{residual}");
        assert!((program.error_norm(&x) - norm).abs() < 1e-4, "{}", program.error_norm(&x));
        // A displaced point comes back to the conditions nearby.
        let moved: Vec<f64> = x.iter().enumerate().map(|(j, x)| x + 1e-3 * (j as f64).sin()).collect();
        let restored = program.restored(&moved).unwrap();
        assert!(program.residuals(restored.x.as_slice()).amax() < 1e-12);
    }

    #[test]
    fn tables_of_an_independent_search_have_these_coordinates() {
        let [imaginary, real] = [Axis::Imaginary, Axis::Real];
        shows(include_str!("../../../tests/data/error-4-8-imaginary.json"), &[0, 2, 4, 7], imaginary, 0.0286);
        shows(include_str!("../../../tests/data/error-4-12-imaginary.json"), &[0, 3, 7, 11], imaginary, 0.0278);
        shows(include_str!("../../../tests/data/error-4-20-imaginary.json"), &[0, 6, 15, 19], imaginary, 0.0278);
        shows(include_str!("../../../tests/data/error-3-20-real.json"), &[0, 9, 16], real, 0.0700);
    }
}
