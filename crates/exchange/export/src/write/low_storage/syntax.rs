//! Register programs in Python, Julia, C and Fortran.

use super::program::{Factor, RegisterProgram, Term, Update};
use crate::write::layout::{comment, joined};
use crate::write::literal::{Literal, with_point};

/// Syntax of terms in a language.
struct Syntax {
    /// Writes the entry of a vector for the stage.
    entry: fn(vector: &str) -> String,
    number: fn(&Literal) -> String,
    register: fn(&str) -> String,
}

impl Syntax {
    /// Writes the sum of an update.
    fn sum(&self, update: &Update) -> String {
        if update.terms.is_empty() {
            return format!("{} * {}", (self.number)(&Literal::new(&0.into())), (self.register)("y"));
        }
        update.terms.iter().map(|term| self.term(term)).collect::<Vec<_>>().join(" + ")
    }

    fn term(&self, Term { factor, has_step, register }: &Term) -> String {
        let factor = match factor {
            Factor::One => None,
            Factor::OfStage(vector) => Some((self.entry)(vector)),
            Factor::Number(number) => Some(format!("({})", (self.number)(number))),
        };
        let factors = factor.into_iter().chain(has_step.then(|| "h".to_owned())).chain([(self.register)(register)]);
        factors.collect::<Vec<_>>().join(" * ")
    }
}

const SUMMARY: &str = "One step of size h from t for y' = f(t, y).";
const ERROR: &str = "err is the difference from the embedded method, an error estimate.";

fn summary(program: &RegisterProgram) -> Vec<String> {
    let error = program.has_error.then(|| ERROR.to_owned());
    [SUMMARY.to_owned()].into_iter().chain(error).collect()
}

fn stages(program: &RegisterProgram) -> usize {
    program.vectors.first().map_or(0, |(_, vector)| vector.len())
}

fn results(program: &RegisterProgram) -> String {
    format!("{}{}", program.result, if program.has_error { ", err" } else { "" })
}

pub(super) fn python(program: &RegisterProgram) -> String {
    let syntax = Syntax { entry: |vector| format!("{vector}[i]"), number: Literal::plain, register: str::to_owned };
    let mut text = "\n".to_owned();
    for (name, vector) in &program.vectors {
        text +=
            &joined(&format!("{name} = ["), &vector.iter().map(Literal::plain).collect::<Vec<_>>(), ", ", "]", 4, "");
    }
    let quoted: Vec<String> = summary(program);
    text += "\n\ndef step(f, t, y, h):\n";
    text += &comment(&[format!("\"\"\"{}", quoted.join(" "))], "    ");
    text += "    \"\"\"\n";
    let lines = |updates: &[Update], indent: &str| -> String {
        // Copies y and k, so that no register aliases an array of the caller or of f.
        let sum = |update: &Update| match &update.terms[..] {
            [Term { factor: Factor::One, has_step: false, register: register @ ("y" | "k") }] => {
                format!("1.0 * {register}")
            }
            _ => syntax.sum(update),
        };
        updates.iter().map(|update| format!("{indent}{} = {}\n", update.target, sum(update))).collect()
    };
    text += &lines(&program.first, "    ");
    text += &format!("    for i in range({}):\n", stages(program));
    text += &lines(&program.before, "        ");
    text += "        k = f(t + c[i] * h, u)\n";
    text += &lines(&program.after, "        ");
    text += &lines(&program.last, "    ");
    text + &format!("    return {}\n", results(program))
}

pub(super) fn julia(name: &str, program: &RegisterProgram) -> String {
    let syntax = Syntax { entry: |vector| format!("{vector}[i]"), number: Literal::plain, register: str::to_owned };
    let mut text = "\n".to_owned() + &comment(&summary(program), "# ");
    text += &format!("function {name}_step(f, t, y, h)\n");
    for (name, vector) in &program.vectors {
        let entries: Vec<String> = vector.iter().map(Literal::plain).collect();
        text += &joined(&format!("    {name} = ("), &entries, ", ", ",)", 8, "");
    }
    let lines = |updates: &[Update], indent: &str| -> String {
        // A broadcast of a name alone makes no copy.
        let sum = |update: &Update| match &update.terms[..] {
            [Term { factor: Factor::One, has_step: false, register }] => format!("1 * {register}"),
            _ => syntax.sum(update),
        };
        updates.iter().map(|update| format!("{indent}{} = @. {}\n", update.target, sum(update))).collect()
    };
    text += &lines(&program.first, "    ");
    text += &format!("    for i in 1:{}\n", stages(program));
    text += &lines(&program.before, "        ");
    text += "        k = f(t + c[i] * h, u)\n";
    text += &lines(&program.after, "        ");
    text += "    end\n";
    text += &lines(&program.last, "    ");
    text + &format!("    return {}\nend\n", results(program))
}

