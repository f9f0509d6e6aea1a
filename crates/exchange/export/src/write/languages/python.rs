//! Python, for numpy.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::program::{Evaluation, LinearCombination, ProgramStage, StepForm, StepProgram};
use crate::write::step::{body, outcome, results, summary};
use crate::write::tables::{CoefficientTable, beside_step, explanation, tables};
use crate::write::vectors::VectorSyntax;

const IMPORT: &str = "\nimport numpy as np\n";
const VECTORS: VectorSyntax = VectorSyntax { indent: 4, broadcast: "", end: "", mark: "", calls: false };

pub(crate) fn python(method: &Method) -> String {
    let program = StepProgram::new(method);
    let text = comment(&program_header(method, &program, program.form != StepForm::Implicit), "# ");
    let rest = match program.form {
        StepForm::Explicit => IMPORT.to_owned() + &constants(&program) + &step(&program) + &beside(method, &program),
        StepForm::Additive { implicit } => {
            IMPORT.to_owned() + &constants(&program) + &additive_step(&program, implicit) + &beside(method, &program)
        }
        StepForm::Implicit => format!("{IMPORT}\n{}", arrays(&tables(method, &program))),
    };
    text + &rest
}

fn constants(program: &StepProgram) -> String {
    let constants = program.constants.iter().map(|(name, value)| format!("{name} = {}\n", value.plain()));
    format!("\n{}\n\n", constants.collect::<String>())
}

fn step(program: &StepProgram) -> String {
    let arguments = [program.names("f"), vec!["t".to_owned()], program.names("y"), vec!["h".to_owned()]].concat();
    let mut text = joined("def step(", &arguments, ", ", "):", 9, "");
    text += &docstring(&summary(program));
    text += &body(program, &VECTORS);
    text + &joined("    return ", &results(program), ", ", "", 11, "")
}

fn docstring(lines: &[String]) -> String {
    let (first, rest) = lines.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let rest: Vec<String> =
        rest.iter().cloned().chain(["States and derivatives are numpy arrays or numbers.".to_owned()]).collect();
    format!("{}\n{}    \"\"\"\n", comment(&[format!("\"\"\"{first}")], "    "), comment(&rest, "    "))
}

/// Writes a step of y' = Σ f^r(t, y). The derivative of the implicit partition follows from the result of `solve`.
fn additive_step(program: &StepProgram, implicit: usize) -> String {
    let arguments = [program.names("f"), ["solve", "t", "y", "h"].map(str::to_owned).to_vec()].concat();
    let mut text = joined("def step(", &arguments, ", ", "):", 9, "");
    text += &docstring(&additive_summary(program, implicit));
    text += &program.stages.iter().map(|stage| additive_stage(program, stage)).collect::<String>();
    text += &assignment("ynew", "y + ", &program.result[0]);
    text += &program.error.as_ref().map(|error| assignment("err", "", &error[0])).unwrap_or_default();
    text + if program.error.is_some() { "    return ynew, err\n" } else { "    return ynew\n" }
}

fn assignment(target: &str, start: &str, sum: &LinearCombination) -> String {
    let products = sum.products(|coefficient, derivative| format!("{coefficient} * {derivative}"));
    joined(&format!("    {target} = {start}h * ("), &products, " + ", ")", 8, "")
}

fn additive_summary(program: &StepProgram, implicit: usize) -> Vec<String> {
    let terms: Vec<String> = program.names("f").iter().map(|f| format!("{f}(t, y)")).collect();
    let f = program.parts[implicit].name("f");
    let mut lines = vec![
        format!("One step of size h from t for y' = {}.", terms.join(" + ")),
        format!("solve(t, u, q) returns the Y for which Y = u + q * {f}(t, Y)."),
    ];
    lines.extend(outcome(program, &["ynew".to_owned()], &["err".to_owned()]));
    lines
}

fn additive_stage(program: &StepProgram, stage: &ProgramStage) -> String {
    let sum = &stage.states[0];
    let mut text = String::new();
    let mut state = "y";
    if !sum.0.is_empty() {
        text += &assignment("u", "y + ", sum);
        state = "u";
    }
    // The implicit partition comes first: the others are evaluated at its solution.
    let is_implicit = |evaluation: &&Evaluation| evaluation.diagonal.is_some();
    if let Some((evaluation, diagonal)) =
        stage.evaluations.iter().find(is_implicit).and_then(|e| e.diagonal.as_ref().map(|diagonal| (e, diagonal)))
    {
        let (time, derivative) = (evaluation.time.text(str::to_owned), &evaluation.derivative);
        text += &format!("    solved = solve({time}, {state}, {diagonal} * h)\n");
        text += &format!("    {derivative} = (solved - {state}) / ({diagonal} * h)\n");
        state = "solved";
    }
    for evaluation in stage.evaluations.iter().filter(|evaluation| evaluation.diagonal.is_none()) {
        let (time, function) = (evaluation.time.text(str::to_owned), program.parts[evaluation.partition].name("f"));
        text += &format!("    {} = {function}({time}, {state})\n", evaluation.derivative);
    }
    text
}

fn beside(method: &Method, program: &StepProgram) -> String {
    let tables = beside_step(method, program);
    format!("\n\n{}{}", comment(&[explanation(&tables)], "# "), arrays(&tables))
}

fn arrays(tables: &[CoefficientTable]) -> String {
    let mut text = String::new();
    for table in tables {
        let row = |row: &Vec<Literal>| row.iter().map(Literal::plain).collect::<Vec<_>>();
        text += &if table.is_matrix() {
            let rows = table.rows.iter().map(|entries| joined("    [", &row(entries), ", ", "],", 5, ""));
            format!("{} = np.array([\n{}], dtype=float)\n", table.name, rows.collect::<String>())
        } else {
            joined(&format!("{} = np.array([", table.name), &row(&table.rows[0]), ", ", "], dtype=float)", 4, "")
        };
    }
    text
}
