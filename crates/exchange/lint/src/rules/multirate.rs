//! Findings about multirate methods: claims, internal consistency, digits, the embedded row, and equal coefficients.

use hemiola_multirate::{
    InfinitesimalMethod, InfinitesimalStage, MultirateReport, MultirateWeights, RowKind, RowVerdicts,
};
use hemiola_order::{Condition, Grammar, NodeKind, Trees};
use hemiola_tableau::{Coefficient, Rounding};

use crate::finding::{LintFinding, Rule};

/// Highest order that is checked beyond a claim.
const HIGHEST_BEYOND: usize = 5;

/// Compares the claims and the coefficients of a method.
pub(crate) fn findings(method: &InfinitesimalMethod) -> Vec<LintFinding> {
    let claim = method.claims().order;
    let checked_to = claim.filter(|claim| *claim > HIGHEST_BEYOND);
    let mut found: Vec<LintFinding> = consistency(method).into_iter().chain(estimate(method)).collect();
    match MultirateReport::new(method, checked_to) {
        Ok(report) => {
            found.extend(ends(method, &report).into_iter().chain(claims(method, &report)).chain(digits(&report)));
        }
        Err(error) => found.push(LintFinding::new(Rule::Unchecked, "claims.order", error.to_string())),
    }
    found
}

fn claims(method: &InfinitesimalMethod, report: &MultirateReport) -> Vec<LintFinding> {
    let claims = method.claims();
    let (order, checked_to) = (report.step.order(), report.step.orders().len());
    let mut found = Vec::new();
    if claims.order.is_none() {
        let at_least = if report.step.is_capped() { "at least " } else { "" };
        found.push(LintFinding::new(Rule::NoClaim, "claims", format!("claims no order; has order {at_least}{order}")));
    }
    let embedded = report.embedded.as_ref().map(RowVerdicts::order);
    for (rule, name, claim, reached) in [
        (Rule::Order, "order", claims.order, Some(order)),
        (Rule::EmbeddedOrder, "embedded_order", claims.embedded_order, embedded),
    ] {
        let (Some(claim), Some(reached)) = (claim, reached) else { continue };
        let words = name.replace('_', " ");
        let message = format!("claims {words} {claim}; has {words} {reached}");
        // A claim beyond the highest checked order is not refuted.
        if reached < claim.min(checked_to) {
            found.push(LintFinding::new(rule, format!("claims.{name}"), message));
        } else if reached > claim {
            found.push(LintFinding::new(Rule::ClaimTooLow, format!("claims.{name}"), message));
        }
    }
    found
}

/// Reports a step or an embedded row whose intervals, with the times of their starts, do not end at 1: the condition of
/// order one for the fast partition.
fn ends(method: &InfinitesimalMethod, report: &MultirateReport) -> Vec<LintFinding> {
    let last = method.stages().len().saturating_sub(1);
    let step = Some((format!("stages[{last}]"), "intervals", RowKind::Step, &report.step));
    let row = |row| ("embedded".to_owned(), "intervals of the embedded row", RowKind::Embedded, row);
    let of = |(path, what, kind, verdicts): (String, &str, RowKind, &RowVerdicts)| {
        let is_end =
            |condition: &&Condition| condition.tree.order() == 1 && condition.tree.kind() == NodeKind::Partition(0);
        let found = verdicts.failures().find(is_end)?;
        let end = fraction(method, kind).unwrap_or_else(|| found.value.to_string());
        Some(LintFinding::new(Rule::Intervals, path, format!("the {what} end at {end}; expected 1")))
    };
    step.into_iter().chain(report.embedded.as_ref().map(row)).filter_map(of).collect()
}

/// Returns the end of the intervals as a short fraction.
fn fraction(method: &InfinitesimalMethod, kind: RowKind) -> Option<String> {
    const LONGEST: usize = 20;
    let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), 1).ok()?;
    let node = trees.of_order(1).into_iter().find(|&tree| trees.kind(tree) == NodeKind::Partition(0))?;
    let weight = MultirateWeights::new(&trees, method.exact_rows(), method.stages().len()).weight(node, kind);
    Some(weight.to_string()).filter(|text| text.len() <= LONGEST)
}

/// Reports the first stage that a slow partition advances by another length than the fast one.
fn consistency(method: &InfinitesimalMethod) -> Option<LintFinding> {
    let partitions = method.partitions().iter().enumerate().skip(1);
    let sums = partitions.flat_map(|(r, name)| method.inconsistencies(r).into_iter().map(move |sum| (name, sum)));
    let (name, sum) = sums.into_iter().find(|(_, sum)| !sum.verdict.holds())?;
    let message = format!(
        "stage {} is not internally consistent in {name}: the coefficients of τ^{} sum to {}; expected {}",
        sum.stage, sum.power, sum.found, sum.expected
    );
    Some(LintFinding::new(Rule::InternalConsistency, format!("stages[{}]", sum.stage - 2), message))
}

