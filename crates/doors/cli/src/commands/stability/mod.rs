//! `hemiola stability`: stability functions, limits, sectors, damping, dispersion, strong stability preservation and the
//! coupled profile.

mod multirate;
mod partition;
mod profile;

use std::path::Path;

use clap::Args;
use hemiola::atlas::{PartitionReport, RegionReport};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::number::Counter;
use hemiola::plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola::stability::monotonicity::ssp_decimal;
use hemiola::stability::{StabilityError, check_profiles, coupled_profile};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, printable};
use serde::Serialize;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::MethodUseError;
use crate::arguments::{format, number, source};
use crate::commands::stability::profile::{DecoupledLimits, StrengthReport, profile_page};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::text;
use crate::output::writer::Output;

impl CommandError for StabilityError {}

/// Compute stability functions, limits, sector angles, damping, dispersion, SSP coefficients and coupled profiles
#[derive(Args)]
#[command(after_help = "\
Oscillations with damping ratio ζ lie on the ray z = t(−ζ + i√(1−ζ²)): ζ = 0 is the imaginary axis, ζ = 1 the \
negative real axis. The limit L of a ray is the first exit from |R| ≤ 1; the slope d|R|/dt at L shows the effect of a \
slightly larger step. The sector angle is the largest α with |R| ≤ 1 for all |arg(−z)| ≤ α. The phase error is y − \
arg R(iy), the dissipation 1 − |R(iy)|.

The SSP coefficient C is the radius of absolute monotonicity: h ≤ C·h₀ preserves bounds that Euler steps up to h₀ \
preserve. It is proved in exact arithmetic for the coefficients as written; decimals that agree with zero to their \
precision are zero. C per evaluation divides by the evaluations of the partition in a step. No explicit method with as \
many evaluations and the claimed order exceeds the bound beside it. The threshold factor is the same radius of the \
stability polynomial. Low storage lists forms with few registers (`hemiola show METHOD --form 2N`). For several \
partitions, Euler steps of f_r up to h_r allow h ≤ r·min h_r: r is shown for one f_r alone, with the stages of all \
partitions, and for all together. Contractivity is the same for norms of an inner product: the radius r of circle \
contractivity, for which BA + AᵀB − bbᵀ + B/r is positive semidefinite. Algebraically stable methods contract for all \
steps.

The coupled profile is the fraction of the decoupled step that remains stable under coupling of strength γ < 1. For \
z_ss = tu, z_ff = κtu and z_sf z_fs = g z_ss z_ff, it is the infimum of t*/t₀ over κ from κ*/10 to 10κ*, κ* = \
L_f/L_s, and over couplings g, where t* is the first t at which S grows and t₀ = min(L_s, L_f/κ). Three profiles are \
computed. Practical: 0 ≤ g ≤ γ², ρ(S) ≤ 1.001. Strict: the same g, ρ(S) ≤ 1. Skew: −γ² ≤ g ≤ 0, ρ(S) ≤ 1.001, \
restricted by 4|g|κ ≤ (1 − κ)² to couplings that keep the damping of the exact problem. The printed κ and g are the \
minimizers of the practical profile.

The fast part of a multirate method is solved exactly. The results are those of its slow parts alone and, for y' = \
(λ_F + λ_S) y, the limits x(α): the largest x with |R(z_F, z_S)| ≤ 1 for all z_S from −x to 0 and all z_F with \
|arg(−z_F)| ≤ α, of any size. Both bounds of x(α) under “Proved” are proved by enclosures. For z_F on the imaginary axis the growth is d|R|/d|z_S| at z_S = 0. In the coupled profile \
L_f = ∞, so that t₀ = L_s, and κ ranges from 1 to ∞.

Examples:
  hemiola stability shome-haug-jay-2-5
  hemiola stability rk4 --rays 0,0.02,0.1
  hemiola stability rk4 --output rk4.svg
  hemiola stability ssp-rk-5-4 --digits 50
  hemiola stability mri-gark-erk33a
  hemiola stability mprk-p3 --damping-ratio 0.1 --gammas 0.1,0.3 --json")]
pub(crate) struct Stability {
    /// Library id or method file
    method: String,

