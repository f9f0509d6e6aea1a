//! Stability of multirate methods with the fast part solved exactly.

use hemiola::atlas::{PartitionReport, wording};
use hemiola::multirate::{
    InfinitesimalMethod, MultirateError, Resonance, SectorLimit, SectorProof, flow_profile, sector_limit,
};
use hemiola::number::Progress;
use hemiola::stability::{StabilityError, stability_limit};
use hemiola::tableau::{Method, printable};
use num_complex::Complex64;
use serde::Serialize;

use crate::commands::stability::partition;
use crate::commands::stability::profile::{DecoupledLimits, StrengthReport, profile_page};
use crate::failure::Failure;
use crate::output::text::{self, Column};

/// Half-angles of the sectors, in degrees.
const ANGLES: [f64; 2] = [45.0, 80.0];

/// Results for a method.
#[derive(Serialize)]
pub(super) struct Report {
    id: String,
    /// The slow partitions by themselves.
    partitions: Vec<PartitionReport>,
    additive: Vec<AdditiveReport>,
    decoupled: Option<DecoupledLimits>,
    coupled_profile: Option<Vec<StrengthReport>>,
}

/// Results for the additive test equation with one of the slow partitions.
#[derive(Serialize)]
struct AdditiveReport {
    partition: String,
    /// The limit of the slow part by itself on the negative real axis; null if it is unbounded.
    slow_alone: Option<f64>,
    sectors: Vec<SectorReport>,
    undamped: UndampedReport,
    #[serde(skip)]
    resonance: Resonance,
}

#[derive(Serialize)]
struct SectorReport {
    angle: f64,
    /// The limit x; null if there is none up to 10⁶.
    limit: Option<f64>,
    beyond: Option<WitnessReport>,
    /// A proved lower bound of the limit. The point beyond the limit, if it is proved, is an upper bound.
    proved_lower: Option<f64>,
    /// The reason why there is no lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_proved: Option<String>,
}

/// A point just beyond the limit.
#[derive(Serialize)]
struct WitnessReport {
    /// z_F; null at infinity.
    fast: Option<[f64; 2]>,
    slow: f64,
    modulus: f64,
    proved: bool,
}

/// Growth at imaginary z_F; null in JSON if the fast part by itself is unstable.
#[derive(Serialize)]
struct UndampedReport {
    growth: f64,
    /// A bound of the growth for all imaginary z_F; null if there is none.
    growth_bound: f64,
    frequency: f64,
    /// The largest |R| of the fast part by itself, and a bound for all imaginary z_F.
    fast_modulus: f64,
    fast_bound: f64,
    proved: bool,
    practical_limit: Option<f64>,
    /// A proved lower bound of the practical limit.
    practical_lower: Option<f64>,
}

impl From<Resonance> for UndampedReport {
    fn from(resonance: Resonance) -> Self {
        let Resonance { growth, growth_bound, frequency, fast_modulus, fast_bound, .. } = resonance;
        let Resonance { is_proved: proved, practical_limit, practical_lower, .. } = resonance;
        Self { growth, growth_bound, frequency, fast_modulus, fast_bound, proved, practical_limit, practical_lower }
    }
}

/// Computes all results; `slow` is the slow part alone.
pub(super) fn report(
    method: &InfinitesimalMethod,
    slow: &Method,
    damping: f64,
    gammas: &[f64],
    rays: &[f64],
    progress: &dyn Progress,
) -> Result<Report, Failure> {
    let count = slow.partitions().len();
    let partitions = (0..count).map(|index| PartitionReport::new(slow, index, rays, progress));
    let partitions = partitions.collect::<Result<_, _>>()?;
    let additive = (0..count).map(|index| additive(method, slow, index, progress)).collect::<Result<_, Failure>>()?;
    let profile = match flow_profile(method, damping, gammas) {
        Ok(profile) => Some(profile),
        // Several slow partitions, or a slow limit that is zero or infinite.
        Err(MultirateError::Stability(StabilityError::NotAPair { .. } | StabilityError::OutOfRange { .. })) => None,
        Err(error) => return Err(error.into()),
    };
    let decoupled = profile.as_ref().map(DecoupledLimits::of);
    let coupled_profile = profile.map(|profile| profile.values.into_iter().map(StrengthReport::from).collect());
    Ok(Report { id: method.id().to_owned(), partitions, additive, decoupled, coupled_profile })
}

