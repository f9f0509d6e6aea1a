//! SSP coefficients to any number of digits.

use dashu::float::DBig;
use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_number::{Counter, Progress};
use hemiola_tableau::{Exact, Method};

use crate::error::StabilityError;
use crate::monotonicity::radius::{MonotoneConditions, MonotonicityRadius, certified_radius};
use crate::monotonicity::region::MonotonicityRegion;

/// Largest number of digits.
const MOST_DIGITS: usize = 1000;
/// Largest number of digits beyond the requested ones to which the enclosure is refined. The result may not be
/// correctly rounded only if the number agrees with a rounding tie to this number of further digits.
const SPARE_DIGITS: usize = 20;

/// Computes the SSP coefficient of a partition, counted from 0, to `digits` significant digits; `None` if it is unbounded.
///
/// Exact bisection encloses the coefficient until both bounds have the same digits. Only a coefficient that agrees with
/// a tie to 20 further digits may be rounded to the wrong neighbor. Trailing zeros are omitted. `progress` counts the
/// bisections.
///
/// ```
/// use hemiola_stability::monotonicity::ssp_decimal;
/// // 1 + √2
/// let digits = ssp_decimal(&hemiola_tableau::library::method("tr-bdf2")?, 0, 30, &())?;
/// assert_eq!(digits.map(|digits| digits.to_string()).as_deref(), Some("2.41421356237309504880168872421"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition, [`StabilityError::OutOfRange`] unless there are
/// 1 to 1000 digits and the coefficient is below 1e290, [`StabilityError::Interrupted`] if `progress` stops the
/// computation.
pub fn ssp_decimal(
    method: &Method,
    partition: usize,
    digits: usize,
    progress: &dyn Progress,
) -> Result<Option<DBig>, StabilityError> {
    if !(1..=MOST_DIGITS).contains(&digits) {
        let (name, value, expected) = ("the number of digits", digits as f64, "1 to 1000");
        return Err(StabilityError::OutOfRange { name, value, expected });
    }
    let ray = MonotonicityRegion::of_partition(method, partition)?.ray(&[RBig::ONE])?;
    let [lower, upper] = match certified_radius(&ray) {
        MonotonicityRadius::Unbounded => return Ok(None),
        MonotonicityRadius::Bounded { exact: Some(exact), .. } => {
            return Ok(Some(Exact::from(exact).to_decimal(digits)));
        }
        MonotonicityRadius::Bounded { lower, upper, .. } => [lower, upper],
    };
    if !upper.is_finite() {
        let (name, value, expected) = ("the SSP coefficient", lower, "a number up to 1e290");
        return Err(StabilityError::OutOfRange { name, value, expected });
    }
    let bounds = [lower, upper].map(|bound| RBig::try_from(bound).unwrap_or(RBig::ZERO));
    refined(&ray, bounds, digits, &Counter::new(progress, "bisections", None)).map(Some)
}

/// Bisects until both bounds have the same decimal.
fn refined(
    conditions: &impl MonotoneConditions,
    [mut low, mut high]: [RBig; 2],
    digits: usize,
    counter: &Counter<'_>,
) -> Result<DBig, StabilityError> {
    let smallest = &high / RBig::from(IBig::from(10).pow(digits + SPARE_DIGITS));
    loop {
        let [below, above] = [&low, &high].map(|bound| Exact::from(bound.clone()).to_decimal(digits));
        if below == above || &high - &low <= smallest {
            return Ok(below);
        }
        let middle = (&low + &high) / RBig::from(2);
        let holds = counter.run(|| conditions.hold_at(&Exact::from(middle.clone())));
        match holds.ok_or(StabilityError::Interrupted)? {
            true => low = middle,
            false => high = middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn digits(id: &str, digits: usize) -> Option<String> {
        ssp_decimal(&library::method(id).unwrap(), 0, digits, &()).unwrap().map(|decimal| decimal.to_string())
    }

    #[test]
    fn digits_of_rational_irrational_and_unbounded_coefficients() {
        assert_eq!(digits("ssp-rk-10-4", 40).as_deref(), Some("6"));
        assert_eq!(digits("implicit-euler", 5), None);
        assert_eq!(digits("tr-bdf2", 4).as_deref(), Some("2.414"));
        let long = digits("tr-bdf2", 120).unwrap();
        let root = (Exact::from(1) + Exact::from(2).sqrt().unwrap()).to_decimal(120).to_string();
        assert_eq!(long, root);
        let rk4 = library::method("rk4").unwrap();
        assert!(ssp_decimal(&rk4, 0, 0, &()).is_err() && ssp_decimal(&rk4, 1, 5, &()).is_err());
    }

    #[test]
    fn fewer_digits_are_those_of_more_rounded() {
        let long: f64 = digits("ssp-rk-5-4", 40).unwrap().parse().unwrap();
        // Spiteri & Ruuth 2002: 1.508; the published decimals attain all of these digits.
        assert!((long - 1.508).abs() < 5e-4);
        let short: f64 = digits("ssp-rk-5-4", 6).unwrap().parse().unwrap();
        assert!((long - short).abs() <= 5e-6);
    }
}
