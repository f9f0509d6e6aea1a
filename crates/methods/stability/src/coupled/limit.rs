//! Exact first exit from ρ(S) ≤ 1 + margin along a ray in the space of a pair.
//!
//! The trace and determinant of S are T = N_T/Δ and D = N_D/Δ with polynomials in the step size, where Δ = det(I − tK),
//! and Δ = 1 for explicit pairs. With r = 1 + margin, both eigenvalues lie in the disk of radius r if and only if |D| ≤
//! r² and r|r²T − T̄D| ≤ r⁴ − |D|² (Schur 1917; Jury 1964), and for |D| ≡ r² also |T| ≤ 2r. Multiplied by |Δ|⁴, these
//! conditions are signs of real polynomials. All numbers become integers: with a common denominator L of the
//! coefficients, z over 2ᵉ and the step in units of L·2ᵉ, a coefficient of degree k is an integer.

use dashu::base::{BitTest, Gcd};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_number::signs::first_positive;
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use num_traits::Zero;

use crate::coupled::gaussian_integer::{GaussianInteger, modulus_squared, product, truncated};
use crate::error::StabilityError;
use crate::function::limit::Limit;

/// Number of fraction bits to which surds, and fractions with a longer common denominator, are rounded.
const BITS: usize = 256;

/// Finds the first t > 0 with ρ(S) > 1 + `margin` along z_ss = t z₀, z_ff = t z₁, z_sf z_fs = t² z₂ for `z` = [z₀, z₁,
/// z₂].
///
/// Exact signs of polynomials ensure that no exit is missed, however narrow. The coefficients are taken as exact
/// numbers. If they are rounded decimals, a margin of zero detects the effect of rounding: a pair that conserves energy
/// exactly, or touches ρ = 1, exits immediately or at the first such point. A margin of 1e-9, as in the [coupled
/// profile](crate::coupled_profile), covers eight decimals. Surds and fractions with a common denominator longer than
/// 256 bits are rounded to 256 bits, which matters only for a margin of zero.
///
/// ```
/// use hemiola_stability::{Limit, coupled_limit};
/// use num_complex::Complex64;
/// let pair = hemiola_tableau::library::method("mprk-p2")?;
/// // Decoupled and equally fast, the slow partition of two stages leaves the real axis at −2.
/// let z = [-Complex64::ONE, -Complex64::ONE, Complex64::ZERO];
/// assert_eq!(coupled_limit(&pair, z, 0.0)?, Limit::Finite(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::NotAPair`] unless the method has two partitions, [`StabilityError::OutOfRange`] if a
/// number of `z` is not finite or the margin is negative or not finite.
pub fn coupled_limit(method: &Method, z: [Complex64; 3], margin: f64) -> Result<Limit, StabilityError> {
    let exact = method.exact();
    let [slow, fast] = &exact.partitions[..] else {
        return Err(StabilityError::NotAPair { found: exact.partitions.len() });
    };
    let radius = Some(margin).filter(|margin| *margin >= 0.0).and_then(|margin| RBig::try_from(margin).ok());
    let Some(radius) = radius.map(|margin| RBig::ONE + margin) else {
        return Err(StabilityError::OutOfRange {
            name: "the margin", value: margin, expected: "a finite number ≥ 0"
        });
    };
    let direction = Direction::new(z)?;
    let entries = [slow, fast].map(|part| part.a.iter().flatten().chain(&part.b));
    let (common, integers) = integers(entries.into_iter().flatten());
    let s = slow.stages();
    let (slow, fast) = integers.split_at(s * (s + 1));
    let pair = IntegerPair { s, coefficients: [slow, fast], z: direction.z };
    let unit = RBig::from(common << direction.exponent);
    let first = pair.conditions(&radius, exact.is_explicit()).iter().filter_map(|p| first_positive(p)).min();
    Ok(first.map_or(Limit::Unbounded, |place| Limit::Finite((place * unit).to_f64().value())))
}

/// Direction [z₀, z₁, z₂] as Gaussian integers over 2ᵉ, 2ᵉ and 2²ᵉ.
struct Direction {
    z: [GaussianInteger; 3],
    exponent: usize,
}

