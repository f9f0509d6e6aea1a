//! Results for each partition alone.

use hemiola::stability::{DampedRay, Dispersion, ExactStability, Leading, Limit, StabilityError, StabilityFunction};
use hemiola::tableau::{Butcher, Exact, Method};
use num_complex::Complex64;
use serde::Serialize;

use crate::output::text;
use crate::output::text::Column;

#[derive(Serialize)]
pub(crate) struct PartitionReport {
    name: String,
    polynomial: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denominator: Option<Vec<f64>>,
    /// `None`, in JSON `null`, where it is unbounded.
    imaginary_limit: Option<f64>,
    real_limit: Option<f64>,
    /// In degrees; `None` if there is no sector.
    sector_angle: Option<f64>,
    /// |R(∞)|; `None` if it is infinite.
    at_infinity: Option<f64>,
    /// `None` if there is no such error.
    dispersion_order: Option<usize>,
    dispersion_constant: Option<f64>,
    dissipation_order: Option<usize>,
    dissipation_constant: Option<f64>,
    damped_rays: Vec<RayReport>,
    #[serde(skip)]
    exact: ExactReport,
}

/// |R| along a ray; all fields but the damping are `None` if the limit is unbounded.
#[derive(Serialize)]
struct RayReport {
    damping: f64,
    limit: Option<f64>,
    /// |R| at L/2 and at 0.9 L.
    half: Option<f64>,
    nine_tenths: Option<f64>,
    slope: Option<f64>,
}

/// Results shown as fractions.
struct ExactReport {
    function: StabilityFunction<Exact>,
    at_infinity: Option<Exact>,
    phase: Option<Leading>,
    amplitude: Option<Leading>,
}

impl PartitionReport {
    pub(crate) fn new(
        method: &Method,
        index: usize,
        butcher: &Butcher<Exact>,
        rays: &[f64],
    ) -> Result<Self, StabilityError> {
        let stability = ExactStability::new(method, index)?;
        let limit = |direction| stability.limit(direction).map(finite);
        let function = StabilityFunction::exact(butcher);
        let doubles = |coefficients: &[Exact]| coefficients.iter().map(Exact::to_f64).collect::<Vec<f64>>();
        let at_infinity = stability.modulus_at_infinity();
        let dispersion = Dispersion::new(method, index)?;
        let [phase, amplitude] = [dispersion.phase(), dispersion.amplitude()];
        let order = |leading: Option<&Leading>| leading.map(|leading| leading.order);
        let constant = |leading: Option<&Leading>| leading.map(|leading| leading.constant.to_f64());
        let rays = rays.iter().map(|&damping| stability.damped_ray(damping).map(RayReport::from));
        Ok(Self {
            name: method.partitions()[index].name.clone(),
            polynomial: doubles(&function.numerator),
            denominator: (function.denominator.len() > 1).then(|| doubles(&function.denominator)),
            imaginary_limit: limit(Complex64::I)?,
            real_limit: limit(-Complex64::ONE)?,
            sector_angle: stability.sector_angle()?,
            at_infinity: at_infinity.as_ref().map(Exact::to_f64),
            dispersion_order: order(phase),
            dispersion_constant: constant(phase),
            dissipation_order: order(amplitude),
            dissipation_constant: constant(amplitude),
            damped_rays: rays.collect::<Result<_, _>>()?,
            exact: ExactReport { function, at_infinity, phase: phase.cloned(), amplitude: amplitude.cloned() },
        })
    }

    /// The page for this partition, with its name if there are several.
    pub(crate) fn page(&self, several: bool) -> String {
        let mut entries = self.entries();
        if several {
            entries.insert(0, ("partition", self.name.clone()));
        }
        let columns = [
            ("ζ", Column::Right),
            ("Limit L", Column::Right),
            ("|R| at L/2", Column::Right),
            ("at 0.9 L", Column::Right),
            ("d|R|/dt at L", Column::Right),
        ];
        // A-stable methods have no limits.
        let rays = if self.damped_rays.iter().all(|ray| ray.limit.is_none()) {
            String::new()
        } else {
            format!("\n{}", text::table(&columns, self.damped_rays.iter().map(RayReport::row)))
        };
        text::entries(&entries) + &rays
    }

    fn entries(&self) -> Vec<(&'static str, String)> {
        let ExactReport { function, at_infinity, phase, amplitude } = &self.exact;
        let limit = |limit: Option<f64>| limit.map_or_else(|| "unbounded".to_owned(), text::number);
        let numerator = text::polynomial(&function.numerator);
        let implicit = self.denominator.is_some();
        let function =
            if implicit { format!("({numerator}) / ({})", text::polynomial(&function.denominator)) } else { numerator };
        let sector = match self.sector_angle {
            None if implicit => "none".to_owned(),
            None => "none (R is a polynomial)".to_owned(),
            Some(90.0) if self.at_infinity == Some(0.0) => "90° (L-stable)".to_owned(),
            Some(90.0) => "90° (A-stable)".to_owned(),
            Some(angle) => format!("{}°", text::number(angle)),
        };
        let at_infinity = at_infinity.as_ref().map_or_else(|| "unbounded".to_owned(), text::exact);
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
        entries
    }
}

/// The order of an error and its leading term.
fn error(leading: Option<&Leading>) -> String {
    let Some(Leading { order, constant }) = leading else { return "none".to_owned() };
    let mut term = vec![Exact::from(0); *order + 1];
    term.push(constant.clone());
    format!("order {order}: {} + …", text::polynomial(&term).replace('z', "y"))
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

impl RayReport {
    fn row(&self) -> Vec<String> {
        let Self { damping, limit, half, nine_tenths, slope } = self;
        let limit = limit.map_or_else(|| "unbounded".to_owned(), |limit| format!("{limit:.4}"));
        // Adding zero removes the sign of a negative zero.
        let rounded = |value: f64| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
        let number = |value: &Option<f64>| value.map_or_else(|| "–".to_owned(), rounded);
        vec![damping.to_string(), limit, number(half), number(nine_tenths), number(slope)]
    }
}

fn finite(limit: Limit) -> Option<f64> {
    match limit {
        Limit::Finite(value) => Some(value),
        Limit::Unbounded => None,
    }
}
