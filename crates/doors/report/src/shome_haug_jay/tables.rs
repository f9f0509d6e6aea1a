//! Tables 5 and 6: optimal polynomials, and the 2–5 method.

use hemiola_number::Progress;
use hemiola_order::{CheckOptions, OrderReport};
use hemiola_polynomial::{Axis, optimal};
use hemiola_stability::stability_limit;
use hemiola_tableau::library;
use num_complex::Complex64;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};

/// Coefficients β₃ … β_s of Table 5.
const TABLE_5: [(usize, &[&str]); 3] =
    [(3, &["1/4"]), (5, &["3/16", "1/32", "1/128"]), (7, &["19/108", "1/27", "2/243", "1/1458", "1/8748"])];

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    next(progress, "Tables 5 and 6")?;
    let mut rows = Vec::new();
    for (stages, printed) in TABLE_5 {
        let optimum = optimal(Axis::Imaginary, stages, 2)?;
        let found: Vec<String> = optimum.coefficients().iter().skip(3).map(ToString::to_string).collect();
        let agree = found == printed;
        let verdict = if agree { "as printed" } else { "differs" };
        rows.push(vec![stages.to_string(), printed.join(", "), found.join(", "), verdict.to_owned()]);
    }
    let polynomials = table(&[">stages", "β₃ … in the paper", "optimum of order 2", ""], rows);
    let method = library::method("shome-haug-jay-2-5")?;
    let options = CheckOptions { highest_order: 3, ..Default::default() };
    let check = OrderReport::new(&method, options, &())?;
    let limit = stability_limit(&method, 1, Complex64::I)?.value();
    let text = format!(
        "\
## Table 5: polynomials with the longest imaginary interval

{polynomials}
## Table 6: the 2–5 method

In the scan, a₃₂ of the fast partition is printed in place of a₄₂, which is missing. One reading satisfies all nine conditions to the eight printed \
digits; it is the library's `shome-haug-jay-2-5`. `hemiola check` finds order {order}, to the precision of these digits, a principal error \
norm of {norm}, and the fast partition stable on the imaginary axis up to {limit} (the paper: 4).
",
        order = check.check.order(),
        norm = check.principal_error_norm().map_or_else(|| "–".to_owned(), |norm| digits(norm, 6)),
        limit = digits(limit, 8),
    );
    Ok(Report { text, figures: Vec::new() })
}
