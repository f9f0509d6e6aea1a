//! Multirate infinitesimal methods in other languages: `sundials` writes coupling tables of MRIStep, `julia` tables of
//! OrdinaryDiffEq.jl, `json` those of differential-equations-rs, `latex` tables as in papers, `micro_steps` those of
//! methods with micro-steps. `rows` contains shared functions, `gark` the arrays of stages that continue the previous
//! one.

mod gark;
mod json;
mod julia;
mod latex;
mod micro_steps;
mod rows;
mod sundials;

use hemiola_multirate::InfinitesimalMethod;

use super::error::WriteError;
use super::language::Language;

pub use latex::multirate_latex;
pub use micro_steps::micro_steps_latex;

/// Writes a multirate method in a language.
///
/// ```
/// use hemiola_export::{Language, write_multirate};
/// let method = hemiola_multirate::library::method("mri-gark-erk33a")?;
/// let text = write_multirate(&method, Language::Sundials)?;
/// assert!(text.contains("C->W[1][3][2] = -SUN_RCONST(1.0)/SUN_RCONST(2.0);"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`] if the language does not support the method: LaTeX supports all methods; SUNDIALS, Julia and JSON
/// support some structures.
pub fn write_multirate(method: &InfinitesimalMethod, language: Language) -> Result<String, WriteError> {
    match language {
        Language::Sundials => sundials::sundials(method),
        Language::Julia => julia::julia(method),
        Language::Json => json::json(method),
        Language::Latex => Ok(latex::latex(method)),
        _ => Err(WriteError::Multirate { id: method.id().to_owned() }),
    }
}
