//! Eigenvalues of 2×2 matrices in closed form.

use num_complex::Complex64;

/// Computes both eigenvalues of a 2×2 matrix.
///
/// The larger one comes from a sum without cancellation; if the other one is much smaller, it comes from the
/// determinant.
#[must_use]
pub fn eigenvalues_of_pair(matrix: [[Complex64; 2]; 2]) -> [Complex64; 2] {
    eigenvalues(matrix, Complex64::sqrt)
}

/// Computes both eigenvalues with a given square root function.
#[inline]
fn eigenvalues([[a, b], [c, d]]: [[Complex64; 2]; 2], root: impl Fn(Complex64) -> Complex64) -> [Complex64; 2] {
    let mean = (a + d) * 0.5;
    let half_difference = (a - d) * 0.5;
    let root = root(half_difference * half_difference + b * c);
    // Choose the sign for which the two terms do not cancel.
    let root = if (mean.conj() * root).re < 0.0 { -root } else { root };
    let large = mean + root;
    let small = mean - root;
    // If the difference cancels, the product of the eigenvalues is more accurate.
    if small.norm_sqr() < 0.25 * large.norm_sqr() && large != Complex64::ZERO {
        [large, (a * d - b * c) / large]
    } else {
        [large, small]
    }
}

/// Computes both eigenvalues of a real 2×2 matrix, which are real or exact conjugates.
#[inline(always)]
pub(super) fn real_pair([[a, b], [c, d]]: [[f64; 2]; 2]) -> [Complex64; 2] {
    let half = 0.5 * (a - d);
    let size = half.abs().max(b.abs()).max(c.abs());
    if size == 0.0 {
        return [d.into(), d.into()];
    }
    // Units of the largest entry prevent overflow.
    let product = (b / size) * (c / size);
    let root = (half / size) * (half / size) + product;
    if root < 0.0 {
        let value = Complex64::new(d + half, size * (-root).sqrt());
        return [value, value.conj()];
    }
    let sum = half / size + root.sqrt().copysign(half);
    [(d + size * sum).into(), (if sum == 0.0 { d } else { d - size * (product / sum) }).into()]
}

/// Computes the spectral radius of a 2×2 matrix.
pub(crate) fn radius_of_pair(s: [[Complex64; 2]; 2]) -> f64 {
    let [large, small] = eigenvalues(s, square_root);
    let size = modulus(large);
    // Moduli take most of the time, so compute this one only if needed.
    if small.norm_sqr() < 0.5 * large.norm_sqr() { size } else { size.max(modulus(small)) }
}

/// Computes √z in the right half-plane by real square roots, which is faster than by angles (Kahan 1987, "Branch cuts
/// for complex elementary functions").
pub(crate) fn square_root(z: Complex64) -> Complex64 {
    let long = (0.5 * modulus(z) + 0.5 * z.re.abs()).sqrt();
    if long == 0.0 {
        return Complex64::ZERO;
    }
    let short = z.im / (2.0 * long);
    if z.re < 0.0 { Complex64::new(short.abs(), long.copysign(z.im)) } else { Complex64::new(long, short) }
}

/// Computes |z| by a square root if the square neither overflows nor loses digits.
fn modulus(z: Complex64) -> f64 {
    let square = z.norm_sqr();
    if (1e-280..1e300).contains(&square) { square.sqrt() } else { z.norm() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complex(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    #[test]
    fn square_roots_by_other_means_are_the_same() {
        let mut numbers = vec![complex(0.0, 0.0), complex(-4.0, 0.0), complex(-4.0, -0.0), complex(0.0, -2.0)];
        for size in [1e-300, 1e-160, 1e-3, 1.0, 7.0, 1e160, 1.7e308] {
            numbers.extend((0..40).map(|k| Complex64::from_polar(size, 0.157 * f64::from(k))));
            numbers.extend([complex(size, 1e-12 * size), complex(-size, -1e-12 * size)]);
        }
        for z in numbers {
            let (root, expected) = (square_root(z), z.sqrt());
            assert!((root - expected).norm() <= 8.0 * f64::EPSILON * expected.norm(), "{z}: {root} {expected}");
            assert!((modulus(z) - z.norm()).abs() <= 2.0 * f64::EPSILON * z.norm(), "{z}");
        }
    }

    #[test]
    fn eigenvalues_without_cancellation() {
        // Eigenvalues 1e8 and 1e-8: the trace alone would lose the small one.
        let [large, small] =
            eigenvalues_of_pair([[complex(1e8, 0.0), complex(1.0, 0.0)], [complex(0.0, 0.0), complex(1e-8, 0.0)]]);
        assert_eq!((large.re, small.re), (1e8, 1e-8));
    }
}
