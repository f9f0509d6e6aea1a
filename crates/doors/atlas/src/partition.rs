//! Stability of a partition by itself: its function, limits, sector, dispersion, and damping along rays.

use hemiola_export::describe;
use hemiola_number::{Counter, Progress};
use hemiola_stability::{DampedRay, Dispersion, ExactStability, LeadingTerm, Limit, StabilityError, StabilityFunction};
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use rayon::prelude::*;
use serde::Serialize;

use crate::monotonicity::NonlinearReport;

/// The stability of a partition by itself. Serializes to the JSON that `hemiola stability --json` prints for a
/// partition.
///
/// ```
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let report = hemiola_atlas::PartitionReport::new(&rk4, 0, &[0.0, 1.0], &())?;
/// assert_eq!(report.imaginary_limit, Some(8f64.sqrt()));
/// assert_eq!(report.entries()[1], ("imaginary limit", "2.828427125".to_owned()));
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct PartitionReport {
    /// The name of the partition.
    pub name: String,
    /// The numerator of R, constant term first.
    pub polynomial: Vec<f64>,
    /// The denominator of R, unless it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denominator: Option<Vec<f64>>,
    /// The limit on the imaginary axis; `None`, in JSON `null`, if it is unbounded.
    pub imaginary_limit: Option<f64>,
    /// The limit on the negative real axis; `None` if it is unbounded.
    pub real_limit: Option<f64>,
    /// The half-angle of the stability sector in degrees; `None` if there is no sector.
    pub sector_angle: Option<f64>,
    /// |R(∞)|; `None` if it is infinite.
    pub at_infinity: Option<f64>,
    /// Whether the partition is L-stable: A-stable with R(∞) = 0.
    pub is_l_stable: bool,
    /// The order of the phase error; `None` if there is no such error.
    pub dispersion_order: Option<usize>,
    /// The leading constant of the phase error.
    pub dispersion_constant: Option<f64>,
    /// The order of the dissipation; `None` if there is none.
    pub dissipation_order: Option<usize>,
    /// The leading constant of the dissipation.
    pub dissipation_constant: Option<f64>,
    /// |R| along rays of equal damping.
    pub damped_rays: Vec<RayReport>,
    /// The limits of the embedded method; `None` if there is none.
    pub embedded: Option<EmbeddedReport>,
    /// Strong stability preservation and nonlinear stability.
    #[serde(flatten)]
    pub nonlinear: NonlinearReport,
    #[serde(skip)]
    exact: ExactReport,
}

/// Limits of the embedded method in a partition by itself.
#[derive(Clone, Debug, Serialize)]
pub struct EmbeddedReport {
    /// The limit on the imaginary axis; `None`, in JSON `null`, if it is unbounded.
    pub imaginary_limit: Option<f64>,
    /// The limit on the negative real axis; `None` if it is unbounded.
    pub real_limit: Option<f64>,
    /// |R(∞)|; `None` if it is infinite.
    pub at_infinity: Option<f64>,
}

impl EmbeddedReport {
    /// Computes the limits of a partition of the method with embedded weights.
    fn new(method: &Method, index: usize) -> Result<Option<Self>, StabilityError> {
        let alone = method.partition_alone(index).and_then(|alone| alone.embedded());
        let Some(embedded) = alone else { return Ok(None) };
        let stability = ExactStability::new(&embedded, 0)?;
        Ok(Some(Self {
            imaginary_limit: stability.limit(Complex64::I).map(finite)?,
            real_limit: stability.limit(-Complex64::ONE).map(finite)?,
            at_infinity: stability.modulus_at_infinity().as_ref().map(Exact::to_f64),
        }))
    }

    fn text(&self, implicit: bool) -> String {
        let limit = |limit: Option<f64>| limit.map_or_else(|| "unbounded".to_owned(), describe::number);
        let [imaginary, real] = [limit(self.imaginary_limit), limit(self.real_limit)];
        let at_infinity = if implicit { format!(", |R(∞)| {}", limit(self.at_infinity)) } else { String::new() };
        format!("imaginary limit {imaginary}, real limit {real}{at_infinity}")
    }
}

