//! Target languages of exports.

use hemiola_tableau::Method;

use super::error::WriteError;
use super::languages::{c, csv, fortran, json, julia, latex, matlab, petsc, python, rust, sundials};

/// Target language or format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Butcher tableaus as LaTeX arrays.
    Latex,
    /// One row per coefficient, exact and decimal.
    Csv,
    /// Module for numpy.
    Python,
    /// Function on vectors.
    Julia,
    /// C99 without allocation.
    C,
    /// Module in free form.
    Fortran,
    /// Function file, also for Octave.
    Matlab,
    /// Butcher tables for ARKODE of SUNDIALS.
    Sundials,
    /// Call that registers two or three rates with TSMPRK of PETSc.
    Petsc,
    /// Function without dependencies or allocation.
    Rust,
    /// Table of differential-equations-rs, with one partition.
    Json,
}

/// Writes a method in a language: a step if the method is explicit and the target is a programming language, otherwise
/// tables of coefficients.
///
/// Short fractions are written as such, other numbers with 40 significant digits; LaTeX and CSV are exact.
///
/// ```
/// use hemiola_export::{Language, write};
/// let rk4 = hemiola_tableau::library::method("rk4")?;
/// assert!(write(&rk4, Language::C)?.contains("static const double a_2_1 = 1.0/2.0;"));
/// assert!(write(&rk4, Language::Petsc).is_err(), "it has one partition");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`] if the format does not support the method: PETSc supports explicit methods with two or three
/// partitions, JSON methods with one, all other formats any method.
pub fn write(method: &Method, language: Language) -> Result<String, WriteError> {
    Ok(match language {
        Language::Latex => latex::latex(method),
        Language::Csv => csv::csv(method),
        Language::Python => python::python(method),
        Language::Julia => julia::julia(method),
        Language::C => c::c(method),
        Language::Fortran => fortran::fortran(method),
        Language::Matlab => matlab::matlab(method),
        Language::Sundials => sundials::sundials(method),
        Language::Rust => rust::rust(method),
        Language::Petsc => petsc::petsc(method)?,
        Language::Json => json::json(method)?,
    })
}
