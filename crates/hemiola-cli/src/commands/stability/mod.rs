//! `hemiola stability`: stability functions, limits, sectors, damping, dispersion and the coupled profile.

mod partition;

use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::plot::{MapQuantity, MapScheme, Slice, StabilityMap, View};
use hemiola::stability::{CoupledProfile, StabilityError, coupled_profile};
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::arguments::figure::FigureArgs;
use crate::arguments::format;
use crate::arguments::number;
use crate::arguments::source;
use crate::failure::{Failure, Outcome};
use crate::output::text;
use crate::output::text::Column;
use crate::output::writer::Output;
use partition::PartitionReport;

/// Compute stability functions, limits, sector angles, damping, dispersion and, for a pair, the coupled profile
#[derive(Args)]
#[command(after_help = "\
Oscillations with damping ratio ζ lie on the ray z = t(−ζ + i√(1−ζ²)); ζ = 0 is the imaginary axis, ζ = 1 the negative real axis. \
The limit L of a ray is the first exit from |R| ≤ 1; the slope d|R|/dt at L shows the effect of a slightly larger step. The sector is \
the largest |arg(−z)| ≤ α with |R| ≤ 1. The phase error is y − arg R(iy), the dissipation 1 − |R(iy)|.

The coupled profile is the fraction of the decoupled step that is left under coupling of strength γ, in the worst case over the \
frequency ratio and the sign of the coupling.

Examples:
  hemiola stability shome-haug-jay-2-5
  hemiola stability rk4 --rays 0,0.02,0.1
  hemiola stability rk4 --output rk4.svg
  hemiola stability mprk-p3 --damping 0.1 --gammas 0.1,0.3 --json")]
pub(crate) struct Stability {
    /// Library id or method file
    method: String,

    /// The damping ratio ζ of the coupled profile
    #[arg(long, value_name = "ZETA", default_value = "0.05", value_parser = number::damping)]
    damping: f64,

    /// The coupling strengths γ of the coupled profile
    #[arg(
        long,
        value_name = "GAMMA",
        value_delimiter = ',',
        default_value = "0.01,0.05,0.1,0.2,0.4",
        value_parser = number::not_negative
    )]
    gammas: Vec<f64>,

    /// The damping ratios ζ of the rays for which limits and moduli are shown
    #[arg(long, value_name = "ZETA", value_delimiter = ',', default_value = "0,0.05,0.2,1", value_parser = number::damping_of_ray)]
    rays: Vec<f64>,

    /// Draw the regions of all partitions, with the numbers where they end on the axes
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

#[derive(Serialize)]
struct Report {
    id: String,
    partitions: Vec<PartitionReport>,
    coupled_profile: Option<ProfileReport>,
}

#[derive(Serialize)]
struct ProfileReport {
    damping: f64,
    slow_limit: f64,
    fast_limit: f64,
    gamma: Vec<f64>,
    profile: Vec<f64>,
}

impl Stability {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        let method = source::method(&self.method, library)?;
        let exact = method.exact();
        let partitions = exact
            .partitions
            .iter()
            .enumerate()
            .map(|(index, butcher)| PartitionReport::new(&method, index, butcher, &self.rays));
        let report = Report {
            id: method.id().to_owned(),
            partitions: partitions.collect::<Result<_, _>>()?,
            coupled_profile: self.profile(&method)?,
        };
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page(&method, &report, self.damping))?;
        }
        if let Some(file) = &self.output {
            self.draw(&method, file)?;
            if !self.json {
                output.wrote(&[&self.output])?;
            }
        }
        Ok(Outcome::Done)
    }

    fn draw(&self, method: &Method, file: &Path) -> Result<(), Failure> {
        let view = View { x: self.figure.xrange()?, y: self.figure.yrange()?, ..View::default() };
        let scheme = MapScheme::method(method);
        let map = StabilityMap::new(&[scheme], &[Slice::Partitions], MapQuantity::Region, view)?.with_extents()?;
        let called = [(method.id().to_owned(), method.name().to_owned())];
        self.figure.without_ranges().write("--output", file, map.drawn(), &called)
    }

    /// The coupled profile of a pair whose limits are positive and finite; other methods have none.
    fn profile(&self, method: &Method) -> Result<Option<ProfileReport>, Failure> {
        match coupled_profile(method, self.damping, &self.gammas) {
            Ok(profile) => Ok(Some(profile.into())),
            // The damping is within its range, as it was read; only limits can be out of range.
            Err(StabilityError::NotAPair { .. } | StabilityError::OutOfRange { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl From<CoupledProfile> for ProfileReport {
    fn from(profile: CoupledProfile) -> Self {
        let CoupledProfile { damping, slow_limit, fast_limit, values } = profile;
        let (gamma, profile) = values.into_iter().unzip();
        Self { damping, slow_limit, fast_limit, gamma, profile }
    }
}

fn page(method: &Method, report: &Report, damping: f64) -> String {
    let mut text = format!("{}\n", method.name());
    for partition in &report.partitions {
        text += "\n";
        text += &partition.page(report.partitions.len() > 1);
    }
    if let Some(profile) = &report.coupled_profile {
        text += &format!("\nCoupled profile: t*/t₀ at damping ζ = {}\n\n", profile.damping);
        let rows = profile.gamma.iter().zip(&profile.profile);
        let rows = rows.map(|(gamma, value)| vec![gamma.to_string(), format!("{value:.3}")]);
        text += &text::table(&[("γ", Column::Right), ("Profile", Column::Right)], rows);
        let limits =
            [("slow limit", text::number(profile.slow_limit)), ("fast limit", text::number(profile.fast_limit))];
        text += &format!("\n{}", text::entries(&limits));
    } else if report.partitions.len() == 2 {
        text += &format!("\nCoupled profile: none at damping ζ = {damping}, where a limit is zero or infinite\n");
    }
    text
}