    /// Damping ratio ζ of the coupled profile
    #[arg(long, alias = "damping", value_name = "ZETA", default_value = "0.05", value_parser = number::damping)]
    damping_ratio: f64,

    /// Coupling strengths γ of the coupled profile
    #[arg(
        long,
        value_name = "GAMMA",
        value_delimiter = ',',
        default_value = "0.01,0.05,0.1,0.2,0.4",
        value_parser = number::strength
    )]
    gammas: Vec<f64>,

    /// Damping ratios ζ of the rays for which limits and moduli are shown
    #[arg(long, value_name = "ZETA", value_delimiter = ',', default_value = "0,0.05,0.2,1", value_parser = number::damping_of_ray)]
    rays: Vec<f64>,

    /// Number of proved digits of the SSP coefficients
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    digits: Option<u16>,

    /// Draw the stability regions of all partitions, labeled with their limits on the axes
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

#[derive(Serialize)]
struct Report {
    id: String,
    partitions: Vec<PartitionDigits>,
    /// Region of absolute monotonicity of several partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute_monotonicity: Option<RegionReport>,
    /// Region of circle contractivity of several partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    contractivity: Option<RegionReport>,
    /// Limits of both partitions along the damped ray, the units of the profile.
    decoupled: Option<DecoupledLimits>,
    coupled_profile: Option<Vec<StrengthReport>>,
    /// Profiles of pairs of partitions of methods with more than two partitions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<PairProfile>,
}

/// Results for a partition, with the SSP coefficient to the digits of `--digits`.
#[derive(Serialize)]
struct PartitionDigits {
    #[serde(flatten)]
    report: PartitionReport,
    /// The SSP coefficient as a decimal, `unbounded` where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    ssp_digits: Option<String>,
}

/// Profile of two of the partitions.
#[derive(Serialize)]
struct PairProfile {
    partitions: [String; 2],
    decoupled: DecoupledLimits,
    coupled_profile: Vec<StrengthReport>,
}

