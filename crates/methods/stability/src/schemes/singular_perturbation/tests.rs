//! Tests of the matrix against the three steps of the paper, carried out as printed with exponentials of block
//! matrices, and against its printed formulas.

use hemiola_tableau::library;
use nalgebra::{DMatrix, Matrix2};

use super::*;

/// Test equation (50) with the paper's parameters (51) at h = 1.
#[derive(Clone, Copy)]
struct Gil {
    alpha: f64,
    beta: f64,
    xi: Complex64,
}

impl Gil {
    fn z(&self) -> Matrix {
        let Self { alpha, beta, xi } = *self;
        vec![vec![xi, xi * beta], vec![xi * alpha * beta, xi * alpha]]
    }

    fn cases() -> impl Iterator<Item = Self> {
        let xis = [(-1.0, 1.0), (-0.2, 2.0), (0.0, 0.7), (-2.5, 0.1), (1e-3, -2e-3)].map(|(x, y)| Complex64::new(x, y));
        let parameters = [(1.0, 0.2), (5.0, 0.2), (10.0, 0.5), (100.0, 0.05), (2.0, 0.0)];
        parameters.into_iter().flat_map(move |(alpha, beta)| xis.map(|xi| Self { alpha, beta, xi }))
    }
}

/// Computes eᴬ by the Taylor series of A/2ᵏ and k squarings.
fn exponential(a: &DMatrix<Complex64>) -> DMatrix<Complex64> {
    let squarings = (a.norm().log2().ceil().max(0.0) + 2.0) as i32;
    let scaled = a * Complex64::from(0.5f64.powi(squarings));
    let one = DMatrix::identity(a.nrows(), a.nrows());
    let small = (1..=20).rev().fold(one.clone(), |sum, k| &one + &scaled * sum / Complex64::from(f64::from(k)));
    (0..squarings).fold(small, |power, _| &power * &power)
}

/// Solution for y at the end of the step.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Step 3 with B and C exchanged in the matrix D of (47), so that it solves (40).
    Refined,
    /// Step 3 with D as printed.
    Printed,
    /// Equation (32), which serves step 1.
    First,
}

/// Performs steps 1 to 3 with h = 1, from the functions f and g and their derivatives.
fn step(test: Gil, [x_n, z_n]: [Complex64; 2], end: End) -> [Complex64; 2] {
    let o = Complex64::ZERO;
    let one = Complex64::ONE;
    let z = test.z();
    let (f_z, g_x, g_z) = (z[0][1], z[1][0], z[1][1]);
    let f = |x, y| z[0][0] * x + z[0][1] * y;
    let g = |x, y| z[1][0] * x + z[1][1] * y;
    let manifold = |x: Complex64| z_n - (g_x * (x - x_n) + g(x_n, z_n)) / g_z;

    // Step 1: (34), (43), (44).
    let gamma = g_x * f(x_n, z_n) / g_z;
    let sigma = g(x_n, z_n) / g_z;
    let block = exponential(&DMatrix::from_row_slice(3, 3, &[o, one, o, o, g_z, gamma, o, o, o]));
    let integral = (block[(1, 1)] - 1.0) * sigma / g_z + block[(0, 2)];

    // Step 2: (45), RK4 on the manifold.
    let slope = |x: Complex64| f(x, manifold(x));
    let x_2 = x_n + 0.5 * slope(x_n);
    let x_3 = x_n + 0.5 * slope(x_2);
    let x_4 = x_n + slope(x_3);
    let x_hat = x_n + (slope(x_n) + 2.0 * slope(x_2) + 2.0 * slope(x_3) + slope(x_4)) / 6.0;
    let x = x_hat + f_z * integral;

    // Step 3: (46), (47).
    let a = g_z + g_x * f_z / g_z;
    let b = a * sigma + g_x * slope(x_n) / g_z;
    let c = g_x * (slope(x) - slope(x_n)) / g_z;
    let phi = |b, c| exponential(&DMatrix::from_row_slice(3, 3, &[a, b, c, o, o, one, o, o, o]))[(0, 2)];
    let y = match end {
        End::Refined => sigma + phi(c, b),
        End::Printed => sigma + phi(b, c),
        End::First => block[(1, 1)] * sigma + block[(1, 2)],
    };
    [x, manifold(x) + y]
}

fn simulated(test: Gil, end: End) -> Matrix {
    let [first, second] = [[1.0, 0.0], [0.0, 1.0]].map(|q| step(test, q.map(Complex64::from), end));
    vec![vec![first[0], second[0]], vec![first[1], second[1]]]
}

