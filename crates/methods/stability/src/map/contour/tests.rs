use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::atomic::{AtomicUsize, Ordering};

use num_complex::Complex64;
use rayon::ThreadPoolBuilder;

use super::*;
use crate::{Field, PartitionField, Quantity, Scan, Slice, Window};

const WINDOW: Window = Window { x: (-2.0, 2.0), y: (-2.0, 2.0), cells: (41, 37) };

/// Field that claims to be vectorized: contours then use the whole grid.
struct Whole<F>(F);

impl<F: Field> Field for Whole<F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.at(x, y)
    }

    fn is_vectorized(&self) -> bool {
        true
    }
}

/// Field that counts its evaluations.
struct Counted<F>(F, AtomicUsize);

impl<F: Field> Field for Counted<F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.at(x, y)
    }
}

fn square(n: usize, side: f64) -> Window {
    Window { x: (-side, side), y: (-side, side), cells: (n, n) }
}

/// Returns |R| of a library method with one partition.
fn radius(id: &str) -> impl Fn(f64, f64) -> f64 + Sync + use<> {
    let tableau = hemiola_tableau::library::method(id).unwrap().to_f64();
    let modulus = PartitionField::new(&tableau.partitions[0], Quantity::Radius);
    move |x, y| modulus.at(x, y)
}

/// Returns ρ(S) of a library pair along a ray.
fn coupled(id: &str, kappa: f64, coupling: f64) -> impl Fn(f64, f64) -> f64 + Sync + use<> {
    let pair = hemiola_tableau::library::method(id).unwrap().to_f64();
    let scan = Scan::new(&pair, Slice::ray(kappa, coupling)).unwrap();
    move |x, y| scan.at(x, y)
}

fn rk4_window(n: usize) -> Window {
    Window { x: (-3.1, 0.7), y: (-3.3, 3.3), cells: (n, n) }
}

type Function = Box<dyn Fn(f64, f64) -> f64 + Sync>;

/// Returns a ray of each of three pairs, with a window around its region.
fn rays() -> [(Window, Function); 3] {
    let window =
        |left: f64, right: f64, height: f64| Window { x: (left, right), y: (-height, height), cells: (300, 300) };
    [
        (window(-1.0, 0.3, 1.1), Box::new(coupled("shome-haug-jay-2-5", 5.0, 0.04))),
        (window(-1.7, 0.5, 2.3), Box::new(coupled("mprk-p3", 2.0, 0.1))),
        (window(-12.0, 9.0, 7.0), Box::new(coupled("kennedy-carpenter-ark-4-3-6", 0.3, -0.2))),
    ]
}

fn points(contours: &[Contour]) -> impl Iterator<Item = [f64; 2]> {
    contours.iter().flat_map(|contour| contour.points.iter().copied())
}

/// Returns the deviation of chords from a curve with known distance function, relative to the sides of the window.
fn deviation(contours: &[Contour], window: &Window, distance: impl Fn(f64, f64) -> f64) -> f64 {
    let side = window.sides()[0].min(window.sides()[1]);
    let chords = contours.iter().flat_map(|contour| contour.points.windows(2));
    let along = |chord: &[[f64; 2]]| {
        let at = |t: f64| [0, 1].map(|k| chord[0][k] * (1.0 - t) + chord[1][k] * t);
        (0..=20).map(|k| at(f64::from(k) / 20.0)).map(|[x, y]| distance(x, y).abs()).fold(0.0, f64::max)
    };
    chords.map(along).fold(0.0, f64::max) / side
}

