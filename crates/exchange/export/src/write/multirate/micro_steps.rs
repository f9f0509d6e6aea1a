//! Methods with micro-steps for papers: both tableaus, and the couplings as functions of λ and M.

use hemiola_multirate::microsteps::{Entries, MicroStepTableau};
use hemiola_multirate::{MicroStepMethod, RatioPolynomial};

use super::latex::fraction;

/// Writes a method with any number M of micro-steps as LaTeX displays: the slow and the fast tableau, and the couplings
/// A^{FS,λ} and A^{SF,λ}. The first micro-step may have A^{FS,1} in place of A^{FS,λ}, and the last one A^{FS,M}; the
/// contribution of the first micro-step to A^{SF,λ} is a multiple of δ_{λ1}.
///
/// ```
/// let method = hemiola_multirate::microsteps::library::method("multirate-midpoint")?;
/// let text = hemiola_export::micro_steps_latex(&method);
/// assert!(text.contains(r"\frac{\lambda - \frac{1}{2}}{M} & 0 \\"), "{text}");
/// # Ok::<(), hemiola_tableau::MethodError>(())
/// ```
#[must_use]
pub fn micro_steps_latex(method: &MicroStepMethod) -> String {
    let mut text = tableau("S", method.slow()) + &tableau("F", method.fast());
    let fast_slow = method.fast_slow();
    let over = |divisor: &Option<RatioPolynomial>| {
        divisor.as_ref().map_or_else(String::new, |divisor| format!("\\frac{{1}}{{{}}}\n", expression(divisor)))
    };
    let [divisor, first_divisor, last_divisor] = fast_slow.divisors.each_ref().map(over);
    text += &display("A^{FS,\\lambda}", &divisor, &fast_slow.every);
    if !fast_slow.first.is_empty() {
        text += &display("A^{FS,1}", &first_divisor, &fast_slow.first);
    }
    if !fast_slow.last.is_empty() {
        text += &display("A^{FS,M}", &last_divisor, &fast_slow.last);
    }
    let coupling = method.slow_fast();
    let divisor = over(&coupling.divisor);
    text += &display("A^{SF,\\lambda}", &divisor, &coupling.every);
    if !coupling.first.is_empty() {
        text += &display("A^{SF,\\lambda}", &format!("\\cdots + \\delta_{{\\lambda 1}}\n{divisor}"), &coupling.first);
    }
    text
}

/// Writes a tableau with the weights below the line.
fn tableau(name: &str, tableau: &MicroStepTableau) -> String {
    let count = tableau.b.len();
    let line = |row: &[hemiola_tableau::Coefficient]| {
        row.iter().map(|entry| fraction(entry.value())).collect::<Vec<_>>().join(" & ")
    };
    let mut text = format!("\\[\n\\begin{{array}}{{c|{}}}\n", "c".repeat(count));
    for (i, row) in tableau.a.iter().enumerate() {
        let label = if i == 0 { format!("A^{{{name}}}") } else { String::new() };
        text += &format!("{label} & {} \\\\\n", line(row));
    }
    text + &format!("\\hline\nb^{{{name}}} & {} \\\\\n\\end{{array}}\n\\]\n", line(&tableau.b))
}

fn display(name: &str, before: &str, entries: &Entries) -> String {
    let columns = "c".repeat(entries.first().map_or(1, Vec::len).max(1));
    let mut text = format!("\\[\n{name} =\n{before}\\left(\\begin{{array}}{{{columns}}}\n");
    for row in entries {
        text += &row.iter().map(expression).collect::<Vec<_>>().join(" & ");
        text += " \\\\\n";
    }
    text + "\\end{array}\\right)\n\\]\n"
}

/// Writes a polynomial in λ over a power of M.
fn expression(entry: &RatioPolynomial) -> String {
    let divisor = entry.terms().map(|(_, b, _)| -b).max().unwrap_or(0).max(0);
    let power = |name: &str, exponent: u32| match exponent {
        0 => String::new(),
        1 => name.to_owned(),
        _ => format!("{name}^{{{exponent}}}"),
    };
    let mut text = String::new();
    for (a, b, c) in entry.terms() {
        let factors = [power("\\lambda", a), power("M", (b + divisor).unsigned_abs())];
        let factors: Vec<String> = factors.into_iter().filter(|factor| !factor.is_empty()).collect();
        let number = fraction(c);
        let (sign, size) = number.strip_prefix('-').map_or(("+", number.as_str()), |size| ("-", size));
        text += &match (text.is_empty(), sign) {
            (true, "+") => String::new(),
            (true, _) => sign.to_owned(),
            (false, _) => format!(" {sign} "),
        };
        let number = if size == "1" && !factors.is_empty() { None } else { Some(size.to_owned()) };
        text += &number.into_iter().chain(factors).collect::<Vec<_>>().join(" ");
    }
    match (text.is_empty(), divisor) {
        (true, _) => "0".to_owned(),
        (false, 0) => text,
        (false, _) => format!("\\frac{{{text}}}{{{}}}", power("M", divisor.unsigned_abs())),
    }
}
