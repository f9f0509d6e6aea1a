//! Call that registers a method with two or three rates in PETSc, in C; `petsc_implicit` writes the calls for implicit
//! methods.
//!
//! `TSMPRKRegister(name, order, sbase, ratio1, ratio2, Asb, bsb, csb, rsb, Amb, …, Af, bf, cf)` copies its arrays.
//! Tableaus have sbase·ratio1·ratio2 stages; methods that are not built by repeating a base method have ratios of one.

use hemiola_tableau::{Butcher, Exact, Method};

use crate::write::error::WriteError;
use crate::write::header::header;
use crate::write::languages::petsc_arrays::{arrays, list};
use crate::write::languages::petsc_implicit::petsc_implicit;
use crate::write::layout::comment;
use crate::write::names::method_name;
use crate::write::program::{StepForm, StepProgram};

const FORMAT: &str = "TSMPRKRegister of PETSc";

pub(crate) fn petsc(method: &Method) -> Result<String, WriteError> {
    let parts = &method.exact().partitions;
    let id = || method.id().to_owned();
    // Methods with other implicit partitions are refused below.
    if let StepForm::Additive { implicit } = StepProgram::new(method).form
        && parts.len() <= 2
    {
        return Ok(petsc_implicit(method, implicit));
    }
    if !(2..=3).contains(&parts.len()) {
        let expected = "two or three";
        return Err(WriteError::Partitions { id: id(), found: parts.len(), format: FORMAT, expected });
    }
    if !parts.iter().all(Butcher::is_explicit) {
        return Err(WriteError::Implicit { id: id(), format: FORMAT });
    }
    let letters: &[&str] = if parts.len() == 2 { &["s", "f"] } else { &["s", "m", "f"] };
    let name = method_name(method);
    let mut lines = header(method);
    lines.push(use_of(method));
    let mut text = comment(&lines, "// ") + "\n#include <petscts.h>\n\n";
    text += &format!("PetscErrorCode {name}_register(void)\n{{\n");
    for (butcher, letter) in parts.iter().zip(letters) {
        text += &arrays(butcher, letter);
    }
    let repeated = repeated(&parts[0]);
    let slow = repeated.as_ref().map_or("NULL", |_| "rs");
    text += &repeated.map_or_else(String::new, |stages| list("PetscInt", "rs", &stages));
    let medium = if parts.len() == 3 { "Am, bm, cm, NULL" } else { "NULL, NULL, NULL, NULL" };
    let (order, stages) = (method.claims().order.unwrap_or(0), method.stages());
    Ok(text
        + &format!(
            "\n    PetscFunctionBegin;\n    PetscCall(TSMPRKRegister(\"{}\", {order}, {stages}, 1, 1, As, bs, cs, {slow},\n        \
             {medium}, Af, bf, cf));\n    PetscFunctionReturn(PETSC_SUCCESS);\n}}\n",
            method.id()
        ))
}

/// Explains the use of the call and the differences between PETSc and the method.
fn use_of(method: &Method) -> String {
    let names: Vec<String> = method.partitions().iter().map(|partition| partition.name.clone()).collect();
    let splits = if names.len() == 2 { "\"slow\" and \"fast\"" } else { "\"slow\", \"medium\" and \"fast\"" };
    let mut text = format!(
        "Use: call {}_register() after PetscInitialize(), then TSSetType(ts, TSMPRK) and TSMPRKSetType(ts, \"{}\"), with the \
         variables of the partitions {} as the splits {splits} of TSRHSSplitSetIS().",
        method_name(method),
        method.id(),
        names.join(", ")
    );
    let parts = &method.exact().partitions;
    if parts.iter().any(|butcher| butcher.b != parts[0].b || butcher.c != parts[0].c) {
        text += " The partitions' weights or abscissae differ: use split right-hand sides, as without them PETSc takes the \
                 weights of the last partition and the abscissae of the first for all variables.";
    }
    text
}

/// Finds stages of the slow partition that equal an earlier stage and whose slow derivative is unused, so that PETSc
/// need not evaluate them inside the slow region. Returns for each stage the number, from 1, of the earlier stage, or 0
/// if there is none; `None` if all are 0.
///
/// PETSc stores derivatives without gaps and finds the derivative of the earlier stage by its number: no gap may
/// precede it.
fn repeated(slow: &Butcher<Exact>) -> Option<Vec<String>> {
    let zero = Exact::from(0);
    let is_unused = |stage: usize| slow.b[stage] == zero && slow.a.iter().all(|row| row[stage] == zero);
    let mut flags = vec![0; slow.stages()];
    for stage in 1..slow.stages() {
        let before = (0..stage).take_while(|&earlier| flags[earlier] == 0);
        let same =
            before.into_iter().find(|&earlier| slow.a[earlier] == slow.a[stage] && slow.c[earlier] == slow.c[stage]);
        if let Some(earlier) = same.filter(|_| is_unused(stage)) {
            flags[stage] = earlier + 1;
        }
    }
    flags.iter().any(|flag| *flag > 0).then(|| flags.iter().map(ToString::to_string).collect())
}
