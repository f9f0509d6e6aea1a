//! Embedded weights and dense output found for a method, or the proof that none exist, as text and as JSON.

use hemiola_design::{AbsenceProof, CompletionOutcome, PolynomialClass};
use hemiola_export::describe::counted;
use hemiola_order::Tree;
use serde_json::{Value, json};

/// Describes the outcome of a search for embedded weights or dense output; `what` names them, `labels` the colors of
/// trees.
#[must_use]
pub fn completion(finding: &CompletionOutcome, what: &str, labels: &[&str]) -> String {
    match finding {
        CompletionOutcome::Found { order, conditions, free, shared, class } => {
            let shared = if *shared { ", the same in all partitions" } else { "" };
            format!("order {order}{shared}, {}", freedom(*order, *conditions, *free, *class))
        }
        CompletionOutcome::Impossible { order, partition, stages, proof } => {
            let stages: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
            let which = format!("the {partition} partition, evaluated at stages {}", stages.join(", "));
            format!("none of order {order} for {which}: {}", why(proof, labels))
        }
        CompletionOutcome::Undecided { order, partition } => format!(
            "the precision of the coefficients does not decide whether the {partition} partition has {what} of order {order}"
        ),
    }
}

/// Describes the set of solutions from which weights were chosen.
fn freedom(order: usize, conditions: usize, free: usize, class: Option<PolynomialClass>) -> String {
    let among = class.map(|PolynomialClass { degree, is_smooth }| {
        let slope = if is_smooth { " with a continuous derivative" } else { "" };
        format!("degree {degree}{slope}")
    });
    if free == 0 {
        return among.map_or_else(|| "unique".to_owned(), |among| format!("the only one of {among}"));
    }
    let of_order = if order == conditions { String::new() } else { format!(" of order {conditions}") };
    let among = among.map_or_else(String::new, |among| format!(" at {among}"));
    format!("the best of {} that the conditions{of_order} leave free{among}", counted(free, "parameter"))
}

fn why(proof: &AbsenceProof, labels: &[&str]) -> String {
    let text = |tree: &Tree| tree.text(labels);
    match proof {
        AbsenceProof::Contradiction { terms, sum } => {
            let terms: Vec<String> = terms.iter().map(|(tree, by)| format!("({by})·{}", text(tree))).collect();
            format!(
                "in the combination {} of the conditions Σ xᵢγΨᵢ(t) = r(t), the left-hand side is zero for all weights, the right-hand side {sum} \
                 (exact)",
                terms.join(" + ")
            )
        }
        AbsenceProof::OnlyOwn { trees, determinant } => format!(
            "the conditions of {} determine the weights uniquely (determinant ±({determinant}), exact), and the method's own weights satisfy them",
            trees.iter().map(text).collect::<Vec<_>>().join(", ")
        ),
        AbsenceProof::WithinPrecision { contradiction: true, conditions } => format!(
            "the {conditions} conditions contradict each other for every table within the precision of the coefficients"
        ),
        AbsenceProof::WithinPrecision { contradiction: false, conditions } => format!(
            "for every table within the precision of the coefficients, the {conditions} conditions have the method's own weights as their \
             only solution"
        ),
    }
}

/// Returns the outcome of a search for embedded weights or dense output as JSON.
#[must_use]
pub fn completion_json(finding: &CompletionOutcome, labels: &[&str]) -> Value {
    match finding {
        CompletionOutcome::Found { order, conditions, free, shared, class } => {
            let mut found = json!({
                "found": true,
                "order": order,
                "order_of_conditions": conditions,
                "free_parameters": free,
                "shared": shared,
            });
            if let Some(PolynomialClass { degree, is_smooth }) = class {
                found["among"] = json!({ "degree": degree, "continuous_derivative": is_smooth });
            }
            found
        }
        CompletionOutcome::Impossible { order, partition, stages, proof } => json!({
            "found": false,
            "order": order,
            "partition": partition,
            "stages": stages.iter().map(|stage| stage + 1).collect::<Vec<_>>(),
            "proof": proof_json(proof, labels),
        }),
        CompletionOutcome::Undecided { order, partition } => {
            json!({ "found": null, "order": order, "partition": partition })
        }
    }
}

fn proof_json(proof: &AbsenceProof, labels: &[&str]) -> Value {
    match proof {
        AbsenceProof::Contradiction { terms, sum } => {
            let term = |(tree, by): &(Tree, hemiola_tableau::Exact)| json!([tree.text(labels), by.to_string()]);
            let terms: Vec<Value> = terms.iter().map(term).collect();
            json!({ "kind": "contradiction", "exact": true, "terms": terms, "right_hand_side": sum.to_string() })
        }
        AbsenceProof::OnlyOwn { trees, determinant } => {
            let trees: Vec<String> = trees.iter().map(|tree| tree.text(labels)).collect();
            json!({ "kind": "only own weights", "exact": true, "trees": trees, "determinant": determinant.to_string() })
        }
        AbsenceProof::WithinPrecision { contradiction, conditions } => {
            let kind = if *contradiction { "contradiction" } else { "only own weights" };
            json!({ "kind": kind, "exact": false, "conditions": conditions })
        }
    }
}
