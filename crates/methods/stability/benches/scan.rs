//! Benchmark of maps of ρ(S) by vector kernels against the same maps point by point in plain complex numbers. Prints
//! tables in Markdown.
//!
//! Run it with `cargo bench -p hemiola-stability`; `scripts/compare-maps` compares it with numpy in `reports/maps.md`.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

mod peak;

use std::hint::black_box;
use std::time::{Duration, Instant};

use hemiola_stability::{Field, Matrix, Plane, Robust, Scan, Slice, Window, eigenvalues_of_pair, stability_matrix};
use hemiola_tableau::{Tableau, library};
use num_complex::Complex64;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Grid points along each side.
const POINTS: usize = 1000;

/// Two explicit pairs and an implicit–explicit one.
const PAIRS: [&str; 3] = ["shome-haug-jay-2-5", "mprk-p3", "kennedy-carpenter-ark-4-3-6"];

fn main() {
    let pools = [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let peak = peak::fma_peak();
    println!(
        "| pair | slice | what | stable points | one thread | two threads | ratio | point by point | ratio | share of peak |"
    );
    println!("|---|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for id in PAIRS {
        let tableau = library::method(id).unwrap().to_f64();
        for (name, slice) in [("ray", Slice::ray(5.0, 0.04)), ("general", general())] {
            let case = Case { id, name, tableau: &tableau, slice, pools: &pools, peak };
            case.print();
        }
    }
    println!();
    println!("One core's peak in a loop of independent fused multiply-adds: {:.1} Gflop/s.", peak / 1e9);
    println!();
    println!("| pair | what | points | two threads | a point on one thread |");
    println!("|---|---|--:|--:|--:|");
    for id in PAIRS {
        other_planes(id, &pools);
    }
}

/// Benchmarks a plane of real parameters, and robust regions for one ratio and for an interval.
fn other_planes(id: &str, pools: &[ThreadPool; 2]) {
    let tableau = library::method(id).unwrap().to_f64();
    let plane = Plane::real(|step, gamma| {
        let z = Complex64::new(-0.05, 1.0) * step;
        [z, 4.0 * z, 4.0 * gamma * gamma * z * z]
    });
    let window = Window { x: (-1.2, 0.2), y: (0.0, 1.2), cells: (POINTS - 1, POINTS - 1) };
    other_row(id, "step against coupling", &Scan::new(&tableau, plane).unwrap(), window, pools);
    let window = Window { cells: (49, 49), ..window };
    for (what, kappa) in [("robust, κ = 5", (5.0, 5.0)), ("robust, 4 ≤ κ ≤ 6", (4.0, 6.0))] {
        other_row(id, what, &Robust::new(&tableau, kappa, 0.2).unwrap(), window, pools);
    }
}

fn other_row(id: &str, what: &str, field: &(impl Field + ?Sized), window: Window, pools: &[ThreadPool; 2]) {
    let points = (window.cells.0 + 1) * (window.cells.1 + 1);
    let [one, two] = pools.each_ref().map(|pool| time(pool, || field.sample(&window)));
    let each = one.as_secs_f64() / points as f64;
    println!("| {id} | {what} | {points} | {} | {:.3} µs |", milliseconds(two), each * 1e6);
}

/// Returns a plane in which only the coupling varies; it is not a ray.
fn general() -> Slice {
    let zero = Complex64::ZERO;
    let z = Complex64::new(-0.05, 0.6);
    Slice { slow: [z, zero], fast: [4.0 * z, zero], product: [zero, Complex64::ONE, zero] }
}

/// One pair on one slice.
struct Case<'a> {
    id: &'a str,
    name: &'a str,
    tableau: &'a Tableau<f64>,
    slice: Slice,
    pools: &'a [ThreadPool; 2],
    peak: f64,
}

impl Case<'_> {
    /// Prints ρ(S), the stability test, and ρ(S) on a window that is symmetric about the real axis.
    fn print(&self) {
        let scan = Scan::new(self.tableau, self.slice).unwrap();
        let half = Window { x: (-1.2, 0.2), y: (0.0, 1.2), cells: (POINTS - 1, POINTS - 1) };
        let plain = fastest(3, || self.pools[1].install(|| point_by_point(self.tableau, self.slice, &half)));
        let radii = |window: Window| self.pools.each_ref().map(|pool| time(pool, || scan.spectral_radii(&window)));
        let stable = scan.stable(&half, 0.0).iter().filter(|stable| **stable).count();
        let at_most_one = scan.spectral_radii(&half).iter().filter(|radius| **radius <= 1.0).count();
        self.row("ρ(S)", at_most_one, radii(half), plain, flops(self.tableau, self.slice));
        let bits = self.pools.each_ref().map(|pool| time(pool, || scan.stable(&half, 0.0)));
        self.row("ρ(S) ≤ 1", stable, bits, plain, None);
        if self.slice.is_real() {
            let symmetric = Window { y: (-1.2, 1.2), ..half };
            let count = scan.spectral_radii(&symmetric).iter().filter(|radius| **radius <= 1.0).count();
            self.row("ρ(S), symmetric window", count, radii(symmetric), plain, None);
        }
    }

    fn row(&self, what: &str, stable: usize, [one, two]: [Duration; 2], plain: Duration, flops: Option<usize>) {
        let ratio = |slow: Duration, fast: Duration| slow.as_secs_f64() / fast.as_secs_f64();
        let share = |flops: usize| {
            let rate = (POINTS * POINTS * flops) as f64 / one.as_secs_f64();
            format!("{:.0} %", 100.0 * rate / self.peak)
        };
        println!(
            "| {} | {} | {what} | {stable} | {} | {} | {:.2} | {} | {:.0} | {} |",
            self.id,
            self.name,
            milliseconds(one),
            milliseconds(two),
            ratio(one, two),
            milliseconds(plain),
            ratio(plain, two),
            flops.map_or_else(|| "–".to_owned(), share),
        );
    }
}

