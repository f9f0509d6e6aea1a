//! The matrix of a Fourier mode and its eigenvalues.

use std::f64::consts::PI;

use hemiola_number::parallel;
use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use super::outline::outline;
use super::system::System;
use super::text::Operator;
use crate::error::PolynomialError;
use crate::problem::advection::Discretization;

/// Computes the eigenvalues of an operator with nonnegative imaginary parts, as points on the boundary of the star that
/// they span.
///
/// Cells have length one, and the waves the speed one.
pub(in crate::problem) fn spectrum(operator: &Operator) -> Result<Vec<Complex64>, PolynomialError> {
    let mut all = Vec::new();
    for flow in operator.flows() {
        for system in System::all(operator.equation, &flow) {
            all.extend(values(operator, &system, &flow).ok_or_else(|| operator.not_found())?);
        }
    }
    let upper = |value: Complex64| Complex64::new(value.re.min(0.0), value.im.abs());
    Ok(outline(&all.into_iter().map(upper).collect::<Vec<_>>()))
}

/// Computes the eigenvalues of all modes of a system; `None` if an iteration does not converge.
fn values(operator: &Operator, system: &System, flow: &[f64]) -> Option<Vec<Complex64>> {
    let halves = system.split(operator.rusanov);
    let is_scalar = system.size() == 1;
    // Without a flow, the reflection of any direction is a symmetry, and so is an exchange of directions.
    let is_still = flow.iter().all(|speed| *speed == 0.0);
    let modes = modes(operator.dimensions, operator.waves as i32, is_still);
    let of_mode = |k: usize| -> Option<Vec<Complex64>> {
        let symbols = modes[k].iter().map(|&theta| both_ways(operator.discretization, theta));
        let symbols: Vec<[DMatrix<Complex64>; 2]> = symbols.collect::<Option<_>>()?;
        if is_scalar { sums(&halves, &symbols) } else { eigenvalues(mode(&halves, &symbols)) }
    };
    let found: Option<Vec<Vec<Complex64>>> = parallel::map(modes.len(), of_mode).into_iter().collect();
    Some(found?.concat())
}

/// Density of modes on lines through the origin relative to the density elsewhere: on these lines damping is largest or
/// smallest.
const ON_LINES: i32 = 4;

/// Returns the wave numbers of all modes up to symmetry.
fn modes(dimensions: usize, waves: i32, is_still: bool) -> Vec<Vec<f64>> {
    // The mode of −θ has the conjugate eigenvalues, so the first wave number is not negative.
    let mut found: Vec<Vec<i32>> = (0..=waves).map(|wave| vec![wave]).collect();
    for _ in 1..dimensions {
        let next = |mode: &Vec<i32>| {
            let first = if is_still { mode.last().copied().unwrap_or_default() } else { 1 - waves };
            let mode = mode.clone();
            (first..=waves).map(move |wave| mode.iter().copied().chain([wave]).collect::<Vec<i32>>())
        };
        found = found.iter().flat_map(next).collect();
    }
    let theta = |wave: i32, parts: i32| PI * f64::from(wave) / f64::from(parts * waves);
    let grid = found.into_iter().map(|mode| mode.into_iter().map(|wave| theta(wave, 1)).collect());
    let line = |wave: i32, along: usize| -> Vec<f64> {
        (0..dimensions).map(|d| if d < along { theta(wave, ON_LINES) } else { 0.0 }).collect()
    };
    let lines = (1..=dimensions).flat_map(|along| (0..=ON_LINES * waves).map(move |wave| (wave, along)));
    grid.chain(lines.filter(|_| dimensions > 1).map(|(wave, along)| line(wave, along))).collect()
}

