//! `hemiola map`: stability regions as a figure, and as numbers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hemiola::figures::{CouplingMap, Slice, StabilityMap, View};
use hemiola::stability::StabilityError;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::data::{DataFormat, Samples};
use crate::failure::{Failure, Outcome};
use crate::number;
use crate::output::{Output, write};

/// The frequency ratios and the coupling of the preset, unless others are asked for.
const ALPHA: [f64; 3] = [1.0, 5.0, 10.0];
const BETA: [f64; 1] = [0.2];
/// The method of the preset: that of the paper.
const RK4: &str = "rk4";

/// A figure as in a publication.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Preset {
    /// The singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013) beside METHOD (rk4), a panel for each α
    Gil,
}

/// Draw the stability region of a method
#[derive(Args)]
#[command(after_help = "\
Slices:
  partitions              |R(z)| = 1 for every partition by itself
  coupled:kappa=5,g=0.04  ρ(S) = 1 for a pair with z_ss = ξ, z_ff = κξ, z_sf z_fs = g z_ss z_ff
  gil:alpha=5,beta=0.2    the same in the parameters of Gil et al. (2013): κ = α, g = β²

Examples:
  hemiola map shome-haug-jay-2-5 --output regions.svg
  hemiola map mprk-p3 --slice coupled:kappa=2,g=0.04 --output coupled.svg --data coupled.npy
  hemiola map mprk-p3 --slice gil:alpha=2,beta=0.2 --output gil.svg
  hemiola map --preset gil --alpha 1,5,10 --beta 0.2 --output presets.svg
  hemiola map gauss-2 --xrange -10 10 --yrange -10 10 --output gauss.svg")]
pub(crate) struct Map {
    /// Library id or method file
    #[arg(required_unless_present = "preset")]
    method: Option<String>,

    /// The figure to write, an SVG file
    #[arg(long, value_name = "F.svg")]
    output: PathBuf,

    /// What to draw
    #[arg(long, value_name = "SLICE", default_value_t = Slice::Partitions)]
    slice: Slice,

    /// Draw a figure of a publication instead; a plain METHOD is the scheme's own on the slow manifold too
    #[arg(long, conflicts_with = "slice")]
    preset: Option<Preset>,

    /// The preset's frequency ratios, a panel for each [default: 1,5,10]
    #[arg(long, value_name = "A,…", requires = "preset", value_delimiter = ',', value_parser = number::real)]
    alpha: Vec<f64>,

    /// The preset's strengths of coupling, a boundary for each [default: 0.2]
    #[arg(long, value_name = "B,…", requires = "preset", value_delimiter = ',', value_parser = number::real)]
    beta: Vec<f64>,

    /// The number of grid cells across
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(2..=4000))]
    points: u16,

    /// Write the values on the grid too: |R| of each partition, ρ(S), or ρ(M) of the preset's scheme for each α and β
    #[arg(long, value_name = "F.npy|F.csv")]
    data: Option<PathBuf>,

    /// The horizontal range
    #[arg(long, num_args = 2, value_names = ["A", "B"], value_parser = number::real)]
    xrange: Option<Vec<f64>>,

    /// The vertical range
    #[arg(long, num_args = 2, value_names = ["A", "B"], value_parser = number::real)]
    yrange: Option<Vec<f64>>,

    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    id: &'a str,
    #[serde(flatten)]
    subject: Subject<'a>,
    output: String,
    data: Option<String>,
    x: (f64, f64),
    y: (f64, f64),
    /// The shape of the data, and what its first axes or its only values stand for.
    shape: &'a [usize],
    values: &'a [&'a str],
}

/// What is drawn.
#[derive(Serialize)]
#[serde(untagged)]
enum Subject<'a> {
    Slice { slice: String },
    Preset { preset: Preset, alpha: &'a [f64], beta: &'a [f64] },
}

impl Map {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        if self.output.extension().is_none_or(|ending| ending != "svg") {
            return Err(Failure::WrongEnding { option: "--output", file: self.output.clone(), expected: ".svg" });
        }
        if let Some(file) = &self.data {
            DataFormat::of(file)?;
        }
        let method = library.load(self.method.as_deref().unwrap_or(RK4))?;
        match self.preset {
            Some(preset) => self.draw_preset(preset, &method, output)?,
            None => self.draw_slice(&method, output)?,
        }
        Ok(Outcome::Done)
    }

    fn draw_slice(&self, method: &Method, output: &mut Output) -> Result<(), Failure> {
        let map = StabilityMap::new(method, self.slice, self.view()?).map_err(|problem| refused(method, problem))?;
        let values = || map.samples();
        let samples = Samples { window: map.window(), shape: map.shape(), names: map.names(), values: &values };
        self.write(&map.to_svg()?, &samples)?;
        self.announce(method, Subject::Slice { slice: self.slice.to_string() }, &samples, output)
    }

    fn draw_preset(&self, preset: Preset, method: &Method, output: &mut Output) -> Result<(), Failure> {
        let alpha = if self.alpha.is_empty() { &ALPHA[..] } else { &self.alpha };
        let beta = if self.beta.is_empty() { &BETA[..] } else { &self.beta };
        let map = CouplingMap::new(method, alpha, beta, self.view()?).map_err(|problem| refused(method, problem))?;
        let values = || map.samples();
        let samples = Samples { window: map.window(), shape: map.shape(), names: map.names(), values: &values };
        self.write(&map.to_svg()?, &samples)?;
        self.announce(method, Subject::Preset { preset, alpha, beta }, &samples, output)
    }

    fn view(&self) -> Result<View, Failure> {
        let range = |option: &'static str, range: &Option<Vec<f64>>| match range.as_deref() {
            None => Ok(None),
            Some(&[from, to]) if from < to => Ok(Some((from, to))),
            Some(ends) => Err(Failure::EmptyRange { option, ends: ends.to_vec() }),
        };
        Ok(View {
            cells: usize::from(self.points),
            x: range("--xrange", &self.xrange)?,
            y: range("--yrange", &self.yrange)?,
        })
    }

    fn write(&self, svg: &str, samples: &Samples<'_>) -> Result<(), Failure> {
        write(&self.output, svg.as_bytes())?;
        match &self.data {
            Some(file) => write(file, &DataFormat::of(file)?.contents(samples)),
            None => Ok(()),
        }
    }

    fn announce(
        &self,
        method: &Method,
        subject: Subject<'_>,
        samples: &Samples<'_>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if self.json {
            return output.json(&Report {
                id: method.id(),
                subject,
                output: self.output.display().to_string(),
                data: self.data.as_ref().map(|file| file.display().to_string()),
                x: samples.window.x,
                y: samples.window.y,
                shape: &samples.shape,
                values: &samples.names,
            });
        }
        for file in [Some(&self.output), self.data.as_ref()].into_iter().flatten() {
            output.line(&format!("wrote {}", file.display()))?;
        }
        Ok(())
    }
}

fn refused(method: &Method, problem: StabilityError) -> Failure {
    match problem {
        StabilityError::NotAPair { found } => Failure::NotAPair { id: method.id().to_owned(), partitions: found },
        _ => problem.into(),
    }
}
