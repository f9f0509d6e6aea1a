//! Tables for ARKODE of SUNDIALS (6 or later), in C.
//!
//! `ARKodeButcherTable_Create(s, q, p, c, A, b, d)` copies its arrays. Here q is the order of the method and p that of
//! the embedded weights d, which may be NULL.

use hemiola_tableau::{Butcher, Exact, Method};

use crate::write::header::header;
use crate::write::layout::{comment, joined};
use crate::write::literal::{Literal, with_point};
use crate::write::names::method_name;
use crate::write::program::{StepForm, StepProgram};

pub(crate) fn sundials(method: &Method) -> String {
    let program = StepProgram::new(method);
    let name = method_name(method);
    let functions = program.names(&name);
    let mut lines = header(method);
    lines.push(contents(program.form, &functions));
    let mut text = comment(&lines, "// ") + "\n#include <stdio.h>\n#include <arkode/arkode_butcher.h>\n";
    for ((function, butcher), partition) in functions.iter().zip(&method.exact().partitions).zip(method.partitions()) {
        let hat = partition.b_hat.as_ref().map(|hat| hat.iter().map(|b| Literal::new(b.value())).collect());
        text += &table(function, method, butcher, hat);
    }
    text
}

/// Explains the use of the tables by ARKODE.
fn contents(form: StepForm, functions: &[String]) -> String {
    let tables: Vec<String> = functions.iter().map(|function| format!("{function}_table()")).collect();
    let use_of = match form {
        StepForm::Explicit if functions.len() == 1 => {
            format!(
                "Use: ERKStepSetTable(arkode_mem, B), or ARKStepSetTables(arkode_mem, q, p, NULL, B), with B = {}.",
                tables[0]
            )
        }
        StepForm::Additive { implicit } if functions.len() == 1 => {
            format!("Use: ARKStepSetTables(arkode_mem, q, p, B, NULL) with B = {}.", tables[implicit])
        }
        StepForm::Additive { implicit } if functions.len() == 2 => format!(
            "Use: ARKStepSetTables(arkode_mem, q, p, Bi, Be) for y' = f_E(t, y) + f_I(t, y), with Bi = {} and Be = {}.",
            tables[implicit],
            tables[1 - implicit]
        ),
        StepForm::Explicit | StepForm::Additive { .. } => {
            "ARKODE has no stepper for methods with these partitions: the tables are for your own stepper, and \
             `hemiola export --language c` writes the step if the method is explicit."
                .to_owned()
        }
        StepForm::Implicit => {
            "ARKODE has no stepper for stages that depend on each other: the tables are for your own stepper."
                .to_owned()
        }
    };
    format!("Exported: {}. {use_of}", tables.join(", "))
}

fn table(function: &str, method: &Method, butcher: &Butcher<Exact>, hat: Option<Vec<Literal>>) -> String {
    let literals = |row: &[Exact]| row.iter().map(Literal::new).collect::<Vec<_>>();
    let embedded = if hat.is_some() { "d" } else { "NULL" };
    let (claims, stages) = (method.claims(), butcher.stages());
    let mut text = format!("\nARKodeButcherTable {function}_table(void)\n{{\n");
    text += &array("c", &[literals(&butcher.c)]);
    text += &array("A", &butcher.a.iter().map(|row| literals(row)).collect::<Vec<_>>());
    text += &array("b", &[literals(&butcher.b)]);
    text += &hat.map(|hat| array("d", &[hat])).unwrap_or_default();
    let (order, embedded_order) = (claims.order.unwrap_or(0), claims.embedded_order.unwrap_or(0));
    text + &format!(
        "    return ARKodeButcherTable_Create({stages}, {order}, {embedded_order}, c, A, b, {embedded});\n}}\n"
    )
}

fn array(name: &str, rows: &[Vec<Literal>]) -> String {
    let number = |value: &Literal| value.format_with(|number| format!("SUN_RCONST({})", with_point(number)), "/");
    let lines = rows.iter().map(|row| {
        let entries: Vec<String> = row.iter().map(number).collect();
        joined("        ", &entries, ", ", ",", 8, "")
    });
    format!("    sunrealtype {name}[] = {{\n{}    }};\n", lines.collect::<String>())
}
