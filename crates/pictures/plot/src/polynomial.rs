//! Figure of an optimal stability polynomial in two panels: |R| on the spectrum, and the region |R(z)| ≤ 1 around it.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Legend, Marker, Panel, Points, Region};
use hemiola_polynomial::{Axis as HalfLine, Problem, Spectrum, StabilityPolynomial, StableForm};
use hemiola_stability::{Window, contour, region_window};
use num_complex::Complex64;

use crate::boundary;

/// Points of a curve along the spectrum per stage, enough to resolve the oscillations of R.
const POINTS_PER_STAGE: usize = 60;
/// Number of grid cells of a region, regardless of its shape.
const CELLS: f64 = 360_000.0;
/// Extent of an axis relative to the limit.
const BEYOND: f64 = 1.1;
/// Margins around a region relative to its sides, and smallest margins relative to its longer side.
const MARGIN: f64 = 0.05;
const LEAST_MARGIN: f64 = 0.02;
/// Margin that [`region_window`] adds to a region, relative to its longer side.
const SEARCHED: f64 = 0.06;
/// Aspect ratio below which a region is drawn across the page, below the other panel.
const FLAT: f64 = 0.4;
/// Aspect ratio above which only the upper half of a region is drawn.
const TALL: f64 = 1.5;
/// Smallest ratio of height to width of a panel with equal axes; its range is extended accordingly.
const LOWEST: f64 = 0.12;
/// Ratio of height to width of a panel with axes of different units.
const STRETCHED: f64 = 0.18;
/// Aspect ratio below which a region would degenerate to a line on equal axes.
const LINE: f64 = 0.05;
/// Largest total diameter in points of the markers of contact points; larger ones would merge into a line.
const LINED_UP: f64 = 90.0;
/// Largest number of markers; more would hide the curves.
const MOST_MARKED: usize = 250;
pub(crate) const SPECTRUM: &str = "scaled spectrum";
/// Largest total diameter in points of the markers of eigenvalues, as long as they are visible.
const ALL_EIGENVALUES: f64 = 1000.0;

/// Draws a polynomial in a figure two columns wide.
///
/// ```
/// use hemiola_polynomial::{Axis, optimal};
/// let svg = hemiola_plot::polynomial_figure(&optimal(Axis::Imaginary, 5, 3)?).to_svg()?;
/// // Five stages and order three.
/// assert!(svg.contains("<tspan font-style=\"italic\">L</tspan> = 3.9133"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn polynomial_figure(polynomial: &StabilityPolynomial) -> Figure {
    let scene = PolynomialPanels::new(polynomial);
    let window = scene.window();
    let flatness = (window.y.1 - window.y.0) / (window.x.1 - window.x.0);
    let figure = Figure::two_columns().title(scene.title()).description(scene.description());
    // The other panel's legend names the contact points.
    let profile = scene.profile(&window).legend(Legend::Hidden);
    if flatness < FLAT {
        let region = scene.flat_region(window, flatness);
        return figure.columns(1).panel(profile.height(0.3)).panel(region);
    }
    if flatness > TALL {
        // The region is symmetric, and the whole of it would be a narrow strip.
        let upper = Window { y: (-LEAST_MARGIN * window.y.1, window.y.1), ..window };
        return figure.panel(profile).panel(scene.region(upper).title("upper half").equal_aspect());
    }
    figure.panel(profile).panel(scene.region(window).equal_aspect())
}

struct PolynomialPanels<'a> {
    problem: &'a Problem,
    form: StableForm,
    limit: f64,
    /// Upper half of the boundary of the scaled spectrum.
    boundary: Vec<Vec<Complex64>>,
    contacts: Vec<Complex64>,
}

impl<'a> PolynomialPanels<'a> {
    fn new(polynomial: &'a StabilityPolynomial) -> Self {
        let optimum = polynomial.optimum();
        let problem = optimum.problem();
        let points = POINTS_PER_STAGE * problem.stages().max(10);
        Self {
            problem,
            form: polynomial.stable_form(),
            limit: polynomial.limit(),
            boundary: boundary(problem.spectrum(), polynomial.limit(), points),
            contacts: optimum.contact_points().iter().map(|contact| contact.z).collect(),
        }
    }

