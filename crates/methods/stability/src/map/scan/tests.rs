//! Tests of the kernels against `stability_matrix` and its eigenvalues, point by point.

use hemiola_tableau::{Tableau, library};
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::quantity::MapQuery;
use super::rows::{PlaneKernel, RowTask};
use super::spectrum::{is_stable, smaller};
use super::{Plane, Quantity, Scan, Slice};
use crate::coupled::matrix::{Matrix, stability_matrix};
use crate::eigenvalues::pair::eigenvalues_of_pair;
use crate::error::StabilityError;
use crate::lanes::{ComplexLanes, LANES};
use crate::map::field::Field;
use crate::map::window::Window;
use crate::schemes::scheme::StabilityScheme;
use hemiola_number::vector::Instructions;

const I: Complex64 = Complex64::I;

fn pair(id: &str) -> Tableau<f64> {
    library::method(id).unwrap().to_f64()
}

fn pairs() -> impl Iterator<Item = (&'static str, Tableau<f64>)> {
    library::ids().map(|id| (id, pair(id))).filter(|(_, tableau)| tableau.partitions.len() == 2)
}

fn random_complex(random: &mut ChaCha8Rng, size: f64) -> Complex64 {
    Complex64::new(random.random_range(-size..size), random.random_range(-size..size))
}

/// Returns slices of each kind: real and complex rays, and planes that are not rays.
fn slices(random: &mut ChaCha8Rng) -> Vec<Slice> {
    let mut number = |size: f64| random_complex(random, size);
    let zero = Complex64::ZERO;
    vec![
        Slice::ray(5.0, 0.04),
        Slice::ray(1.5, -0.3),
        Slice { slow: [zero, number(1.0)], fast: [zero, number(3.0)], product: [zero, zero, number(0.5)] },
        Slice::fast_plane(number(0.5), number(0.5)),
        Slice { slow: [number(0.5); 2], fast: [number(1.0); 2], product: [number(0.3); 3] },
    ]
}

/// Returns Z with equal couplings.
fn matrix([slow, fast, product]: [Complex64; 3]) -> Matrix {
    let coupling = product.sqrt();
    vec![vec![slow, coupling], vec![coupling, fast]]
}

/// Computes ρ(S) and a bound of its error.
fn reference(tableau: &Tableau<f64>, z: [Complex64; 3]) -> (f64, f64) {
    let z = matrix(z);
    let s = stability_matrix(tableau, &z).unwrap();
    let [large, small] = eigenvalues_of_pair([[s[0][0], s[0][1]], [s[1][0], s[1][1]]]);
    let rounding = 1e-13 * size(&s) + 4.0 * f64::EPSILON * majorant(tableau, &z);
    // A perturbation of S moves close eigenvalues more, and coinciding ones by its square root.
    let condition = (size(&s) / (large - small).norm()).max(1.0);
    (large.norm().max(small.norm()), rounding * condition)
}

/// Computes max(|s_ss|, |s_ff|, √|s_sf s_fs|), the size of S independent of its scaling.
fn size(s: &Matrix) -> f64 {
    s[0][0].norm().max(s[1][1].norm()).max((s[0][1] * s[1][0]).norm().sqrt())
}

/// Computes the size of S without cancellation: stabilized methods of many stages lose digits in any order of
/// summation.
fn majorant(tableau: &Tableau<f64>, z: &Matrix) -> f64 {
    if !tableau.is_explicit() {
        return 0.0;
    }
    let mut positive = tableau.clone();
    for part in &mut positive.partitions {
        part.a.iter_mut().flatten().chain(&mut part.b).for_each(|entry| *entry = entry.abs());
    }
    let z: Matrix = z.iter().map(|row| row.iter().map(|z| z.norm().into()).collect()).collect();
    size(&stability_matrix(&positive, &z).unwrap())
}

