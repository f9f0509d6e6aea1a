//! Benchmark of region boundaries: from all values of a grid, and from values near the boundary. Prints a table in
//! Markdown.
//!
//! Run it with `cargo bench -p hemiola-stability --bench contour`. The deviation is the largest distance of the chords
//! from the boundary, |f − 1|/|∇f| at three points of each chord, relative to the diagonal of the window.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hemiola_stability::{Contour, Field, PartitionField, Quantity, Region, Scan, Slice, Window};
use hemiola_tableau::library;

/// Cells along each side.
const CELLS: usize = 1000;

fn main() {
    println!("| field | grid | evaluations | part of the grid | time | sampling | points | deviation | area |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    let rk4 = radius("rk4");
    compare("RK4, \\|R\\|", window((-3.1, 0.7), 3.3), &rk4);
    compare("shome-haug-jay-2-5, ρ(S)", window((-1.0, 0.3), 1.1), &coupled("shome-haug-jay-2-5", 5.0, 0.04));
    compare("mprk-p3, ρ(S)", window((-1.7, 0.5), 2.3), &coupled("mprk-p3", 2.0, 0.1));
    compare("radau-iia-3, \\|R\\|", window((-4.0, 16.0), 10.0), &radius("radau-iia-3"));
    // The boundary of A-stable symmetric methods is the imaginary axis: take another level.
    let gauss = radius("gauss-3");
    compare("gauss-3, 2\\|R\\|", window((-8.0, 1.0), 8.0), &|x: f64, y: f64| 2.0 * gauss(x, y));
}

fn window(x: (f64, f64), height: f64) -> Window {
    Window { x, y: (-height, height), cells: (CELLS, CELLS) }
}

/// Returns |R| of a method.
fn radius(id: &str) -> impl Fn(f64, f64) -> f64 + Sync + use<> {
    let modulus = PartitionField::new(&library::method(id).unwrap().to_f64().partitions[0], Quantity::Radius);
    move |x, y| modulus.at(x, y)
}

/// Returns ρ(S) of a pair along a ray.
fn coupled(id: &str, kappa: f64, coupling: f64) -> impl Fn(f64, f64) -> f64 + Sync + use<> {
    let scan = Scan::new(&library::method(id).unwrap().to_f64(), Slice::ray(kappa, coupling)).unwrap();
    move |x, y| scan.at(x, y)
}

/// Field that counts its evaluations and can request the whole grid.
struct Counted<'a, F> {
    field: &'a F,
    whole: bool,
    evaluations: AtomicUsize,
}

impl<F: Field> Field for Counted<'_, F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.field.at(x, y)
    }

    fn is_vectorized(&self) -> bool {
        self.whole
    }
}

/// Field without a counter, for which two threads would wait.
struct Whole<'a, F>(&'a F);

impl<F: Field> Field for Whole<'_, F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.at(x, y)
    }

    fn is_vectorized(&self) -> bool {
        true
    }
}

fn compare(name: &str, window: Window, field: &impl Field) {
    for whole in [true, false] {
        let counted = Counted { field, whole, evaluations: AtomicUsize::new(0) };
        let region = Region::new(&window, &counted, 1.0);
        let evaluations = counted.evaluations.into_inner();
        let (time, sampling) = if whole {
            let sampling = fastest(|| drop(black_box(field.sample(&window))));
            (fastest(|| drop(black_box(Region::new(&window, &Whole(field), 1.0)))), milliseconds(sampling))
        } else {
            (fastest(|| drop(black_box(Region::new(&window, field, 1.0)))), "–".to_owned())
        };
        println!(
            "| {name} | {} | {evaluations} | {:.2} % | {} | {sampling} | {} | {:.1e} | {:.10} |",
            if whole { "whole" } else { "near the boundary" },
            100.0 * evaluations as f64 / ((CELLS + 1) * (CELLS + 1)) as f64,
            milliseconds(time),
            region.boundary.iter().map(|contour| contour.points.len()).sum::<usize>(),
            region.boundary.iter().map(|contour| deviation(contour, &window, field)).fold(0.0, f64::max),
            region.area(),
        );
    }
}

fn deviation(contour: &Contour, window: &Window, field: &impl Field) -> f64 {
    let diagonal = (window.x.1 - window.x.0).hypot(window.y.1 - window.y.0);
    let distance = |[x, y]: [f64; 2]| {
        // Central differences over a hundredth of a cell.
        let h = 1e-5 * diagonal;
        let slope = |dx: f64, dy: f64| (field.at(x + dx, y + dy) - field.at(x - dx, y - dy)) / (2.0 * h);
        (field.at(x, y) - 1.0).abs() / slope(h, 0.0).hypot(slope(0.0, h))
    };
    let chords = contour.points.windows(2);
    let places = chords.flat_map(|p| [0.25, 0.5, 0.75].map(|t| [0, 1].map(|k| p[0][k] * (1.0 - t) + p[1][k] * t)));
    places.map(distance).fold(0.0, f64::max) / diagonal
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn fastest(task: impl Fn()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        task();
        start.elapsed()
    };
    (0..5).map(time).min().unwrap_or_default()
}
