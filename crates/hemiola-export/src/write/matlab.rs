//! MATLAB and Octave: one function a file.

use hemiola_tableau::Method;

use super::header::program_header;
use super::layout::{comment, joined};
use super::literal::Literal;
use super::names::method_name;
use super::program::{Form, Program};
use super::step::{body, results, summary};
use super::tables::tables;
use super::vectors::Vectors;

const MARK: &str = " ...";
const VECTORS: Vectors = Vectors { indent: 4, broadcast: "", end: ";", mark: MARK, calls: false };

pub(super) fn matlab(method: &Method) -> String {
    let program = Program::new(method);
    let is_explicit = program.form == Form::Explicit;
    let function = format!("{}_{}", method_name(method), if is_explicit { "step" } else { "tableau" });
    let mut header = program_header(method, &program, is_explicit);
    header.push(format!("Save as {function}.m"));
    let text = comment(&header, "% ");
    text + &if is_explicit { step(&function, &program) } else { structure(&function, method, &program) }
}

fn step(function: &str, program: &Program) -> String {
    let arguments = [program.names("f"), vec!["t".to_owned()], program.names("y"), vec!["h".to_owned()]].concat();
    let outputs = joined("function [", &results(program), ", ", "] =", 8, MARK);
    let mut text = joined(&format!("{} {function}(", outputs.trim_end()), &arguments, ", ", ")", 8, MARK);
    text += &comment(&summary(program), "% ");
    text +=
        &program.constants.iter().map(|(name, value)| format!("    {name} = {};\n", value.plain())).collect::<String>();
    text += &body(program, &VECTORS);
    text + "end\n"
}

fn structure(function: &str, method: &Method, program: &Program) -> String {
    let mut text = format!("function tableau = {function}()\n");
    for table in tables(method, program) {
        let row = |row: &Vec<Literal>| row.iter().map(Literal::plain).collect::<Vec<_>>();
        text += &if table.is_matrix() {
            let rows = table.rows.iter().map(|entries| joined("        ", &row(entries), ", ", ";", 8, MARK));
            format!("    tableau.{} = [\n{}    ];\n", table.name, rows.collect::<String>())
        } else {
            joined(&format!("    tableau.{} = [", table.name), &row(&table.rows[0]), ", ", "];", 8, MARK)
        };
    }
    text + "end\n"
}
