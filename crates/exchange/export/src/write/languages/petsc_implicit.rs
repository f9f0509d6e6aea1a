//! Calls that register diagonally implicit methods in PETSc, in C.
//!
//! `TSARKIMEXRegister(name, order, s, At, bt, ct, A, b, c, bembedt, bembed, pinterp, binterpt, binterp)` takes the
//! implicit tables first; `TSDIRKRegister(name, order, s, At, bt, ct, bembedt, pinterp, binterpt)` takes only implicit
//! tables. Both copy their arrays. With pinterp = 1 the weights serve as interpolation of order one.

use hemiola_tableau::{Coefficient, Exact, Method};

use crate::write::header::header;
use crate::write::languages::petsc_arrays::{arrays, list, numbers};
use crate::write::layout::comment;
use crate::write::names::method_name;

/// Writes the registration of a diagonally implicit method, alone or with an explicit partner.
pub(crate) fn petsc_implicit(method: &Method, implicit: usize) -> String {
    let parts = &method.exact().partitions;
    let explicit = (0..parts.len()).find(|&k| k != implicit);
    let name = method_name(method);
    let kind = if explicit.is_some() { "ARKIMEX" } else { "DIRK" };
    let mut lines = header(method);
    let term = if explicit.is_some() {
        ", with the implicit term in TSSetIFunction() and the explicit one in TSSetRHSFunction()"
    } else {
        ""
    };
    lines.push(format!(
        "Use: call {name}_register() after PetscInitialize(), then TSSetType(ts, TS{kind}) and TS{kind}SetType(ts, \"{}\"){term}.",
        method.id()
    ));
    let mut text = comment(&lines, "// ") + "\n#include <petscts.h>\n\n";
    text += &format!("PetscErrorCode {name}_register(void)\n{{\n");
    text += &arrays(&parts[implicit], "t");
    text += &explicit.map_or_else(String::new, |explicit| arrays(&parts[explicit], ""));
    let embedded = |partition: usize, name: &str| {
        let weights = method.partitions()[partition].b_hat.as_ref()?;
        let weights: Vec<Exact> = weights.iter().map(Coefficient::value).cloned().collect();
        Some(list("PetscReal", name, &numbers(&weights)))
    };
    let stiff = embedded(implicit, "bembedt");
    let other = explicit.and_then(|explicit| embedded(explicit, "bembed"));
    let word = |found: &Option<String>, name: &'static str| if found.is_some() { name } else { "NULL" };
    let (hat_t, hat) = (word(&stiff, "bembedt"), word(&other, "bembed"));
    text += &[stiff, other].into_iter().flatten().collect::<String>();
    let (order, stages) = (method.claims().order.unwrap_or(0), method.stages());
    let arguments = match explicit {
        Some(_) => format!("&At[0], bt, ct, &A[0], b, c,\n        {hat_t}, {hat}, 1, bt, b"),
        None => format!("&At[0], bt, ct, {hat_t}, 1, bt"),
    };
    let call = format!("TS{kind}Register(\"{}\", {order}, {stages}, {arguments})", method.id());
    text + &format!("\n    PetscFunctionBegin;\n    PetscCall({call});\n    PetscFunctionReturn(PETSC_SUCCESS);\n}}\n")
}
