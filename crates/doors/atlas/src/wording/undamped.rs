//! Growth of multirate methods with an undamped fast part, as text.

use hemiola_export::describe;
use hemiola_multirate::Resonance;

/// Relative difference up to which a bound counts as attained: less than the printed digits show.
const ATTAINED: f64 = 2e-6;
/// Digits of values that are attained up to [`ATTAINED`].
const DIGITS: usize = 5;

/// Returns the names and texts of the growth at 90° and of the practical limit there.
///
/// ```
/// use hemiola_atlas::wording::undamped;
/// use hemiola_multirate::{Resonance, library};
/// let [growth, practical] = undamped(&Resonance::new(&library::method("mri-gark-erk33a")?, 0)?);
/// assert_eq!(growth.1, "0.71871 |z_S| at z_F = 11.644i, the largest of all z_F = iy, so that x(90°) = 0, proved");
/// assert_eq!(practical.1, "0.0013909 (|R| ≤ 1.001), proved for all z_F = iy");
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
#[must_use]
pub fn undamped(resonance: &Resonance) -> [(&'static str, String); 2] {
    [("growth at 90°", growth(resonance)), ("practical x(90°)", practical(resonance))]
}

fn growth(resonance: &Resonance) -> String {
    let &Resonance { growth, growth_bound, frequency, fast_modulus, fast_bound, is_proved, .. } = resonance;
    let place = format!("z_F = {}i", describe::rounded(frequency, DIGITS));
    let verdict = if is_proved { ", so that x(90°) = 0, proved" } else { ", not proved" };
    if growth == f64::INFINITY {
        let bound = if fast_bound.is_finite() {
            format!("at most {} for all z_F = iy", beyond_one(fast_bound))
        } else {
            "without a bound for all z_F = iy".to_owned()
        };
        return format!(
            "the fast part alone grows, to |R| = {} at {place}, {bound}{verdict}",
            beyond_one(fast_modulus)
        );
    }
    if growth <= 0.0 {
        return if fast_bound > 1.0 {
            format!("none found; the fast part alone has |R| ≤ {} for all z_F = iy", beyond_one(fast_bound))
        } else if growth_bound <= 0.0 {
            "none for any z_F = iy".to_owned()
        } else {
            format!("none found; at most {} |z_S| for all z_F = iy", above(growth_bound))
        };
    }
    let bound = if growth_bound <= growth * (1.0 + ATTAINED) {
        ", the largest of all z_F = iy".to_owned()
    } else if growth_bound.is_finite() {
        format!(", at most {} |z_S| for all z_F = iy", above(growth_bound))
    } else {
        ", without a bound for all z_F = iy".to_owned()
    };
    format!("{} |z_S| at {place}{bound}{verdict}", describe::rounded(growth, DIGITS))
}

fn practical(resonance: &Resonance) -> String {
    const LEVEL: &str = "(|R| ≤ 1.001)";
    let Some(limit) = resonance.practical_limit else { return format!("none up to 1e6 {LEVEL}") };
    let text = describe::rounded(limit, DIGITS);
    match resonance.practical_lower {
        _ if limit == 0.0 => format!("0 {LEVEL}"),
        Some(lower) if lower >= limit * (1.0 - ATTAINED) => format!("{text} {LEVEL}, proved for all z_F = iy"),
        Some(lower) => format!("at most {text}, at least {} proved for all z_F = iy {LEVEL}", below(lower)),
        None => format!("at most {text} {LEVEL}; no lower bound proved"),
    }
}

/// Prints a modulus above one, rounded up.
fn beyond_one(modulus: f64) -> String {
    let excess = modulus - 1.0;
    let text = describe::residual(excess);
    let shown: f64 = text.parse().unwrap_or(excess);
    // The next number of two digits.
    format!(
        "1 + {}",
        if shown < excess { describe::residual(excess + 0.05 * 10f64.powf(excess.log10().floor())) } else { text }
    )
}

/// Prints a bound with few digits, rounded up.
fn above(bound: f64) -> String {
    rounded_towards(bound, 1.0)
}

/// Prints a bound with few digits, rounded down.
fn below(bound: f64) -> String {
    rounded_towards(bound, -1.0)
}

fn rounded_towards(bound: f64, direction: f64) -> String {
    let text = describe::rounded(bound, DIGITS);
    let shown: f64 = text.parse().unwrap_or(bound);
    let unit = 10f64.powf(bound.abs().log10().floor() + 1.0 - DIGITS as f64);
    if direction * (shown - bound) >= 0.0 { text } else { describe::rounded(shown + direction * unit, DIGITS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_outward() {
        assert_eq!([above(1.67901), above(1.679012), below(1.679018)], ["1.6791", "1.6791", "1.679"]);
        assert_eq!([beyond_one(1.0042319), beyond_one(1.5)], ["1 + 4.3e-3", "1 + 5.0e-1"]);
    }
}
