//! `hemiola stability`: stability functions, limits and the coupled profile.

use clap::Args;
use hemiola::stability::{CoupledProfile, Limit, StabilityError, StabilityFunction, coupled_profile, stability_limit};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Exact, Method};
use num_complex::Complex64;
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::number;
use crate::output::Output;
use crate::text::{self, Column};

/// Compute stability functions, limits along the axes and, for a pair, the coupled profile
#[derive(Args)]
#[command(after_help = "\
The coupled profile is the part of the decoupled step that coupling of strength γ leaves, in the worst case over the \
ratio of the frequencies and the sign of the coupling.

Examples:
  hemiola stability shome-haug-jay-2-5
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

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    id: String,
    partitions: Vec<PartitionReport>,
    coupled_profile: Option<ProfileReport>,
}

#[derive(Serialize)]
struct PartitionReport {
    name: String,
    polynomial: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denominator: Option<Vec<f64>>,
    /// `None`, in JSON `null`, where it is unbounded.
    imaginary_limit: Option<f64>,
    real_limit: Option<f64>,
    #[serde(skip)]
    function: StabilityFunction<Exact>,
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
        let method = library.load(&self.method)?;
        let exact = method.exact();
        let functions = exact.partitions.iter().map(StabilityFunction::exact).enumerate();
        let partitions = functions.map(|(index, function)| PartitionReport::new(&method, index, function));
        let report = Report {
            id: method.id().to_owned(),
            partitions: partitions.collect::<Result<_, _>>()?,
            coupled_profile: self.profile(&method)?,
        };
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page(&method, &report))?;
        }
        Ok(Outcome::Done)
    }

    /// The coupled profile of a pair whose limits are positive and finite; others have none.
    fn profile(&self, method: &Method) -> Result<Option<ProfileReport>, Failure> {
        match coupled_profile(method, self.damping, &self.gammas) {
            Ok(profile) => Ok(Some(profile.into())),
            // The damping has been read within its range: what is out of range is a limit.
            Err(StabilityError::NotAPair { .. } | StabilityError::OutOfRange { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl PartitionReport {
    fn new(method: &Method, index: usize, function: StabilityFunction<Exact>) -> Result<Self, StabilityError> {
        let limit = |direction| {
            stability_limit(method, index, direction).map(|limit| match limit {
                Limit::Finite(value) => Some(value),
                Limit::Unbounded => None,
            })
        };
        let doubles = |coefficients: &[Exact]| coefficients.iter().map(Exact::to_f64).collect::<Vec<f64>>();
        Ok(Self {
            name: method.partitions()[index].name.clone(),
            polynomial: doubles(&function.numerator),
            denominator: (function.denominator.len() > 1).then(|| doubles(&function.denominator)),
            imaginary_limit: limit(Complex64::I)?,
            real_limit: limit(-Complex64::ONE)?,
            function,
        })
    }

    fn entries(&self, several: bool) -> Vec<(&'static str, String)> {
        let limit = |limit: Option<f64>| limit.map_or_else(|| "unbounded".to_owned(), text::number);
        let numerator = text::polynomial(&self.function.numerator);
        let function = match &self.denominator {
            None => numerator,
            Some(_) => format!("({numerator}) / ({})", text::polynomial(&self.function.denominator)),
        };
        let mut entries = vec![
            ("R(z)", function),
            ("imaginary limit", limit(self.imaginary_limit)),
            ("real limit", limit(self.real_limit)),
        ];
        if several {
            entries.insert(0, ("partition", self.name.clone()));
        }
        entries
    }
}

impl From<CoupledProfile> for ProfileReport {
    fn from(profile: CoupledProfile) -> Self {
        let CoupledProfile { damping, slow_limit, fast_limit, values } = profile;
        let (gamma, profile) = values.into_iter().unzip();
        Self { damping, slow_limit, fast_limit, gamma, profile }
    }
}

fn page(method: &Method, report: &Report) -> String {
    let mut text = format!("{}\n", method.name());
    for partition in &report.partitions {
        text += "\n";
        text += &text::entries(&partition.entries(report.partitions.len() > 1));
    }
    if let Some(profile) = &report.coupled_profile {
        text += &format!("\nCoupled profile: t*/t₀ at damping ζ = {}\n\n", profile.damping);
        let rows = profile.gamma.iter().zip(&profile.profile);
        let rows = rows.map(|(gamma, value)| vec![gamma.to_string(), format!("{value:.3}")]);
        text += &text::table(&[("γ", Column::Right), ("Profile", Column::Right)], rows);
        let limits =
            [("slow limit", text::number(profile.slow_limit)), ("fast limit", text::number(profile.fast_limit))];
        text += &format!("\n{}", text::entries(&limits));
    }
    text
}