impl Stability {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        if let Some(method) = source::multirate_method(&self.method, library)? {
            if self.digits.is_some() {
                return Err(MethodUseError::NotForMultirate { option: "--digits", id: method.id().to_owned() }.into());
            }
            return self.run_multirate(&method, output);
        }
        let method = source::method(&self.method, library)?;
        check_profiles(&method, self.gammas.len())?;
        let count = method.partitions().len();
        let pairs = count * (count - 1) / 2;
        // Ctrl-C ends the program.
        let monitor = Monitor::new();
        let partitions = (0..count).map(|index| self.partition(&method, index, &monitor));
        let partitions = partitions.collect::<Result<_, _>>()?;
        let mut profiles = self.profiles(&method, &Counter::new(&monitor, "profiles", Some(pairs)))?;
        monitor.finish();
        let profile = if count == 2 { profiles.pop() } else { None };
        let (decoupled, coupled_profile) = profile.map(|pair| (pair.decoupled, pair.coupled_profile)).unzip();
        let absolute_monotonicity = (count > 1).then(|| RegionReport::monotonicity(&method)).transpose()?;
        let contractivity = (count > 1).then(|| RegionReport::contractivity(&method)).transpose()?;
        let id = method.id().to_owned();
        let report = Report {
            id,
            partitions,
            absolute_monotonicity,
            contractivity,
            decoupled,
            coupled_profile,
            pairs: profiles,
        };
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page(&method, &report, self.damping_ratio))?;
        }
        if let Some(file) = &self.output {
            self.draw(&method, (method.id(), method.name()), file)?;
            if !self.json {
                output.wrote(&[&self.output])?;
            }
        }
        Ok(CommandOutcome::Done)
    }

    fn partition(&self, method: &Method, index: usize, monitor: &Monitor) -> Result<PartitionDigits, StabilityError> {
        let report = PartitionReport::new(method, index, &self.rays, monitor)?;
        let digits = self.digits.map(|digits| ssp_decimal(method, index, usize::from(digits), monitor));
        let text = |decimal: Option<_>| decimal.map_or_else(|| "unbounded".to_owned(), |value| format!("{value}"));
        Ok(PartitionDigits { report, ssp_digits: digits.transpose()?.map(text) })
    }

    /// Runs the command for a multirate method; figures show only its slow part.
    fn run_multirate(&self, method: &InfinitesimalMethod, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let slow = method.slow_method()?;
        // Ctrl-C ends the program.
        let monitor = Monitor::new();
        let report = multirate::report(method, &slow, self.damping_ratio, &self.gammas, &self.rays, &monitor)?;
        monitor.finish();
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&multirate::page(method, &report, self.damping_ratio))?;
        }
        if let Some(file) = &self.output {
            self.draw(&slow, (method.id(), method.name()), file)?;
            if !self.json {
                output.wrote(&[&self.output])?;
            }
        }
        Ok(CommandOutcome::Done)
    }

    /// Draws the regions of a method, which the user calls by this id and name.
    fn draw(&self, method: &Method, called: (&str, &str), file: &Path) -> Result<(), Failure> {
        let view = View { x: self.figure.xrange()?, y: self.figure.yrange()?, ..View::default() };
        let scheme = MapScheme::method(method);
        let map = StabilityMap::new(&[scheme], &[Slice::Partitions], MapQuantity::Region, view)?.with_extents()?;
        let called = [(called.0.to_owned(), called.1.to_owned())];
        self.figure.without_ranges().write("--output", file, map.sample(&())?.figure(), &called)
    }

    /// Computes the coupled profiles of all pairs of partitions with positive and finite limits; others have none.
    fn profiles(&self, method: &Method, counter: &Counter<'_>) -> Result<Vec<PairProfile>, Failure> {
        let count = method.partitions().len();
        let pairs = (0..count).flat_map(|slow| (slow + 1..count).map(move |fast| [slow, fast]));
        let mut profiles = Vec::new();
        for pair in pairs.filter_map(|pair| method.pair(pair)) {
            match coupled_profile(&pair, self.damping_ratio, &self.gammas) {
                Ok(profile) => profiles.push(PairProfile {
                    partitions: [0, 1].map(|part| pair.partitions()[part].name.clone()),
                    decoupled: DecoupledLimits::of(&profile),
                    coupled_profile: profile.values.into_iter().map(StrengthReport::from).collect(),
                }),
                // Damping and strengths are already validated; only limits can be out of range.
                Err(StabilityError::OutOfRange { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let _ = counter.advance(1);
        }
        Ok(profiles)
    }
}

fn page(method: &Method, report: &Report, damping: f64) -> String {
    let mut text = format!("{}\n", printable(method.name()));
    for partition in &report.partitions {
        text += "\n";
        text += &partition::page(&partition.report, partition.ssp_digits.as_deref(), report.partitions.len() > 1);
    }
    if let Some(region) = &report.absolute_monotonicity {
        text += &region_page("Absolute monotonicity", method, region);
    }
    if let Some(region) = &report.contractivity {
        text += &region_page("Contractivity", method, region);
    }
    if let Some((decoupled, profile)) = report.decoupled.as_ref().zip(report.coupled_profile.as_ref()) {
        text += &profile_page("Coupled profile", decoupled, profile);
    } else if report.partitions.len() == 2 {
        text += &format!("\nCoupled profile: none at damping ζ = {damping}, where a limit is zero or infinite\n");
    }
    for PairProfile { partitions: [slow, fast], decoupled, coupled_profile } in &report.pairs {
        text += &profile_page(&format!("Coupled profile of {slow} and {fast}"), decoupled, coupled_profile);
    }
    text
}

/// Formats the radii of a region of all partitions.
fn region_page(title: &str, method: &Method, region: &RegionReport) -> String {
    let radius = |radius: Option<f64>| radius.map_or_else(|| "unbounded".to_owned(), text::number);
    let names = method.partitions().iter().map(|partition| format!("{} alone", printable(&partition.name)));
    let axes: Vec<(String, String)> = names.zip(region.axes.iter().map(|axis| radius(*axis))).collect();
    let mut entries: Vec<(&str, String)> = axes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    entries.push(("all together", radius(region.diagonal)));
    format!("\n{title} on the shared stages: largest r\n\n{}", text::entries(&entries))
}
