//! Rust without dependencies; right-hand sides are closures, and the caller provides the workspace.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::{Literal, with_point};
use crate::write::program::{Evaluation, LinearCombination, ProgramPartition, StepForm, StepProgram};
use crate::write::step::{StepWriter, body, results, summary};
use crate::write::tables::{CoefficientTable, tables};

pub(crate) fn rust(method: &Method) -> String {
    let program = StepProgram::new(method);
    let is_explicit = program.form == StepForm::Explicit;
    let text = comment(&program_header(method, &program, is_explicit), "// ") + "\n";
    if is_explicit {
        text + &step(&program)
    } else {
        text + &tables(method, &program).iter().map(array).collect::<String>()
    }
}

fn literal(value: &Literal) -> String {
    value.format_with(with_point, " / ")
}

struct Loops;

impl StepWriter for Loops {
    fn assign(&self, part: &ProgramPartition, target: &str, start: Option<&str>, sum: &LinearCombination) -> String {
        let before = start.map_or(String::new(), |start| format!("{start}[i] + "));
        let products =
            sum.products(|coefficient, derivative| format!("{} * {derivative}[i]", coefficient.to_uppercase()));
        let first = format!("        {target}[i] = {before}h * (");
        format!("    for i in 0..{} {{\n{}    }}\n", part.name("n"), joined(&first, &products, " + ", ");", 12, ""))
    }

    fn evaluate(&self, part: &ProgramPartition, evaluation: &Evaluation, states: &[String]) -> String {
        let mut arguments = vec![evaluation.time.text(str::to_uppercase)];
        arguments.extend_from_slice(states);
        arguments.push(evaluation.derivative.clone());
        joined(&format!("    {}(", part.name("f")), &arguments, ", ", ");", 8, "")
    }
}

fn step(program: &StepProgram) -> String {
    let mut text = String::new();
    for (name, value) in &program.constants {
        text += &format!("const {}: f64 = {};\n", name.to_uppercase(), literal(value));
    }
    text += "\n/// The vectors that a step needs as its workspace, for each partition.\n";
    let counts: Vec<String> = (0..program.parts.len()).map(|r| program.vectors(r).len().to_string()).collect();
    text += &format!("pub const WORK: [usize; {}] = [{}];\n\n", counts.len(), counts.join(", "));
    let mut lines = summary(program);
    lines.push(
        "A right-hand side writes the derivative into its last argument. The workspace has WORK[r] vectors of each \
         partition r."
            .to_owned(),
    );
    text += &comment(&lines, "/// ");
    text += "#[allow(clippy::too_many_arguments, clippy::needless_range_loop)]\n";
    text + &signature(program) + "{\n" + &workspace(program) + &body(program, &Loops) + "}\n"
}

fn signature(program: &StepProgram) -> String {
    let functions = program.names("f");
    let slices = vec!["&[f64]"; program.parts.len()].join(", ");
    let mut text = "pub fn step(\n".to_owned();
    for f in &functions {
        text += &format!("    mut {f}: impl FnMut(f64, {slices}, &mut [f64]),\n");
    }
    text += "    t: f64,\n";
    text += &program.names("y").iter().map(|y| format!("    {y}: &[f64],\n")).collect::<String>();
    text += "    h: f64,\n";
    text += &results(program).iter().map(|result| format!("    {result}: &mut [f64],\n")).collect::<String>();
    text + "    work: &mut [f64],\n) "
}

fn workspace(program: &StepProgram) -> String {
    let mut text = String::new();
    for part in &program.parts {
        text += &format!("    let {} = {}.len();\n", part.name("n"), part.name("y"));
    }
    let pieces = program.parts.iter().enumerate();
    let pieces: Vec<(String, String)> =
        pieces.flat_map(|(r, part)| program.vectors(r).into_iter().map(|vector| (vector, part.name("n")))).collect();
    for (i, (vector, size)) in pieces.iter().enumerate() {
        let rest = if i + 1 == pieces.len() { "_" } else { "work" };
        text += &format!("    let ({vector}, {rest}) = work.split_at_mut({size});\n");
    }
    text
}

fn array(table: &CoefficientTable) -> String {
    let row = |row: &Vec<Literal>| row.iter().map(literal).collect::<Vec<_>>();
    let (stages, name) = (table.rows[0].len(), table.name.to_uppercase());
    if table.is_matrix() {
        let rows = table.rows.iter().map(|entries| joined("    [", &row(entries), ", ", "],", 5, ""));
        format!("pub const {name}: [[f64; {stages}]; {stages}] = [\n{}];\n", rows.collect::<String>())
    } else {
        joined(&format!("pub const {name}: [f64; {stages}] = ["), &row(&table.rows[0]), ", ", "];", 4, "")
    }
}
