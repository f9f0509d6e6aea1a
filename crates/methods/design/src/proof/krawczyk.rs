//! The equations of a certificate: assumptions, conditions, and coefficients of the fast partition's polynomial.

use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::{Exact, Tableau};
use nalgebra::{DMatrix, DVector, SVD};
use num_traits::{One, Zero};

use crate::decomposition::decomposed;
use crate::interval::bounds::{RealInterval, upwards};
use crate::pair::partitions::FAST;
use crate::pair::place::CoefficientIndex;
use crate::proof::assumption::{Assumption, Vector};
use crate::proof::free_coefficients::FreeCoefficients;
use crate::proof::trees::{chain, weight};

/// Ratio to the largest singular value below which singular values count as zero, so that the equations are
/// dependent.
const RANK_TOLERANCE: f64 = 1e-9;

/// Largest deviation at the center for equations without scaling; with a larger one, they are scaled. It is far from
/// rounding errors, which differ by machine.
const PLAIN: f64 = 1e-3;

/// Equations G(x) = 0 in the coefficients x that the structure of a tableau leaves free.
pub(crate) struct ProofSystem {
    /// Vectors with the stages at which they must vanish.
    vectors: Vec<(Vector, Vec<usize>)>,
    /// Elementary weights and their values, Φ(t) = β.
    weights: Vec<(Tree, RBig)>,
    /// Coefficients that must equal the sum of others.
    sums: Vec<(CoefficientIndex, Vec<CoefficientIndex>)>,
    unknowns: FreeCoefficients,
}

/// A proof that a solution is near. Its bounds are those of equations in their units (see [`enclosed`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Enclosure {
    /// A bound on ‖G‖∞, of the equations in their units, at the approximate solution.
    pub(crate) residual: f64,
    /// A bound on ‖I − G′R‖∞ over the ball, for an approximate right inverse R.
    pub(crate) contraction: f64,
    /// A bound on the distance between x and the solution, coefficient by coefficient.
    pub(crate) radius: f64,
    /// The distance between x and the approximate solution.
    distance: f64,
    /// The bound 2‖R‖∞ of the distance between the approximate solution and the exact one for a residual of one.
    reach: f64,
}

impl Enclosure {
    /// Bounds the distance between x and the solution for a stated bound of the residual. Without this check, a
    /// certificate could state any bound above the actual residual.
    pub(crate) fn distance_for(&self, residual: f64) -> f64 {
        upwards(upwards(self.distance) + upwards(self.reach * residual))
    }
}

impl ProofSystem {
    /// Sets up the equations for the structure of a tableau, whose free coefficients are the unknowns. `polynomial`
    /// lists powers k of z with the values of bᵀAᵏ⁻¹𝟙.
    pub(crate) fn new(
        tableau: &Tableau<Exact>,
        assumptions: &[Assumption],
        conditions: &[Tree],
        polynomial: &[(usize, RBig)],
    ) -> Self {
        let vectors = assumptions.iter().map(|assumption| (assumption.vector.clone(), assumption.imposed.clone()));
        let conditions = conditions.iter().map(|tree| (tree.clone(), RBig::ONE / RBig::from(tree.density())));
        let polynomial = polynomial.iter().map(|(power, beta)| (chain(FAST, *power), beta.clone()));
        Self {
            vectors: vectors.collect(),
            weights: conditions.chain(polynomial).collect(),
            sums: Vec::new(),
            unknowns: FreeCoefficients::new(tableau),
        }
    }

    /// Adds the conditions of further weights, and sums of coefficients that must equal other coefficients.
    pub(crate) fn extended(
        mut self,
        unknowns: FreeCoefficients,
        weights: Vec<(Tree, RBig)>,
        sums: Vec<(CoefficientIndex, Vec<CoefficientIndex>)>,
    ) -> Self {
        self.weights.extend(weights);
        (self.sums, self.unknowns) = (sums, unknowns);
        self
    }

