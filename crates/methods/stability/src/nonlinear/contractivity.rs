//! Radii of circle contractivity.

use std::cmp::Ordering;

use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Method, influential_stages};

use crate::error::StabilityError;
use crate::monotonicity::{MonotoneConditions, MonotonicityRadius, Rows, certified_radius, significant};
use crate::nonlinear::algebraic::joint_algebraic_stability;
use crate::nonlinear::definiteness::{Definiteness, definiteness};
use crate::nonlinear::stability_form::stability_form;

/// Tolerance of pivots in floating-point arithmetic, relative to the largest entry.
const TOLERANCE: f64 = 1e-13;

/// Computes the radius of circle contractivity of a partition, counted from 0: the largest r for which BA + AᵀB − bbᵀ +
/// B/r is positive semidefinite and b ≥ 0 (Dahlquist & Jeltsch 1979).
///
/// If Euler steps up to h₀ contract in an inner-product norm, so do steps h ≤ r h₀ of the method. Algebraically stable
/// methods are unbounded. Bounds are proved in exact arithmetic.
///
/// ```
/// use hemiola_stability::nonlinear::contractivity_radius;
/// use hemiola_tableau::library::method;
/// assert_eq!(contractivity_radius(&method("rk4")?, 0)?.value(), Some(1.0));
/// assert_eq!(contractivity_radius(&method("gauss-3")?, 0)?.value(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn contractivity_radius(method: &Method, partition: usize) -> Result<MonotonicityRadius, StabilityError> {
    let expected = method.partitions().len();
    let alone = method.partition_alone(partition);
    let alone = alone.ok_or(StabilityError::WrongSize { found: partition + 1, expected })?;
    joint_contractivity_radius(&alone, &[RBig::ONE])
}

/// Computes the largest t for which a method with any number of partitions contracts with rᵣ = t·`direction`ᵣ: all
/// weights are nonnegative, and the [joint](crate::nonlinear::joint_algebraic_stability) M + diag(B₁/r₁, B₂/r₂, …) is
/// positive semidefinite (García-Celayeta, Higueras & Roldán 2006).
///
/// If Euler steps of fᵣ up to hᵣ contract in an inner-product norm, so do steps h ≤ min rᵣhᵣ of the method for y' = Σ
/// fᵣ(y). A partition with rᵣ = 0 is absent.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_stability::nonlinear::joint_contractivity_radius;
/// let method = hemiola_tableau::library::method("imex-ssp2-222")?;
/// // The explicit partition alone has r = 1; the implicit one is algebraically stable.
/// assert_eq!(joint_contractivity_radius(&method, &[RBig::ONE, RBig::ZERO])?.value(), Some(1.0));
/// assert_eq!(joint_contractivity_radius(&method, &[RBig::ZERO, RBig::ONE])?.value(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] unless there is one number for each partition, [`StabilityError::OutOfRange`]
/// if one is negative.
pub fn joint_contractivity_radius(method: &Method, direction: &[RBig]) -> Result<MonotonicityRadius, StabilityError> {
    let (found, expected) = (direction.len(), method.partitions().len());
    if found != expected {
        return Err(StabilityError::WrongSize { found, expected });
    }
    if let Some(negative) = direction.iter().find(|r| **r < RBig::ZERO) {
        let (name, value) = ("a radius", negative.to_f64().value());
        return Err(StabilityError::OutOfRange { name, value, expected: "a number of at least 0" });
    }
    let present: Vec<usize> = (0..expected).filter(|&r| !direction[r].is_zero()).collect();
    let Some(present_method) = method.selected(&present) else { return Ok(MonotonicityRadius::Unbounded) };
    if joint_algebraic_stability(&present_method).holds() {
        return Ok(MonotonicityRadius::Unbounded);
    }
    let partitions = needed_stages(&significant(&present_method));
    let factors: Vec<Exact> = present.iter().map(|&r| (RBig::ONE / &direction[r]).into()).collect();
    Ok(Contraction::new(&partitions, &factors).map_or_else(MonotonicityRadius::zero, |c| certified_radius(&c)))
}

