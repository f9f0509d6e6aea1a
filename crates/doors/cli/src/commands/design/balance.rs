//! Balance of error and internal amplification, as text and as JSON.

use hemiola::design::{InternalBalance, InternalTradeOff};
use serde_json::{Value, json};

use crate::output::text;

/// Describes what the search chose, what it costs, and how to obtain the alternative.
pub(crate) fn sentence(found: &InternalTradeOff) -> String {
    let InternalTradeOff { bound, plain, chosen, refused } = found;
    // Descents end within 1e-9 of each other: a tiny gain is no gain.
    let growth = |other: &InternalBalance| (1e2 * (other.error / plain.error - 1.0)).max(0.0);
    let cost = |other: &InternalBalance| format!("{:.2} % more error", growth(other));
    let amplification = |balance: &InternalBalance| text::number(four_digits(balance.amplification));
    let mut sentence = if chosen.weight > 0.0 {
        format!(
            "amplification {} → {} for {} (--set objective.internal=0 for the other)",
            amplification(plain),
            amplification(chosen),
            cost(chosen)
        )
    } else {
        format!("amplification {}", amplification(plain))
    };
    if chosen.amplification > *bound {
        sentence += &format!("; more than {bound}");
        sentence += &match refused {
            Some(refused) => format!(
                ": {} costs {} (--set objective.internal={})",
                amplification(refused),
                cost(refused),
                refused.weight
            ),
            None => ", and no pair nearby amplifies less".to_owned(),
        };
    }
    sentence
}

pub(crate) fn to_json(found: &InternalTradeOff) -> Value {
    let row = |balance: &InternalBalance| json!({ "weight": balance.weight, "error": balance.error, "amplification": balance.amplification });
    json!({
        "bound": found.bound,
        "error_alone": row(&found.plain),
        "chosen": row(&found.chosen),
        "refused": found.refused.as_ref().map(row),
    })
}

/// Rounds to four digits, enough to compare amplifications.
fn four_digits(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