    /// Proves that a solution lies near a tableau x, given a better approximation x̃; `None` if that fails.
    ///
    /// `radius` maps the smallest provable radius of the ball about x to the radius of the proof: a stated radius or a
    /// multiple.
    ///
    /// Let ε = ‖G(x̃)‖∞ and K = sup ‖I − G′R‖∞ ≤ ½ over the ball. The map y ↦ y − G(x̃ + Ry) is then a contraction
    /// of ‖y‖∞ ≤ 2ε into itself if the ball contains all x̃ + Ry, and hence G has a zero there (Banach; the
    /// operator is Krawczyk's of 1969, with the box in the coordinates y).
    pub(crate) fn enclose(
        &self,
        tableau: &Tableau<Exact>,
        nearby: &Tableau<Exact>,
        radius: impl FnOnce(f64) -> f64,
    ) -> Option<Enclosure> {
        let difference =
            |place: &CoefficientIndex| (place.entry(nearby).clone() - place.entry(tableau).clone()).to_f64().abs();
        let distance = self.unknowns.places.iter().map(difference).fold(0.0, f64::max);
        enclosed(&sizes(&self.values(nearby)), distance, |radius| self.jacobian(tableau, radius), radius)
    }

    /// Refines a solution by Newton steps of smallest norm with exact residuals; each gains some fifteen digits.
    pub(crate) fn refine(&self, tableau: &Tableau<Exact>, round: impl Fn(&RBig) -> RBig) -> Option<Tableau<Exact>> {
        // The inverse is fixed: after a first move of up to 1e-6, each step gains at most six digits.
        const STEPS: usize = 12;
        let inverse = self.right_inverse(tableau)?;
        let (mut at, mut values) = (tableau.clone(), self.values(tableau));
        for _ in 0..STEPS {
            let step = &inverse * DVector::from_iterator(values.len(), values.iter().map(Exact::to_f64));
            let moved = self.unknowns.places.iter().zip(step.iter()).map(|(place, step)| {
                Some(Exact::from(round(&(place.entry(&at).as_rational()? - RBig::try_from(*step).ok()?))))
            });
            let moved = moved.collect::<Option<Vec<Exact>>>()?;
            let trial = self.unknowns.filled(at.stages(), at.partitions.len(), |k, _| moved[k].clone());
            let next = self.values(&trial);
            // At the last digits, rounding ends the decrease.
            if largest(&next) >= largest(&values) {
                break;
            }
            (at, values) = (trial, next);
        }
        Some(at)
    }

    /// Returns the largest residual.
    pub(crate) fn worst(&self, tableau: &Tableau<Exact>) -> Exact {
        let sizes = self.values(tableau).into_iter().map(|x| if x.sign().is_lt() { -x } else { x });
        sizes.reduce(|x, y| if (x.clone() - y.clone()).sign().is_lt() { y } else { x }).unwrap_or_else(Exact::zero)
    }

    /// Computes G(x) exactly.
    fn values(&self, tableau: &Tableau<Exact>) -> Vec<Exact> {
        let vectors = self.vectors.iter().flat_map(|(vector, stages)| {
            let all = vector.at(tableau);
            stages.iter().map(move |&stage| all[stage].clone())
        });
        let weights = self.weights.iter().map(|(tree, expected)| weight(tree, tableau) - Exact::from(expected.clone()));
        let sum = |(whole, parts): &(CoefficientIndex, Vec<CoefficientIndex>)| {
            let parts = parts.iter().map(|part| part.entry(tableau).clone());
            parts.fold(-whole.entry(tableau).clone(), |sum, part| sum + part)
        };
        vectors.chain(weights).chain(self.sums.iter().map(sum)).collect()
    }

    /// Encloses G′ with respect to the unknowns at all tableaus whose coefficients differ by at most `radius`.
    fn jacobian(&self, tableau: &Tableau<Exact>, radius: f64) -> Vec<Vec<RealInterval>> {
        let ball = self.unknowns.ball(tableau, radius);
        let vectors = self.vectors.iter().flat_map(|(vector, stages)| {
            let mut all = self.unknowns.gradients(vector, &ball);
            stages.iter().map(move |&stage| std::mem::take(&mut all[stage]))
        });
        let weights = self.weights.iter().map(|(tree, _)| self.unknowns.weight_gradient(tree, &ball));
        let sum = |(whole, parts): &(CoefficientIndex, Vec<CoefficientIndex>)| {
            let slope = |place: &CoefficientIndex| match place {
                place if place == whole => -RealInterval::one(),
                place if parts.contains(place) => RealInterval::one(),
                _ => RealInterval::zero(),
            };
            self.unknowns.places.iter().map(slope).collect::<Vec<_>>()
        };
        vectors.chain(weights).chain(self.sums.iter().map(sum)).collect()
    }