/// Computes M₁₁ and M₁₂ as printed below both (55) and (57); the first term of M₁₂ has a factor that is 1 in print.
fn printed_slow(Gil { alpha, beta, xi }: Gil, factor: f64) -> [Complex64; 2] {
    let s = (1.0 - beta * beta) * xi;
    let r = 1.0 + s + s.powi(2) / 2.0 + s.powi(3) / 6.0 + s.powi(4) / 24.0;
    let exp = (alpha * xi).exp();
    let rest = (alpha * xi - exp + 1.0) / alpha.powi(2);
    let xx = r + beta.powi(2) / alpha * (exp - 1.0) - beta.powi(2) * rest;
    [xx, factor * beta * (exp - 1.0) - beta.powi(3) * rest]
}

/// Computes M₂₁ and M₂₂ as printed below (56), for given M₁₁ and M₁₂.
fn printed_below_56(Gil { alpha, beta, xi }: Gil, [xx, xz]: [Complex64; 2]) -> [Complex64; 2] {
    let k = alpha + beta * beta;
    let c = beta * (beta * beta - 1.0);
    let exp = (k * xi).exp();
    let zx = -beta * xx + beta * exp + c * (xx - exp) / k - c * (exp - 1.0) * (xx - 1.0) / (k * k * xi);
    let zz = -beta * xz + exp + xz * c / k - xz * c * (exp - 1.0) / (k * k * xi);
    [zx, zz]
}

/// Computes M₂₁ and M₂₂ as printed below (57).
fn printed_below_57(Gil { alpha, beta, xi }: Gil, [xx, xz]: [Complex64; 2]) -> [Complex64; 2] {
    let exp = (alpha * xi).exp();
    let zx = -beta * xx + beta * exp + beta / alpha * (exp - 1.0);
    [zx, -beta * xz + exp + beta * beta / alpha * (exp - 1.0)]
}

/// Computes the largest difference of entries, relative to the largest entry.
fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
    let size = a.iter().map(|x| x.norm()).fold(1.0, f64::max);
    a.iter().zip(b).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max) / size
}

fn matrix(test: Gil) -> Matrix {
    SingularPerturbation::default().matrix(&test.z()).unwrap()
}

#[test]
fn the_matrix_carries_out_the_three_steps() {
    for test in Gil::cases() {
        let (m, steps) = (matrix(test), simulated(test, End::Refined));
        assert!(distance(&m.concat(), &steps.concat()) < 1e-12, "{m:?} {steps:?}");
    }
}

#[test]
fn the_printed_block_matrix_of_step_3_is_not_consistent() {
    let errors = [1e-2, 1e-3].map(|h| {
        let test = Gil { alpha: 5.0, beta: 0.2, xi: Complex64::new(-h, h) };
        let [m, printed] = [matrix(test), simulated(test, End::Printed)];
        distance(&m.concat(), &printed.concat())
    });
    // The error is of the order of the step itself: eᴰ integrates C + tB, where (40) has B + tC.
    let order = (errors[0] / errors[1]).log10();
    assert!((order - 1.0).abs() < 0.05 && errors[1] > 1e-3, "{errors:?}");
}

#[test]
fn the_version_below_56_agrees_with_the_steps_and_the_one_below_57_does_not() {
    for test in Gil::cases().filter(|test| test.xi.norm() > 0.1) {
        let steps = simulated(test, End::Refined);
        let slow = [steps[0][0], steps[0][1]];
        assert!(distance(&printed_below_56(test, slow), &steps[1]) < 1e-12);
        // The formulas below (57) end the step with (32).
        let first = simulated(test, End::First);
        assert!(distance(&printed_below_57(test, slow), &first[1]) < 1e-12);
        let difference = distance(&first[1], &steps[1]);
        assert!(if test.beta == 0.0 { difference < 1e-12 } else { difference > 1e-5 }, "{difference:e}");
    }
}

#[test]
fn the_first_term_of_the_printed_m12_lacks_a_factor() {
    for test in Gil::cases() {
        let steps = simulated(test, End::Refined);
        assert!(distance(&printed_slow(test, 1.0 / test.alpha), &steps[0]) < 1e-12);
        let as_printed = distance(&printed_slow(test, 1.0), &steps[0]);
        assert!(test.alpha == 1.0 || test.beta == 0.0 || as_printed > 1e-4, "{as_printed:e}");
    }
}

#[test]
fn eigenvalues_depend_on_the_product_of_the_couplings() {
    let test = Gil { alpha: 5.0, beta: 0.3, xi: Complex64::new(-0.4, 0.9) };
    let mut z = test.z();
    let scheme = SingularPerturbation::default();
    let radius = scheme.spectral_radius(&z);
    z[0][1] *= 7.0;
    z[1][0] /= 7.0;
    assert!((scheme.spectral_radius(&z) - radius).abs() < 1e-13);
}