fn additive(
    method: &InfinitesimalMethod,
    alone: &Method,
    slow: usize,
    progress: &dyn Progress,
) -> Result<AdditiveReport, Failure> {
    let limit = stability_limit(alone, slow, Complex64::new(-1.0, 0.0))?.value();
    let sector = |angle: &f64| {
        let found = sector_limit(method, slow, *angle)?;
        let proof = SectorProof::new(method, slow, &found, progress)?;
        Ok::<_, Failure>(SectorReport::new(found, &proof))
    };
    let resonance = Resonance::new(method, slow)?;
    Ok(AdditiveReport {
        partition: printable(&method.partitions()[slow + 1]).into_owned(),
        slow_alone: Some(limit).filter(|limit| limit.is_finite()),
        sectors: ANGLES.iter().map(sector).collect::<Result<_, _>>()?,
        undamped: resonance.into(),
        resonance,
    })
}

impl SectorReport {
    fn new(found: SectorLimit, proof: &SectorProof) -> Self {
        let beyond = found.witness.map(|witness| WitnessReport {
            fast: witness.fast.map(|fast| [fast.re, fast.im]),
            slow: witness.slow,
            modulus: witness.modulus,
            proved: witness.is_proved,
        });
        let not_proved = proof.obstacle.map(|obstacle| obstacle.to_string());
        Self { angle: found.angle, limit: found.limit, beyond, proved_lower: proof.lower, not_proved }
    }

    /// Returns the proved bounds of the limit, rounded outward.
    fn enclosure(&self) -> String {
        const UNIT: f64 = 1e-6;
        let upper = self.beyond.as_ref().filter(|beyond| beyond.proved).map(|beyond| -beyond.slow);
        let [lower, upper] = [
            self.proved_lower.map(|lower| format!("≥ {:.6}", (lower / UNIT).floor() * UNIT)),
            upper.map(|upper| format!("≤ {:.6}", (upper / UNIT).ceil() * UNIT)),
        ];
        lower.into_iter().chain(upper).collect::<Vec<_>>().join(", ")
    }
}

/// Formats all results.
pub(super) fn page(method: &InfinitesimalMethod, report: &Report, damping: f64) -> String {
    let mut page = format!("{}\n\nThe fast part is solved exactly.\n", printable(method.name()));
    for (slow, additive) in report.partitions.iter().zip(&report.additive) {
        page += &format!("\nSlow part alone\n\n{}", partition::page(slow, None, report.partitions.len() > 1));
        page += &additive_page(additive);
    }
    match report.decoupled.as_ref().zip(report.coupled_profile.as_ref()) {
        Some((decoupled, profile)) => page += &profile_page("Coupled profile, t₀ = L_s", decoupled, profile),
        None if report.partitions.len() == 1 => {
            page += &format!(
                "\nCoupled profile: none at damping ζ = {damping}, where the slow limit is zero or infinite\n"
            );
        }
        None => page += "\nCoupled profile: none for several slow partitions\n",
    }
    page
}

/// Formats the limits of the additive test equation, with the points at which stability ends.
fn additive_page(report: &AdditiveReport) -> String {
    let columns = [
        ("α", Column::Right),
        ("Limit x(α)", Column::Right),
        ("Proved", Column::Left),
        ("|R| beyond", Column::Right),
        ("at z_F", Column::Right),
    ];
    let row = |sector: &SectorReport| {
        let beyond = sector.beyond.as_ref();
        let modulus = beyond.map(|beyond| format!("1 + {:.1e}", beyond.modulus - 1.0));
        let fast = beyond.map(|beyond| match beyond.fast {
            Some([re, im]) => text::complex(Complex64::new(re, im)),
            None => "∞".to_owned(),
        });
        let limit = sector.limit.map_or_else(|| "none up to 1e6".to_owned(), |limit| format!("{limit:.6}"));
        let (modulus, fast) = (modulus.unwrap_or_default(), fast.unwrap_or_default());
        vec![format!("{}°", sector.angle), limit, sector.enclosure(), modulus, fast]
    };
    let table = text::table(&columns, report.sectors.iter().map(row));
    let mut entries = wording::undamped(&report.resonance).to_vec();
    entries.extend(weakness(report).map(|weakness| ("weakness", weakness)));
    let open = report.sectors.iter().filter_map(|sector| {
        sector.not_proved.as_ref().map(|reason| format!("no lower bound at {}°: {reason}", sector.angle))
    });
    entries.extend(open.map(|open| ("not proved", open)));
    format!("\nAll fast eigenvalues in the sector |arg(−z_F)| ≤ α\n\n{table}\n{}", text::entries(&entries))
}

/// Returns a sentence about a slow part that is stable for all step sizes by itself, but not together with a damped fast part.
fn weakness(report: &AdditiveReport) -> Option<String> {
    let limits = report.sectors.iter().filter_map(|sector| sector.limit);
    let least = limits.min_by(f64::total_cmp).filter(|_| report.slow_alone.is_none())?;
    Some(format!("alone the slow part is stable at every z_S ≤ 0, beside damped fast parts only to z_S = −{least:.2}"))
}
