//! Results for Figures 4 and 5.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

use crate::gil_sanfelice_nikravesh::local_errors::LocalErrors;
use crate::markdown::{digits, table};
use crate::papers::GIL_SANFELICE_NIKRAVESH as NAME;
use crate::report::{Report, ReportError};

/// Values of α in Fig. 4, at β = 0.1.
const ALPHAS: [f64; 3] = [5.0, 10.0, 100.0];
/// Values of β in Fig. 5, at α = 10.
const BETAS: [f64; 3] = [0.05, 0.1, 0.4];
const COLORS: [Color; 3] = [Color::BLUE, Color::VERMILION, Color::GREEN];

/// Errors of the scheme and of RK4 for a value of a parameter.
struct LocalErrorCase {
    label: String,
    scheme: LocalErrors,
    rk4: LocalErrors,
}

impl LocalErrorCase {
    fn new(label: String, alpha: f64, beta: f64) -> Result<Self, ReportError> {
        Ok(Self { label, scheme: LocalErrors::of_scheme(alpha, beta)?, rk4: LocalErrors::of_rk4(alpha, beta)? })
    }
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let over_alpha = ALPHAS.map(|alpha| LocalErrorCase::new(format!("*α* = {alpha}"), alpha, 0.1));
    let over_alpha = over_alpha.into_iter().collect::<Result<Vec<_>, _>>()?;
    let over_beta = BETAS.map(|beta| LocalErrorCase::new(format!("*β* = {beta}"), 10.0, beta));
    let over_beta = over_beta.into_iter().collect::<Result<Vec<_>, _>>()?;
    let figures = vec![
        (format!("{NAME}-fig-4.svg"), figure(&over_alpha, "Local errors for several ratios of frequencies").into()),
        (format!("{NAME}-fig-5.svg"), figure(&over_beta, "Local errors for several strengths of coupling").into()),
    ];
    // The middle value of β repeats the middle value of α, so it is skipped.
    let cases: Vec<&LocalErrorCase> = over_alpha.iter().chain(over_beta.iter().step_by(2)).collect();
    let (slopes, leading) = (slope_table(&cases), leading_table(&cases));
    let global = global_table(&over_alpha)?;
    let text = TEXT.replace("{slopes}", &slopes).replace("{leading}", &leading).replace("{global}", &global);
    Ok(Report { text, figures })
}

fn figure(cases: &[LocalErrorCase], description: &str) -> Figure {
    let panel = |variable: usize| {
        let label = ["|*l*_{*x*}|", "|*l*_{*z*}|"][variable];
        let panel = Panel::new(Axis::new("step *h*").logarithmic(), Axis::new(label).logarithmic());
        cases.iter().zip(COLORS).fold(panel.without_zero_lines(), |panel, (case, color)| {
            let curve = |errors: &LocalErrors| Curve::new().open(errors.curve(variable)).color(color);
            let scheme = curve(&case.scheme).dash(Dash::Solid).label(case.label.clone());
            let rk4 = curve(&case.rk4).dash(Dash::Dashed).label(format!("RK4, {}", case.label));
            panel.curve(scheme).curve(rk4)
        })
    };
    let page = Figure::two_columns().columns(2).legend_below().description(description);
    page.panel(panel(0)).panel(panel(1))
}

/// Tabulates the slopes of both errors at some step sizes, for the scheme and for RK4.
fn slope_table(cases: &[&LocalErrorCase]) -> String {
    let steps = [1e-4, 1e-2, 1e-1, 5e-1];
    let row = |(name, errors): (&str, &LocalErrors)| {
        let slope = |h: &f64| match (errors.at(*h), errors.slopes(*h)) {
            (Some([x, _]), Some([l_x, l_z])) if x > 1e-14 => format!("{l_x:.2}, {l_z:.2}"),
            _ => "–".to_owned(),
        };
        let head = [name.to_owned(), digits(errors.alpha, 3), digits(errors.beta, 3)];
        head.into_iter().chain(steps.iter().map(slope)).collect()
    };
    let rows = cases.iter().flat_map(|case| [("scheme", &case.scheme), ("RK4", &case.rk4)]).map(row);
    table(&["", ">α", ">β", ">h = 0.0001", ">0.01", ">0.1", ">0.5"], rows)
}

/// Tabulates |l_x| and |l_z| relative to their leading terms.
fn leading_table(cases: &[&LocalErrorCase]) -> String {
    let row = |case: &&LocalErrorCase| {
        let (alpha, beta) = (case.scheme.alpha, case.scheme.beta);
        let ratio = |h: f64| {
            // |ξ|² = 2h² for λ_s = −1 + i.
            let leading = beta * (1.0 + beta) * (1.0 - beta * beta) * h * h;
            let [x, z] = case.scheme.at(h).unwrap_or([f64::NAN; 2]);
            format!("{:.3}, {:.3}", x / leading, z / (beta * leading))
        };
        vec![digits(alpha, 3), digits(beta, 3), ratio(1e-5), ratio(1e-3), ratio(1e-2), ratio(1e-1)]
    };
    table(&[">α", ">β", ">h = 0.00001", ">0.001", ">0.01", ">0.1"], cases.iter().map(row))
}

fn global_table(cases: &[LocalErrorCase]) -> Result<String, ReportError> {
    let counts = [8, 32, 128, 512, 2048, 8192];
    let mut rows = Vec::new();
    for case in cases {
        for (name, errors) in [("scheme", &case.scheme), ("RK4", &case.rk4)] {
            let mut row = vec![name.to_owned(), digits(errors.alpha, 3)];
            for count in counts {
                let error = errors.global(count)?.error;
                row.push(if error < 1.0 { digits(error, 2) } else { "unstable".to_owned() });
            }
            rows.push(row);
        }
    }
    Ok(table(&["", ">α", ">8 steps", ">32", ">128", ">512", ">2048", ">8192"], rows))
}

const TEXT: &str = "\
## Figures 4 and 5: local errors

> “The results show that the order of accuracy of the proposed method is one and the local error does not depend on
> the parameter α. The order of accuracy of RK4 is four but its local error is highly dependent on the parameter α.”

One step of the test equation (50) with λ_s = −1 + i and x(0) = z(0) = 1, against its exponential (61):

![Local errors over the step for three α](gil-sanfelice-nikravesh-2013-fig-4.svg)

Figure 4, β = 0.1. Solid: the scheme. Dashed: RK4.

![Local errors over the step for three β](gil-sanfelice-nikravesh-2013-fig-5.svg)

Figure 5, α = 10.

Slopes of log |l_x| and log |l_z| between h and 2h:

{slopes}
**Order one** is confirmed: the local errors fall as h². RK4's fall as h⁵.

**Independence of α** is confirmed for small h|λ_f|, and exactly so: the errors of x and z tend to β and β² times (1 +
β)(1 − β²)|ξ|²/2, which does not contain α. Errors relative to that limit:

{leading}
This does not hold for all of Fig. 4. For h|λ_f| above about 1 the fast transient is over within the step,
∫y stays near y(0)/λ_f, and |l_x| decreases with α like h/α: the larger α, the smaller the scheme's error, which is
better than the paper says. From |ξ| ≈ 1/2 on, the h⁵ of the Runge–Kutta method on the slow manifold dominates, again
without α. RK4's errors grow like α⁴ in x and α⁵ in z.

Errors at t = 1, the largest relative error of any variable, β = 0.1:

{global}
The scheme is of order one and stable for all α; with steps well within RK4's limit, RK4 is more accurate by orders of
magnitude. The scheme is meant for larger steps.
";