    /// Computes a right inverse of G′ of smallest norm in doubles; `None` if the rows are dependent.
    fn right_inverse(&self, tableau: &Tableau<Exact>) -> Option<DMatrix<f64>> {
        right_inverse(&self.jacobian(tableau, 0.0), self.unknowns.places.len())
    }
}

/// Proves that a zero of G lies near a point x, given |G(x̃)| at a better approximation x̃, the distance between both
/// and enclosures of G′ over balls about x; `None` if that fails. [`ProofSystem::enclose`] has the proof.
///
/// Equations with small gradients, such as those of high coefficients of a polynomial, lead to large columns of the
/// inverse. In products with other rows, large terms cancel and leave rounding errors above one. In this case every
/// equation with a gradient shorter than one is divided by the length of this gradient, rounded down to a power of two.
pub(crate) fn enclosed(
    residuals: &[f64],
    distance: f64,
    jacobian: impl Fn(f64) -> Vec<Vec<RealInterval>>,
    radius: impl FnOnce(f64) -> f64,
) -> Option<Enclosure> {
    let at_center = jacobian(0.0);
    let inverse = right_inverse(&at_center, at_center.first().map_or(0, Vec::len))?;
    let is_plain = deviation(&at_center, &inverse) <= PLAIN;
    let units: Vec<f64> = at_center.iter().map(|row| if is_plain { 1.0 } else { unit_of(row) }).collect();
    // Numbers below the smallest double are not zero.
    let scaled = |(residual, unit): (&f64, &f64)| upwards(residual.max(f64::MIN_POSITIVE)) / unit;
    let residual = residuals.iter().zip(&units).map(scaled).fold(f64::MIN_POSITIVE, f64::max);
    let reach = inverse.row_iter().map(|row| row.iter().zip(&units).map(|(x, unit)| x.abs() * unit).sum::<f64>());
    let reach = upwards(upwards(reach.fold(0.0, f64::max)) * 2.0);
    let beyond = upwards(reach * residual);
    let least = upwards(upwards(distance) + beyond);
    let radius = radius(least);
    if !(radius.is_finite() && least <= radius) {
        return None;
    }
    let contraction = scaled_deviation(&jacobian(radius), &inverse, &units);
    (contraction <= 0.5).then_some(Enclosure { residual, contraction, radius, distance, reach })
}

/// Returns the length of a gradient as a power of two, at most one.
fn unit_of(row: &[RealInterval]) -> f64 {
    let length = row.iter().map(|x| x.middle() * x.middle()).sum::<f64>().sqrt();
    // Scaling by a power of two, taken from the bits of the exponent, is free of rounding and agrees on every machine.
    if length.is_normal() { f64::from_bits(length.min(1.0).to_bits() & 0x7ff0_0000_0000_0000) } else { 1.0 }
}

/// Computes a right inverse of smallest norm of the midpoint of a matrix; `None` if the rows are dependent.
fn right_inverse(rows: &[Vec<RealInterval>], unknowns: usize) -> Option<DMatrix<f64>> {
    if rows.is_empty() || rows.len() > unknowns {
        return None;
    }
    let mut jacobian = DMatrix::from_fn(rows.len(), unknowns, |i, j| rows[i][j].middle());
    // High coefficients of the polynomial are small, and so are their gradients; normalized rows show the rank.
    let lengths: Vec<f64> = jacobian.row_iter().map(|row| row.norm().max(f64::MIN_POSITIVE)).collect();
    jacobian.row_iter_mut().zip(&lengths).for_each(|(mut row, length)| row /= *length);
    let SVD { u, v_t, singular_values } = decomposed(jacobian)?;
    if singular_values.min() <= RANK_TOLERANCE * singular_values.max() {
        return None;
    }
    let (mut u, v_t) = (u?, v_t?);
    u.column_iter_mut().zip(&singular_values).for_each(|(mut column, sigma)| column *= 1.0 / sigma);
    // Use fused operations on every processor. Matrix products of nalgebra are fused on some processors only, and their
    // rounding would change free coefficients.
    let entry = |i: usize, j: usize| (0..u.ncols()).fold(0.0, |sum, k| u[(j, k)].mul_add(v_t[(k, i)], sum));
    let mut inverse = DMatrix::from_fn(v_t.ncols(), u.nrows(), entry);
    inverse.column_iter_mut().zip(&lengths).for_each(|(mut column, length)| column /= *length);
    inverse.iter().all(|x| x.is_finite()).then_some(inverse)
}