    fn title(&self) -> String {
        let problem = self.problem;
        let damping = if problem.eta() > 0.0 { format!(", *η* = {}", problem.eta()) } else { String::new() };
        // Five digits without trailing zeros.
        let limit: f64 = format!("{:.4e}", self.limit).parse().unwrap_or(self.limit);
        format!("*s* = {}, *p* = {}{damping}, *L* = {limit}", problem.stages(), problem.order())
    }

    fn description(&self) -> String {
        let problem = self.problem;
        let (spectrum, s, p) = (problem.spectrum(), problem.stages(), problem.order());
        format!("Optimal stability polynomial on the {spectrum} with {s} stages and order {p}")
    }

    fn modulus(&self, z: Complex64) -> f64 {
        self.form.at(z).norm()
    }

    /// Draws R or |R| along the spectrum.
    fn profile(&self, window: &Window) -> Panel {
        match self.problem.spectrum() {
            Spectrum::Axis(HalfLine::Imaginary) => self.on_imaginary_axis(),
            Spectrum::Axis(HalfLine::Real) => self.on_real_axis(window),
            Spectrum::Eigenvalues(_) => self.at_eigenvalues(),
            _ => self.along_boundary(),
        }
    }

    fn on_imaginary_axis(&self) -> Panel {
        let end = BEYOND * self.limit;
        let curve = self.sampled(0.0, end, |y| self.modulus(Complex64::new(0.0, y)));
        let bound = self.sampled(0.0, self.limit, |y| self.bound(Complex64::new(0.0, y)));
        let (low, high) = zoomed(curve.iter().filter(|[y, _]| *y <= self.limit).map(|[_, modulus]| *modulus));
        let panel = Panel::new(Axis::new("*y*").range(0.0, end), Axis::new("|*R*(i*y*)|").range(low, high));
        self.with_contacts(panel.curve(dashed(bound)).curve(solid(curve)), |z| z.im)
    }

    /// Draws R over the real range of the region, whose panel may lie below this one.
    fn on_real_axis(&self, window: &Window) -> Panel {
        let (low, high) = window.x;
        let value = |x: f64| self.form.at(Complex64::from(x)).re;
        let curve = self.sampled(low, 0.0, value);
        let level = 1.0 - self.problem.eta();
        let levels = self.levels(-self.limit, 0.0, &[level, -level]);
        let panel = Panel::new(Axis::new("*x*").range(low, high), Axis::new("*R*(*x*)").range(-1.25, 1.25));
        let panel = levels.into_iter().fold(panel, Panel::curve).curve(solid(curve));
        let contacts = self.contacts.iter().map(|z| [z.re, value(z.re)]);
        panel.points(contact_points(contacts))
    }

    /// Draws |R| over the arc length of the boundary from the origin.
    fn along_boundary(&self) -> Panel {
        let mut length = 0.0;
        let (mut curve, mut bound, mut contacts) = (Curve::new(), Vec::new(), Vec::new());
        let mut moduli = Vec::new();
        for line in &self.boundary {
            let mut points: Vec<[f64; 2]> = Vec::with_capacity(line.len());
            for (k, &z) in line.iter().enumerate() {
                length += if k > 0 { (z - line[k - 1]).norm() } else { 0.0 };
                points.push([length, self.modulus(z)]);
                bound.push([length, self.bound(z)]);
            }
            contacts.extend(self.contacts.iter().filter_map(|&contact| place_on(line, &points, contact)));
            moduli.extend(points.iter().map(|point| point[1]));
            curve = curve.open(points);
        }
        let (low, high) = zoomed(moduli.into_iter());
        let axis = Axis::new("length along the boundary").range(0.0, length);
        let panel = Panel::new(axis, Axis::new("|*R*(*z*)|").range(low, high));
        panel.curve(dashed(bound)).curve(curve.color(Color::BLUE).dash(Dash::Solid)).points(contact_points(contacts))
    }

