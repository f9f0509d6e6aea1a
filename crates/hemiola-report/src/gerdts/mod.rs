//! M. Gerdts, On the convergence of linearized implicit Runge–Kutta methods (2003).

mod cost;
mod obstruction;
mod orders;
mod printed;

use crate::runs::joined;
use crate::{Report, ReportError, Watcher, next};

pub(crate) fn report(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let head = Report { text: HEAD.to_owned(), figures: Vec::new() };
    next(watcher, "orders of linearized methods")?;
    let orders = orders::section()?;
    let obstruction = obstruction::section()?;
    let printed = printed::section()?;
    next(watcher, "cost of linearized methods")?;
    let cost = cost::section(watcher)?;
    Ok(joined([head, orders, obstruction, printed, cost]))
}

const HEAD: &str = "\
# Linearized implicit Runge–Kutta methods: Gerdts (2003)

M. Gerdts, *On the convergence of linearized implicit Runge–Kutta methods and their use in parameter optimization*
(2003). This page is made by `hemiola reproduce gerdts-2003`.

The stage equations of an implicit method are not solved but improved by one Newton iteration from kᵢ = f(y): a linear
system for each step, whatever the problem. We make q of them, q = 1 being the paper's method.
";