/// Computes the same map in plain complex numbers, point by point: by Horner's scheme on rays of explicit pairs, by
/// stages otherwise.
fn point_by_point(tableau: &Tableau<f64>, slice: Slice, window: &Window) -> Vec<f64> {
    if slice.is_ray() && tableau.is_explicit() {
        let coefficients = ray_coefficients(tableau, slice);
        return window.sample(|x, y| {
            let xi = Complex64::new(x, y);
            let mut s = [[Complex64::ZERO; 2]; 2];
            for c in coefficients.iter().rev() {
                for r in 0..2 {
                    for q in 0..2 {
                        s[r][q] = s[r][q] * xi + c[r][q];
                    }
                }
            }
            radius(s)
        });
    }
    window.sample(|x, y| radius(matrix_at(tableau, slice, Complex64::new(x, y))))
}

fn matrix_at(tableau: &Tableau<f64>, slice: Slice, xi: Complex64) -> [[Complex64; 2]; 2] {
    let [slow, fast, product] = slice.at(xi);
    // On a ray all entries are multiples of ξ.
    let (coupling, back) = if slice.is_ray() { (xi, slice.product[2] * xi) } else { (Complex64::ONE, product) };
    let z: Matrix = vec![vec![slow, coupling], vec![back, fast]];
    let s = stability_matrix(tableau, &z).unwrap();
    [[s[0][0], s[0][1]], [s[1][0], s[1][1]]]
}

fn radius(s: [[Complex64; 2]; 2]) -> f64 {
    let [large, small] = eigenvalues_of_pair(s);
    large.norm().max(small.norm())
}

/// Computes the C_k of S(ξ) = Σ ξᵏ C_k from values at roots of unity.
fn ray_coefficients(tableau: &Tableau<f64>, slice: Slice) -> Vec<[[Complex64; 2]; 2]> {
    let n = tableau.stages() + 1;
    let root = |k: usize| Complex64::cis(std::f64::consts::TAU * (k % n) as f64 / n as f64);
    let values: Vec<_> = (0..n).map(|j| matrix_at(tableau, slice, root(j))).collect();
    let entry = |k: usize, r: usize, q: usize| {
        let sum: Complex64 = (0..n).map(|j| values[j][r][q] * root(j * k).conj()).sum();
        sum / n as f64
    };
    (0..n).map(|k| [0, 1].map(|r| [0, 1].map(|q| entry(k, r, q)))).collect()
}

/// Counts additions and multiplications per point of an explicit pair; a square root or a division counts as one.
fn flops(tableau: &Tableau<f64>, slice: Slice) -> Option<usize> {
    const RADIUS: usize = 49;
    const ARGUMENTS: usize = 32;
    if !tableau.is_explicit() {
        return None;
    }
    if slice.is_ray() {
        // One complex multiply-add for each coefficient of four entries.
        return Some(4 * 8 * tableau.stages() + RADIUS);
    }
    let nonzero = |row: &Vec<f64>| row.iter().filter(|a| **a != 0.0).count();
    // For each of two unit vectors: a scaled complex number for each entry, a complex multiply-add for each slow slope,
    // and another product for each fast slope.
    let parts = || tableau.partitions.iter();
    let sums: usize = parts().map(|part| part.a.iter().map(nonzero).sum::<usize>() + nonzero(&part.b)).sum();
    let slopes: usize = parts().zip([8, 14]).map(|(part, flops)| flops * part.evaluated_stages().len()).sum();
    Some(2 * (4 * sums + slopes) + ARGUMENTS + RADIUS)
}

fn time<T>(pool: &ThreadPool, task: impl Fn() -> T + Send + Sync) -> Duration {
    pool.install(|| fastest(60, &task))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn fastest<T>(runs: usize, task: impl Fn() -> T) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(task());
        start.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}