pub(super) fn c(name: &str, program: &RegisterProgram) -> String {
    let syntax = Syntax {
        entry: |vector| format!("{vector}[i]"),
        number: Literal::floating,
        register: |register| format!("{register}[j]"),
    };
    let registers: Vec<&str> = program.registers.iter().copied().chain(["k"]).collect();
    let mut text = "\n#include <stddef.h>\n\n// A right-hand side writes the derivative at t; data is passed on from the caller of the step.\n".to_owned();
    text += &format!("typedef void (*{name}_rhs)(double t, const double *y, double *dydt, void *data);\n\n");
    text += "// The doubles that a step needs as its workspace\n";
    text += &format!("#define {}_WORK(n) ({} * (n))\n\n", name.to_uppercase(), registers.len());
    let lines = [summary(program), vec!["ynew must not overlap y.".to_owned()]].concat();
    text += &comment(&lines, "// ");
    let error = if program.has_error { "double *err, " } else { "" };
    text += &format!(
        "void {name}_step({name}_rhs f, void *data, size_t n, double t, const double *y, double h,\n        double *ynew, \
         {error}double *work)\n{{\n"
    );
    for (vector, entries) in &program.vectors {
        let entries: Vec<String> = entries.iter().map(Literal::floating).collect();
        text += &joined(
            &format!("    static const double {vector}[{}] = {{", stages(program)),
            &entries,
            ", ",
            "};",
            8,
            "",
        );
    }
    text += &format!("    double *{} = ynew;\n", program.result);
    for (place, register) in registers.iter().enumerate() {
        text += &format!("    double *{register} = work + {place} * n;\n");
    }
    let lines = |updates: &[Update], indent: &str| -> String {
        let line = |update: &Update| {
            let (target, sum) = ((syntax.register)(update.target), syntax.sum(update));
            format!("{indent}for (size_t j = 0; j < n; j++)\n{indent}    {target} = {sum};\n")
        };
        updates.iter().map(line).collect()
    };
    text += &lines(&program.first, "    ");
    text += &format!("    for (size_t i = 0; i < {}; i++) {{\n", stages(program));
    text += &lines(&program.before, "        ");
    text += "        f(t + c[i] * h, u, k, data);\n";
    text += &lines(&program.after, "        ");
    text += "    }\n";
    text + &lines(&program.last, "    ") + "}\n"
}

pub(super) fn fortran(name: &str, program: &RegisterProgram) -> String {
    const MARK: &str = " &";
    let literal = |value: &Literal| value.format_with(|number| format!("{}_wp", with_point(number)), "/");
    let syntax = Syntax {
        entry: |vector| format!("{vector}(i)"),
        number: |value| value.format_with(|number| format!("{}_wp", with_point(number)), "/"),
        register: str::to_owned,
    };
    let mut text = format!(
        "module {name}_method\n  use, intrinsic :: iso_fortran_env, only: wp => real64\n  implicit none\n  private\n\n  \
         public :: {name}_step, derivative\n\n  abstract interface\n    subroutine derivative(t, y, dydt)\n      import :: \
         wp\n      real(wp), intent(in) :: t, y(:)\n      real(wp), intent(out) :: dydt(:)\n    end subroutine\n  end \
         interface\n\n"
    );
    for (vector, entries) in &program.vectors {
        let entries: Vec<String> = entries.iter().map(literal).collect();
        let first = format!("  real(wp), parameter :: {vector}({}) = [ ", stages(program));
        text += &joined(&first, &entries, ", ", " ]", 6, MARK);
    }
    text += "\ncontains\n\n";
    text += &comment(&summary(program), "  ! ");
    let error = if program.has_error { ", err" } else { "" };
    let result = program.result;
    text += &format!("  subroutine {name}_step(f, t, y, h, {result}{error})\n    procedure(derivative) :: f\n");
    text += "    real(wp), intent(in) :: t, y(:), h\n";
    text += &format!("    real(wp), intent(out) :: {result}(:)\n");
    text += if program.has_error { "    real(wp), intent(out) :: err(:)\n" } else { "" };
    let registers: Vec<String> = program.registers.iter().chain(&["k"]).map(|&register| register.to_owned()).collect();
    text += &joined("    real(wp), dimension(size(y)) :: ", &registers, ", ", "", 8, MARK);
    text += "    integer :: i\n";
    let lines = |updates: &[Update], indent: &str| -> String {
        let line = |update: &Update| {
            let terms: Vec<String> = match update.terms.is_empty() {
                true => vec![syntax.sum(update)],
                false => update.terms.iter().map(|term| syntax.term(term)).collect(),
            };
            joined(&format!("{indent}{} = ", update.target), &terms, " + ", "", indent.len() + 4, MARK)
        };
        updates.iter().map(line).collect()
    };
    text += &lines(&program.first, "    ");
    text += &format!("    do i = 1, {}\n", stages(program));
    text += &lines(&program.before, "      ");
    text += "      call f(t + c(i) * h, u, k)\n";
    text += &lines(&program.after, "      ");
    text += "    end do\n";
    text += &lines(&program.last, "    ");
    text + &format!("  end subroutine {name}_step\nend module {name}_method\n")
}