impl Direction {
    fn new(z: [Complex64; 3]) -> Result<Self, StabilityError> {
        let part = |value: f64| {
            let expected = "a finite number";
            RBig::try_from(value).map_err(|_| StabilityError::OutOfRange { name: "a number of z", value, expected })
        };
        let mut parts = Vec::with_capacity(6);
        for value in z {
            parts.extend([part(value.re)?, part(value.im)?]);
        }
        // The denominators are powers of two.
        let bits = |part: &RBig| part.denominator().bit_len() - 1;
        let exponent =
            (0..6).map(|k| if k < 4 { bits(&parts[k]) } else { bits(&parts[k]).div_ceil(2) }).max().unwrap_or(0);
        let integer = |k: usize| {
            let shift = if k < 4 { exponent } else { 2 * exponent };
            parts[k].numerator() << (shift - bits(&parts[k]))
        };
        Ok(Self { z: [0, 2, 4].map(|k| GaussianInteger { re: integer(k), im: integer(k + 1) }), exponent })
    }
}

/// Returns the common denominator, and the numbers multiplied by it.
fn integers<'a>(values: impl Iterator<Item = &'a Exact>) -> (UBig, Vec<IBig>) {
    let values: Vec<&Exact> = values.collect();
    let rounded = |value: &Exact| {
        let low = value.enclose(BITS).low().clone();
        RBig::from_parts((low * RBig::from(UBig::ONE << BITS)).floor(), UBig::ONE << BITS)
    };
    let rationals: Option<Vec<RBig>> = values.iter().map(|value| value.as_rational().cloned()).collect();
    let (common, rationals) = rationals
        .and_then(|rationals| Some((common_denominator(&rationals)?, rationals)))
        .unwrap_or_else(|| (UBig::ONE << BITS, values.iter().map(|value| rounded(value)).collect()));
    let scaled = |value: &RBig| value.numerator() * IBig::from(&common / value.denominator());
    let integers = rationals.iter().map(scaled).collect();
    (common, integers)
}

/// Computes the common denominator; returns `None` if it is longer than [`BITS`].
fn common_denominator(values: &[RBig]) -> Option<UBig> {
    let mut common = UBig::ONE;
    for value in values {
        common = &common / (&common).gcd(value.denominator()) * value.denominator();
        if common.bit_len() > BITS {
            return None;
        }
    }
    Some(common)
}

/// Pair with integer coefficients, A row by row and then b, on a direction.
struct IntegerPair<'a> {
    s: usize,
    coefficients: [&'a [IBig]; 2],
    z: [GaussianInteger; 3],
}