/// Removes the stages without influence on the step.
fn needed_stages(partitions: &[Butcher<Exact>]) -> Vec<Butcher<Exact>> {
    let stages = influential_stages(partitions);
    let pick = |row: &Vec<Exact>| stages.iter().map(|&j| row[j].clone()).collect::<Vec<Exact>>();
    let butcher = |butcher: &Butcher<Exact>| Butcher {
        a: stages.iter().map(|&i| pick(&butcher.a[i])).collect(),
        b: pick(&butcher.b),
        c: pick(&butcher.c),
    };
    partitions.iter().map(butcher).collect()
}

/// The condition that tM + W is positive semidefinite, with a positive diagonal W.
struct Contraction {
    matrix: Rows<Exact>,
    weights: Vec<Exact>,
    matrix_f64: Rows<f64>,
    weights_f64: Vec<f64>,
}

impl Contraction {
    /// Prepares the condition with W = diag(`factors`ᵣBᵣ). Returns `None` if it fails for all t > 0: a weight is negative,
    /// or a zero weight belongs to a row of M that is not zero.
    fn new(partitions: &[Butcher<Exact>], factors: &[Exact]) -> Option<Self> {
        let scaled = partitions.iter().zip(factors);
        let weights: Vec<Exact> =
            scaled.flat_map(|(butcher, factor)| butcher.b.iter().map(|b| b.clone() * factor.clone())).collect();
        let matrix = stability_form(partitions);
        let vanishes = |row: &Vec<Exact>| row.iter().all(|x| x.sign() == Ordering::Equal);
        let is_possible = |(w, row): (&Exact, &Vec<Exact>)| {
            w.sign() == Ordering::Greater || (w.sign() == Ordering::Equal && vanishes(row))
        };
        if !weights.iter().zip(&matrix).all(is_possible) {
            return None;
        }
        let kept: Vec<usize> = (0..weights.len()).filter(|&i| weights[i].sign() != Ordering::Equal).collect();
        let row = |&i: &usize| kept.iter().map(|&j| matrix[i][j].clone()).collect::<Vec<Exact>>();
        let matrix: Rows<Exact> = kept.iter().map(row).collect();
        let weights: Vec<Exact> = kept.iter().map(|&i| weights[i].clone()).collect();
        Some(Self {
            matrix_f64: matrix.iter().map(|row| row.iter().map(Exact::to_f64).collect()).collect(),
            weights_f64: weights.iter().map(Exact::to_f64).collect(),
            matrix,
            weights,
        })
    }

    fn at(&self, t: &Exact) -> Definiteness {
        let row = |(i, row): (usize, &Vec<Exact>)| {
            let mut row: Vec<Exact> = row.iter().map(|entry| t.clone() * entry.clone()).collect();
            row[i] += self.weights[i].clone();
            row
        };
        definiteness(self.matrix.iter().enumerate().map(row).collect())
    }
}

impl MonotoneConditions for Contraction {
    fn hold_at(&self, t: &Exact) -> bool {
        self.at(t) != Definiteness::Indefinite
    }

    /// A null vector v at t > 0 has vᵀMv = −vᵀWv/t < 0, so that the condition fails beyond t.
    fn hold_beyond(&self, t: &Exact) -> bool {
        self.at(t) == Definiteness::Positive
    }

    fn hold_everywhere(&self) -> bool {
        definiteness(self.matrix.clone()) != Definiteness::Indefinite
    }

    fn size(&self) -> usize {
        self.weights.len()
    }