fn digits(report: &MultirateReport) -> Option<LintFinding> {
    let (reached, order) = (report.step.order_as_stated(), report.step.order());
    let message = format!(
        "order {order} holds up to rounding in double precision; the conditions hold to the \
         precision of the digits up to order {reached}"
    );
    (reached < order).then(|| LintFinding::new(Rule::Digits, "stages", message))
}

fn estimate(method: &InfinitesimalMethod) -> Option<LintFinding> {
    let message = "the embedded row equals the last stage, so that the error estimate is always zero";
    let (last, embedded) = (method.stages().last()?, method.embedded()?);
    let is_step = last.from == embedded.from && values(last) == values(embedded);
    is_step.then(|| LintFinding::new(Rule::EmbeddedIsStep, "embedded", message))
}

/// An entry of a row: its partition, its power of τ, −1 for a correction, −2 for a start, −3 for a drift, and its column; the
/// value.
type Entry = ((usize, i64, usize), Coefficient);

/// Returns the nonzero entries of a row, with its interval first.
fn entries(row: &InfinitesimalStage<Coefficient>) -> Vec<Entry> {
    let mut entries = vec![((0, 0, 0), row.interval.clone())];
    let mut add = |partition: usize, power: i64, columns: &[Coefficient]| {
        let nonzero = columns.iter().enumerate().filter(|(_, entry)| entry.value().to_f64() != 0.0);
        entries.extend(nonzero.map(|(j, entry)| ((partition + 1, power, j), entry.clone())));
    };
    for (partition, (powers, correction)) in row.forcing.iter().zip(&row.correction).enumerate() {
        powers.iter().enumerate().for_each(|(k, columns)| add(partition, k as i64, columns));
        add(partition, -1, correction);
    }
    add(0, -2, &row.start);
    add(0, -3, &row.drift);
    entries
}

fn values(row: &InfinitesimalStage<Coefficient>) -> Vec<((usize, i64, usize), String)> {
    entries(row).into_iter().map(|(key, entry)| (key, entry.value().to_string())).collect()
}

/// Returns whether the steps of two methods have the same coefficients up to their rounding.
pub(crate) fn is_same_step(one: &InfinitesimalMethod, other: &InfinitesimalMethod) -> bool {
    let roundings = [one.rounding(), other.rounding()];
    let is_same = |x: &InfinitesimalStage<Coefficient>, y: &InfinitesimalStage<Coefficient>| {
        let (x_entries, y_entries) = (entries(x), entries(y));
        x.from == y.from
            && x_entries.len() == y_entries.len()
            && x_entries.iter().zip(&y_entries).all(|((key, x), (other, y))| key == other && is_near(x, y, &roundings))
    };
    let (one, other) = (one.stages(), other.stages());
    one.len() == other.len() && one.iter().zip(other).all(|(x, y)| is_same(x, y))
}

fn is_near(x: &Coefficient, y: &Coefficient, [of_x, of_y]: &[Rounding; 2]) -> bool {
    let difference = (x.value().clone() - y.value().clone()).to_f64().abs();
    difference <= (of_x.of(x) + of_y.of(y)) * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(method: &InfinitesimalMethod) -> Vec<String> {
        let is_wanted = |finding: &LintFinding| finding.rule == Rule::Intervals;
        findings(method).into_iter().filter(is_wanted).map(|finding| finding.message).collect()
    }

    #[test]
    fn intervals_end_at_one() {
        let text = r#"{ "format": "hemiola-multirate/1", "id": "short", "name": "short", "partitions": ["fast", "slow"],
            "stages": [{ "from": 1, "interval": "1/2", "forcing": {"slow": [["1/2"]]} },
                       { "from": 2, "interval": "1/4", "forcing": {"slow": [["-1/4", "1/2"]]} }] }"#;
        let short = InfinitesimalMethod::from_json(text.as_bytes(), "short.json").unwrap();
        assert_eq!(intervals(&short), ["the intervals end at 3/4; expected 1"]);
        // Methods with starts, whose intervals alone do not sum to one, and tables of decimals.
        for id in ["mis4a", "mis4", "mis-kw3", "mri-gark-erk45a", "hemiola-mri-3-3"] {
            let method = hemiola_multirate::library::method(id).unwrap();
            assert!(intervals(&method).is_empty(), "{id}");
        }
    }
}
