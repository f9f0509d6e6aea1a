//! `hemiola matrix`: the stability matrix S(Z) for a given Z.

use clap::Args;
use hemiola::multirate::{CoupledFlow, InfinitesimalMethod};
use hemiola::stability::{self, StabilityScheme, eigenvalues, stability_matrix};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, printable};
use miette::Diagnostic;
use num_complex::Complex64;
use serde::Serialize;
use thiserror::Error;

use crate::arguments::{number, source};
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::text::{self, Column, counted};
use crate::output::writer::Output;

/// Number of entries that does not match the size of Z for the method.
#[derive(Debug, Error, Diagnostic)]
#[error("--z: {} for {id}; expected {expected}, the rows of Z", counted(*.found, "number"))]
#[diagnostic(help("a method with one partition takes one number, a pair takes four: --z ZSS ZSF ZFS ZFF"))]
struct MatrixSizeError {
    id: String,
    expected: usize,
    found: usize,
}

hinted!(MatrixSizeError);

/// Compute the stability matrix S(Z), defined by q⁺ = S(Z) q, and its eigenvalues
#[derive(Args)]
#[command(after_help = "\
Complex numbers are written as 1-2i, -0.5+3i, 2i or 0.5.

Examples:
  hemiola matrix rk4 --z -1+2i
  hemiola matrix shome-haug-jay-2-5 --z -0.1+2i -i 0.02 -1
  hemiola matrix mri-gark-erk33a --z -0.1 0.02 0.5 -100")]
pub(crate) struct Matrix {
    /// Library id or method file
    method: String,

    /// Matrix Z = hΛ, row by row
    ///
    /// For a pair these are the numbers ZSS ZSF ZFS ZFF, for a method with one partition a single number. For a multirate
    /// method the fast row, the last one, is solved exactly.
    #[arg(long, required = true, num_args = 1.., value_name = "Z", value_parser = number::complex)]
    z: Vec<Complex64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    s: Vec<Vec<[f64; 2]>>,
    eigenvalues: Vec<[f64; 2]>,
    spectral_radius: f64,
}

impl Matrix {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let (names, s) = match source::multirate_method(&self.method, library)? {
            Some(method) => self.exact_flow(&method)?,
            None => self.stages(&source::method(&self.method, library)?)?,
        };
        let eigenvalues = eigenvalues(&s)?;
        let radius = eigenvalues.iter().map(|value| value.norm()).fold(0.0, f64::max);
        if self.json {
            output.json(&report(&s, &eigenvalues, radius))?;
        } else {
            output.text(&page(&names, &s, &eigenvalues, radius))?;
        }
        Ok(CommandOutcome::Done)
    }

    /// Computes S(Z) of a method, with the names of its partitions.
    fn stages(&self, method: &Method) -> Result<(Vec<String>, stability::Matrix), Failure> {
        let names: Vec<String> = method.partitions().iter().map(|partition| partition.name.clone()).collect();
        let s = stability_matrix(&method.to_f64(), &self.rows(method.id(), names.len())?)?;
        Ok((names, s))
    }

    /// Computes S(Z) of a multirate method whose fast part is solved exactly; the fast partition is the last one.
    fn exact_flow(&self, method: &InfinitesimalMethod) -> Result<(Vec<String>, stability::Matrix), Failure> {
        let flow = CoupledFlow::new(method)?;
        let mut names: Vec<String> = method.partitions().iter().map(|name| printable(name).into_owned()).collect();
        names.rotate_left(1);
        let s = flow.matrix(&self.rows(method.id(), names.len())?)?;
        Ok((names, s))
    }

    /// Returns Z, with as many rows as there are partitions.
    fn rows(&self, id: &str, partitions: usize) -> Result<stability::Matrix, Failure> {
        let (expected, found) = (partitions * partitions, self.z.len());
        if found != expected {
            return Err(MatrixSizeError { id: id.to_owned(), expected, found }.into());
        }
        Ok(self.z.chunks(partitions).map(<[Complex64]>::to_vec).collect())
    }
}

fn report(s: &stability::Matrix, eigenvalues: &[Complex64], spectral_radius: f64) -> Report {
    let parts = |values: &[Complex64]| values.iter().map(|value| [value.re, value.im]).collect::<Vec<_>>();
    Report { s: s.iter().map(|row| parts(row)).collect(), eigenvalues: parts(eigenvalues), spectral_radius }
}

fn page(names: &[String], s: &stability::Matrix, eigenvalues: &[Complex64], radius: f64) -> String {
    let header: Vec<(&str, Column)> = std::iter::once(("S(Z)", Column::Left))
        .chain(names.iter().map(|name| (name.as_str(), Column::Right)))
        .collect();
    let shown = |values: &[Complex64]| values.iter().map(|value| text::complex(*value)).collect::<Vec<_>>();
    let row =
        |(name, row): (&String, &Vec<Complex64>)| std::iter::once(name.clone()).chain(shown(row)).collect::<Vec<_>>();
    let table = text::table(&header, names.iter().zip(s).map(row));
    let summary = [("eigenvalues", shown(eigenvalues).join(", ")), ("spectral radius", text::number(radius))];
    format!("{table}\n{}", text::entries(&summary))
}