impl IntegerPair<'_> {
    /// Returns an entry of Z, scaled so that z_sf = 1.
    fn z(&self, r: usize, q: usize) -> GaussianInteger {
        match (r, q) {
            (0, 0) => self.z[0].clone(),
            (1, 1) => self.z[1].clone(),
            (0, _) => GaussianInteger::from(1),
            _ => self.z[2].clone(),
        }
    }

    /// Multiplies vectors of 2s numbers, given as columns, by K = [z_rq A^q].
    fn times(&self, columns: &[Vec<GaussianInteger>]) -> Vec<Vec<GaussianInteger>> {
        let s = self.s;
        let image = |v: &Vec<GaussianInteger>| {
            let inner = |q: usize, i: usize| {
                let terms = self.coefficients[q][i * s..(i + 1) * s].iter().zip(&v[q * s..]);
                terms
                    .filter(|(a, _)| !a.is_zero())
                    .fold(GaussianInteger::from(0), |sum, (a, v)| sum + v.times_integer(a))
            };
            let inner: Vec<[GaussianInteger; 2]> = (0..s).map(|i| [inner(0, i), inner(1, i)]).collect();
            let row = |k: usize| {
                let (r, i) = (k / s, k % s);
                &self.z(r, 0) * &inner[i][0] + &self.z(r, 1) * &inner[i][1]
            };
            (0..2 * s).map(row).collect()
        };
        columns.iter().map(image).collect()
    }

    /// Expands the entries ss, sf, fs, ff of S as power series, up to `degree`.
    fn series(&self, degree: usize) -> [Vec<GaussianInteger>; 4] {
        let s = self.s;
        let mut columns: Vec<Vec<GaussianInteger>> =
            (0..2).map(|q| (0..2 * s).map(|k| self.z(k / s, q)).collect()).collect();
        let mut series = [1, 0, 0, 1].map(|entry| vec![GaussianInteger::from(entry)]);
        for k in 1..=degree {
            if k > 1 {
                columns = self.times(&columns);
            }
            for (entry, series) in series.iter_mut().enumerate() {
                let (r, q) = (entry / 2, entry % 2);
                let terms = self.coefficients[r][s * s..].iter().zip(&columns[q][r * s..]);
                series.push(terms.fold(GaussianInteger::from(0), |sum, (b, v)| sum + v.times_integer(b)));
            }
        }
        series
    }

    /// Computes Δ = det(I − tK) by the Faddeev–LeVerrier algorithm: M₁ = I, c_k = −tr(K M_k)/k, M_{k+1} = K M_k + c_k
    /// I.
    fn determinant(&self) -> Vec<GaussianInteger> {
        let n = 2 * self.s;
        let unit =
            |i: usize| (0..n).map(|j| GaussianInteger::from(i32::from(i == j))).collect::<Vec<GaussianInteger>>();
        let mut columns: Vec<Vec<GaussianInteger>> = (0..n).map(unit).collect();
        let mut coefficients = vec![GaussianInteger::from(1)];
        for k in 1..=n {
            columns = self.times(&columns);
            let trace = (0..n).fold(GaussianInteger::from(0), |sum, i| sum + columns[i][i].clone());
            let coefficient = trace.divided_exactly(&-IBig::from(k));
            for (i, column) in columns.iter_mut().enumerate() {
                column[i] = column[i].clone() + coefficient.clone();
            }
            coefficients.push(coefficient);
        }
        coefficients
    }

    /// Returns real polynomials; at least one is positive wherever an eigenvalue of S lies outside the disk.
    fn conditions(&self, radius: &RBig, is_explicit: bool) -> Vec<Vec<RBig>> {
        let degree = 2 * self.s;
        // S of an explicit pair is a polynomial of degree s.
        let [ss, sf, fs, ff] = self.series(if is_explicit { self.s } else { degree });
        let delta = if is_explicit { vec![GaussianInteger::from(1)] } else { self.determinant() };
        let sum = |p: &[GaussianInteger], q: &[GaussianInteger]| {
            p.iter().zip(q).map(|(x, y)| x.clone() + y.clone()).collect::<Vec<_>>()
        };
        let difference = |p: &[GaussianInteger], q: &[GaussianInteger]| {
            p.iter().zip(q).map(|(x, y)| x.clone() - y.clone()).collect::<Vec<_>>()
        };
        let determinant = difference(&product(&ss, &ff), &product(&sf, &fs));
        // Terms beyond degree 2s cancel.
        let n_t = truncated(product(&delta, &sum(&ss, &ff)), degree);
        let n_d = truncated(product(&delta, &determinant), degree);
        signs(&n_t, &n_d, &delta, radius)
    }
}

/// Computes |N_D|² − r⁴|Δ|² and r²|r²N_T Δ̄ − N̄_T N_D|² − (r⁴|Δ|² − |N_D|²)², times powers of the denominator of r.
///
/// If the first polynomial vanishes identically, computes only |N_T|² − 4r²|Δ|².
fn signs(n_t: &[GaussianInteger], n_d: &[GaussianInteger], delta: &[GaussianInteger], radius: &RBig) -> Vec<Vec<RBig>> {
    let (numerator, denominator) = (radius.numerator().clone(), IBig::from(radius.denominator().clone()));
    let (r2, q2) = (numerator.pow(2), denominator.pow(2));
    let (d, one) = (modulus_squared(n_d), modulus_squared(delta));
    let excess = combined(&q2.pow(2), &d, &-r2.pow(2), &one);
    if excess.iter().all(Zero::is_zero) {
        let trace = combined(&q2, &modulus_squared(n_t), &(-4 * r2), &one);
        return vec![rationals(trace)];
    }
    let conjugate = |p: &[GaussianInteger]| p.iter().map(GaussianInteger::conj).collect::<Vec<_>>();
    let (x, y) = (product(n_t, &conjugate(delta)), product(&conjugate(n_t), n_d));
    let zero = GaussianInteger::from(0);
    let term = |k: usize| x.get(k).unwrap_or(&zero).times_integer(&r2) - y.get(k).unwrap_or(&zero).times_integer(&q2);
    let defect: Vec<GaussianInteger> = (0..x.len().max(y.len())).map(term).collect();
    let square = |p: &[IBig]| {
        let real: Vec<GaussianInteger> =
            p.iter().map(|re| GaussianInteger { re: re.clone(), im: IBig::ZERO }).collect();
        modulus_squared(&real)
    };
    let second = combined(&(&r2 * &q2), &modulus_squared(&defect), &-IBig::ONE, &square(&excess));
    vec![rationals(excess), rationals(second)]
}

