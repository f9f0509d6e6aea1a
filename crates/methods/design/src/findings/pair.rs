//! Figures of merit of pairs, and published pairs for comparison.

use hemiola_order::principal_error_norm;
use hemiola_stability::{
    CoupledProfile, Limit, StabilityError, coupled_profile, internal_amplification, stability_limit,
};
use hemiola_tableau::{Method, library};
use num_complex::Complex64;

use crate::error::DesignError;
use crate::specification::Specification;

/// Damping ratio and coupling strengths of the coupled profile.
const DAMPING: f64 = 0.05;
const GAMMAS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];
/// Largest difference of equal coefficients in doubles, which are sums of some products below one.
const SHARED: f64 = 1e-13;

/// Figures of merit by which pairs are compared.
#[derive(Clone, Debug)]
pub struct PairNumbers {
    /// The id of the pair.
    pub id: String,
    /// The name of the pair.
    pub name: String,
    /// The norm of the principal error.
    pub error_norm: f64,
    /// The error norm times (slow evaluations)^p, for comparisons of pairs of one order and different sizes.
    pub scaled_norm: f64,
    /// The limits of the fast partition on the imaginary and the negative real axis.
    pub fast_limits: [f64; 2],
    /// The largest coefficient by absolute value.
    pub largest_coefficient: f64,
    /// The internal amplification of the fast partition on the imaginary and the negative real axis, if it has a
    /// limit there.
    pub amplifications: [Option<f64>; 2],
    /// The smallest weight of both partitions. Common weights conserve mass, and positive weights are necessary for
    /// positivity.
    pub smallest_weight: f64,
    /// The range of the abscissae of both partitions. Outside [0, 1], forces are evaluated before or after the
    /// step.
    pub abscissae: [f64; 2],
    /// Whether both partitions have the same weights.
    pub shares_weights: bool,
    /// Whether both partitions have the same abscissae.
    pub shares_abscissae: bool,
    /// The coupled profile at a damping of 0.05; `None` if a partition has no limit along the damped ray.
    pub profile: Option<CoupledProfile>,
}

impl PairNumbers {
    /// Computes the figures of a pair. Its principal error is that of order `order` + 1.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the method is not a pair of that order.
    pub fn new(method: &Method, order: usize) -> Result<Self, DesignError> {
        let tableau = method.to_f64();
        let amplification = |axis| internal_amplification(method, 1, axis);
        let parts = &tableau.partitions;
        let [slow, fast] = parts.as_slice() else { return Err(StabilityError::NotAPair { found: parts.len() }.into()) };
        let entries = || parts.iter().flat_map(|b| b.a.iter().flatten().chain(&b.b));
        let error_norm = principal_error_norm(&method.exact(), order)?;
        let extreme =
            |values: &mut dyn Iterator<Item = &f64>, f: fn(f64, f64) -> f64, start| values.fold(start, |x, y| f(x, *y));
        let abscissae = || parts.iter().flat_map(|b| b.evaluated_stages().into_iter().map(|i| &b.c[i]));
        // Written decimals agree up to their rounding.
        let agree = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| (x - y).abs() <= SHARED);
        Ok(Self {
            scaled_norm: error_norm * (slow.evaluated_stages().len() as f64).powi(order as i32),
            smallest_weight: extreme(
                &mut parts.iter().flat_map(|b| b.evaluated_stages().into_iter().map(|i| &b.b[i])),
                f64::min,
                f64::INFINITY,
            ),
            abscissae: [
                extreme(&mut abscissae(), f64::min, f64::INFINITY),
                extreme(&mut abscissae(), f64::max, f64::NEG_INFINITY),
            ],
            shares_weights: agree(&slow.b, &fast.b),
            shares_abscissae: agree(&slow.c, &fast.c),
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            error_norm,
            fast_limits: limits(method, 1)?,
            largest_coefficient: entries().map(|x| x.abs()).fold(0.0, f64::max),
            amplifications: [amplification(Complex64::I)?, amplification(Complex64::new(-1.0, 0.0))?],
            profile: coupled_profile(method, DAMPING, &GAMMAS).ok(),
        })
    }
}

/// Computes the limits of a partition on the imaginary and the negative real axis.
///
/// # Errors
/// Returns a [`DesignError`] if there is no such partition.
pub fn limits(method: &Method, partition: usize) -> Result<[f64; 2], DesignError> {
    let along = |direction| stability_limit(method, partition, direction).map(Limit::value);
    Ok([along(Complex64::I)?, along(Complex64::new(-1.0, 0.0))?])
}

/// Returns the explicit pairs of the embedded library with the same numbers of evaluations and the same order.
///
/// A user's own pairs are excluded: they are not published, and an unreadable file among them must not make a design
/// fail.
///
/// # Errors
/// Returns a [`DesignError`] if a method of the library cannot be read.
pub fn published_pairs(specification: &Specification) -> Result<Vec<PairNumbers>, DesignError> {
    let mut found = Vec::new();
    for id in library::ids() {
        let method = library::method(id)?;
        let tableau = method.to_f64();
        let evaluations: Vec<usize> = tableau.partitions.iter().map(|b| b.evaluated_stages().len()).collect();
        let alike = evaluations == [specification.slow, specification.fast] && tableau.is_explicit();
        if alike && method.claims().order == Some(specification.order) {
            found.push(PairNumbers::new(&method, specification.order)?);
        }
    }
    Ok(found)
}
