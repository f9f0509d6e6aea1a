//! Exact flow e^Z of q' = Λq with equal couplings z_sf = z_fs = √w.

use num_complex::Complex64;

use crate::eigenvalues::pair::eigenvalues_of_pair;

/// 2×2 matrix, row by row.
pub(super) type Pair = [[Complex64; 2]; 2];

/// Computes the eigenvalues of Z for [z_ss, z_ff, w].
fn eigenvalues([slow, fast, product]: [Complex64; 3]) -> [Complex64; 2] {
    eigenvalues_of_pair([[slow, product], [Complex64::ONE, fast]])
}

/// Computes ln ρ(e^Z), the larger real part of the eigenvalues of Z.
pub(super) fn growth_rate(z: [Complex64; 3]) -> f64 {
    let [first, second] = eigenvalues(z);
    first.re.max(second.re)
}

/// Computes e^Z = c I + σ(Z − mI), where λ₁ and λ₂ are the eigenvalues of Z, m is their mean, c = (e^{λ₁} + e^{λ₂})/2,
/// and σ = (e^{λ₁} − e^{λ₂})/(λ₁ − λ₂) is the divided difference.
///
/// Equivalently, e^Z = e^m (cosh r I + sinhc(r)(Z − mI)) with r = (λ₁ − λ₂)/2. For stiff systems e^m underflows while
/// cosh r overflows; this product saves σ from cancellation and is used only for |r| < 1.
pub(super) fn exponential(z: [Complex64; 3]) -> Pair {
    let [slow, fast, product] = z;
    let [first, second] = eigenvalues(z);
    let [e1, e2] = [first.exp(), second.exp()];
    let square = 0.25 * (slow - fast) * (slow - fast) + product;
    let slope =
        if square.norm() < 1.0 { (0.5 * (slow + fast)).exp() * sinhc(square) } else { (e1 - e2) / (first - second) };
    let (mean, difference, coupling) = (0.5 * (e1 + e2), 0.5 * (slow - fast) * slope, product.sqrt() * slope);
    [[mean + difference, coupling], [coupling, mean - difference]]
}

/// Computes sinh(r)/r = Σ r²ⁿ/(2n + 1)! for |r|² < 1, where the eleventh term is 2e-20.
fn sinhc(square: Complex64) -> Complex64 {
    let term = |sum: Complex64, n: i32| Complex64::ONE + sum * square / f64::from(2 * n * (2 * n + 1));
    (1..=10).rev().fold(Complex64::ONE, term)
}

/// Computes ‖S − e^Z‖ in the Frobenius norm.
pub(super) fn distance(s: &Pair, z: [Complex64; 3]) -> f64 {
    let exact = exponential(z);
    let differences = s.as_flattened().iter().zip(exact.as_flattened()).map(|(s, e)| s - e);
    differences.fold(0.0, |norm: f64, difference| norm.hypot(difference.re).hypot(difference.im))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with e^Z and ρ(e^Z) by mpmath with 60 digits, for [z_ss, z_ff, w].
    #[test]
    fn constants_of_high_precision() {
        let c = Complex64::new;
        let cases = [
            ([c(-0.001, 0.0), c(-1000.0, 0.0), c(0.0, 0.0)], [c(0.999000499833375, 0.0), c(0.0, 0.0), c(0.0, 0.0)]),
            (
                [c(-0.5, 3.0), c(-1000.0, 20.0), c(3.0, -40.0)],
                [
                    c(-0.5987651457348915, 0.1098912375256658),
                    c(-0.002359763878094665, 0.003050806886664151),
                    c(1.7714469297680854e-06, 2.4371883332984562e-05),
                ],
            ),
            (
                [c(0.0, 1000.0), c(0.0, 0.001), c(-0.3, 0.0)],
                [
                    c(0.5621311183123008, 0.8270479692560897),
                    c(-0.0002398306974194108, 0.00045260974008320205),
                    c(0.9999996236393821, 0.0007002476375712256),
                ],
            ),
            (
                [c(-0.3, 0.8), c(-0.3, 0.8), c(1e-20, 0.0)],
                [
                    c(0.5161330247555819, 0.5314304628553771),
                    c(5.161330247555818e-11, 5.314304628553771e-11),
                    c(0.5161330247555819, 0.5314304628553771),
                ],
            ),
            (
                [c(-0.3, 0.8), c(-0.30001, 0.8), c(0.0, 1e-09)],
                [
                    c(0.5161330244898675, 0.5314304631134428),
                    c(-3.420594083315215e-07, 2.3424114569623572e-05),
                    c(0.5161278631854274, 0.5314251488353848),
                ],
            ),
            (
                [c(0.001, 0.0), c(0.0, 0.002), c(1e-07, 0.0)],
                [
                    c(1.0010005502000379, 3.334999866572256e-11),
                    c(0.0003163857270195648, 3.163331014720055e-07),
                    c(0.9999980500172879, 0.001999998733350244),
                ],
            ),
            (
                [c(300.0, 2.0), c(-700.0, 1.0), c(100.0, 0.0)],
                [
                    c(-8.930548296562772e+129, 1.9518750145519705e+130),
                    c(-8.910133618143271e+127, 1.952570701486053e+128),
                    c(-8.889714046409809e+125, 1.9532642773165172e+126),
                ],
            ),
        ];
        for (z, [ss, sf, ff]) in cases {
            let [[a, b], [_, d]] = exponential(z);
            // The condition of the exponential is |Z|.
            let size = ss.norm().max(sf.norm()).max(ff.norm());
            let tolerance = 4.0 * f64::EPSILON * size * (1.0 + z[0].norm() + z[1].norm());
            for (found, expected) in [(a, ss), (b, sf), (d, ff)] {
                assert!((found - expected).norm() <= tolerance, "{z:?}: {found}, not {expected}");
            }
        }
    }
}