/// Returns the symbols of u_t + u_x = 0 and of u_t − u_x = 0. The second is the mirror image of the first.
fn both_ways(discretization: Discretization, theta: f64) -> Option<[DMatrix<Complex64>; 2]> {
    let mirrored = discretization.symbol(-theta)?;
    let parity = |k: usize, j: usize| if (k + j).is_multiple_of(2) { 1.0 } else { -1.0 };
    let down = DMatrix::from_fn(mirrored.nrows(), mirrored.ncols(), |k, j| mirrored[(k, j)] * parity(k, j));
    Some([discretization.symbol(theta)?, down])
}

/// Builds Σ_d (A_d⁺ ⊗ D⁺ + |A_d⁻| ⊗ D⁻) with D on the polynomials along direction d.
fn mode(halves: &[[DMatrix<f64>; 2]], symbols: &[[DMatrix<Complex64>; 2]]) -> DMatrix<Complex64> {
    let (n, dimensions) = (symbols[0][0].nrows(), symbols.len());
    let identity = |power: usize| DMatrix::<Complex64>::identity(n.pow(power as u32), n.pow(power as u32));
    let size = halves[0][0].nrows() * n.pow(dimensions as u32);
    let mut sum = DMatrix::<Complex64>::zeros(size, size);
    for (d, (halves, symbols)) in halves.iter().zip(symbols).enumerate() {
        for (half, symbol) in halves.iter().zip(symbols) {
            let inner = identity(d).kronecker(symbol).kronecker(&identity(dimensions - 1 - d));
            sum += half.map(Complex64::from).kronecker(&inner);
        }
    }
    sum
}

/// Computes the eigenvalues of a scalar mode: sums of one eigenvalue of each direction.
fn sums(halves: &[[DMatrix<f64>; 2]], symbols: &[[DMatrix<Complex64>; 2]]) -> Option<Vec<Complex64>> {
    let mut sums = vec![Complex64::ZERO];
    for ([up, down], [rising, falling]) in halves.iter().zip(symbols) {
        let along = eigenvalues(rising * Complex64::from(up[(0, 0)]) + falling * Complex64::from(down[(0, 0)]))?;
        sums = sums.iter().flat_map(|sum| along.iter().map(move |value| sum + value)).collect();
    }
    Some(sums)
}

