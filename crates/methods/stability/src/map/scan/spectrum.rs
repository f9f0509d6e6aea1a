//! Spectral radii of eight 2×2 matrices at a time, and tests whether both eigenvalues lie in the unit disk.

use crate::lanes::{ComplexLanes, LANES, RealLanes};

/// Entries of S: ss, sf, fs, ff.
pub(crate) type Entries = [ComplexLanes; 4];

/// Computes ρ(S), infinite if an entry is infinite or NaN.
///
/// With mean m = (s_ss + s_ff)/2 and r² = ((s_ss − s_ff)/2)² + s_sf s_fs the eigenvalues are m ± r. The larger modulus
/// belongs to the sign without cancellation: ρ² = |m|² + |r|² + 2|Re(m̄ r)|, a sum of positive terms (Kahan 1986,
/// "Branch cuts for complex elementary functions", for r). Scaling by a power of two keeps the squares in range without
/// rounding.
///
/// ```
/// use hemiola_stability::lanes::ComplexLanes;
/// use hemiola_stability::map::spectral_radius;
/// // The rotation by a right angle has the eigenvalues ±i.
/// let [zero, one] = [0.0, 1.0].map(|x| ComplexLanes::all(x.into()));
/// assert_eq!(spectral_radius(&[zero, one, zero.minus(one), zero]).0, [1.0; 8]);
/// ```
#[inline(always)]
#[must_use]
pub fn spectral_radius(s: &Entries) -> RealLanes {
    let [ss, sf, fs, ff] = s;
    let exponent = ss.size().larger(ff.size()).larger(sf.size()).larger(fs.size());
    let (scale, inverse) = (exponent.map(inverse_power), exponent.map(power));
    let half = scale.map(|scale| 0.5 * scale);
    let mean = ss.plus(*ff).scaled(half);
    let difference = ss.minus(*ff).scaled(half);
    let root = sqrt(difference.times_plus(difference, sf.scaled(scale).times(fs.scaled(scale))));
    let alignment = mean.re.times_plus(root.re, mean.im.times(root.im)).map(|dot| 2.0 * dot.abs());
    let square = mean.squared_modulus().plus(root.squared_modulus()).plus(alignment);
    square.map(f64::sqrt).times(inverse).map(finite)
}

/// Computes the modulus of the smaller eigenvalue, |det S|/ρ(S), infinite like [`spectral_radius`].
///
/// The determinant keeps digits that the difference m − r of large terms would lose.
#[inline(always)]
pub(super) fn smaller(s: &Entries) -> RealLanes {
    let exponent = s[0].size().larger(s[1].size()).larger(s[2].size()).larger(s[3].size());
    let (scale, inverse) = (exponent.map(inverse_power), exponent.map(power));
    let [ss, sf, fs, ff] = s.map(|entry| entry.scaled(scale));
    let determinant = modulus(ss.times(ff).minus(sf.times(fs)));
    let large = spectral_radius(&[ss, sf, fs, ff]);
    // Rounding must not make the smaller eigenvalue exceed the larger.
    let small = determinant.zip(large, |determinant, large| {
        let small = determinant / large;
        if large == 0.0 {
            0.0
        } else if small > large {
            large
        } else {
            small
        }
    });
    small.times(inverse).map(finite)
}

/// Computes |tr S − 1|, infinite if it overflows or is NaN.
#[inline(always)]
pub(super) fn additive([ss, _, _, ff]: &Entries) -> RealLanes {
    let one = ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO };
    modulus(ss.minus(one).plus(*ff)).map(finite)
}

/// Computes |z|, scaled by a power of two that keeps the squares in range.
#[inline(always)]
fn modulus(z: ComplexLanes) -> RealLanes {
    let exponent = z.size();
    let square = z.scaled(exponent.map(inverse_power)).squared_modulus();
    square.map(f64::sqrt).times(exponent.map(power))
}

/// Replaces NaN by infinity; the comparison fails for NaN.
#[inline(always)]
fn finite(value: f64) -> f64 {
    if value < f64::INFINITY { value } else { f64::INFINITY }
}

/// Exponent bits of a double, and the largest exponent whose inverse is a normal number.
const EXPONENT: u64 = 0x7FF << 52;
const LARGEST: u64 = 0x7FD << 52;

/// Returns a power of two near the size x: x/2 < 2ᵉ ≤ x, within the range in which it and its inverse are normal
/// numbers.
#[inline(always)]
fn power(x: f64) -> f64 {
    f64::from_bits((x.to_bits() & EXPONENT).clamp(1 << 52, LARGEST))
}

/// Computes the reciprocal of [`power`].
#[inline(always)]
fn inverse_power(x: f64) -> f64 {
    f64::from_bits((0x7FE << 52) - power(x).to_bits())
}

/// Computes the principal square root of numbers of size one or smaller, without cancellation.
#[inline(always)]
fn sqrt(z: ComplexLanes) -> ComplexLanes {
    let modulus = z.squared_modulus().map(f64::sqrt);
    let large = modulus.plus(z.re.map(f64::abs)).map(|sum| (0.5 * sum).sqrt());
    // If the larger part vanishes, the square is below 1e-154, and so is the omitted part.
    let small = z.im.zip(large, |im, large| if large == 0.0 { 0.0 } else { 0.5 * im / large });
    let mut root = ComplexLanes { re: large, im: small };
    for lane in 0..LANES {
        if z.re.0[lane] < 0.0 {
            root.re.0[lane] = small.0[lane].abs();
            root.im.0[lane] = large.0[lane].copysign(z.im.0[lane]);
        }
    }
    root
}

/// Tests whether both eigenvalues of S lie in the disk of radius 1/`shrink`: one for yes, zero for no.
///
/// Both roots of λ² − tλ + d lie in the closed unit disk if and only if |d| ≤ 1 and |t − t̄ d| ≤ 1 − |d|², and on |d| =
/// 1 also |t| ≤ 2 (Schur 1917; Jury 1964). The roots of S/r belong to t/r and d/r². With overflow or NaN some
/// comparison fails.
#[inline(always)]
pub(super) fn is_stable(s: &Entries, shrink: f64) -> RealLanes {
    let [ss, sf, fs, ff] = s;
    let shrink = RealLanes::all(shrink);
    let trace = ss.plus(*ff).scaled(shrink);
    let product = sf.times(*fs);
    let determinant = ss.times(*ff).minus(product).scaled(shrink.times(shrink));
    let defect = trace.minus(trace.conj().times(determinant)).squared_modulus();
    let margin = determinant.squared_modulus().map(|square| 1.0 - square);
    let size = trace.squared_modulus();
    let mut stable = RealLanes::ZERO;
    for lane in 0..LANES {
        let (margin, defect) = (margin.0[lane], defect.0[lane]);
        let holds = (margin >= 0.0) & (defect <= margin * margin) & (size.0[lane] <= 4.0);
        stable.0[lane] = if holds { 1.0 } else { 0.0 };
    }
    stable
}
