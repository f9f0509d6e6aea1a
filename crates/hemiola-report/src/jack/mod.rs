//! H. Jack, Adaptive time step Runge–Kutta (1990), after Press et al. (1986).

mod beam;
mod beam_text;
mod control;
mod figures;
mod known;
mod listing;
mod listing_text;

use crate::runs::joined;
use crate::{Report, ReportError, Watcher, next};

pub(crate) fn report(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let head = Report { text: HEAD.to_owned(), figures: Vec::new() };
    next(watcher, "the flexible beam at nine tolerances")?;
    let beam = beam_text::section()?;
    next(watcher, "problems with known solutions")?;
    let known = known::section()?;
    let listing = listing_text::section()?;
    Ok(joined([head, beam, known, listing]))
}

const HEAD: &str = "\
# Adaptive steps by step doubling: Jack (1990)

H. Jack, *Appendix D: Adaptive Time Step Runge–Kutta*, a listing in C after W. H. Press, B. P. Flannery, S. A.
Teukolsky, W. T. Vetterling, *Numerical Recipes* (1986). This page is made by `hemiola reproduce jack-adaptive-rk4`.

Each step of RK4 is made whole and in two halves. Their difference estimates the error of each variable, scaled by the
variable's own size, and a fifteenth of it, added on, raises the order to five.
";
