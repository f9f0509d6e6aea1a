//! Predicted and observed orders.

use hemiola_figure::Figure;
use hemiola_integrate::{Counted, LinearizedStepper, Reference, Sample, observed_order};
use hemiola_models::{Model, model};
use hemiola_order::{CheckOptions, OrderCheck, StageSolution};
use hemiola_tableau::{Method, library};

use crate::markdown::table;
use crate::papers::GERDTS as NAME;
use crate::report::{Report, ReportError};
use crate::runs::reference;
use hemiola_plot::{PrecisionCurve, precision_figure};

/// Collocation methods, related methods, and diagonally implicit ones.
pub(crate) const METHODS: [&str; 20] = [
    "radau-ia-1",
    "radau-ia-2",
    "radau-ia-3",
    "radau-iia-1",
    "radau-iia-2",
    "radau-iia-3",
    "gauss-1",
    "gauss-2",
    "gauss-3",
    "gauss-4",
    "lobatto-iiia-2",
    "lobatto-iiia-3",
    "lobatto-iiia-4",
    "lobatto-iiic-2",
    "lobatto-iiic-3",
    "lobatto-iiic-4",
    "sdirk-2",
    "qin-zhang-2",
    "crouzeix-3",
    "hairer-wanner-sdirk-4",
];
const END: f64 = 2.0;

/// Returns the order of a method with q iterations according to its order conditions, checked up to `highest_order`.
pub(crate) fn predicted(method: &Method, stages: StageSolution, highest_order: usize) -> Result<usize, ReportError> {
    Ok(OrderCheck::new(method, CheckOptions { highest_order, stages, ..CheckOptions::default() })?.order())
}

/// Van der Pol's oscillator with ε = 1, which is smooth, nonlinear and nonstiff.
pub(crate) struct Smooth {
    model: Model,
    reference: Reference,
}

impl Smooth {
    pub(crate) fn new() -> Result<Self, ReportError> {
        let model = model("van-der-pol", &[("epsilon", 1.0)])?;
        let (reference, _) = reference(&model, END, END)?;
        Ok(Self { model, reference })
    }

    fn samples(&self, method: &Method, iterations: usize) -> Result<Vec<Sample>, ReportError> {
        let stepper = LinearizedStepper::new(method, iterations, &Counted::new(&self.model))?;
        let comparison = self.model.comparison(END, &self.reference, &[0, 1]);
        Ok((3..12).map(|k| comparison.sample(&mut stepper.clone(), 1 << k, &())).collect())
    }

    pub(crate) fn observed(&self, method: &Method, iterations: usize) -> Result<Option<f64>, ReportError> {
        Ok(observed_order(&self.samples(method, iterations)?, self.reference.uncertainty))
    }
}

pub(crate) fn section() -> Result<Report, ReportError> {
    let smooth = Smooth::new()?;
    let mut rows = Vec::new();
    for id in METHODS {
        let method = library::method(id)?;
        let order = predicted(&method, StageSolution::Solved, 9)?;
        let mut row = vec![id.to_owned(), order.to_string()];
        for iterations in 1..=3 {
            let predicted = predicted(&method, StageSolution::Linearized { iterations }, order + 1)?;
            let observed = smooth.observed(&method, iterations)?;
            row.extend([predicted.to_string(), observed.map_or("–".to_owned(), |order| format!("{order:.2}"))]);
        }
        rows.push(row);
    }
    let columns = [
        "method",
        ">order",
        ">q = 1: predicted",
        ">observed",
        ">q = 2: predicted",
        ">observed",
        ">q = 3: predicted",
        ">observed",
    ];
    let text = TEXT.replace("{orders}", &table(&columns, rows));
    Ok(Report { text, figures: vec![(format!("{NAME}-orders.svg"), figure(&smooth)?.into())] })
}

fn figure(smooth: &Smooth) -> Result<Figure, ReportError> {
    let shown = [("radau-iia-2", 1), ("gauss-2", 1), ("gauss-3", 1), ("gauss-3", 2), ("gauss-4", 2)];
    let mut curves = Vec::new();
    for (id, iterations) in shown {
        let samples = smooth.samples(&library::method(id)?, iterations)?;
        let seen = samples.iter().filter(|sample| sample.error > 4.0 * smooth.reference.uncertainty);
        let points = seen.map(|sample| [sample.steps as f64, sample.error]).collect();
        curves.push(PrecisionCurve { label: format!("{id}, q = {iterations}"), points, order: None });
    }
    Ok(precision_figure("steps", &curves, None, "Errors of linearized methods over steps"))
}

const TEXT: &str = "\
## Orders

> “It is convergent of order 1, if Σ bᵢ = 1 holds. […] It is convergent of order 4, if in addition […] hold. p = 4 is
> the maximal attainable order of convergence.” (Theorem 2.3)

Predicted orders follow from the order conditions of linearized methods, `hemiola check --linearized q`; observed
orders are slopes of the error at t = 2 for van der Pol's oscillator with ε = 1, which is smooth, nonlinear and not
stiff.

{orders}
Theorem 2.3 is confirmed: with q = 1 a method keeps its order up to four, and none has a higher one. The
paper's conditions up to order 4 are those of implicit methods. With two iterations the bound is 10, which no method
here reaches; with three it is 22.

![Errors over steps](gerdts-2003-orders.svg)

With q = 1, the Gauss methods with three and four stages improve on the one with two only by a constant.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_observed_as_predicted() {
        let smooth = Smooth::new().unwrap();
        for id in METHODS {
            let method = library::method(id).unwrap();
            let order = predicted(&method, StageSolution::Solved, 9).unwrap();
            for (iterations, bound) in [(1, 4), (2, 10), (3, 22)] {
                let stages = StageSolution::Linearized { iterations };
                assert_eq!(predicted(&method, stages, order + 1).unwrap(), order.min(bound), "{id} {iterations}");
                let observed = smooth.observed(&method, iterations).unwrap().unwrap();
                assert!((observed - order.min(bound) as f64).abs() < 0.1, "{id} {iterations}: {observed}");
            }
        }
    }
}