#[test]
fn every_pair_at_random_points_on_all_instructions() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (id, tableau) in pairs() {
        for slice in slices(&mut random) {
            let kernel = PlaneKernel::new(&tableau, slice.into());
            let x: Vec<f64> = (0..2 * LANES).map(|_| random.random_range(-2.0..1.0)).collect();
            let y = random.random_range(-2.0..2.0);
            for instructions in Instructions::all() {
                let mut out = vec![0.0; x.len()];
                let question = MapQuery::Value(Quantity::Radius);
                instructions.run(RowTask { kernel: &kernel, question, x: &x, y, out: &mut out });
                for (&x, found) in x.iter().zip(out) {
                    let (expected, error) = reference(&tableau, slice.at(Complex64::new(x, y)));
                    let close = (found - expected).abs() <= error;
                    assert!(close, "{id} {slice:?} {instructions:?}: {found}, not {expected} ({error:e})");
                }
            }
        }
    }
}

/// Returns an explicit pair of twenty stages with coefficients of size one.
fn long_pair() -> Tableau<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut part = || {
        let row = |i: usize, random: &mut ChaCha8Rng| -> Vec<f64> {
            (0..20).map(|j| if j < i { random.random_range(-1.0..1.0) } else { 0.0 }).collect()
        };
        let a = (0..20).map(|i| row(i, &mut random)).collect();
        (a, row(20, &mut random), None)
    };
    Tableau::new(vec![part(), part()])
}

#[test]
fn large_and_small_arguments() {
    let tableau = long_pair();
    for (size, exponent) in [(1e3, 40.0..90.0), (1.0, -5.0..20.0), (1e-3, -0.1..0.1), (1e-200, -1e-9..1e-9)] {
        for scale in [1.0, 0.5] {
            let z = Complex64::new(-0.3, 0.8) * size * scale;
            let zero = Complex64::ZERO;
            let ray = Slice { slow: [zero, z], fast: [zero, z * I], product: [zero, zero, z * z * 0.7] };
            let plane = Slice { slow: [z, zero], fast: [z * I, zero], product: [z * z * 0.7, zero, zero] };
            let found = [ray, plane].map(|slice| Scan::new(&tableau, slice).unwrap().spectral_radius(Complex64::ONE));
            let (expected, error) = reference(&tableau, plane.at(Complex64::ONE));
            for found in found {
                assert!((found - expected).abs() <= error, "{found}, not {expected}");
                assert!(exponent.contains(&found.log10()), "{found}");
            }
        }
    }
}

#[test]
fn what_overflows_is_not_stable() {
    let window = Window { x: (-1e300, 1e300), y: (1e300, 1.5e300), cells: (3, 3) };
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "lobatto-iiia-iiib-2"] {
        for slice in [Slice::ray(5.0, 0.04), Slice::fast_plane(Complex64::ONE, I)] {
            let scan = Scan::new(&pair(id), slice).unwrap();
            for xi in [Complex64::new(f64::NAN, 0.0), Complex64::new(0.0, f64::NAN), Complex64::new(f64::INFINITY, 1.0)]
            {
                assert_eq!(scan.spectral_radius(xi), f64::INFINITY, "{id} {slice:?} {xi}");
            }
            let radii = scan.spectral_radii(&window);
            for (stable, radius) in scan.stable(&window, 0.0).into_iter().zip(radii) {
                assert!(radius >= 0.0, "{id}: {radius}");
                assert!(!stable || radius <= 1.0, "{id}: {radius}");
            }
        }
    }
    let explicit = Scan::new(&pair("shome-haug-jay-2-5"), Slice::ray(5.0, 0.04)).unwrap();
    assert!(explicit.spectral_radii(&window).iter().all(|radius| *radius == f64::INFINITY));
    assert!(!explicit.stable(&window, 0.0).contains(&true));
}

#[test]
fn poles_are_not_stable() {
    // Implicit Euler on the fast partition has D = 1 − z_ff.
    let scan = Scan::new(&pair("ars-1-1-1"), Slice::fast_plane(Complex64::new(-0.1, 0.0), Complex64::ZERO)).unwrap();
    assert_eq!(scan.spectral_radius(Complex64::ONE), f64::INFINITY);
    let window = Window { x: (0.0, 1.0), y: (0.0, 1.0), cells: (1, 1) };
    assert!(!scan.stable(&window, 0.0)[1]);
}

