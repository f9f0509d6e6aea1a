//! Scaled spectra in maps: the largest step for which a spectrum lies in each region.

use hemiola_figure::{Color, Curve, Dash, Panel};
use hemiola_number::Counter;
use hemiola_polynomial::Spectrum;
use num_complex::Complex64;

use crate::layer::{LEVEL, Layer, LayerStyle};
use crate::polynomial::{SPECTRUM, eigenvalue_points};
use crate::{MapError, boundary};

/// Number of points on the boundary of a spectrum. Fields that are maxima over a set take milliseconds per point.
const POINTS: usize = 200;
/// Smallest step of the search for an exit, its growth, and its end, in units of 1/|λ| of the largest eigenvalue.
const FIRST: f64 = 0.05;
const GROWTH: f64 = 1.02;
const END: f64 = 1e4;
/// Real part, relative to the largest modulus, that rounding explains.
const ROUNDING: f64 = 1e-12;
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

/// A spectrum scaled by a step, drawn over regions.
#[derive(Clone, Debug)]
pub struct ScaledSpectrum {
    /// The step h.
    pub step: f64,
    /// The largest step of each region, for the eigenvalues that do not grow.
    pub largest: Vec<SpectrumStep>,
    /// The eigenvalue with the largest positive real part, if any. Its exact solution grows, and so should that of a
    /// method: such eigenvalues do not bound the step.
    pub growing: Option<Complex64>,
    lines: Vec<Vec<Complex64>>,
    is_discrete: bool,
}

impl ScaledSpectrum {
    /// Scales a spectrum by a step, or by the largest step of the first region among some layers.
    pub(super) fn new<'l>(
        spectrum: &Spectrum,
        step: Option<f64>,
        layers: impl Iterator<Item = &'l Layer>,
        counter: &Counter<'_>,
    ) -> Result<Self, MapError> {
        let points: Vec<Complex64> = boundary(spectrum, 1.0, POINTS).into_iter().flatten().collect();
        let size = points.iter().map(|z| z.norm()).fold(0.0, f64::max);
        let (growing, points): (Vec<Complex64>, Vec<Complex64>) =
            points.into_iter().partition(|z| z.re > ROUNDING * size);
        let growing = growing.into_iter().max_by(|x, y| x.re.total_cmp(&y.re));
        let mut found = Vec::new();
        for layer in layers.filter(|layer| matches!(layer.style, LayerStyle::Region | LayerStyle::Boundary)) {
            found.push(SpectrumStep { name: layer.name.clone(), largest: largest(layer, &points, counter)? });
        }
        let first = found.first().ok_or(MapError::NoRegions)?;
        let positive = first.largest.filter(|step| *step > 0.0);
        let step = step.or(positive).ok_or_else(|| MapError::NoLargestStep { name: first.name.clone() })?;
        let is_discrete = matches!(spectrum, Spectrum::Eigenvalues(_));
        Ok(Self { step, largest: found, growing, lines: boundary(spectrum, step, POINTS), is_discrete })
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

/// Finds the largest step of a region; `None` without a bound. The counter counts the steps.
fn largest(layer: &Layer, points: &[Complex64], counter: &Counter<'_>) -> Result<Option<f64>, MapError> {
    let first = FIRST / points.iter().map(|z| z.norm()).fold(0.0, f64::max);
    // A spectrum of zero eigenvalues does not bound the step.
    if !first.is_finite() {
        return Ok(None);
    }
    let is_stable = |z: &Complex64, h: f64| layer.field.at(h * z.re, h * z.im) <= LEVEL;
    let (mut low, mut high) = (0.0, first);
    while points.iter().all(|z| is_stable(z, high)) {
        low = high;
        high = (high * GROWTH).max(high + first);
        if high * FIRST > END * first {
            return Ok(None);
        }
        if counter.advance(1).is_break() {
            return Err(MapError::Interrupted);
        }
    }
    // Eigenvalues still inside the region at the first exit do not determine it.
    let left: Vec<&Complex64> = points.iter().filter(|z| !is_stable(z, high)).collect();
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if left.iter().all(|z| is_stable(z, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(Some(low))
}
