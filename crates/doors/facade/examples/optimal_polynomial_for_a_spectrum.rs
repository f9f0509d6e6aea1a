//! Finds the stability polynomials with the largest steps on a custom semidiscretization, and implementations of
//! one of them.
//!
//! The spectrum is that of u' = −u_x on a periodic grid with third-order upwind-biased differences. It consists of
//! the eigenvalues of the Jacobian for a grid width of one, so that the limit is the largest Courant number.
//!
//! ```console
//! $ cargo run --release -p hemiola --example optimal_polynomial_for_a_spectrum
//! ```
//!
//! prints
//!
//! ```text
//! stages   Courant number   by stage
//!      3         1.626064     0.5420
//!      4         2.064525     0.5161
//!      5         2.833466     0.5667
//!      6         3.430379     0.5717
//!      7         4.098916     0.5856
//!      8         4.738060     0.5923
//!
//! five stages, stable up to 2.83346626968: 24 statements proved
//!     as chain: perturbations of stages grow by 12.80
//!     as factors: perturbations of stages grow by 2.47
//! ```
//!
//! With three stages there is nothing to optimize: every third-order method has the limit 1.63 on this grid.

use std::error::Error;
use std::io::Write;

use hemiola::polynomial::{Problem, Spectrum, implementations};
use hemiola::stability::real_eigenvalues;

/// Number of grid cells.
const CELLS: usize = 48;
/// Weights of −u_x at cell i on the cells i−2 … i+1.
const DIFFERENCES: [f64; 4] = [-1.0 / 6.0, 1.0, -1.0 / 2.0, -1.0 / 3.0];
const ORDER: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut jacobian = vec![vec![0.0; CELLS]; CELLS];
    for (i, row) in jacobian.iter_mut().enumerate() {
        for (k, weight) in DIFFERENCES.iter().enumerate() {
            row[(i + k + CELLS - 2) % CELLS] = *weight;
        }
    }
    let eigenvalues = real_eigenvalues(&jacobian)?;

    writeln!(out, "stages   Courant number   by stage")?;
    for stages in ORDER..=8 {
        let optimum = Problem::new(Spectrum::Eigenvalues(eigenvalues.clone()), stages, ORDER).solve()?;
        let limit = optimum.limit();
        writeln!(out, "{stages:6} {limit:16.6} {:10.4}", limit / stages as f64)?;
    }

    let polynomial = Problem::new(Spectrum::Eigenvalues(eigenvalues.clone()), 5, ORDER).solve()?.polynomial(20)?;
    let proof = polynomial.certificate().ok_or("stability is not proved")?;
    writeln!(
        out,
        "\nfive stages, stable up to {}: {} statements proved",
        polynomial.limit_text(12),
        proof.stability.len()
    )?;
    let points: Vec<_> = eigenvalues.iter().map(|eigenvalue| eigenvalue * polynomial.limit()).collect();
    for method in implementations(polynomial.coefficients(), None, &points) {
        writeln!(out, "    as {}: perturbations of stages grow by {:.2}", method.scheme, method.amplification)?;
    }
    Ok(())
}