    fn at_eigenvalues(&self) -> Panel {
        let values = self.boundary.iter().flatten().map(|z| [z.norm(), self.modulus(*z)]);
        let end = BEYOND * self.boundary.iter().flatten().map(|z| z.norm()).fold(0.0, f64::max);
        let panel = Panel::new(Axis::new("|*z*|").range(0.0, end), Axis::new("|*R*(*z*)|").range(0.0, 1.15));
        let panel = panel.curve(dashed([[0.0, 1.0], [end, 1.0]]));
        self.with_contacts(panel.points(eigenvalue_points(values)), |z| z.norm())
    }

    fn with_contacts(&self, panel: Panel, abscissa: impl Fn(&Complex64) -> f64) -> Panel {
        panel.points(contact_points(self.contacts.iter().map(|z| [abscissa(z), self.modulus(*z)])))
    }

    fn bound(&self, z: Complex64) -> f64 {
        self.problem.bound(self.limit, z)
    }

    fn sampled(&self, from: f64, to: f64, value: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        let points = POINTS_PER_STAGE * self.problem.stages().max(10);
        let at = |k: usize| {
            // Chebyshev points, because R oscillates faster towards the ends.
            let t = 0.5 - 0.5 * (std::f64::consts::PI * k as f64 / points as f64).cos();
            from * (1.0 - t) + to * t
        };
        (0..=points).map(at).map(|x| [x, value(x)]).collect()
    }

    /// Returns dashed lines at distinct levels.
    fn levels(&self, from: f64, to: f64, levels: &[f64]) -> Vec<Curve> {
        let mut levels = levels.to_vec();
        levels.dedup();
        levels.into_iter().map(|level| dashed([[from, level], [to, level]])).collect()
    }

    /// Returns the extents of the region and the spectrum to the left, to the right and upwards.
    fn extents(&self) -> (f64, f64, f64) {
        let farthest = 4.0 * self.limit.max((self.problem.stages() as f64).powi(2));
        let points: Vec<Complex64> = self.boundary.concat();
        let mut left = points.iter().map(|z| -z.re).fold(0.0, f64::max);
        let mut height = points.iter().map(|z| z.im).fold(0.0, f64::max);
        let mut right = 0.0f64;
        if let Some(Window { x, y, .. }) =
            region_window(&|x: f64, y: f64| self.modulus(Complex64::new(x, y)), farthest, 2)
        {
            // Remove the margin, which is relative to the longer side.
            let margin = SEARCHED / (1.0 + 2.0 * SEARCHED) * (x.1 - x.0).max(y.1 - y.0);
            left = left.max(-x.0 - margin);
            right = right.max(x.1 - margin);
            height = height.max(y.1 - margin);
        }
        (left, right, height)
    }

    /// Returns a window around the region and the spectrum, symmetric about the real axis.
    fn window(&self) -> Window {
        let (left, right, height) = self.extents();
        let [across, up] = [left + right, 2.0 * height];
        // Each axis has its own margin; a thin region needs space for the markers on its boundary.
        let margin = |length: f64| (MARGIN * length).max(LEAST_MARGIN * across.max(up));
        let (beside, above) = (margin(across), margin(up).min(height));
        gridded((-left - beside, right + beside), height + above)
    }

    /// Draws a region as wide as the page, with equal axes unless it would degenerate to a line.
    fn flat_region(&self, window: Window, flatness: f64) -> Panel {
        if flatness < LINE {
            // The margin above was computed for equal axes.
            let height = (1.0 + MARGIN) * self.extents().2;
            let stretched = self.region(gridded(window.x, height));
            return stretched.title("vertical axis stretched").height(STRETCHED);
        }
        let height = 0.5 * (window.x.1 - window.x.0) * flatness.max(LOWEST);
        self.region(gridded(window.x, height)).height(flatness.max(LOWEST))
    }

