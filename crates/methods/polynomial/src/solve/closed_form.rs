//! Optima known in closed form.

use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::basis::chebyshev;
use crate::problem::axis::Axis;
use crate::problem::spectrum::Spectrum;

/// Optimum with rational coefficients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClosedForm {
    /// Coefficients β₀ … β_s.
    pub(crate) coefficients: Vec<RBig>,
    pub(crate) limit_squared: RBig,
    /// Literature source.
    pub(crate) source: &'static str,
}

/// Returns the optimum for a spectrum without damping if it is known in closed form.
pub(crate) fn closed_form(spectrum: &Spectrum, stages: usize, order: usize) -> Option<ClosedForm> {
    let ((coefficients, limit_squared), source) = match (spectrum, order) {
        (Spectrum::Axis(Axis::Imaginary), 1) if stages >= 2 => (van_der_houwen(stages), "van der Houwen 1977"),
        (Spectrum::Axis(Axis::Imaginary), 2) if stages >= 3 && stages % 2 == 1 => {
            (van_der_houwen(stages), "van der Houwen 1977")
        }
        (Spectrum::Axis(Axis::Imaginary), 2..=4) if stages >= 4 && stages.is_multiple_of(2) => {
            (kinnmark_gray(stages), "Kinnmark & Gray 1984b")
        }
        (Spectrum::Axis(Axis::Imaginary), 3) if stages == 3 => (third_order_taylor(), "Taylor polynomial"),
        (Spectrum::Axis(Axis::Real), 1) => (shifted_chebyshev(stages), "Markov 1892"),
        (Spectrum::Disk, 1) => (power_of_disk(stages, stages), "Jeltsch & Nevanlinna 1978"),
        (Spectrum::Disk, 2) if stages >= 2 => (power_of_disk(stages, stages - 1), "Owren & Seip 1990"),
        _ => return None,
    };
    Some(ClosedForm { coefficients, limit_squared, source })
}

/// Constructs R = ½V_{s−2} + V_{s−1} + ½V_s at w = z/K, K = s − 1, with limit K (van der Houwen 1977; Kinnmark & Gray
/// 1984a).
fn van_der_houwen(stages: usize) -> (Vec<RBig>, RBig) {
    let k = integer(stages - 1);
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let coefficients = combination(stages, &(RBig::ONE / &k), &[half.clone(), RBig::ONE, half]);
    (coefficients, k.sqr())
}

/// Constructs R = (K−1)/(2K) V_s + √(K²−1)/K V_{s−1} + (K+1)/(2K) V_{s−2} at w = z/√(K²−1), K = s − 1, s even, with
/// limit √(K²−1) (Kinnmark & Gray 1984b).
///
/// It has order four and serves all orders from two to four. The coefficients are rational: for even s, V_s and V_{s−2}
/// are even in w, and V_{s−1} is √(K²−1) times an odd polynomial.
fn kinnmark_gray(stages: usize) -> (Vec<RBig>, RBig) {
    let k = integer(stages - 1);
    let limit_squared = k.sqr() - RBig::ONE;
    let two_k = &k * integer(2);
    let powers = powers(&limit_squared, stages / 2);
    let sequence = chebyshev::imaginary(stages);
    let mut coefficients = vec![RBig::ZERO; stages + 1];
    for (index, factor) in [(stages, &k - RBig::ONE), (stages - 2, &k + RBig::ONE)] {
        for (j, coefficient) in sequence[index].iter().enumerate().step_by(2) {
            coefficients[j] += RBig::from(coefficient.clone()) * &factor / &two_k / &powers[j / 2];
        }
    }
    for (j, coefficient) in sequence[stages - 1].iter().enumerate().skip(1).step_by(2) {
        // √(K²−1)/K · (K²−1)^{−j/2} with j odd.
        coefficients[j] += RBig::from(coefficient.clone()) / &k / &powers[(j - 1) / 2];
    }
    (coefficients, limit_squared)
}

/// Returns the Taylor polynomial of three stages and order three, which has no free coefficient: |R(iy)|² − 1 = y⁴(y² −
/// 3)/36.
fn third_order_taylor() -> (Vec<RBig>, RBig) {
    let coefficients = [1u8, 1, 2, 6].map(|factorial| RBig::from_parts(IBig::ONE, factorial.into()));
    (coefficients.to_vec(), integer(3))
}

