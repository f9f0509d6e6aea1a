//! Steps in the registers of a low-storage form: a loop over the stages with vectors of coefficients.
//!
//! - `program`: the registers of each class and what a stage does to them, independent of the language.
//! - `syntax`: Python, Julia, C and Fortran.

mod program;
mod syntax;

use hemiola_tableau::Method;
use hemiola_tableau::low_storage::{MOST_REGISTERS, StorageClass, storage_form};

use super::error::WriteError;
use super::header::header;
use super::language::Language;
use super::layout::comment;
use super::names::method_name;
use program::RegisterProgram;
use syntax::{c, fortran, julia, python};

/// Writes the step of a method with one partition in a low-storage form, as a loop over its registers, in Python, Julia, C
/// or Fortran.
///
/// The step has an error estimate if the embedded weights use no stages besides those of the step. The estimate is
/// computed from the registers of the form if they suffice, otherwise with one additional register.
///
/// ```
/// use hemiola_export::{Language, write_low_storage};
/// use hemiola_tableau::low_storage::StorageClass;
/// let method = hemiola_tableau::library::method("williamson-3")?;
/// let text = write_low_storage(&method, StorageClass::TwoN, Language::Python)?;
/// assert!(text.contains("        du = A[i] * du + h * k\n        u = u + B[i] * du\n"), "{text}");
/// assert!(write_low_storage(&method, StorageClass::TwoN, Language::Latex).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError::Partitions`] for several partitions, [`WriteError::NoForm`] if the method does not have the form,
/// [`WriteError::FormLanguage`] for other languages.
pub fn write_low_storage(method: &Method, class: StorageClass, language: Language) -> Result<String, WriteError> {
    const FORMAT: &str = "a low-storage form";
    let id = || method.id().to_owned();
    let found = method.partitions().len();
    if found != 1 {
        return Err(WriteError::Partitions { id: id(), found, format: FORMAT, expected: "one" });
    }
    // Class names exist only for these numbers of registers.
    let is_named = (2..=MOST_REGISTERS).contains(&class.registers());
    let form = is_named.then(|| storage_form(method, 0, class)).flatten();
    let form = form.ok_or_else(|| WriteError::NoForm { id: id(), form: class.to_string() })?;
    let program = RegisterProgram::new(method, &form.form);
    let name = method_name(method);
    let mut lines = header(method);
    lines.push(format!("Exported: one step in the low-storage form {class}, which the method has {}.", form.agreement));
    lines.push(format!("Registers: {}.", program.registers_text()));
    let text = |prefix: &str| comment(&lines, prefix);
    Ok(match language {
        Language::Python => text("# ") + &python(&program),
        Language::Julia => text("# ") + &julia(&name, &program),
        Language::C => text("// ") + &c(&name, &program),
        Language::Fortran => text("! ") + &fortran(&name, &program),
        _ => return Err(WriteError::FormLanguage { form: class.to_string() }),
    })
}
