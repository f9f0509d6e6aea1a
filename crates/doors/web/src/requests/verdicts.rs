//! Verdicts on order conditions: `hemiola check`.

use hemiola_atlas::wording;
use hemiola_export::describe;
use hemiola_order::{CheckOptions, Condition, OrderReport, OrderSummary};
use hemiola_plot::TreeFigure;
use serde::{Deserialize, Serialize};

use crate::canvas::Picture;
use crate::requests::checked::CheckedMethod;
use crate::requests::facts;
use crate::subject::Subject;
use crate::wording::{Fact, message};

/// Largest numbers of failing trees in the list and in the figure.
const LISTED: usize = 200;
const DRAWN: usize = 40;

#[derive(Deserialize)]
pub(crate) struct VerdictsQuestion {
    subject: Subject,
    /// Highest order to check.
    order: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct Verdicts {
    id: String,
    order: usize,
    order_as_stated: usize,
    exact_order: usize,
    checked_to: usize,
    claimed_order: Option<usize>,
    facts: Vec<Fact>,
    orders: Vec<Row>,
    failing: Vec<Failing>,
    /// Number of failing conditions up to the claimed order or, if there are none, at the lowest order with failures.
    failures: u64,
}

/// Summary of the conditions of an order.
#[derive(Serialize)]
struct Row {
    order: usize,
    conditions: u64,
    failed: u64,
    largest_residual: String,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Failing {
    tree: String,
    order: usize,
    value: String,
    expected: String,
    residual: String,
}

impl VerdictsQuestion {
    pub(crate) fn answer(&self) -> Result<Verdicts, String> {
        let checked = self.checked()?;
        let check = &checked.report.check;
        let (failing, failures) = checked.failing();
        let labels = wording::labels(&checked.method);
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        Ok(Verdicts {
            id: checked.method.id().to_owned(),
            order: check.order(),
            order_as_stated: check.order_as_stated(),
            exact_order: check.exact_order(),
            checked_to: check.highest_order(),
            claimed_order: checked.method.claims().order,
            facts: facts::facts(&checked),
            orders: check.orders().iter().map(Row::new).collect(),
            failing: failing.iter().take(LISTED).map(|condition| Failing::new(condition, &labels)).collect(),
            failures,
        })
    }

    /// Draws the trees of the failing conditions; returns `None` if all conditions hold.
    pub(crate) fn trees(&self) -> Result<Option<Picture>, String> {
        let checked = self.checked()?;
        let (failing, failures) = checked.failing();
        if failing.is_empty() {
            return Ok(None);
        }
        let labels = wording::labels(&checked.method);
        let names = checked.method.partitions().iter().map(|partition| partition.name.as_str());
        let colors: Vec<(&str, &str)> = labels.iter().map(String::as_str).zip(names).collect();
        let figure =
            TreeFigure::new(&colors).description(format!("Order conditions violated by {}", checked.method.name()));
        let figure = failing.iter().take(DRAWN).fold(figure, |figure, condition| figure.condition(condition));
        let drawn = failing.len().min(DRAWN) as u64;
        let figure = if drawn < failures {
            figure.note(&format!("the first {drawn} of {failures} failing conditions"))
        } else {
            figure
        };
        Picture::new(&figure.gallery().into()).map(Some)
    }

    fn checked(&self) -> Result<CheckedMethod, String> {
        let method = self.subject.method()?;
        let options = match self.order {
            Some(order) => CheckOptions { highest_order: order.max(1), ..CheckOptions::default() },
            None => CheckOptions::for_claim(&method, method.claims().order).map_err(message)?,
        };
        let report = OrderReport::new(&method, options, &()).map_err(message)?;
        Ok(CheckedMethod { method, report })
    }
}

impl Row {
    fn new(summary: &OrderSummary) -> Self {
        Self {
            order: summary.order,
            conditions: summary.conditions,
            failed: summary.failed(),
            largest_residual: describe::residual(summary.max_residual),
            verdict: wording::verdict(summary),
        }
    }
}

impl Failing {
    fn new(condition: &Condition, labels: &[&str]) -> Self {
        let density = condition.tree.density();
        Self {
            tree: condition.tree.text(labels),
            order: condition.tree.order(),
            value: describe::number(condition.value),
            expected: if density == 1 { "1".to_owned() } else { format!("1/{density}") },
            residual: describe::residual(condition.residual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(id: &str) -> Verdicts {
        VerdictsQuestion { subject: Subject::of_library(id), order: None }.answer().unwrap()
    }

    #[test]
    fn an_order_holds_and_the_next_does_not() {
        let found = verdicts("shome-haug-jay-2-5");
        assert_eq!((found.order, found.checked_to, found.orders.len()), (2, 3, 3));
        assert!(found.orders[2].verdict == "fails" && found.failures > 0 && !found.failing.is_empty());
    }

    /// The method of order 6 of the tests of the command line.
    #[test]
    fn a_pasted_table_without_a_claim_has_the_order_of_the_command_line() {
        let table = "0,0,0,0,0,0,0,0\n1/3,1/3,0,0,0,0,0,0\n2/3,0,2/3,0,0,0,0,0\n1/3,1/12,1/3,-1/12,0,0,0,0\n\
            5/6,25/48,-55/24,35/48,15/8,0,0,0\n1/6,3/20,-11/24,-1/8,1/2,1/10,0,0\n\
            1,-261/260,33/13,43/156,-118/39,32/195,80/39,0\n,13/200,0,11/40,11/40,4/25,4/25,13/200\n";
        let subject = serde_json::from_value(serde_json::json!({ "paste": table })).unwrap();
        let found = VerdictsQuestion { subject, order: None }.answer().unwrap();
        assert_eq!((found.order, found.checked_to, found.claimed_order), (6, 7, None));
    }

    #[test]
    fn failing_trees_are_drawn() {
        let question = VerdictsQuestion { subject: Subject::of_library("rk4"), order: Some(4) };
        assert!(question.trees().unwrap().is_none());
        let question = VerdictsQuestion { subject: Subject::of_library("rk4"), order: Some(5) };
        assert!(question.trees().unwrap().is_some());
    }
}
