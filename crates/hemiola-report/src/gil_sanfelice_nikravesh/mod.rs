//! G. Gil, R. G. Sanfelice, P. E. Nikravesh, Numerical integration scheme using singular perturbation method (2013).

mod local_error_text;
mod local_errors;
mod pendulum;
mod pendulum_figures;
mod pendulum_text;

use crate::runs::joined;
use crate::{Report, ReportError, Watcher, next};

pub(crate) fn report(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let head = Report { text: HEAD.to_owned(), figures: Vec::new() };
    next(watcher, "local errors of the test equation")?;
    let errors = local_error_text::section()?;
    next(watcher, "the pendulum with a particle")?;
    let pendulum = pendulum_text::section()?;
    let tail = Report { text: TAIL.to_owned(), figures: Vec::new() };
    Ok(joined([head, errors, pendulum, tail]))
}

const HEAD: &str = "\
# The singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013)

G. Gil, R. G. Sanfelice, P. E. Nikravesh, *Numerical integration scheme using singular perturbation method*,
DETC2013-13330.

This page is made by `hemiola reproduce gil-sanfelice-nikravesh-2013`. It has the paper's Figs. 4 to 8; the stability
regions, Figs. 1 to 3, are those of `hemiola map rk4` and `hemiola map --preset gil`, on the page
[gil-2013-stability](gil-2013-stability.md). The curves themselves are lost in the copy at hand, and with them the
values of α and β: those here are ours. The scheme is carried out as its steps 1 to 3 derive it, with what is
misprinted there put right (see the end).
";

const TAIL: &str = "\
## Misprints

| where | printed | what it should be |
|---|---|---|
| step 2 | H(x) with y_n and g_y | z_n and g_z, as in (22) |
| (47), the matrix D | … B C … | B and C exchanged: C belongs to t, as the units and (40) show |
| M₁₂ in (55) and (57) | β(e^{αξ} − 1) | (β/α)(e^{αξ} − 1) |
| M₂₁, M₂₂ below (57) | exponentials of αξ | those of (α + β²)ξ, as below (56) |
| (66) | − g | + g, as in (63b) |
| (67) | r₁ + s − (m₂/k) g | r₁ + s + (m₂/k) g: the particle hangs below the bar's end |
| text before Fig. 7 | λ_f ≈ (k/m₂) i = 5 × 10⁵ i | √(k/m₂) i = 707 i |

The first four matter to who implements the scheme; the page on stability compares the matrices number by number.
";
