//! Compares families of many rates with single-rate methods on quadtrees: waves and the compressible Euler equations by a
//! discontinuous Galerkin method of degree three, two and three widths of cells, 2 to 50 % of the cells of the narrowest. The
//! gas flows in an isentropic vortex or in two shear layers (Kelvin–Helmholtz).
//! Prints Markdown tables.
//!
//! `contenders` has the methods, `low_storage` their steps in few registers, `problem` a mesh with its solution, `refined` the
//! solution of flows without an exact one, and `table` the measurements. Words after `--` choose meshes by their titles:
//! `cargo bench --bench quadtrees -- Waves two`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

mod contenders;
mod low_storage;
mod problem;
mod refined;
mod table;

use problem::{Law, Problem, title};

/// The widest cells along a side of the period, and of the refined square.
type Mesh = [f64; 2];

const TWO_WIDTHS: [Mesh; 5] = [[14.0, 1.0], [16.0, 2.0], [12.0, 2.0], [12.0, 3.0], [12.0, 5.0]];
const THREE_WIDTHS: [Mesh; 4] = [[16.0, 2.0], [12.0, 2.0], [15.0, 3.0], [12.0, 4.0]];
/// Meshes for shear layers, whose error needs a mesh with four times as many cells.
const SHEAR: [(usize, &[Mesh]); 2] = [(2, &[[7.0, 1.0], [8.0, 2.0], [6.0, 2.0]]), (3, &[[8.0, 2.0]])];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for law in [Law::Waves, Law::Euler, Law::Shear] {
        let all = if law == Law::Shear { SHEAR } else { [(2, &TWO_WIDTHS[..]), (3, &THREE_WIDTHS[..])] };
        for (widths, mesh) in all.into_iter().flat_map(|(widths, meshes)| meshes.iter().map(move |mesh| (widths, mesh)))
        {
            let title = title(law, widths, *mesh);
            if !words.iter().all(|word| title.to_lowercase().contains(&word.to_lowercase())) {
                continue;
            }
            eprintln!("{title}");
            println!("## {title}\n");
            table::print(&Problem::new(law, widths, *mesh));
        }
    }
}