    fn region(&self, window: Window) -> Panel {
        let x = Axis::new("Re(*z*)").range(window.x.0, window.x.1);
        let y = Axis::new("Im(*z*)").range(window.y.0, window.y.1);
        let lines = contour(&window, &|x: f64, y: f64| self.modulus(Complex64::new(x, y)), 1.0);
        let region = lines.iter().fold(Region::new(), |region, line| region.polygon(line.points.iter().copied()));
        let boundary = lines.into_iter().fold(Curve::new().label("|*R*(*z*)| = 1"), |curve, line| {
            if line.closed { curve.closed(line.points) } else { curve.open(line.points) }
        });
        // The boundary is drawn last because it follows the spectrum closely.
        let panel = self.spectrum(Panel::new(x, y).region(region));
        let panel = panel.curve(boundary.color(Color::BLUE).dash(Dash::Solid).width(0.9));
        let both = self.contacts.iter().flat_map(|z| [[z.re, z.im], [z.re, -z.im]]);
        panel.points(contact_points(both)).legend(Legend::Below)
    }

    /// Adds the scaled spectrum with its complex conjugate.
    fn spectrum(&self, panel: Panel) -> Panel {
        if let Spectrum::Eigenvalues(_) = self.problem.spectrum() {
            let both = self.boundary.iter().flatten().flat_map(|z| [[z.re, z.im], [z.re, -z.im]]);
            return panel.points(eigenvalue_points(both).label(SPECTRUM));
        }
        let curve = self.boundary.iter().fold(Curve::new().label(SPECTRUM), |curve, line| {
            let side = |sign: f64| line.iter().map(move |z| [z.re, sign * z.im]);
            curve.open(side(1.0)).open(side(-1.0))
        });
        panel.curve(curve.color(Color::BLACK).dash(Dash::Solid).width(0.9))
    }
}

/// Returns a window of nearly square cells with a row of grid points on the real axis, where regions are narrow.
fn gridded(x: (f64, f64), height: f64) -> Window {
    let aspect = (2.0 * height / (x.1 - x.0)).clamp(0.01, 100.0);
    let columns = (CELLS / aspect).sqrt();
    let rows = columns * aspect;
    let even = |cells: f64| 2 * (0.5 * cells).ceil() as usize;
    Window { x, y: (-height, height), cells: (even(columns), even(rows)) }
}

/// Returns a range that shows the contacts with one: from zero, or narrower if all moduli are close to one.
fn zoomed(moduli: impl Iterator<Item = f64>) -> (f64, f64) {
    let least = moduli.fold(1.0, f64::min);
    let depth = 1.0 - least;
    if depth > 0.5 { (0.0, 1.15) } else { (1.0 - 1.15 * depth.max(1e-9), 1.0 + 0.3 * depth.max(1e-9)) }
}

/// Returns the position of a contact point on the profile of a line, if it lies there.
fn place_on(line: &[Complex64], profile: &[[f64; 2]], contact: Complex64) -> Option<[f64; 2]> {
    let distance = |k: &usize| (line[*k] - contact).norm();
    let nearest = (0..line.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let step = (line.last()? - line.first()?).norm().max(contact.norm()) / line.len() as f64;
    (distance(&nearest) <= 2.0 * step).then_some(profile[nearest])
}

fn solid(points: Vec<[f64; 2]>) -> Curve {
    Curve::new().open(points).color(Color::BLUE).dash(Dash::Solid)
}

fn dashed(points: impl IntoIterator<Item = [f64; 2]>) -> Curve {
    Curve::new().open(points).color(Color::GRAY).dash(Dash::Dashed).width(0.8)
}

pub(crate) fn eigenvalue_points(points: impl IntoIterator<Item = [f64; 2]>) -> Points {
    let points: Vec<[f64; 2]> = points.into_iter().collect();
    let size = (ALL_EIGENVALUES / points.len() as f64).clamp(1.0, 2.6);
    Points::new(points).color(Color::BLACK).marker(Marker::Circle).size(size)
}

fn contact_points(points: impl IntoIterator<Item = [f64; 2]>) -> Points {
    let mut points: Vec<[f64; 2]> = points.into_iter().collect();
    if points.len() > MOST_MARKED {
        points.clear();
    }
    let size = (LINED_UP / points.len() as f64).clamp(1.0, 3.2);
    let is_empty = points.is_empty();
    let markers = Points::new(points).color(Color::VERMILION).marker(Marker::Circle).size(size);
    if is_empty { markers } else { markers.label("contact points") }
}
