//! Compares the time of multirate families with that of single-rate methods at equal errors, on advection in the plane
//! by a discontinuous Galerkin method of degree three on a mesh with three cell widths. Prints Markdown tables.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_integrate::{Counted, Explicit, Outcome, System, equal_steps, fewest_steps};
use hemiola_models::{Model, Value, model_with};
use hemiola_tableau::{Method, library};

/// Number of runs. The fastest counts, since the others were disturbed.
const RUNS: usize = 5;
/// End of the runs, after one period.
const END: f64 = 1.0;
/// Perturbation of all variables at the start. It reveals growth that a smooth solution would show only after many more
/// steps.
const PERTURBATION: f64 = 1e-6;
/// Target errors in time, relative to the largest variable.
const WANTED: [f64; 2] = [1e-3, 1e-5];
/// Number of steps of the reference, by a method of order eight.
const REFERENCE: u64 = 4000;
/// Single-rate methods: the classical one, one of low storage, and those with the longest steps for advection.
const SINGLE: [&str; 4] = ["rk4", "carpenter-kennedy-5-4", "ssp-rk-10-4", "ssp-rk-4-3"];
/// Families with the levels of the three cell widths.
const FAMILIES: [(&str, [usize; 3]); 6] = [
    ("hemiola-family-4", [0, 2, 4]),
    ("hemiola-family-4", [0, 3, 4]),
    ("hemiola-family-4-5-8-16", [0, 1, 2]),
    ("hemiola-family-3", [0, 2, 4]),
    ("hemiola-family-2", [0, 2, 4]),
    ("perk-4-16-10-5", [0, 1, 2]),
];

fn main() {
    for (pieces, cells, title) in [
        ("few", 28.0, "Fewer narrow cells: 28, 14 and 7 columns"),
        ("many", 16.0, "As many narrow cells: 16 columns of each width"),
        ("long", 7.0, "More narrow cells: 7, 14 and 28 columns"),
    ] {
        let changes: [(&str, Value<'_>); 6] = [
            ("cells", cells.into()),
            ("meshes", 3.0.into()),
            ("rows", 2.0.into()),
            ("speed-y", 0.25.into()),
            ("pieces", pieces.into()),
            ("degree", 3.0.into()),
        ];
        let mut plane = model_with("dg-plane", &changes).unwrap();
        for (k, y) in plane.initial.iter_mut().enumerate() {
            *y += PERTURBATION * (1.7 * (k + 1) as f64).sin();
        }
        println!("## {title}\n");
        table(&plane);
        println!();
    }
}

struct Row {
    name: String,
    method: Method,
    /// The number of steps for each error, and the shortest time.
    steps: [Option<u64>; 2],
    times: [f64; 2],
    cells: [f64; 2],
}

fn table(plane: &Model) {
    let reference = end(&library::method("dormand-prince-8").unwrap(), plane, REFERENCE);
    let largest = reference.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    let error = |method: &Method, steps: u64| {
        let worst = end(method, plane, steps).iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if worst.is_finite() { worst / largest } else { f64::INFINITY }
    };
    let singles = SINGLE.map(|id| (id.to_owned(), library::method(id).unwrap()));
    let families = FAMILIES.map(|(id, levels)| {
        let method = library::method(id).unwrap().selected(&levels).unwrap();
        (format!("{id}@{}", levels.map(|level| (level + 1).to_string()).join(",")), method)
    });
    let mut rows: Vec<Row> = Vec::new();
    for (name, method) in singles.into_iter().chain(families) {
        let steps = WANTED.map(|wanted| fewest_steps(|steps| error(&method, steps), wanted, 1 << 14));
        let cells = steps.map(|steps| steps.map_or(f64::NAN, |steps| evaluations(&method, plane, steps)));
        rows.push(Row { name, method, steps, times: [f64::INFINITY; 2], cells });
    }
    for _ in 0..RUNS {
        // All methods in turn: a disturbance of the machine affects all of them.
        for row in &mut rows {
            for (time, steps) in row.times.iter_mut().zip(row.steps) {
                let Some(steps) = steps else { continue };
                let start = Instant::now();
                end(&row.method, plane, steps);
                *time = time.min(start.elapsed().as_secs_f64());
            }
        }
    }
    for (k, wanted) in WANTED.into_iter().enumerate() {
        let best = rows[..SINGLE.len()].iter().map(|row| row.times[k]).fold(f64::INFINITY, f64::min);
        println!("Error in time {wanted:e}:\n");
        println!("| method | steps | evaluations of all cells | time | over the best with one rate |");
        println!("|---|--:|--:|--:|--:|");
        for row in &rows {
            let Some(steps) = row.steps[k] else {
                println!("| {} | – | – | – | – |", row.name);
                continue;
            };
            let (time, cells) = (row.times[k], row.cells[k]);
            println!("| {} | {steps} | {cells:.0} | {:.1} ms | {:.2} |", row.name, 1e3 * time, time / best);
        }
        println!();
    }
}

/// Returns the state at the end.
fn end(method: &Method, plane: &Model, steps: u64) -> Vec<f64> {
    let mut y = plane.initial.clone();
    let mut stepper = Explicit::new(method, plane).unwrap();
    let run = equal_steps(&mut stepper, plane, [0.0, END], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    if run.outcome != Outcome::Finished {
        y.fill(f64::NAN);
    }
    y
}

/// Counts evaluations, each weighted by the fraction of variables it covers.
fn evaluations(method: &Method, plane: &Model, steps: u64) -> f64 {
    let counted = Counted::new(plane);
    let mut stepper = Explicit::new(method, &counted).unwrap();
    let mut y = plane.initial.clone();
    equal_steps(&mut stepper, &counted, [0.0, END], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    let total = plane.sizes().iter().sum::<usize>() as f64;
    counted.evaluations().iter().zip(plane.sizes()).map(|(&count, &size)| count as f64 * size as f64 / total).sum()
}