fn eigenvalues(matrix: DMatrix<Complex64>) -> Option<Vec<Complex64>> {
    if matrix.nrows() == 1 {
        return Some(vec![matrix[(0, 0)]]);
    }
    Some(Schur::try_new(matrix, 1e-14, 20_000)?.eigenvalues()?.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, Spectrum};

    fn of(text: &str) -> Vec<Complex64> {
        match text.parse() {
            Ok(Spectrum::Eigenvalues(values)) => values,
            other => panic!("{text}: {other:?}"),
        }
    }

    /// Returns the largest scale at which a polynomial is stable.
    fn limit(beta: &[f64], places: &[Complex64]) -> f64 {
        let value = |z: Complex64| beta.iter().rev().fold(Complex64::ZERO, |sum, beta| sum * z + beta);
        let is_stable = |h: f64| places.iter().all(|place| value(place * h).norm() <= 1.0 + 1e-9);
        let mut h = 0.0;
        for step in [1e-2, 1e-3, 1e-4, 1e-5] {
            while is_stable(h + step) {
                h += step;
            }
        }
        h
    }

    #[test]
    fn methods_have_the_limits_of_a_prototype_for_waves_in_the_plane() {
        // Computed by another program from 14 × 14 wave numbers.
        let places = of("waves-2d:dg=3");
        let rk4 = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];
        assert!((limit(&rk4, &places) - 0.0712).abs() < 1e-4);
        let ssp = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 48.0];
        assert!((limit(&ssp, &places) - 0.1314).abs() < 3e-4);
        // The star and the cloud have the same limits.
        let operator = Operator::parse("waves-2d:dg=3").unwrap().unwrap();
        let system = System::all(operator.equation, &[0.0; 2]).remove(0);
        let all = values(&operator, &system, &[0.0; 2]).unwrap();
        assert!(places.len() < all.len() / 10, "{} of {}", places.len(), all.len());
        for beta in [rk4, ssp] {
            assert!((limit(&beta, &all) - limit(&beta, &places)).abs() < 3e-4);
        }
    }

    #[test]
    fn optima_are_those_of_a_prototype_for_waves_in_the_plane() {
        let spectrum: Spectrum = "waves-2d:dg=3".parse().unwrap();
        for (stages, expected) in [(5, 0.151), (8, 0.273)] {
            let found = Problem::new(spectrum.clone(), stages, 4).solve().unwrap().limit();
            assert!((found - expected).abs() < 6e-4, "{stages}: {found}");
        }
    }

    /// Returns all eigenvalues of the last system of an operator without flow.
    fn all(text: &str) -> Vec<Complex64> {
        let operator = Operator::parse(text).unwrap().unwrap();
        let flow = vec![0.0; operator.dimensions];
        values(&operator, &System::all(operator.equation, &flow).pop().unwrap(), &flow).unwrap()
    }

    #[test]
    fn modes_along_an_axis_are_those_of_a_line() {
        let line = all("waves-1d:dg=1,waves=6");
        for text in ["waves-2d:dg=1,waves=6", "maxwell-3d:dg=1,waves=6", "euler-2d:dg=1,waves=6,mach=0"] {
            let plane = all(text);
            for value in &line {
                let nearest = plane.iter().map(|other| (other - value).norm()).fold(f64::INFINITY, f64::min);
                // Some eigenvalues are double, and known to half the digits.
                assert!(nearest < 1e-5, "{text}: {value} {nearest}");
            }
        }
    }

    #[test]
    fn a_flow_carries_waves_with_it() {
        // Upwind differences of order one: the fastest mode at θ = π has the eigenvalue −2(1 + M).
        let largest = |text: &str| of(text).iter().map(|value| value.norm()).fold(0.0, f64::max);
        assert!((largest("euler-1d:upwind=1,mach=0.25") - 2.5).abs() < 1e-12);
        assert!((largest("euler-1d:upwind=1,mach=0..0.5") - 3.0).abs() < 1e-12);
        assert!((largest("advection-3d:fv=1,angle=45") - 2.0 * (0.5f64.sqrt() + 1.0)).abs() < 1e-12);
        // The fluxes of Rusanov dissipate shear as much as sound.
        assert!((largest("waves-2d:upwind=1,flux=rusanov") - 4.0).abs() < 1e-9);
        // Entropy at rest is only dissipated, with the speed of sound. At θ = 0 odd modes jump by twice their value at both
        // ends of a cell: λ = −2 Σ (2k + 1) over odd k.
        let of_entropy = largest("euler-1d:dg=3,mach=0,flux=rusanov");
        assert!((of_entropy - 2.0 * (3.0 + 7.0)).abs() < 1e-9, "{of_entropy}");
        // The fastest flow goes along the diagonal, which is neither an end nor the middle of this range.
        assert!((largest("advection-2d:fv=1,angle=0..80") - 2.0 * 2f64.sqrt()).abs() < 1e-9);
        assert!((largest("advection-3d:fv=1,angle=0..90") - 2.0 * 3f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn descriptions_are_checked() {
        for text in [
            "waves-2d",
            "waves-2d:",
            "waves-4d:dg=3",
            "waves-2d:dg=x",
            "waves-2d:dg=10",
            "waves-2d:upwind=2",
            "waves-2d:dg=3,mach=1",
            "euler-2d:dg=3,mach=2..1",
            "euler-2d:dg=3,mach=nan",
            "waves-1d:dg=3,angle=3",
            "maxwell-3d:dg=4",
            "waves-2d:dg=3,waves=0",
            "waves-2d:dg=3,waves=999",
            "advection-3d:dg=4,waves=256",
            "waves-2d:dg=3,flux=best",
            "waves-2d:dg",
        ] {
            assert!(text.parse::<Spectrum>().is_err(), "{text}");
        }
    }
}