/// Constructs R = T_s(1 + z/s²) with limit 2s² (Markov 1892; Hairer & Wanner 1996, §IV.2).
fn shifted_chebyshev(stages: usize) -> (Vec<RBig>, RBig) {
    let limit = integer(2 * stages * stages);
    let last = chebyshev::shifted(stages).pop().unwrap_or_default();
    let powers = powers(&(RBig::ONE / &limit), stages);
    let coefficients = last.into_iter().zip(powers).map(|(value, power)| RBig::from(value) * power).collect();
    (coefficients, limit.sqr())
}

/// Constructs R = 1 − r/s + r/s (1 + z/r)ˢ with limit r, for the disk |z + r| ≤ r: order one for r = s, order two for r
/// = s − 1.
fn power_of_disk(stages: usize, radius: usize) -> (Vec<RBig>, RBig) {
    let (s, r) = (integer(stages), integer(radius));
    let mut coefficients = vec![RBig::ONE];
    // r/s · C(s, k) r^{−k}.
    let mut term = &r / &s;
    for k in 1..=stages {
        term = term * integer(stages + 1 - k) / integer(k) / &r;
        coefficients.push(term.clone());
    }
    (coefficients, r.sqr())
}

/// Expands Σ weights · (V_{s−2}, V_{s−1}, V_s) at w = scale · z.
fn combination(stages: usize, scale: &RBig, weights: &[RBig; 3]) -> Vec<RBig> {
    let sequence = chebyshev::imaginary(stages);
    let powers = powers(scale, stages);
    let mut coefficients = vec![RBig::ZERO; stages + 1];
    for (offset, weight) in weights.iter().enumerate() {
        for (j, coefficient) in sequence[stages - 2 + offset].iter().enumerate() {
            coefficients[j] += RBig::from(coefficient.clone()) * weight * &powers[j];
        }
    }
    coefficients
}

/// Computes base⁰ … baseⁿ.
fn powers(base: &RBig, n: usize) -> Vec<RBig> {
    std::iter::successors(Some(RBig::ONE), |power| Some(power * base)).take(n + 1).collect()
}

fn integer(value: usize) -> RBig {
    RBig::from(IBig::from(value))
}

#[cfg(test)]
mod tests {
    use dashu::integer::UBig;

    use super::*;

    fn known(axis: Axis, stages: usize, order: usize) -> ClosedForm {
        closed_form(&Spectrum::Axis(axis), stages, order).unwrap()
    }

    fn factorial(k: usize) -> RBig {
        RBig::from((1..=k).map(UBig::from).fold(UBig::ONE, |product, k| product * k))
    }

    #[test]
    fn the_papers_table_5() {
        let seven = known(Axis::Imaginary, 7, 2);
        let texts: Vec<String> = seven.coefficients[3..].iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["19/108", "1/27", "2/243", "1/1458", "1/8748"]);
        assert_eq!(seven.limit_squared, integer(36));
    }

    #[test]
    fn orders_hold_and_the_next_fail() {
        let even = [4, 6, 8, 10, 40].map(|stages| (known(Axis::Imaginary, stages, 3), 4));
        let disks = [(5, 1), (5, 2), (12, 2)].map(|(s, p)| (closed_form(&Spectrum::Disk, s, p).unwrap(), p));
        for (form, order) in even.into_iter().chain(disks) {
            let holds = |k: usize| &form.coefficients[k] * factorial(k) == RBig::ONE;
            assert!((0..=order).all(holds), "{form:?}");
            assert!(form.coefficients.len() == order + 1 || !holds(order + 1), "{form:?}");
        }
    }

    #[test]
    fn other_requests_have_none() {
        for (axis, stages, order) in
            [(Axis::Imaginary, 2, 2), (Axis::Imaginary, 1, 1), (Axis::Imaginary, 5, 3), (Axis::Real, 4, 2)]
        {
            assert_eq!(closed_form(&Spectrum::Axis(axis), stages, order), None);
        }
    }
}
