//! Trade-offs between error and internal amplification, slow stability limit and damping, as text and as JSON.

use hemiola::design::findings::{DampedPolynomial, DampingCost, PairNumbers};
use hemiola::design::{InternalBalance, InternalTradeOff, PreferredChoice, PreferredPair, SlowBalance, SlowTradeOff};
use hemiola::polynomial::Axis;
use serde_json::{Value, json};

use crate::output::text;

/// Bound of the rounding of abscissae, which are sums of rows.
const ROUNDED: f64 = 1e-12;

/// Describes the rule that chose a design.
pub(crate) fn choice_sentence(found: &PreferredChoice) -> String {
    let PreferredChoice { preference, axis, sets, chosen, .. } = found;
    let axis = if *axis == Axis::Real { ", on the real axis" } else { "" };
    format!(
        "best coupled profile at γ = {} within {} % of the smallest error{axis}: {}, with an amplification of {} (at most {}) \
         and abscissae in the step; {} of slow stages tried",
        preference.gamma,
        text::number(four_digits(1e2 * preference.margin)),
        text::number(three_decimals(chosen.profile)),
        text::number(four_digits(chosen.amplification)),
        preference.amplification,
        text::counted(*sets, "set")
    )
}

/// Describes the pair with the smallest error and the best one with other slow stages.
pub(crate) fn neighbors(found: &PreferredChoice) -> Vec<(&'static str, String)> {
    let described = |pair: &PreferredPair| {
        let stages: Vec<String> = pair.slow_stages.iter().map(|stage| (stage + 1).to_string()).collect();
        format!(
            "error {}, profile {}, amplification {} with the slow stages {}",
            text::number(four_digits(pair.error)),
            text::number(three_decimals(pair.profile)),
            text::number(four_digits(pair.amplification)),
            stages.join(", ")
        )
    };
    let smallest = ("smallest error", described(&found.smallest) + " (--smallest-error minimizes it alone)");
    std::iter::once(smallest).chain(found.neighbor.iter().map(|pair| ("next best", described(pair)))).collect()
}

pub(crate) fn choice_to_json(found: &PreferredChoice) -> Value {
    let row = |pair: &PreferredPair| {
        let stages: Vec<usize> = pair.slow_stages.iter().map(|stage| stage + 1).collect();
        json!({ "slow_stages": stages, "error": pair.error, "profile": pair.profile, "amplification": pair.amplification })
    };
    let preference = found.preference;
    json!({
        "margin": preference.margin,
        "gamma": preference.gamma,
        "tie": preference.tie,
        "amplification": preference.amplification,
        "axis": if found.axis == Axis::Imaginary { "imaginary" } else { "real" },
        "sets": found.sets,
        "chosen": row(&found.chosen),
        "smallest_error": row(&found.smallest),
        "next_best": found.neighbor.as_ref().map(row),
    })
}

/// Rounds a profile to three decimals, as in tables.
fn three_decimals(x: f64) -> f64 {
    (x * 1e3).round() / 1e3
}

