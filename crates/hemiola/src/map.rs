//! `hemiola map`: stability regions as a figure, and as numbers.

use std::path::PathBuf;

use clap::Args;
use hemiola::figures::{Slice, StabilityMap, View};
use hemiola::stability::StabilityError;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::data::DataFormat;
use crate::failure::{Failure, Outcome};
use crate::number;
use crate::output::{Output, write};

/// Draw the stability region of a method
#[derive(Args)]
#[command(after_help = "\
Slices:
  partitions              |R(z)| = 1 for every partition by itself
  coupled:kappa=5,g=0.04  ρ(S) = 1 for a pair with z_ss = ξ, z_ff = κξ, z_sf z_fs = g z_ss z_ff

Examples:
  hemiola map shome-haug-jay-2-5 --output regions.svg
  hemiola map mprk-p3 --slice coupled:kappa=2,g=0.04 --output coupled.svg --data coupled.npy
  hemiola map gauss-2 --xrange -10 10 --yrange -10 10 --output gauss.svg")]
pub(crate) struct Map {
    /// Library id or method file
    method: String,

    /// The figure to write, an SVG file
    #[arg(long, value_name = "F.svg")]
    output: PathBuf,

    /// What to draw
    #[arg(long, value_name = "SLICE", default_value_t = Slice::Partitions)]
    slice: Slice,

    /// The number of grid cells across
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(2..=4000))]
    points: u16,

    /// Write the values on the grid too: |R| of each partition, or ρ(S)
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
    slice: String,
    output: String,
    data: Option<String>,
    x: (f64, f64),
    y: (f64, f64),
    /// The shape of the data, and what its first axis or its only values stand for.
    shape: Vec<usize>,
    values: Vec<&'a str>,
}

impl Map {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        if self.output.extension().is_none_or(|ending| ending != "svg") {
            return Err(Failure::WrongEnding { option: "--output", file: self.output.clone(), expected: ".svg" });
        }
        let data = self.data.as_deref().map(|file| DataFormat::of(file).map(|format| (file, format))).transpose()?;
        let method = library.load(&self.method)?;
        let map = self.map(&method)?;
        let svg = map.to_svg()?;
        write(&self.output, svg.as_bytes())?;
        if let Some((file, format)) = data {
            write(file, &format.contents(&map))?;
        }
        self.announce(&method, &map, output)?;
        Ok(Outcome::Done)
    }

    fn map(&self, method: &Method) -> Result<StabilityMap, Failure> {
        let range = |option: &'static str, range: &Option<Vec<f64>>| match range.as_deref() {
            None => Ok(None),
            Some(&[from, to]) if from < to => Ok(Some((from, to))),
            Some(ends) => Err(Failure::EmptyRange { option, ends: ends.to_vec() }),
        };
        let view = View {
            cells: usize::from(self.points),
            x: range("--xrange", &self.xrange)?,
            y: range("--yrange", &self.yrange)?,
        };
        StabilityMap::new(method, self.slice, view).map_err(|problem| match problem {
            StabilityError::NotAPair { found } => Failure::NotAPair { id: method.id().to_owned(), partitions: found },
            _ => problem.into(),
        })
    }

    fn announce(&self, method: &Method, map: &StabilityMap, output: &mut Output) -> Result<(), Failure> {
        if self.json {
            return output.json(&Report {
                id: method.id(),
                slice: self.slice.to_string(),
                output: self.output.display().to_string(),
                data: self.data.as_ref().map(|file| file.display().to_string()),
                x: map.window().x,
                y: map.window().y,
                shape: map.shape(),
                values: map.names(),
            });
        }
        for file in [Some(&self.output), self.data.as_ref()].into_iter().flatten() {
            output.line(&format!("wrote {}", file.display()))?;
        }
        Ok(())
    }
}