#[test]
fn symmetric_windows_are_mirrored() {
    for (id, rows) in [("shome-haug-jay-2-5", 12), ("shome-haug-jay-2-5", 13), ("kennedy-carpenter-ark-4-3-6", 9)] {
        let scan = Scan::new(&pair(id), Slice::ray(5.0, 0.04)).unwrap();
        let window = Window { x: (-1.0, 0.3), y: (-1.1, 1.1), cells: (18, rows) };
        let radii = scan.spectral_radii(&window);
        assert_eq!(radii.len(), 19 * (rows + 1));
        for (index, radius) in radii.iter().enumerate() {
            let (i, j) = (index % 19, index / 19);
            let [x, y] = window.point(i, j);
            let direct = scan.spectral_radius(Complex64::new(x, y));
            assert!((radius - direct).abs() <= 1e-13 * direct.max(1.0), "{id} ({i}, {j}): {radius}, not {direct}");
            assert_eq!(radius.to_bits(), radii[(rows - j) * 19 + i].to_bits());
        }
    }
    // A slice with complex coefficients is not symmetric.
    let scan = Scan::new(&pair("mprk-p2"), Slice::fast_plane(I * 0.4, I * 0.3)).unwrap();
    let window = Window { x: (-1.0, 0.0), y: (-1.0, 1.0), cells: (2, 2) };
    let radii = scan.spectral_radii(&window);
    let lowest = scan.spectral_radius(Complex64::new(-1.0, -1.0));
    assert_eq!((radii[0], radii[0] == radii[6]), (lowest, false));
}

/// Applies the stability test to one matrix, repeated in all lanes.
fn jury([[a, b], [c, d]]: [[Complex64; 2]; 2], margin: f64) -> bool {
    let s = [a, b, c, d].map(ComplexLanes::all);
    let answer = is_stable(&s, 1.0 / (1.0 + margin));
    let stable = answer.0[0];
    assert!(answer.0.iter().all(|answer| *answer == stable));
    stable == 1.0
}

/// Returns a matrix with eigenvalues λ₁ and λ₂: V diag(λ₁, λ₂) V⁻¹ with V = [1 0; v 1][1 u; 0 1].
fn with_eigenvalues(first: Complex64, second: Complex64, u: Complex64, v: Complex64) -> [[Complex64; 2]; 2] {
    let upper = u * (second - first);
    [[first - upper * v, upper], [v * (first - upper * v) - v * second, v * upper + second]]
}

#[test]
fn jury_conditions_agree_with_eigenvalues() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut decided = [0, 0];
    for _ in 0..20_000 {
        let mut number = |size: f64| random_complex(&mut random, size);
        let s = with_eigenvalues(number(1.3), number(1.3), number(2.0), number(2.0));
        let radius = eigenvalues_of_pair(s)[0].norm();
        if (radius - 1.0).abs() > 1e-6 {
            assert_eq!(jury(s, 0.0), radius < 1.0, "{s:?}");
            decided[usize::from(radius < 1.0)] += 1;
        }
    }
    assert!(decided.iter().all(|count| *count > 2000), "{decided:?}");
}

#[test]
fn jury_conditions_on_the_circle() {
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    // These numbers are exact: equality counts as stable.
    for (a, d) in [(one, one), (one, -one), (I, -I), (I, one), (one, one * 0.25), (-I, zero)] {
        assert!(jury([[a, zero], [zero, d]], 0.0), "{a} {d}");
    }
    assert!(jury([[zero, one], [-one, zero]], 0.0));
    // |d| = 1 and t = t̄ d, although one root is two.
    assert!(!jury([[one * 2.0, zero], [zero, one * 0.5]], 0.0));
    assert!(!jury([[one * 1.5, one], [zero, one * (2.0 / 3.0)]], 0.0));
    let mut random = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..2000 {
        let mut angle = || Complex64::cis(random.random_range(-3.0..3.0));
        let (first, second) = (angle(), angle());
        let s = with_eigenvalues(first, second, angle(), angle());
        // Rounding moves two eigenvalues on the circle by at most the square root of its size.
        assert!(jury(s, 1e-6) && !jury(s, -1e-6), "{first} {second}");
        let s = with_eigenvalues(first, second * 0.7, angle(), angle());
        assert!(jury(s, 1e-13) && !jury(s, -1e-13), "{first} {second}");
    }
}