/// |R| along a ray. All fields but the damping are `None` if the limit is unbounded.
#[derive(Clone, Debug, Serialize)]
pub struct RayReport {
    /// The damping ratio ζ.
    pub damping: f64,
    /// The limit L.
    pub limit: Option<f64>,
    /// |R| at L/2.
    pub half: Option<f64>,
    /// |R| at 0.9 L.
    pub nine_tenths: Option<f64>,
    /// d|R|/dt at L.
    pub slope: Option<f64>,
}

/// Exact results, which are shown as fractions.
#[derive(Clone, Debug)]
struct ExactReport {
    function: StabilityFunction<Exact>,
    at_infinity: Option<Exact>,
    phase: Option<LeadingTerm>,
    amplitude: Option<LeadingTerm>,
}

/// Computes a part of a report, unless it is stopped.
fn part<T>(counter: &Counter<'_>, compute: impl FnOnce() -> Result<T, StabilityError>) -> Result<T, StabilityError> {
    counter.run(compute).unwrap_or(Err(StabilityError::Interrupted))
}

impl PartitionReport {
    /// Computes the report on the partition `index`, with |R| along rays of the damping ratios `rays`.
    ///
    /// `progress` counts the results.
    ///
    /// # Errors
    /// Returns a [`StabilityError`] if there is no such partition, a ratio is not between 0 and 1, a limit is not
    /// found, or `progress` stops the report.
    pub fn new(method: &Method, index: usize, rays: &[f64], progress: &dyn Progress) -> Result<Self, StabilityError> {
        let stability = ExactStability::new(method, index)?;
        // Both axes, the dispersion, the sector, the embedded method, and the rays.
        let counter = &Counter::new(progress, "results", Some(5 + rays.len()));
        let along = |direction| part(counter, || stability.limit(direction).map(finite));
        let damped = |&damping: &f64| part(counter, || stability.damped_ray(damping).map(RayReport::from));
        let is_axis = |damping: &&f64| [0.0, 1.0].contains(*damping);
        // The sector and the rays along an axis reuse the limits on the axes, so they follow these.
        let (((imaginary, real), sector), (dispersion, off_axes)) = rayon::join(
            || {
                let axes = rayon::join(|| along(Complex64::I), || along(-Complex64::ONE));
                (axes, part(counter, || stability.sector_angle()))
            },
            || {
                let dispersion = || part(counter, || Dispersion::with(&stability, method, index));
                let off_axes = rays.par_iter().filter(|damping| !is_axis(damping));
                rayon::join(dispersion, || off_axes.map(damped).collect::<Vec<_>>())
            },
        );
        let mut off_axes = off_axes.into_iter();
        let mut ray = |damping: &f64| {
            let found = if is_axis(&damping) { None } else { off_axes.next() };
            found.unwrap_or_else(|| damped(damping))
        };
        let rays = rays.iter().map(&mut ray).collect::<Result<Vec<RayReport>, StabilityError>>();
        let function = stability.literal_function();
        let doubles = |coefficients: &[Exact]| coefficients.iter().map(Exact::to_f64).collect::<Vec<f64>>();
        let at_infinity = stability.modulus_at_infinity();
        let sector_angle = sector?;
        let is_zero_at_infinity = at_infinity.as_ref().is_some_and(|modulus| *modulus == Exact::from(0));
        let dispersion = dispersion?;
        let [phase, amplitude] = [dispersion.phase(), dispersion.amplitude()];
        let order = |leading: Option<&LeadingTerm>| leading.map(|leading| leading.order);
        let constant = |leading: Option<&LeadingTerm>| leading.map(|leading| leading.constant.to_f64());
        Ok(Self {
            name: method.partitions()[index].name.clone(),
            polynomial: doubles(&function.numerator),
            denominator: (function.denominator.len() > 1).then(|| doubles(&function.denominator)),
            imaginary_limit: imaginary?,
            real_limit: real?,
            sector_angle,
            is_l_stable: sector_angle == Some(90.0) && is_zero_at_infinity,
            at_infinity: at_infinity.as_ref().map(Exact::to_f64),
            dispersion_order: order(phase),
            dispersion_constant: constant(phase),
            dissipation_order: order(amplitude),
            dissipation_constant: constant(amplitude),
            damped_rays: rays?,
            embedded: part(counter, || EmbeddedReport::new(method, index))?,
            nonlinear: NonlinearReport::new(method, index)?,
            exact: ExactReport { function, at_infinity, phase: phase.cloned(), amplitude: amplitude.cloned() },
        })
    }