    fn appear_to_hold(&self, t: f64) -> bool {
        let n = self.weights_f64.len();
        let mut m: Rows<f64> = self.matrix_f64.iter().map(|row| row.iter().map(|x| t * x).collect()).collect();
        (0..n).for_each(|i| m[i][i] += self.weights_f64[i]);
        let size = m.iter().flatten().fold(0.0, |size: f64, x| size.max(x.abs()));
        for k in 0..n {
            if m[k][k] <= TOLERANCE * size {
                return false;
            }
            let pivot = m[k].clone();
            for i in k + 1..n {
                let factor = pivot[i] / pivot[k];
                (i..n).for_each(|j| m[i][j] -= factor * pivot[j]);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn radius(id: &str) -> Option<f64> {
        contractivity_radius(&library::method(id).unwrap(), 0).unwrap().value()
    }

    #[test]
    fn radii_from_the_literature() {
        // Dekker & Verwer 1984, Chapter 4, for Kutta's classical method. The others by hand: eigenvalues of −B⁻¹M are 1/r.
        for (id, expected) in
            [("explicit-euler", 1.0), ("rk4", 1.0), ("ssp-rk-2-2", 1.0), ("ssp-rk-3-3", 1.0), ("kutta-3", 0.5)]
        {
            assert_eq!(radius(id), Some(expected), "{id}");
        }
        for id in ["implicit-euler", "implicit-midpoint", "gauss-2", "radau-iia-3", "lobatto-iiic-3"] {
            assert_eq!(radius(id), None, "{id}");
        }
        // A negative weight, and a stage with weight zero on which the step depends.
        assert_eq!((radius("dormand-prince-5"), radius("explicit-midpoint")), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn the_radius_bounds_the_disk_of_linear_stability() {
        // |R(z)| ≤ 1 for |z + r| ≤ r, since the condition covers linear problems.
        for id in ["ssp-rk-3-3", "ssp-rk-4-3", "ssp-rk-10-4", "kutta-3", "rk4"] {
            let method = library::method(id).unwrap();
            let r = contractivity_radius(&method, 0).unwrap().value().unwrap();
            let function = crate::StabilityFunction::<f64>::new(&method.to_f64().partitions[0]);
            for k in 0..64 {
                let z = (num_complex::Complex64::from_polar(1.0, f64::from(k) * 0.1) - 1.0) * r;
                assert!(function.at(z).norm() <= 1.0 + 1e-9, "{id} at {z}");
            }
        }
    }

    #[test]
    fn strong_stability_covers_norms_of_inner_products() {
        // The SSP coefficient holds for all norms, the radius of contractivity for some of them.
        for id in library::ids() {
            let method = library::method(id).unwrap();
            for partition in 0..method.partitions().len() {
                let r = contractivity_radius(&method, partition).unwrap().value().unwrap_or(f64::INFINITY);
                let c = crate::monotonicity::ssp_coefficient(&method, partition).unwrap().value();
                assert!(c.unwrap_or(f64::INFINITY) <= r * (1.0 + 1e-12), "{id} {partition}: {c:?} and {r}");
            }
        }
    }

    #[test]
    fn radii_of_equal_partitions_add_up() {
        // The smallest uᵀBu/r₁ + vᵀBv/r₂ with u + v = w is wᵀBw/(r₁ + r₂): the pair contracts if r₁ + r₂ ≤ r = 1.
        let part = r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"]"#;
        let text = format!(
            r#"{{"format": "hemiola-method/1", "id": "twice", "name": "Twice",
                "partitions": [{{"name": "first", {part}}}, {{"name": "second", {part}}}]}}"#
        );
        let pair = Method::from_json(text.as_bytes(), "twice").unwrap();
        for (first, second) in [(1, 1), (1, 2), (5, 3), (1, 0)] {
            let found = joint_contractivity_radius(&pair, &[RBig::from(first), RBig::from(second)]).unwrap();
            let expected = RBig::from_parts(1.into(), u8::try_from(first + second).unwrap().into());
            let MonotonicityRadius::Bounded { exact, .. } = found else { panic!("unbounded") };
            assert_eq!(exact, Some(expected), "{first}, {second}");
        }
        let wrong = joint_contractivity_radius(&pair, &[RBig::ONE]);
        assert_eq!(wrong, Err(StabilityError::WrongSize { found: 1, expected: 2 }));
        assert!(joint_contractivity_radius(&pair, &[RBig::ONE, RBig::from(-1)]).is_err());
    }
}