/// Describes the choice of the search, its cost, and how to obtain the alternative.
pub(crate) fn sentence(found: &InternalTradeOff) -> String {
    let InternalTradeOff { bound, plain, chosen, refused } = found;
    let cost = |other: &InternalBalance| more_error(other.error, plain.error);
    let amplification = |balance: &InternalBalance| text::number(four_digits(balance.amplification));
    let mut sentence = if chosen.weight > 0.0 {
        format!(
            "amplification {} → {} for {} (--set objective.internal=0 for the other)",
            amplification(plain),
            amplification(chosen),
            cost(chosen)
        )
    } else {
        format!("amplification {}", amplification(chosen))
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

/// Describes the slow limit that the search chose, its cost, and how to obtain the alternative.
pub(crate) fn slow_sentence(found: &SlowTradeOff) -> String {
    let SlowTradeOff { axis, optimum, fraction, plain, wished, is_chosen } = found;
    let limit = |balance: &SlowBalance| text::number(four_digits(balance.limit));
    let name = if *axis == Axis::Imaginary { "imaginary" } else { "real" };
    let whole = format!("at most {} is possible on the {name} axis", text::number(four_digits(*optimum)));
    let least = format!("--set 'stability.slow={{\"axis\": \"{name}\", \"fraction\": {fraction}}}'");
    match wished {
        Some(wished) if *is_chosen => format!(
            "limit {} → {} for {}; {whole} (--set stability.slow=free for the other)",
            limit(plain),
            limit(wished),
            more_error(wished.error, plain.error)
        ),
        Some(wished) if wished.limit > plain.limit => format!(
            "limit {}; {whole}: {} costs {} ({least})",
            limit(plain),
            limit(wished),
            more_error(wished.error, plain.error)
        ),
        _ => format!("limit {}; {whole}, and no pair nearby has more", limit(plain)),
    }
}

/// Describes the cost of the damping of the fast polynomial, and how to obtain alternatives.
pub(crate) fn damping_sentence(cost: &DampingCost) -> String {
    let DampingCost { damping, power, damped, undamped, narrow } = cost;
    let numbers = |polynomial: &DampedPolynomial| {
        [polynomial.limit, polynomial.error].map(|x| text::number(four_digits(x))).join(" and ")
    };
    let [limit, error] = [damped.limit, damped.error].map(|x| text::number(four_digits(x)));
    let narrow = narrow.as_ref().map(|(band, polynomial)| format!("; with --band {band}, {}", numbers(polynomial)));
    format!(
        "limit {limit} with damping {damping}, and β{power} alone makes the error at least {error}; without damping, {}{}",
        numbers(undamped),
        narrow.unwrap_or_default()
    )
}

/// Describes abscissae before or after the step, and how to avoid them.
pub(crate) fn abscissae_sentence(pair: &PairNumbers) -> Option<String> {
    let [first, last] = pair.abscissae;
    (first < -ROUNDED || last > 1.0 + ROUNDED).then(|| {
        format!(
            "{} to {}, outside the step (--set structure.abscissae_in_step=true keeps them in it)",
            abscissa(first),
            abscissa(last)
        )
    })
}

/// Formats an abscissa with four decimals; outside the step, with four digits of its distance from the step.
pub(crate) fn abscissa(c: f64) -> String {
    text::number(match c {
        c if c < -ROUNDED => four_digits(c),
        c if c > 1.0 + ROUNDED => 1.0 + four_digits(c - 1.0),
        c => (c * 1e4).round() / 1e4,
    })
}

pub(crate) fn damping_to_json(cost: &DampingCost) -> Value {
    let row = |polynomial: &DampedPolynomial| json!({ "limit": polynomial.limit, "error": polynomial.error });
    json!({
        "power": cost.power,
        "damped": row(&cost.damped),
        "undamped": row(&cost.undamped),
        "narrow": cost.narrow.as_ref().map(|(_, polynomial)| row(polynomial)),
        "narrow_band": cost.narrow.as_ref().map(|(band, _)| band),
    })
}

pub(crate) fn slow_to_json(found: &SlowTradeOff) -> Value {
    let row = |balance: &SlowBalance| json!({ "error": balance.error, "limit": balance.limit });
    json!({
        "axis": if found.axis == Axis::Imaginary { "imaginary" } else { "real" },
        "optimum": found.optimum,
        "fraction": found.fraction,
        "error_alone": row(&found.plain),
        "wished": found.wished.as_ref().map(row),
        "is_chosen": found.is_chosen,
    })
}

/// Bound below which errors are rounding errors and cannot serve for comparison.
const NO_ERROR: f64 = 1e-9;

/// Describes the growth of an error. Descents end within 1e-9 of each other, so a tiny gain does not count.
fn more_error(error: f64, plain: f64) -> String {
    if plain < NO_ERROR {
        return format!("an error of {error:.1e} instead of {plain:.1e}");
    }
    format!("{:.2} % more error", (1e2 * (error / plain - 1.0)).max(0.0))
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

/// Rounds to four digits, enough to compare amplifications and limits.
fn four_digits(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