#[test]
fn ring_holes_and_islands_have_their_boundaries_and_areas() {
    let ring = Region::new(&WINDOW, &|x: f64, y: f64| (x.hypot(y) - 1.0).abs(), 0.4);
    assert_eq!((ring.boundary.len(), ring.polygons.len()), (2, 2));
    assert!(ring.boundary.iter().all(|contour| contour.closed));
    assert!((ring.area() - PI * (1.4f64.powi(2) - 0.6f64.powi(2))).abs() < 1e-9, "{}", ring.area());
    // The exterior of a disc is the window with a hole.
    let outside = Region::new(&WINDOW, &|x: f64, y: f64| -x.hypot(y), -1.0);
    assert_eq!((outside.boundary.len(), outside.polygons.len()), (1, 2));
    assert!((outside.area() - (16.0 - PI)).abs() < 1e-9, "{}", outside.area());
    let islands = |x: f64, y: f64| (x - 1.1).hypot(y - 1.2).min((x + 0.9).hypot(y + 0.7) - 0.1);
    let region = Region::new(&WINDOW, &islands, 0.3);
    assert_eq!(region.boundary.len(), 2);
    assert!((region.area() - PI * (0.09 + 0.16)).abs() < 1e-9, "{}", region.area());
}

#[test]
fn everything_and_nothing() {
    let everything = Region::new(&WINDOW, &|_: f64, _: f64| 0.0, 1.0);
    assert_eq!((everything.boundary.len(), everything.polygons.len(), everything.area()), (0, 1, 16.0));
    for value in [2.0, f64::INFINITY, f64::NAN] {
        let nothing = Region::new(&WINDOW, &|_: f64, _: f64| value, 1.0);
        assert_eq!((nothing.boundary.len(), nothing.polygons.len(), nothing.area()), (0, 0, 0.0));
    }
    let empty = Region::new(&Window { cells: (0, 5), ..WINDOW }, &|_: f64, _: f64| 0.0, 1.0);
    assert!(empty.polygons.is_empty());
}