    /// Returns the exact numerator and denominator of R, constant terms first.
    #[must_use]
    pub fn function(&self) -> [&[Exact]; 2] {
        [&self.exact.function.numerator, &self.exact.function.denominator]
    }

    /// Returns the function, limits, sector, leading errors and nonlinear properties as text.
    #[must_use]
    pub fn entries(&self) -> Vec<(&'static str, String)> {
        let ExactReport { function, at_infinity, phase, amplitude } = &self.exact;
        let limit = |limit: Option<f64>| limit.map_or_else(|| "unbounded".to_owned(), describe::number);
        let numerator = describe::polynomial(&function.numerator);
        let implicit = self.denominator.is_some();
        let function = if implicit {
            format!("({numerator}) / ({})", describe::polynomial(&function.denominator))
        } else {
            numerator
        };
        let sector = match self.sector_angle {
            None if implicit => "none".to_owned(),
            None => "none (R is a polynomial)".to_owned(),
            Some(_) if self.is_l_stable => "90° (L-stable)".to_owned(),
            Some(90.0) => "90° (A-stable)".to_owned(),
            Some(angle) => format!("{}°", describe::number(angle)),
        };
        let at_infinity = at_infinity.as_ref().map_or_else(|| "unbounded".to_owned(), describe::exact);
        let mut entries = vec![
            ("R(z)", function),
            ("imaginary limit", limit(self.imaginary_limit)),
            ("real limit", limit(self.real_limit)),
            ("sector", sector),
        ];
        if implicit {
            entries.push(("|R(∞)|", at_infinity));
        }
        entries.push(("phase error", error(phase.as_ref())));
        entries.push(("dissipation", error(amplitude.as_ref())));
        entries.extend(self.embedded.as_ref().map(|embedded| ("embedded method", embedded.text(implicit))));
        entries.extend(self.nonlinear.entries());
        entries
    }
}

/// Formats the order of an error and its leading term.
fn error(leading: Option<&LeadingTerm>) -> String {
    let Some(LeadingTerm { order, constant }) = leading else { return "none".to_owned() };
    let mut term = vec![Exact::from(0); *order + 1];
    term.push(constant.clone());
    format!("order {order}: {} + …", describe::polynomial(&term).replace('z', "y"))
}

impl RayReport {
    /// Returns ζ, the limit, |R| at L/2 and 0.9 L, and the slope at L, as text with four decimals.
    #[must_use]
    pub fn row(&self) -> [String; 5] {
        let Self { damping, limit, half, nine_tenths, slope } = self;
        let limit = limit.map_or_else(|| "unbounded".to_owned(), |limit| format!("{limit:.4}"));
        // Adding zero removes the sign of a negative zero.
        let rounded = |value: f64| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
        let number = |value: &Option<f64>| value.map_or_else(|| "–".to_owned(), rounded);
        [damping.to_string(), limit, number(half), number(nine_tenths), number(slope)]
    }
}

impl From<DampedRay> for RayReport {
    fn from(ray: DampedRay) -> Self {
        let at = ray.at_limit;
        Self {
            damping: ray.damping,
            limit: finite(ray.limit),
            half: at.map(|at| at.half),
            nine_tenths: at.map(|at| at.nine_tenths),
            slope: at.map(|at| at.slope),
        }
    }
}

fn finite(limit: Limit) -> Option<f64> {
    match limit {
        Limit::Finite(value) => Some(value),
        Limit::Unbounded => None,
    }
}
