//! Scaled spectra in maps: the largest step for which a spectrum lies in each region.

use hemiola_figure::{Color, Curve, Dash, Panel};
use hemiola_polynomial::Spectrum;
use num_complex::Complex64;

use crate::boundary;
use crate::layer::{LEVEL, Layer, LayerStyle};
use crate::polynomial::{SPECTRUM, eigenvalue_points};

/// Points of the boundary of a spectrum: fields that are maxima over a set take milliseconds at each.
const POINTS: usize = 200;
/// Smallest step of the search for an exit, its growth, and its end, in units of 1/|λ| of the largest eigenvalue.
const FIRST: f64 = 0.05;
const GROWTH: f64 = 1.02;
const END: f64 = 1e4;
/// Bisections between two steps, which exhaust the bits of a double.
const HALVINGS: usize = 60;

/// The largest step with which a spectrum lies in a region.
#[derive(Clone, Debug, PartialEq)]
pub struct SpectrumStep {
    /// Name of the region in data.
    pub name: String,
    /// The largest h for which h′λ is in the region for all sampled h′ ≤ h and all eigenvalues λ; `None` without a bound.
    pub largest: Option<f64>,
}

/// A spectrum scaled by a step.
#[derive(Clone, Debug)]
pub(crate) struct ScaledSpectrum {
    lines: Vec<Vec<Complex64>>,
    is_discrete: bool,
}

impl ScaledSpectrum {
    pub(crate) fn new(spectrum: &Spectrum, step: f64) -> Self {
        let is_discrete = matches!(spectrum, Spectrum::Eigenvalues(_));
        Self { lines: boundary(spectrum, step, POINTS), is_discrete }
    }

    /// Adds the spectrum with its complex conjugate to a panel.
    pub(crate) fn draw(&self, panel: Panel) -> Panel {
        if self.is_discrete {
            let both = self.lines.iter().flatten().flat_map(|z| [[z.re, z.im], [z.re, -z.im]]);
            return panel.points(eigenvalue_points(both).label(SPECTRUM));
        }
        let curve = self.lines.iter().fold(Curve::new().label(SPECTRUM), |curve, line| {
            let side = |sign: f64| line.iter().map(move |z| [z.re, sign * z.im]);
            curve.open(side(1.0)).open(side(-1.0))
        });
        panel.curve(curve.color(Color::BLACK).dash(Dash::Solid).width(0.9))
    }
}

/// Finds the largest steps of the regions among some layers.
pub(crate) fn steps<'l>(layers: impl Iterator<Item = &'l Layer>, spectrum: &Spectrum) -> Vec<SpectrumStep> {
    let points: Vec<Complex64> = boundary(spectrum, 1.0, POINTS).into_iter().flatten().collect();
    let has_boundary = |layer: &&Layer| matches!(layer.style, LayerStyle::Region | LayerStyle::Boundary);
    let step = |layer: &Layer| SpectrumStep { name: layer.name.clone(), largest: largest(layer, &points) };
    layers.filter(has_boundary).map(step).collect()
}

fn largest(layer: &Layer, points: &[Complex64]) -> Option<f64> {
    let first = FIRST / points.iter().map(|z| z.norm()).fold(0.0, f64::max);
    // Zero eigenvalues alone bound nothing.
    if !first.is_finite() {
        return None;
    }
    let is_stable = |z: &Complex64, h: f64| layer.field.at(h * z.re, h * z.im) <= LEVEL;
    let (mut low, mut high) = (0.0, first);
    while points.iter().all(|z| is_stable(z, high)) {
        low = high;
        high = (high * GROWTH).max(high + first);
        if high * FIRST > END * first {
            return None;
        }
    }
    // Eigenvalues that have not left the region at the first exit do not move it.
    let left: Vec<&Complex64> = points.iter().filter(|z| !is_stable(z, high)).collect();
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if left.iter().all(|z| is_stable(z, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
