//! C99 without allocation; right-hand sides are function pointers with user data.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::names::method_name;
use crate::write::program::{Evaluation, LinearCombination, ProgramPartition, StepForm, StepProgram};
use crate::write::step::{StepWriter, body, results, summary};
use crate::write::tables::{CoefficientTable, tables};

pub(crate) fn c(method: &Method) -> String {
    let program = StepProgram::new(method);
    let is_explicit = program.form == StepForm::Explicit;
    let text = comment(&program_header(method, &program, is_explicit), "// ") + "\n";
    let name = method_name(method);
    if is_explicit {
        text + &step(&name, &program)
    } else {
        text + &tables(method, &program).iter().map(|table| array(&name, table)).collect::<String>()
    }
}

struct Loops;

impl StepWriter for Loops {
    fn assign(&self, part: &ProgramPartition, target: &str, start: Option<&str>, sum: &LinearCombination) -> String {
        let before = start.map_or(String::new(), |start| format!("{start}[i] + "));
        let products = sum.products(|coefficient, derivative| format!("{coefficient} * {derivative}[i]"));
        let first = format!("        {target}[i] = {before}h * (");
        let head = format!("    for (size_t i = 0; i < {}; i++)\n", part.name("n"));
        head + &joined(&first, &products, " + ", ");", 12, "")
    }

    fn evaluate(&self, part: &ProgramPartition, evaluation: &Evaluation, states: &[String]) -> String {
        let mut arguments = vec![evaluation.time.text(str::to_owned)];
        arguments.extend_from_slice(states);
        arguments.extend([evaluation.derivative.clone(), "data".to_owned()]);
        joined(&format!("    {}(", part.name("f")), &arguments, ", ", ");", 8, "")
    }
}

fn step(name: &str, program: &StepProgram) -> String {
    let mut text = "#include <stddef.h>\n\n".to_owned();
    for (constant, value) in &program.constants {
        text += &format!("static const double {constant} = {};\n", value.floating());
    }
    text += "\n// A right-hand side writes the derivative at t; data is passed on from the caller of the step.\n";
    let states: Vec<String> = program.names("y").iter().map(|y| format!("const double *{y}")).collect();
    let mut arguments = vec!["double t".to_owned()];
    arguments.extend_from_slice(&states);
    arguments.extend(["double *dydt", "void *data"].map(str::to_owned));
    text += &joined(&format!("typedef void (*{name}_rhs)("), &arguments, ", ", ");", 8, "");
    text += "\n// The doubles that a step needs as its workspace\n";
    text += &work_size(name, program);
    text += "\n";
    let mut lines = summary(program);
    lines.push("Results may be written over the states they start from.".to_owned());
    text += &comment(&lines, "// ");
    text += &joined(&format!("void {name}_step("), &parameters(name, program, &states), ", ", ")", 8, "");
    format!("{text}{{\n{}{}}}\n", workspace(program), body(program, &Loops))
}

fn parameters(name: &str, program: &StepProgram, states: &[String]) -> Vec<String> {
    let functions = program.names("f").into_iter().map(|f| format!("{name}_rhs {f}"));
    let sizes = program.names("n").into_iter().map(|n| format!("size_t {n}"));
    let mut parameters: Vec<String> = functions.chain(["void *data".to_owned()]).chain(sizes).collect();
    parameters.push("double t".to_owned());
    parameters.extend_from_slice(states);
    parameters.push("double h".to_owned());
    parameters.extend(results(program).into_iter().map(|result| format!("double *{result}")));
    parameters.push("double *work".to_owned());
    parameters
}

fn work_size(name: &str, program: &StepProgram) -> String {
    let sizes = program.names("n");
    let terms: Vec<String> =
        sizes.iter().enumerate().map(|(r, n)| format!("{} * ({n})", program.vectors(r).len())).collect();
    format!("#define {}_WORK({}) ({})\n", name.to_uppercase(), sizes.join(", "), terms.join(" + "))
}

fn workspace(program: &StepProgram) -> String {
    let mut text = String::new();
    let mut end = "work".to_owned();
    for (r, part) in program.parts.iter().enumerate() {
        for vector in program.vectors(r) {
            text += &format!("    double *{vector} = {end};\n");
            end = format!("{vector} + {}", part.name("n"));
        }
    }
    text + "\n"
}

fn array(method: &str, table: &CoefficientTable) -> String {
    let row = |row: &Vec<Literal>| row.iter().map(Literal::floating).collect::<Vec<_>>();
    let (stages, name) = (table.rows[0].len(), &table.name);
    if table.is_matrix() {
        let rows = table.rows.iter().map(|entries| joined("    {", &row(entries), ", ", "},", 5, ""));
        let rows = rows.collect::<String>();
        format!("const double {method}_{name}[{stages}][{stages}] = {{\n{rows}}};\n")
    } else {
        joined(&format!("const double {method}_{name}[{stages}] = {{"), &row(&table.rows[0]), ", ", "};", 4, "")
    }
}
