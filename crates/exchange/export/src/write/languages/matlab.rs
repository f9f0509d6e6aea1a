//! MATLAB and Octave: one function per file.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::names::method_name;
use crate::write::program::{StepForm, StepProgram};
use crate::write::step::{body, results, summary};
use crate::write::tables::{CoefficientTable, beside_step, explanation, tables};
use crate::write::vectors::VectorSyntax;

const MARK: &str = " ...";
const VECTORS: VectorSyntax = VectorSyntax { indent: 4, broadcast: "", end: ";", mark: MARK, calls: false };

pub(crate) fn matlab(method: &Method) -> String {
    let program = StepProgram::new(method);
    let is_explicit = program.form == StepForm::Explicit;
    let function = format!("{}_{}", method_name(method), if is_explicit { "step" } else { "tableau" });
    let mut header = program_header(method, &program, is_explicit);
    header.push(format!("Save as {function}.m"));
    let text = comment(&header, "% ");
    text + &if is_explicit {
        step(&function, &program, &beside_step(method, &program))
    } else {
        let fields = fields("    ", &tables(method, &program));
        format!("function tableau = {function}()\n{fields}end\n")
    }
}

/// Writes a step, which returns the arrays of its tableau if called without arguments.
fn step(function: &str, program: &StepProgram, tables: &[CoefficientTable]) -> String {
    let arguments = [program.names("f"), vec!["t".to_owned()], program.names("y"), vec!["h".to_owned()]].concat();
    let outputs = joined("function [", &results(program), ", ", "] =", 8, MARK);
    let mut text = joined(&format!("{} {function}(", outputs.trim_end()), &arguments, ", ", ")", 8, MARK);
    let fields_of = format!("{function}() without arguments is a structure. {}", explanation(tables));
    text += &comment(&[summary(program), vec![fields_of]].concat(), "% ");
    let result = results(program).into_iter().next().unwrap_or_default();
    text += &format!(
        "    if nargin == 0\n{}        {result} = tableau;\n        return\n    end\n",
        fields("        ", tables)
    );
    text +=
        &program.constants.iter().map(|(name, value)| format!("    {name} = {};\n", value.plain())).collect::<String>();
    text += &body(program, &VECTORS);
    text + "end\n"
}

fn fields(indent: &str, tables: &[CoefficientTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let row = |row: &Vec<Literal>| row.iter().map(Literal::plain).collect::<Vec<_>>();
        text += &if table.is_matrix() {
            let rows =
                table.rows.iter().map(|entries| joined(&format!("{indent}    "), &row(entries), ", ", ";", 8, MARK));
            format!("{indent}tableau.{} = [\n{}{indent}];\n", table.name, rows.collect::<String>())
        } else {
            joined(&format!("{indent}tableau.{} = [", table.name), &row(&table.rows[0]), ", ", "];", 8, MARK)
        };
    }
    text
}