#[test]
fn half_planes_end_at_the_window() {
    for [a, b] in [[1.0, 0.3], [-1.0, 0.3], [0.2, 1.0], [0.2, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
        // a x + b y ≤ 0.1 a: half of the window and a strip.
        let half = Region::new(&WINDOW, &|x: f64, y: f64| a * x + b * y, 0.1 * a);
        assert_eq!((half.boundary.len(), half.boundary[0].closed, half.polygons.len()), (1, false, 1));
        let line = |x: f64| 0.1 * a / b - a / b * x;
        // Integrate the height of the region over x, clipped to the window, by the trapezoidal rule on its breaks.
        let mut breaks = vec![-2.0, 2.0, 0.1 - 2.0 * b / a, 0.1 + 2.0 * b / a];
        breaks.retain(|x: &f64| x.abs() <= 2.0);
        breaks.sort_by(f64::total_cmp);
        let height = |x: f64| if b > 0.0 { line(x).clamp(-2.0, 2.0) + 2.0 } else { 2.0 - line(x).clamp(-2.0, 2.0) };
        let area: f64 = breaks.windows(2).map(|x| (x[1] - x[0]) * (height(x[0]) + height(x[1])) / 2.0).sum();
        assert!((half.area() - area).abs() < 1e-12, "{a} {b}: {} {area}", half.area());
    }
}

#[test]
fn stripes_and_corners_are_closed_along_the_edge() {
    // Each row contains four whole periods, half of each inside.
    let stripes = Region::new(&WINDOW, &|x: f64, y: f64| (TAU * (x + 0.2 * y - 0.1)).cos(), 0.0);
    assert_eq!((stripes.boundary.len(), stripes.polygons.len()), (10, 6));
    assert!((stripes.area() - 8.0).abs() < 1e-12, "{}", stripes.area());
    // The exterior of a large disc consists of the four corners.
    let corners = Region::new(&WINDOW, &|x: f64, y: f64| -x.hypot(y), -2.4);
    assert_eq!((corners.boundary.len(), corners.polygons.len()), (4, 4));
    // With half the window's side 2 = r cos φ, a disc of radius r in a square has the area 4 (r² (π/4 − φ) + 2 r sin
    // φ).
    let phi = (2.0f64 / 2.4).acos();
    let disc = 4.0 * (2.4f64.powi(2) * (PI / 4.0 - phi) + 2.0 * 2.4 * phi.sin());
    assert!((corners.area() - (16.0 - disc)).abs() < 1e-9, "{} {}", corners.area(), 16.0 - disc);
    let inside = Region::new(&WINDOW, &|x: f64, y: f64| x.hypot(y), 2.4);
    assert_eq!((inside.boundary.len(), inside.polygons.len()), (4, 1));
    assert!((inside.area() - disc).abs() < 1e-9);
}

#[test]
fn saddles_and_undefined_values() {
    // xy = 0.001 near the origin: two branches that never cross.
    for product in [0.001, -0.001] {
        assert_eq!(contour(&WINDOW, &|x: f64, y: f64| x * y, product).len(), 2);
    }
    let half = |x: f64, y: f64| if x < 0.0 { f64::NAN } else { x.hypot(y) };
    let region = Region::new(&WINDOW, &half, 1.0);
    assert!(points(&region.boundary).all(|p| p[0] > -1e-12));
    // The corner between the jump and the circle is blunted.
    assert!((region.area() - FRAC_PI_2).abs() < 1e-5, "{}", region.area());
    let pole = Region::new(&WINDOW, &|x: f64, y: f64| (x - 0.01).hypot(y).recip(), 1.0);
    assert!((pole.area() - (16.0 - PI)).abs() < 1e-8);
}

#[test]
fn plateaus_on_the_level_and_jumps_to_infinity_end_at_their_edges() {
    // ρ(S) = 1 holds on such a plateau if one mode is neutral and the other one stable.
    let plateau = |x: f64, y: f64| x.hypot(y).max(1.0);
    let jump = |x: f64, y: f64| if x.hypot(y) < 1.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    for field in [&plateau as &dyn Field, &jump] {
        let region = Region::new(&WINDOW, field, 1.0);
        assert!(points(&region.boundary).all(|[x, y]| (x.hypot(y) - 1.0).abs() < 1e-14));
        // Next to a jump the middles of chords are accurate to a millionth of the window's side.
        assert!((region.area() - PI).abs() < TAU * 4e-6, "{}", region.area() - PI);
    }
}

#[test]
fn windows_without_room_have_no_curves() {
    let disc = |x: f64, y: f64| x * x + y * y;
    for x in [(0.5, 0.5), (0.0, f64::NAN), (-1.7e308, 1.7e308)] {
        let region = Region::new(&Window { x, ..WINDOW }, &disc, 1.0);
        assert!(region.boundary.is_empty() && region.polygons.is_empty() && region.area() == 0.0);
    }
}

#[test]
fn corners_are_kept() {
    let diamond = Region::new(&WINDOW, &|x: f64, y: f64| x.abs() + (y - 0.03).abs(), 1.0);
    assert!(diamond.boundary[0].closed && diamond.boundary.len() == 1);
    assert!((diamond.area() - 2.0).abs() < 1e-10, "{}", diamond.area());
    let [s, c] = [0.3f64.sin(), 0.3f64.cos()];
    let turned = |x: f64, y: f64| (c * x + s * y).abs().max((c * y - s * x + 0.01).abs());
    let region = Region::new(&WINDOW, &turned, 1.0);
    assert!(region.boundary[0].closed && region.boundary.len() == 1);
    assert!((region.area() - 4.0).abs() < 1e-10, "{}", region.area());
    // A lens with corners of 84 degrees has the area of two segments of the unit circle.
    let lens = |x: f64, y: f64| (x - 0.743).hypot(y).max((x + 0.743).hypot(y));
    let half = 0.743f64.acos();
    let area = 2.0 * half - (2.0 * half).sin();
    let found = Region::new(&WINDOW, &lens, 1.0).area();
    assert!((found - area).abs() < 1e-9, "{found} {area}");
}

#[test]
fn chords_stay_within_the_tolerance() {
    for n in [10, 37, 150] {
        let window = square(n, 2.0);
        for (a, b) in [(1.0, 1.0), (0.3, 0.3)] {
            // Circles of radius one and of three cells.
            let circle = contour(&window, &|x: f64, y: f64| (x / a).hypot((y - 0.01) / b), 1.0);
            let found = deviation(&circle, &window, |x, y| x.hypot(y - 0.01) - a);
            assert!(found <= 1.01e-6, "{n}: {found:e}");
        }
        // y = sin(3x)/2 with inflections; the distance is estimated by the vertical distance over √(1 + y′²).
        let wave = contour(&window, &|x: f64, y: f64| y - 0.5 * (3.0 * x).sin(), 0.0);
        let slope = |x: f64| 1.5 * (3.0 * x).cos();
        let found = deviation(&wave, &window, |x, y| (y - 0.5 * (3.0 * x).sin()) / slope(x).hypot(1.0));
        assert!(found <= 1.1e-6, "{n}: {found:e}");
        assert!(points(&wave).all(|[x, y]| (y - 0.5 * (3.0 * x).sin()).abs() <= 2e-15));
    }
}

#[test]
fn points_are_distinct_and_in_order() {
    for (window, field) in rays() {
        for contour in contour(&window, &field, 1.0) {
            let steps = contour.points.windows(2).map(|p| [p[1][0] - p[0][0], p[1][1] - p[0][1]]);
            let steps: Vec<[f64; 2]> = steps.collect();
            assert!(steps.iter().all(|[dx, dy]| dx.hypot(*dy) > 0.0));
            // Steps turn back only at corners.
            let back = steps.windows(2).filter(|d| d[0][0] * d[1][0] + d[0][1] * d[1][1] < 0.0).count();
            assert!(back <= 4, "{back}");
        }
    }
}

/// Computes the area inside |R| = 1 for R = Σ zᵏ/k! from the boundary R(z) = e^{iθ}.
///
/// The area is ½ ∮ Im(z̄ dz) over `turns` turns of θ from z = 0, by the trapezoidal rule, whose error decreases
/// exponentially.
fn area_of_taylor_region(degree: u32, turns: u32) -> f64 {
    let r = |z: Complex64, from: u32| {
        // Computes Σ zᵏ/k! over 0 ≤ k ≤ degree − from; from = 1 gives the derivative.
        (1..=degree - from).rev().fold(Complex64::ONE, |sum, k| Complex64::ONE + sum * z / f64::from(k))
    };
    let steps = 40_000 * turns;
    let mut z = Complex64::ZERO;
    let mut sum = 0.0;
    for k in 1..=steps {
        let target = Complex64::from_polar(1.0, TAU * f64::from(k) / 40_000.0);
        for _ in 0..6 {
            z -= (r(z, 0) - target) / r(z, 1);
        }
        // dz/dθ = i e^{iθ}/R'(z).
        sum += (z.conj() * Complex64::I * target / r(z, 1)).im;
    }
    assert!(z.norm() < 1e-12, "not closed: {z}");
    0.5 * sum * TAU / 40_000.0
}

#[test]
fn areas_of_explicit_methods() {
    assert!((area_of_taylor_region(1, 1) - PI).abs() < 1e-12);
    let euler =
        Region::new(&Window { x: (-2.2, 0.3), y: (-1.2, 1.2), cells: (200, 200) }, &radius("explicit-euler"), 1.0);
    assert!((euler.area() - PI).abs() < 1e-9, "{}", euler.area());
    let reference = area_of_taylor_region(4, 4);
    // The same sum in forty digits.
    assert!((reference - 12.700_333_141_238_154).abs() < 1e-12, "{reference}");
    for n in [300, 1000] {
        let region = Region::new(&rk4_window(n), &radius("rk4"), 1.0);
        assert!((region.area() - reference).abs() < 1e-8, "{n}: {} {reference}", region.area());
        assert!(points(&region.boundary).all(|[x, y]| (radius("rk4")(x, y) - 1.0).abs() <= 1e-12));
    }
}

#[test]
fn the_exterior_of_a_disc_in_a_window() {
    // Implicit Euler is stable outside the unit disc around 1, of which the window contains the part x ≤ 1.5.
    let window = Window { x: (-2.0, 1.5), y: (-2.0, 2.0), cells: (120, 130) };
    let region = Region::new(&window, &radius("implicit-euler"), 1.0);
    let cap = 0.5f64.acos() - 0.5 * 0.75f64.sqrt();
    assert!((region.area() - (14.0 - (PI - cap))).abs() < 1e-9, "{}", region.area());
    assert_eq!((region.boundary.len(), region.boundary[0].closed, region.polygons.len()), (1, false, 1));
    assert!(points(&region.boundary).all(|[x, y]| ((x - 1.0).hypot(y) - 1.0).abs() < 1e-14));
}

#[test]
fn boundaries_of_coupled_pairs_lie_on_the_level() {
    for (window, field) in rays() {
        let boundary = contour(&window, &field, 1.0);
        assert!(points(&boundary).count() > 300);
        let worst = points(&boundary).map(|[x, y]| (field(x, y) - 1.0).abs()).fold(0.0, f64::max);
        assert!(worst <= 1e-12, "{worst:e}");
    }
}

/// Rotates the points of closed contours and sorts the contours, so that the order does not depend on the starting
/// points.
fn normal(mut contours: Vec<Contour>) -> Vec<Contour> {
    for contour in contours.iter_mut().filter(|contour| contour.closed) {
        let smallest = |k: &usize| contour.points[*k];
        let first = (0..contour.points.len()).min_by(|a, b| smallest(a).partial_cmp(&smallest(b)).unwrap());
        contour.points.rotate_left(first.unwrap());
    }
    contours.sort_by(|a, b| a.points[0].partial_cmp(&b.points[0]).unwrap());
    contours
}

#[test]
fn a_part_of_the_grid_gives_the_curves_of_the_whole() {
    for (window, field) in rays() {
        let whole = normal(contour(&window, &Whole(|x: f64, y: f64| field(x, y)), 1.0));
        assert_eq!(normal(contour(&window, &field, 1.0)), whole);
    }
    let small = |x: f64, y: f64| (x - 0.31).hypot(y - 0.17).min((x + 0.9).hypot(y + 0.7) - 0.2);
    for n in [3, 64, 65, 401, 1000] {
        let window = square(n, 2.0);
        let region = Region::new(&window, &small, 0.3);
        let whole = Region::new(&window, &Whole(small), 0.3);
        assert_eq!(normal(region.boundary), normal(whole.boundary), "{n}");
        assert_eq!(region.polygons.len(), whole.polygons.len());
    }
}

#[test]
fn a_smooth_boundary_costs_a_small_part_of_the_grid() {
    let share = |window: &Window, field: &(dyn Fn(f64, f64) -> f64 + Sync)| {
        let counted = Counted(|x: f64, y: f64| field(x, y), AtomicUsize::new(0));
        let window = Window { cells: (1000, 1000), ..*window };
        let found = normal(contour(&window, &counted, 1.0));
        assert_eq!(found, normal(contour(&window, &Whole(|x: f64, y: f64| field(x, y)), 1.0)));
        counted.1.into_inner() as f64 / 1001.0f64.powi(2)
    };
    let rk4 = share(&rk4_window(1000), &radius("rk4"));
    assert!(rk4 < 0.05, "{rk4}");
    for (window, field) in rays() {
        let pair = share(&window, &*field);
        assert!(pair < 0.05, "{pair}");
    }
}

#[test]
fn thin_tongues_are_followed_to_their_ends() {
    // A tongue that is narrower than a search block for most of its length.
    let tongue = |x: f64, y: f64| y.abs() - 0.3 * (-x - 2.0).exp() * (1.7 - x);
    let window = square(400, 2.0);
    let found = contour(&window, &tongue, 0.0);
    assert_eq!(normal(found), normal(contour(&window, &Whole(tongue), 0.0)));
}

#[test]
fn several_levels_from_one_grid() {
    let counted = Counted(radius("rk4"), AtomicUsize::new(0));
    let levels = [0.5, 1.0, 1.5];
    let window = rk4_window(200);
    for field in [&counted as &dyn Field, &Whole(radius("rk4"))] {
        let (regions, _) = Region::several(&window, field, &levels);
        for (level, region) in levels.iter().zip(&regions) {
            let alone = Region::new(&window, field, *level);
            assert_eq!(normal(region.boundary.clone()), normal(alone.boundary.clone()));
            assert!((region.area() - alone.area()).abs() < 1e-12);
        }
        assert!(regions[0].area() < regions[1].area() && regions[1].area() < regions[2].area());
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let of = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| rays().map(|(window, field)| Region::new(&window, &field, 1.0)))
    };
    assert_eq!(of(1), of(2));
}