/// Computes a p + b q.
fn combined(a: &IBig, p: &[IBig], b: &IBig, q: &[IBig]) -> Vec<IBig> {
    let term = |k: usize| p.get(k).map_or(IBig::ZERO, |p| a * p) + q.get(k).map_or(IBig::ZERO, |q| b * q);
    (0..p.len().max(q.len())).map(term).collect()
}

fn rationals(p: Vec<IBig>) -> Vec<RBig> {
    p.into_iter().map(RBig::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{stability_limit, stability_matrix};
    use hemiola_tableau::library;

    fn complex(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    #[test]
    fn decoupled_limits_are_those_of_the_partitions() {
        let u = complex(-0.25, 0.75);
        for id in ["mprk-p3", "perk-4-9-5", "ars-2-2-2", "mprk-p2", "lobatto-iiic-iiic-star-2"] {
            let method = library::method(id).unwrap();
            for scale in [1.0, 3.0, 0.5] {
                let alone = |partition, scale: f64| stability_limit(&method, partition, u * scale).unwrap().value();
                let coupled = coupled_limit(&method, [u, u * scale, Complex64::ZERO], 0.0).unwrap().value();
                let expected = alone(0, 1.0).min(alone(1, scale));
                assert!(coupled == expected || (coupled / expected - 1.0).abs() < 1e-14, "{id}: {coupled} {expected}");
            }
        }
    }

    #[test]
    fn stormer_and_verlet_are_stable_up_to_two() {
        // q' = p, p' = −q has D ≡ 1 and T = 2 − t², which leaves [−2, 2] at t = 2.
        for id in ["stormer-verlet", "symplectic-euler", "leapfrog-2"] {
            let method = library::method(id).unwrap();
            let zero = Complex64::ZERO;
            assert_eq!(coupled_limit(&method, [zero, zero, complex(-1.0, 0.0)], 0.0), Ok(Limit::Finite(2.0)), "{id}");
            assert_eq!(coupled_limit(&method, [zero, zero, complex(1.0, 0.0)], 0.0), Ok(Limit::Finite(0.0)), "{id}");
        }
    }

    #[test]
    fn a_weak_resonance_is_seen_however_narrow() {
        // The radius at the exit is 1 plus the margin.
        let method = library::method("perk-4-9-5").unwrap();
        let u = complex(-0.05, 0.99875);
        for margin in [1e-9, 1e-3, 0.5] {
            let z = [u, u * 1.6, u * u * 1.6 * 0.04];
            let t = coupled_limit(&method, z, margin).unwrap().value();
            let coupling = z[2].sqrt() * t;
            let s = stability_matrix(&method.to_f64(), &[vec![z[0] * t, coupling], vec![coupling, z[1] * t]]).unwrap();
            let radius = crate::eigenvalues(&s).unwrap()[0].norm();
            assert!((radius - 1.0 - margin).abs() < 1e-13, "{margin}: {radius}");
        }
    }

    #[test]
    fn questions_without_an_answer() {
        let pair = library::method("mprk-p2").unwrap();
        let one = [Complex64::ONE; 3];
        assert!(matches!(
            coupled_limit(&library::method("rk4").unwrap(), one, 0.0),
            Err(StabilityError::NotAPair { .. })
        ));
        for margin in [-1e-9, f64::NAN, f64::INFINITY] {
            assert!(matches!(coupled_limit(&pair, one, margin), Err(StabilityError::OutOfRange { .. })));
        }
        let infinite = [Complex64::ONE, complex(0.0, f64::INFINITY), Complex64::ZERO];
        assert!(matches!(coupled_limit(&pair, infinite, 0.0), Err(StabilityError::OutOfRange { .. })));
        // The point z = 0 remains fixed.
        assert_eq!(coupled_limit(&pair, [Complex64::ZERO; 3], 0.0), Ok(Limit::Unbounded));
    }
}
