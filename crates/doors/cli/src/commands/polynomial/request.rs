//! Problem requested on the command line: spectra by name, from files and from matrices, and consistency of options.

use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::polynomial::{Axis, Optimum, PolynomialError, Problem, Spectrum};

#[cfg(feature = "motion")]
use hemiola::stability::real_eigenvalues;
#[cfg(feature = "motion")]
use hemiola::study::stable_steps::dense_jacobian;

use crate::arguments::choice::{Choice, Choices, choice};
#[cfg(feature = "motion")]
use crate::arguments::model;
use crate::arguments::number;
use crate::arguments::number_file::{self, FileError};
use crate::arguments::usage::OptionError;
use crate::failure::{CommandError, Failure};

impl CommandError for PolynomialError {}

impl Choices for Axis {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Imaginary, "imaginary", "Undamped oscillations"),
        (Self::Real, "real", "Decay along the negative real axis"),
    ];
}

/// The options that define where |R| ≤ 1 must hold.
#[derive(Args)]
pub(crate) struct ProblemArgs {
    #[command(flatten)]
    place: SpectrumSource,

    /// Require stability on the real interval [-X, 0], too
    ///
    /// Applies to --axis imaginary.
    #[arg(long, value_name = "X", value_parser = number::real)]
    real_extent: Option<f64>,

    /// Damping η: |R| ≤ 1 − η
    ///
    /// Several numbers give a table of limits against damping.
    #[arg(long, value_name = "E", value_delimiter = ',', default_value = "0", value_parser = number::real)]
    pub(crate) damping: Vec<f64>,

    /// Fraction of the limit at which full damping begins [default: 0.5]
    ///
    /// Applies to --damping on the imaginary axis.
    #[arg(long, value_name = "F", value_parser = number::real)]
    band: Option<f64>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct SpectrumSource {
    /// Axis on which the interval with |R| ≤ 1 is maximized
    #[arg(long, value_parser = choice::<Axis>())]
    axis: Option<Axis>,

    /// Spectrum on which |R| ≤ 1 must hold: a shape, an operator or a file of eigenvalues
    ///
    /// Its scaling factor is maximized.
    #[arg(long, value_name = "SHAPE|FILE")]
    spectrum: Option<String>,

    /// Model whose Jacobian at the initial state has the eigenvalues of the spectrum
    #[arg(long, value_name = "MODEL")]
    spectrum_of: Option<String>,

    /// File with a real square matrix whose eigenvalues are the spectrum
    #[arg(long, value_name = "FILE")]
    jacobian: Option<PathBuf>,
}

/// Spectrum, with the file it comes from, if any.
pub(crate) struct Request {
    pub(crate) spectrum: Spectrum,
    file: Option<PathBuf>,
    band: Option<f64>,
}

impl ProblemArgs {
    pub(crate) fn request(&self) -> Result<Request, Failure> {
        let (spectrum, file) = self.spectrum()?;
        let on_imaginary_axis = spectrum == Spectrum::Axis(Axis::Imaginary);
        let is_damped = self.damping.iter().any(|eta| *eta > 0.0);
        if self.band.is_some() && !(on_imaginary_axis && is_damped) {
            return Err(OptionError::Contradiction {
                option: "--band",
                with: "--axis imaginary and --damping above 0",
            }
            .into());
        }
        Ok(Request { spectrum, file, band: self.band })
    }

    fn spectrum(&self) -> Result<(Spectrum, Option<PathBuf>), Failure> {
        if let Some(extent) = self.real_extent {
            if self.place.axis != Some(Axis::Imaginary) {
                return Err(OptionError::Contradiction { option: "--real-extent", with: "--axis imaginary" }.into());
            }
            return Ok((Spectrum::ImaginaryWithReal { extent }, None));
        }
        match &self.place {
            SpectrumSource { axis: Some(axis), .. } => Ok((Spectrum::Axis(*axis), None)),
            SpectrumSource { jacobian: Some(file), .. } => {
                Ok((Spectrum::Eigenvalues(number_file::matrix_eigenvalues(file)?), Some(file.clone())))
            }
            SpectrumSource { spectrum_of: Some(model), .. } => Ok((of_model(model)?, None)),
            SpectrumSource { spectrum, .. } => named(spectrum.as_deref().unwrap_or_default()),
        }
    }
}

/// Computes the eigenvalues of a model's Jacobian at its initial state.
#[cfg(feature = "motion")]
pub(crate) fn of_model(name: &str) -> Result<Spectrum, Failure> {
    let model = model::read(name)?;
    let jacobian = dense_jacobian(&model, 0.0, &model.initial)?;
    let size = jacobian.len();
    let no_convergence = || FileError::NoConvergence { file: name.into(), size };
    let values = real_eigenvalues(&jacobian).map_err(|_| no_convergence())?;
    Ok(Spectrum::Eigenvalues(values))
}

#[cfg(not(feature = "motion"))]
pub(crate) fn of_model(name: &str) -> Result<Spectrum, Failure> {
    Err(OptionError::NoModels { subject: format!("--spectrum-of {name}") }.into())
}

/// Reads a shape or a file. A text that is neither is reported as a missing file only if it does not look like a shape.
pub(crate) fn named(text: &str) -> Result<(Spectrum, Option<PathBuf>), Failure> {
    match text.parse() {
        Ok(spectrum) => Ok((spectrum, None)),
        Err(problem) if matches!(problem, PolynomialError::UnknownSpectrum { .. }) || Path::new(text).is_file() => {
            let file = Path::new(text);
            // A text that looks like a shape is treated as a shape.
            let looks_like_a_shape = || text.split_once(':').is_some_and(|(name, _)| !name.contains(['.', '/', '\\']));
            if !file.exists() && (looks_like_a_shape() || file.extension().is_none()) {
                return Err(FileError::NoSpectrum { text: text.to_owned() }.into());
            }
            Ok((Spectrum::Eigenvalues(number_file::eigenvalues(file)?), Some(file.to_owned())))
        }
        Err(problem) => Err(problem.into()),
    }
}

impl Request {
    /// Computes the optimum for one row of a table.
    pub(crate) fn solve(&self, stages: usize, order: usize, damping: f64) -> Result<Optimum, Failure> {
        let problem = Problem::new(self.spectrum.clone(), stages, order).damping(damping);
        let problem = match self.band {
            Some(fraction) if damping > 0.0 => problem.band(fraction),
            _ => problem,
        };
        problem.solve().map_err(|problem| self.failure(problem))
    }

    /// Builds the error for a problem, with the file whose eigenvalues caused it.
    fn failure(&self, problem: PolynomialError) -> Failure {
        match (&self.file, problem) {
            (
                Some(file),
                problem @ (PolynomialError::EmptySpectrum
                | PolynomialError::RightHalfPlane { .. }
                | PolynomialError::OutOfRange { .. }),
            ) => FileError::Eigenvalues { file: file.clone(), problem }.into(),
            (_, problem) => problem.into(),
        }
    }
}
