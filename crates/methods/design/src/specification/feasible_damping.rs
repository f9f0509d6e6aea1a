//! The feasible damping of polynomials, for error messages about excessive damping.

use hemiola_polynomial::{Axis, PolynomialError, Problem, Spectrum};

use crate::error::DesignError;
use crate::specification::stability::Stability;

/// Ratio and number of dampings tried below the requested one, and number of bisections between the last two of them.
///
/// The feasible dampings may have gaps, so bisection alone does not find the largest one.
const RATIO: f64 = 0.9;
const DAMPINGS: usize = 60;
const HALVINGS: usize = 4;
/// Number of bands tried between the requested one and the whole axis.
const BANDS: usize = 16;

/// Extends an error about excessive damping by the feasible damping and band.
pub(crate) fn explained(error: DesignError, choice: &Stability, evaluations: usize, order: usize) -> DesignError {
    let (DesignError::Polynomial(PolynomialError::TooMuchDamping { .. }), Stability::Optimal { axis, damping, band }) =
        (&error, choice)
    else {
        return error;
    };
    let is_feasible = |damping: f64, band: f64| {
        Problem::new(Spectrum::Axis(*axis), evaluations, order).damping(damping).band(band).solve().is_ok()
    };
    let largest = largest_damping(*damping, |damping| is_feasible(damping, *band));
    let smallest = (*axis == Axis::Imaginary).then(|| smallest_band(*band, |band| is_feasible(*damping, band)));
    DesignError::TooMuchDamping {
        evaluations,
        order,
        axis: *axis,
        damping: *damping,
        band: *band,
        largest: rounded_down(largest),
        smallest_band: smallest.flatten(),
    }
}

/// Finds the largest feasible damping among samples below a given damping; zero if there is none.
fn largest_damping(damping: f64, is_feasible: impl Fn(f64) -> bool) -> f64 {
    let below = |k: usize| damping * RATIO.powi(k as i32);
    let Some(first) = (1..=DAMPINGS).find(|&k| is_feasible(below(k))) else { return 0.0 };
    let (mut largest, mut excessive) = (below(first), below(first - 1));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(largest, excessive);
        *(if is_feasible(middle) { &mut largest } else { &mut excessive }) = middle;
    }
    largest
}

/// Finds the smallest band among samples above a given band with which a damping is feasible.
fn smallest_band(band: f64, is_feasible: impl Fn(f64) -> bool) -> Option<f64> {
    let all: Vec<f64> = (1..=BANDS).map(|k| band + (1.0 - band) * k as f64 / BANDS as f64).collect();
    // Messages show two digits, and the band must not be smaller than the number shown.
    let all: Vec<f64> = all.into_iter().map(|band| ((band * 1e2).ceil() / 1e2).min(1.0)).collect();
    let first = all.partition_point(|&band| !is_feasible(band));
    all.get(first).copied()
}

/// Rounds down to two digits.
fn rounded_down(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(x.log10().floor() as i32 - 1);
    let digits = (x / unit).floor();
    format!("{:.1e}", digits * unit).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Specification;

    fn refused(damping: f64, band: f64) -> DesignError {
        let mut specification = Specification::new(4, 5, None).unwrap();
        specification.stability[1] = Stability::Optimal { axis: Axis::Imaginary, damping, band };
        specification.validate().unwrap_err()
    }

    #[test]
    fn too_much_damping_names_what_is_possible() {
        let error = refused(0.05, 0.5);
        let DesignError::TooMuchDamping { largest, smallest_band: Some(band), .. } = error else { panic!("{error}") };
        let allows = |damping: f64, band: f64| {
            let problem = Problem::new(Spectrum::Axis(Axis::Imaginary), 5, 4);
            problem.damping(damping).band(band).solve().is_ok()
        };
        // The interval lies beyond a gap and is smaller than that for less damping, 2.26.
        assert!(allows(0.045, 0.5) && !allows(0.05, 0.5));
        assert!(allows(largest, 0.5) && (0.044..0.05).contains(&largest), "{largest}");
        assert!(allows(0.05, band) && !allows(0.05, band - 0.05), "{band}");
        assert!(error.to_string().contains(&format!("damping up to {largest}")), "{error}");
    }

    #[test]
    fn bounds_are_rounded_to_the_safe_side() {
        assert_eq!((rounded_down(0.04567), rounded_down(0.3), rounded_down(0.0)), (0.045, 0.3, 0.0));
        assert_eq!(smallest_band(0.5, |band| band > 0.7), Some(0.72));
        assert_eq!(smallest_band(0.5, |_| false), None);
        assert!((largest_damping(0.5, |damping| damping < 0.1) / 0.1 - 1.0).abs() < 0.01);
        assert_eq!(largest_damping(0.5, |_| false), 0.0);
    }
}