#[test]
fn maps_of_stability_agree_with_radii() {
    let window = Window { x: (-2.0, 0.5), y: (-1.7, 2.0), cells: (77, 50) };
    for id in ["shome-haug-jay-2-5", "mprk-p3", "ars-4-4-3", "symplectic-euler", "lobatto-iiia-iiib-2"] {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for slice in slices(&mut random) {
            let scan = Scan::new(&pair(id), slice).unwrap();
            let radii = scan.spectral_radii(&window);
            for (stable, radius) in scan.stable(&window, 1e-3).into_iter().zip(radii) {
                assert!(stable == (radius <= 1.001) || (radius - 1.001).abs() < 1e-7, "{id} {slice:?}: {radius}");
            }
        }
    }
}

#[test]
fn what_cannot_be_scanned() {
    let single = Scan::new(&pair("rk4"), Slice::ray(1.0, 0.0));
    assert!(matches!(single, Err(StabilityError::NotAPair { found: 1 })));
    let infinite = Scan::new(&pair("mprk-p2"), Slice::ray(f64::INFINITY, 0.1));
    assert!(matches!(infinite, Err(StabilityError::OutOfRange { .. })));
}

/// Compares slices with real planes, and sampling with single points.
#[test]
fn real_planes_are_slices_point_by_point() {
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let window = Window { x: (-1.5, 0.4), y: (-1.0, 1.2), cells: (21, 9) };
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "lobatto-iiic-iiic-star-2"] {
        for slice in slices(&mut random) {
            let plane = Plane::real(move |x, y| slice.at(Complex64::new(x, y)));
            let [direct, real] = [slice.into(), plane].map(|plane: Plane| Scan::new(&pair(id), plane).unwrap());
            assert_eq!(real.is_vectorized(), id != "lobatto-iiic-iiic-star-2");
            for quantity in QUANTITIES {
                let [direct, real] = [&direct, &real].map(|scan| scan.clone().quantity(quantity));
                for (index, (found, expected)) in real.sample(&window).iter().zip(direct.sample(&window)).enumerate() {
                    // Double eigenvalues cost half of the digits.
                    assert!((found - expected).abs() <= 1e-9 * expected.max(1.0), "{id} {slice:?} {quantity:?}");
                    let [x, y] = window.point(index % 22, index / 22);
                    assert!((real.at(x, y) - found).abs() <= 1e-14 * found, "{id} {quantity:?}");
                }
            }
        }
    }
}

const QUANTITIES: [Quantity; 5] =
    [Quantity::Radius, Quantity::Smaller, Quantity::Additive, Quantity::Growth, Quantity::Error];

/// Computes e^Z by scaling and squaring: the Taylor series of Z/2ᵏ, squared k times.
fn exponential(z: &Matrix) -> Matrix {
    let times = |x: &Matrix, y: &Matrix| -> Matrix {
        (0..2).map(|i| (0..2).map(|j| x[i][0] * y[0][j] + x[i][1] * y[1][j]).collect()).collect()
    };
    let small: Matrix = z.iter().map(|row| row.iter().map(|z| z / 1024.0).collect()).collect();
    let mut sum = crate::coupled::matrix::identity(2);
    for n in (1..=12).rev() {
        let product = times(&small, &sum);
        sum = crate::coupled::matrix::identity(2);
        sum.iter_mut().flatten().zip(product.iter().flatten()).for_each(|(sum, term)| *sum += term / f64::from(n));
    }
    (0..10).fold(sum, |power, _| times(&power, &power))
}