/// Computes |q₁ − e^Z q₀| of each component for λ_s = −1 + i and q₀ = (1, 1), the paper's (62).
fn local_errors(alpha: f64, beta: f64, h: f64) -> [f64; 2] {
    let test = Gil { alpha, beta, xi: Complex64::new(-h, h) };
    let (m, z) = (matrix(test), test.z());
    let exact = exponential(&DMatrix::from_fn(2, 2, |i, j| z[i][j]));
    [0, 1].map(|i| (m[i][0] + m[i][1] - exact[(i, 0)] - exact[(i, 1)]).norm())
}

#[test]
fn the_order_is_one_with_weak_and_strong_coupling() {
    for beta in [0.01, 0.1, 0.5] {
        let [coarse, fine] = [2e-3, 1e-3].map(|h| local_errors(5.0, beta, h));
        for i in 0..2 {
            // The local error has order two, not three.
            let order = (coarse[i] / fine[i]).log2();
            assert!((order - 2.0).abs() < 0.05, "β = {beta}, component {i}: {order}");
        }
        // Figure 4: the error does not depend on α. Its leading terms are β and β² times (1 + β)(1 − β²)|ξ|²/2.
        for alpha in [1.0, 10.0] {
            let errors = local_errors(alpha, beta, 1e-4);
            let leading = [beta, beta * beta].map(|factor| factor * (1.0 + beta) * (1.0 - beta * beta) * 1e-8);
            for i in 0..2 {
                assert!((errors[i] / leading[i] - 1.0).abs() < 0.01, "β = {beta}: {errors:?}, {leading:?}");
            }
        }
    }
    // Without coupling the slow partition is RK4, and the fast one is exact.
    let [coarse, fine] = [0.02, 0.01].map(|h| local_errors(5.0, 0.0, h));
    assert!(((coarse[0] / fine[0]).log2() - 5.0).abs() < 0.05 && coarse[1] < 1e-15);
}

#[test]
fn phi_is_accurate_on_both_sides_of_the_switch() {
    for z in [Complex64::new(0.999, 0.0), Complex64::new(1.001, 0.0), Complex64::new(-0.6, 0.7), Complex64::I * 1e-9] {
        let [exp, phi_1, phi_2] = phi(z);
        let block = exponential(&DMatrix::from_row_slice(
            3,
            3,
            &[z, Complex64::ONE, Complex64::ZERO, Complex64::ZERO, Complex64::ZERO, Complex64::ONE]
                .into_iter()
                .chain([Complex64::ZERO; 3])
                .collect::<Vec<_>>(),
        ));
        assert!(distance(&[exp, phi_1, phi_2], &[block[(0, 0)], block[(0, 1)], block[(0, 2)]]) < 1e-14, "{z}");
    }
}

#[test]
fn what_the_scheme_cannot_do_is_named() {
    let scheme = SingularPerturbation::default();
    let (o, i) = (Complex64::ZERO, Complex64::ONE);
    assert_eq!(scheme.matrix(&[vec![o, o], vec![o, o]]).unwrap(), identity(2));
    let z = vec![vec![i, i], vec![i, o]];
    assert_eq!(scheme.matrix(&z), Err(StabilityError::NoSlowManifold { z: z.clone() }));
    assert_eq!(scheme.spectral_radius(&z), f64::INFINITY);
    assert_eq!(scheme.matrix(&[vec![i]]), Err(StabilityError::WrongSize { found: 1, expected: 2 }));
    let wide = [vec![i; 3], vec![i; 2]];
    assert_eq!(scheme.matrix(&wide), Err(StabilityError::WrongSize { found: 3, expected: 2 }));
}

#[test]
fn the_default_has_rk4_on_the_manifold() {
    let rk4 = library::method("rk4").unwrap().to_f64();
    let z = Gil { alpha: 3.0, beta: 0.2, xi: Complex64::new(-0.3, 1.1) }.z();
    let [published, built] = [SingularPerturbation::default(), SingularPerturbation::new(&rk4.partitions[0])];
    let [published, built] = [published.matrix(&z).unwrap(), built.matrix(&z).unwrap()];
    assert!(distance(&published.concat(), &built.concat()) < 1e-14);
    // For a small step the matrix is close to the exact solution, with the same order of components.
    let exact = exponential(&DMatrix::from_fn(2, 2, |i, j| z[i][j] * 1e-3));
    let scaled: Matrix = z.iter().map(|row| row.iter().map(|z| z * 1e-3).collect()).collect();
    let near = SingularPerturbation::default().matrix(&scaled).unwrap();
    let near = Matrix2::from_fn(|i, j| near[i][j] - exact[(i, j)]);
    assert!(near.norm() < 1e-6);
}