/// Bounds ‖I − G′R‖∞.
pub(crate) fn deviation(jacobian: &[Vec<RealInterval>], inverse: &DMatrix<f64>) -> f64 {
    scaled_deviation(jacobian, inverse, &vec![1.0; jacobian.len()])
}

/// Bounds ‖I − G′R‖∞ for equations divided by their units.
fn scaled_deviation(jacobian: &[Vec<RealInterval>], inverse: &DMatrix<f64>, units: &[f64]) -> f64 {
    let row_sum = |(i, row): (usize, &Vec<RealInterval>)| {
        let entry = |k: usize| {
            let unit = if i == k { RealInterval::one() } else { RealInterval::zero() };
            let products = row.iter().enumerate().map(|(j, x)| *x * RealInterval::point(inverse[(j, k)]));
            upwards(products.fold(unit, |difference, product| difference - product).size() * (units[k] / units[i]))
        };
        upwards((0..jacobian.len()).map(entry).sum())
    };
    // Sizes are never NaN, which `max` would ignore.
    jacobian.iter().enumerate().map(row_sum).fold(0.0, f64::max)
}

fn sizes(values: &[Exact]) -> Vec<f64> {
    values.iter().map(|x| x.to_f64().abs()).collect()
}

fn largest(values: &[Exact]) -> f64 {
    sizes(values).into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two equations with gradients of very different length: x/3 + 2y/3 + z and a multiple of 0.3x + 0.7y − 0.11z.
    fn rows(small: f64) -> Vec<Vec<RealInterval>> {
        [[1.0 / 3.0, 2.0 / 3.0, 1.0], [0.3, 0.7, -0.11].map(|x| x * small)]
            .map(|row| row.map(RealInterval::point).to_vec())
            .to_vec()
    }

    #[test]
    fn equations_with_tiny_gradients_are_scaled() {
        let small = 1e-21;
        let inverse = right_inverse(&rows(small), 3).unwrap();
        // Rounding errors of products with the first row exceed one by far.
        assert!(deviation(&rows(small), &inverse) > 1e3);
        let found = enclosed(&[1e-60, 1e-81], 0.0, |_| rows(small), |least| least).unwrap();
        assert!(found.contraction < 1e-12 && (1e-60..1e-58).contains(&found.radius), "{found:?}");
        // Scaled residuals are decisive: the second residual is 1e-50 of its gradient.
        let far = enclosed(&[1e-60, 1e-71], 0.0, |_| rows(small), |least| least).unwrap();
        assert!((1e-50..1e-48).contains(&far.radius), "{far:?}");
        assert!(enclosed(&[1e-60, 1e-71], 0.0, |_| rows(small), |_| 1e-55).is_none());
    }

    #[test]
    fn gradients_beyond_the_doubles_have_no_inverse() {
        // Huge coefficients of a file overflow in products.
        for wrong in [f64::INFINITY, 1e300] {
            let row = |x: f64| vec![RealInterval::point(x), RealInterval::point(x), RealInterval::one()];
            assert!(right_inverse(&[row(wrong), row(2.0)], 3).is_none(), "{wrong}");
        }
    }

    #[test]
    fn equations_of_ordinary_size_are_not_scaled() {
        let found = enclosed(&[1e-60, 1e-60], 0.0, |_| rows(0.1), |least| least).unwrap();
        assert!((found.residual / 1e-60 - 1.0).abs() < 1e-9, "{found:?}");
    }
}