#[test]
fn quantities_from_their_definitions() {
    let mut random = ChaCha8Rng::seed_from_u64(23);
    for (id, tableau) in pairs().filter(|(_, tableau)| tableau.stages() <= 6) {
        for slice in slices(&mut random) {
            let [x, y] = [random.random_range(-1.0..0.5), random.random_range(-1.0..1.0)];
            let z = matrix(slice.at(Complex64::new(x, y)));
            let s = stability_matrix(&tableau, &z).unwrap();
            let e = exponential(&z);
            let radii = |m: &Matrix| eigenvalues_of_pair([[m[0][0], m[0][1]], [m[1][0], m[1][1]]]).map(Complex64::norm);
            let [large, small] = [radii(&s)[0].max(radii(&s)[1]), radii(&s)[0].min(radii(&s)[1])];
            let error = s.iter().flatten().zip(e.iter().flatten()).map(|(s, e)| (s - e).norm_sqr()).sum::<f64>().sqrt();
            let additive = (s[0][0] + s[1][1] - 1.0).norm();
            let growth = large / radii(&e)[0].max(radii(&e)[1]);
            let scan = Scan::new(&tableau, slice).unwrap();
            let tolerance = 1e-9 * size(&s).max(1.0);
            for (quantity, expected) in QUANTITIES.into_iter().zip([large, small, additive, growth, error]) {
                let found = scan.clone().quantity(quantity).at(x, y);
                assert!((found - expected).abs() <= tolerance, "{id} {slice:?} {quantity:?}: {found}, not {expected}");
            }
        }
    }
}

/// Compares with R = 1 + (z₁b₁ + z₂b₂)ᵀ(I − z₁A₁ − z₂A₂)⁻¹𝟙.
#[test]
fn additive_problems() {
    let mut random = ChaCha8Rng::seed_from_u64(29);
    for (id, tableau) in pairs().filter(|(_, tableau)| tableau.stages() <= 8) {
        let z: [Complex64; 2] = [(); 2].map(|()| random_complex(&mut random, 1.0));
        let s = tableau.stages();
        let sum = |entry: &dyn Fn(usize) -> f64| z[0] * entry(0) + z[1] * entry(1);
        let system = nalgebra::DMatrix::from_fn(s, s, |i, j| {
            let identity = if i == j { 1.0 } else { 0.0 };
            identity - sum(&|r| tableau.partitions[r].a[i][j])
        });
        let Some(stages) = system.lu().solve(&nalgebra::DVector::from_element(s, Complex64::ONE)) else { continue };
        let r = 1.0 + (0..s).map(|i| sum(&|r| tableau.partitions[r].b[i]) * stages[i]).sum::<Complex64>();
        let plane = Plane::real(move |_, _| [z[0], z[1], z[0] * z[1]]);
        let scan = Scan::new(&tableau, plane).unwrap();
        let found = scan.clone().quantity(Quantity::Additive).at(0.0, 0.0);
        let error = 1e-12 * stages.iter().map(|stage| stage.norm()).fold(1.0, f64::max);
        assert!((found - r.norm()).abs() <= error, "{id}: {found}, not {r}");
        // The other eigenvalue is one.
        let radius = scan.at(0.0, 0.0);
        assert!((radius - r.norm().max(1.0)).abs() <= 1e-6 * radius, "{id}: {radius}");
    }
}

#[test]
fn small_eigenvalues_keep_their_digits() {
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    let cases = [
        ([one * 1e8, one, zero, I * 1e-8], 1e-8),
        ([I * 1e-100, zero, one, one * 1e150], 1e-100),
        ([one * 3.0, one * 4.0, one * 1.5, one * 2.0], 0.0),
        ([zero, one, -one, zero], 1.0),
        ([zero; 4], 0.0),
    ];
    for (s, expected) in cases {
        let s = s.map(ComplexLanes::all);
        let found = smaller(&s).0[3];
        assert!((found - expected).abs() <= 1e-15 * expected, "{found} {expected}");
    }
}

