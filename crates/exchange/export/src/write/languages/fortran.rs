//! Fortran 2008, free form: one module.

use hemiola_tableau::Method;

use crate::write::header::program_header;
use crate::write::layout::{comment, joined};
use crate::write::literal::{Literal, with_point};
use crate::write::names::method_name;
use crate::write::program::{StepForm, StepProgram};
use crate::write::step::{body, results, summary};
use crate::write::tables::{CoefficientTable, tables};
use crate::write::vectors::VectorSyntax;

const MARK: &str = " &";
const VECTORS: VectorSyntax = VectorSyntax { indent: 4, broadcast: "", end: "", mark: MARK, calls: true };

pub(crate) fn fortran(method: &Method) -> String {
    let program = StepProgram::new(method);
    let is_explicit = program.form == StepForm::Explicit;
    let text = comment(&program_header(method, &program, is_explicit), "! ");
    let name = method_name(method);
    let contents = if is_explicit { step(&name, &program) } else { arrays(method, &program) };
    format!(
        "{text}module {name}_method\n  use, intrinsic :: iso_fortran_env, only: wp => real64\n  implicit none\n  \
         private\n\n{contents}end module {name}_method\n"
    )
}

fn literal(value: &Literal) -> String {
    value.format_with(|number| format!("{}_wp", with_point(number)), "/")
}

fn step(name: &str, program: &StepProgram) -> String {
    let mut text = format!("  public :: {name}_step, derivative\n\n");
    for (name, value) in &program.constants {
        text += &format!("  real(wp), parameter :: {name} = {}\n", literal(value));
    }
    text + &interface(program) + "contains\n\n" + &subroutine(name, program)
}

/// Writes the interfaces of the right-hand sides: subroutines of the states of all partitions. Internal procedures give
/// them access to their data.
fn interface(program: &StepProgram) -> String {
    let states = program.names("y");
    let arguments = [vec!["t".to_owned()], states.clone(), vec!["dydt".to_owned()]].concat();
    let mut text = "\n  abstract interface\n".to_owned();
    text += &joined("    subroutine derivative(", &arguments, ", ", ")", 8, MARK);
    text += "      import :: wp\n      real(wp), intent(in) :: t\n";
    text += &declaration(6, "real(wp), intent(in) :: ", &states);
    text + "      real(wp), intent(out) :: dydt(:)\n    end subroutine\n  end interface\n\n"
}

fn declaration(indent: usize, what: &str, names: &[String]) -> String {
    let arrays: Vec<String> = names.iter().map(|name| format!("{name}(:)")).collect();
    joined(&format!("{}{what}", " ".repeat(indent)), &arrays, ", ", "", indent + 4, MARK)
}

fn subroutine(name: &str, program: &StepProgram) -> String {
    let (functions, states, results) = (program.names("f"), program.names("y"), results(program));
    let (t, h) = (vec!["t".to_owned()], vec!["h".to_owned()]);
    let arguments = [functions.clone(), t, states.clone(), h, results.clone()].concat();
    let mut text = comment(&summary(program), "  ! ");
    text += &joined(&format!("  subroutine {name}_step("), &arguments, ", ", ")", 6, MARK);
    text += &joined("    procedure(derivative) :: ", &functions, ", ", "", 8, MARK);
    text += "    real(wp), intent(in) :: t, h\n";
    text += &declaration(4, "real(wp), intent(in) :: ", &states);
    text += &declaration(4, "real(wp), intent(out) :: ", &results);
    for (r, part) in program.parts.iter().enumerate() {
        let names = program.vectors(r);
        if !names.is_empty() {
            let first = format!("    real(wp), dimension(size({})) :: ", part.name("y"));
            text += &joined(&first, &names, ", ", "", 8, MARK);
        }
    }
    format!("{text}\n{}  end subroutine {name}_step\n", body(program, &VECTORS))
}

fn arrays(method: &Method, program: &StepProgram) -> String {
    let tables = tables(method, program);
    let names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
    let mut text = joined("  public :: ", &names, ", ", "", 6, MARK) + "\n";
    text += &tables.iter().map(array).collect::<String>();
    text
}

fn array(table: &CoefficientTable) -> String {
    let entries: Vec<String> = table.rows.iter().flatten().map(literal).collect();
    let (stages, name) = (table.rows[0].len(), &table.name);
    if table.is_matrix() {
        let first = format!("  real(wp), parameter :: {name}({stages}, {stages}) = reshape([ ");
        joined(&first, &entries, ", ", &format!(" ], [{stages}, {stages}], order=[2, 1])"), 6, MARK)
    } else {
        joined(&format!("  real(wp), parameter :: {name}({stages}) = [ "), &entries, ", ", " ]", 6, MARK)
    }
}
