//! Julia.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::names::method_name;
use crate::write::program::{StepForm, StepProgram};
use crate::write::step::{body, results, summary};
use crate::write::tables::{CoefficientTable, beside_step, explanation, tables};
use crate::write::vectors::VectorSyntax;

const VECTORS: VectorSyntax = VectorSyntax { indent: 4, broadcast: "@. ", end: "", mark: "", calls: false };

pub(crate) fn julia(method: &Method) -> String {
    let program = StepProgram::new(method);
    let is_explicit = program.form == StepForm::Explicit;
    let text = comment(&program_header(method, &program, is_explicit), "# ") + "\n";
    let name = method_name(method);
    if !is_explicit {
        return text + &arrays(&name, tables(method, &program));
    }
    let tables = beside_step(method, &program);
    let explanation = format!("{} Their names begin with {name}_.", explanation(&tables));
    text + &step(method, &program) + "\n" + &comment(&[explanation], "# ") + &arrays(&name, tables)
}

fn step(method: &Method, program: &StepProgram) -> String {
    let name = method_name(method);
    let arguments = [program.names("f"), vec!["t".to_owned()], program.names("y"), vec!["h".to_owned()]].concat();
    let mut text = comment(&summary(program), "# ");
    text += &joined(&format!("function {name}_step("), &arguments, ", ", ")", 8, "");
    text +=
        &program.constants.iter().map(|(name, value)| format!("    {name} = {}\n", value.plain())).collect::<String>();
    text += &body(program, &VECTORS);
    text += &joined("    return ", &results(program), ", ", "", 8, "");
    text + "end\n"
}

fn arrays(prefix: &str, tables: Vec<CoefficientTable>) -> String {
    let mut text = String::new();
    for table in tables {
        let name = format!("{prefix}_{}", table.name);
        let row = |row: &Vec<Literal>, mark: &str| row.iter().map(Literal::plain).collect::<Vec<_>>().join(mark);
        text += &if table.is_matrix() && table.rows.len() > 1 {
            // Blanks separate columns and line ends separate rows: each row must be one line, however long.
            let rows = table.rows.iter().map(|entries| format!("    {}\n", row(entries, "  ")));
            format!("const {name} = Float64[\n{}]\n", rows.collect::<String>())
        } else {
            let entries: Vec<String> = table.rows[0].iter().map(Literal::plain).collect();
            // A single number in brackets is a vector.
            let (before, after) = if table.is_matrix() { ("fill(Float64(", "), 1, 1)") } else { ("Float64[", "]") };
            joined(&format!("const {name} = {before}"), &entries, ", ", after, 4, "")
        };
    }
    text
}