#[test]
fn what_is_not_finite_is_infinite() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "symplectic-euler", "lobatto-iiic-iiic-star-2"] {
        for value in bad {
            for place in 0..3 {
                let plane = Plane::real(move |x, _| {
                    let mut z = [Complex64::new(-0.1, 0.2), Complex64::new(-1.0, 0.3), Complex64::new(x, 0.0)];
                    z[place] = Complex64::new(value, 0.1);
                    z
                });
                let scan = Scan::new(&pair(id), plane).unwrap();
                let window = Window { x: (0.0, 0.1), y: (0.0, 0.1), cells: (2, 2) };
                assert!(!scan.stable(&window, 0.0).contains(&true), "{id} {value} {place}");
                for quantity in QUANTITIES {
                    let values = scan.clone().quantity(quantity).sample(&window);
                    assert!(
                        values.iter().all(|value| *value == f64::INFINITY),
                        "{id} {quantity:?} {value} {place} {values:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn any_scheme_is_scanned_point_by_point() {
    let tableau = pair("mprk-p2");
    let mut random = ChaCha8Rng::seed_from_u64(31);
    let window = Window { x: (-1.5, 0.4), y: (-1.0, 1.2), cells: (5, 3) };
    for slice in slices(&mut random) {
        let [fast, slow] = [Scan::new(&tableau, slice).unwrap(), Scan::of(tableau.clone(), slice)];
        assert!(fast.is_vectorized() && !slow.is_vectorized());
        for quantity in QUANTITIES {
            let [fast, slow] = [&fast, &slow].map(|scan| scan.clone().quantity(quantity).sample(&window));
            for (fast, slow) in fast.iter().zip(slow) {
                assert!((fast - slow).abs() <= 1e-9 * slow.max(1.0), "{slice:?} {quantity:?}: {fast} {slow}");
            }
        }
    }
    let single = library::method("rk4").unwrap().to_f64();
    assert_eq!(Scan::of(single, Slice::ray(1.0, 0.0)).at(-0.1, 0.0), f64::INFINITY);
}

/// Checks stiff and slow parts with |z| from 1e-3 to 1e3: ρ(S) by mpmath with 60 digits, coefficients rounded to
/// doubles.
#[test]
fn implicit_pairs_far_out_and_near_the_origin() {
    let sizes = [(1e3, 1e3), (1e-3, 1e3), (1e3, 1e-3), (1e-3, 1e-3), (1.0, 1e3)];
    let cases = [
        (
            "ars-4-4-3",
            [5893652177.119946, 0.9994401569671961, 24430209753.244625, 0.9996742188169007, 0.585874817636487],
        ),
        (
            "kennedy-carpenter-ark-4-3-6",
            [134095720991565.02, 0.9994401569671848, 793919213800673.5, 0.9996742188168952, 0.5712571829227758],
        ),
        (
            "symplectic-euler",
            [699.3801767658515, 0.9994400884460237, 999.0202690983131, 0.9996742471601703, 0.6081699689021538],
        ),
        (
            "imex-ssp3-433",
            [57214765.29728868, 0.9994401569671374, 166252823.37154594, 0.999674218816897, 0.580019437221804],
        ),
        (
            "lobatto-iiia-iiib-3",
            [0.9898637972371322, 0.9994401569671848, 0.9995800882615422, 0.9996742188168952, 0.8809963437241337],
        ),
        (
            "lobatto-iiic-iiic-star-3",
            [62800.90861121147, 165447.2909366164, 0.9995800882615422, 0.9996742188168952, 4351.793912175402],
        ),
    ];
    for (id, radii) in cases {
        for ((slow, fast), expected) in sizes.into_iter().zip(radii) {
            let z = [slow * Complex64::new(-0.8, 0.6), fast * Complex64::new(-0.6, 0.8)];
            let z = [z[0], z[1], 0.3 * z[0] * z[1]];
            let scan = Scan::new(&pair(id), Plane::real(move |_, _| z)).unwrap().at(0.0, 0.0);
            let scheme = pair(id).spectral_radius(&[vec![z[0], z[2].sqrt()], vec![z[2].sqrt(), z[1]]]);
            for found in [scan, scheme] {
                let error = (found / expected - 1.0).abs();
                assert!(error < 1e-13, "{id} {slow} {fast}: {found}, not {expected} ({error:e})");
            }
        }
    }
}
