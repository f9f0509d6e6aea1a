//! Further properties of a method, as text.

use hemiola::order::{OrderReport, Reach, SimplifyingAssumptions, Symmetry, Symplecticity, Verdict};

use crate::output::text;

use super::checked::Checked;

/// The name and text of a line.
type Fact = (&'static str, String);

/// Orders for classes of problems, which follow from a subset of the conditions.
pub(crate) fn orders(report: &OrderReport) -> Vec<Fact> {
    let orders = [("coupling order", report.coupling_order), ("linear order", report.linear_order)];
    orders.into_iter().filter_map(|(name, order)| Some((name, order?.to_string()))).collect()
}

/// Order and degree of the dense output, and its smoothness across steps.
pub(crate) fn dense_output(report: &OrderReport) -> Option<Fact> {
    let dense = report.dense_output?;
    let joined = match (dense.continuous, dense.smooth) {
        (Verdict::Fails, _) => "not continuous: b(1) is not b",
        (_, Verdict::Fails) => "continuous",
        _ => "continuously differentiable",
    };
    Some(("dense output", format!("order {} (degree {}, {joined})", dense.order, dense.degree)))
}

/// Simplifying assumptions, error constants, symplecticity and symmetry.
pub(crate) fn properties(checked: &Checked) -> Vec<Fact> {
    let report = &checked.report;
    let mut facts = vec![("simplifying assumptions", assumptions(checked))];
    if checked.method.partitions().len() > 1 {
        facts.push(("error norm by partition", parts(checked)));
    }
    facts.push(("largest error coefficient", text::number(report.principal_error.total.infinity)));
    if let Some(error) = report.embedded_error {
        let [norm, growth, difference] = [error.principal.two, error.growth, error.difference].map(text::number);
        facts.push((
            "embedded error norm",
            format!("{norm} (order {}), B = {growth}, C = {difference}", error.order + 1),
        ));
    }
    facts.push(("symplectic", symplectic(&report.symplecticity)));
    facts.push(("symmetric", symmetric(&report.symmetry)));
    facts
}

/// `B(4) C(2) D(2)` for each partition and for all together.
fn assumptions(checked: &Checked) -> String {
    let all = &checked.report.assumptions;
    let partitions = checked.method.partitions().iter().zip(&all.partitions);
    let text = match &all.partitions[..] {
        [single] => letters(single),
        _ => {
            let named = partitions.map(|(partition, own)| format!("{} {}", partition.name, letters(own)));
            named.chain([format!("coupled {}", letters(&all.coupled))]).collect::<Vec<_>>().join(", ")
        }
    };
    let all_reach = |as_good: fn(&Reach) -> bool| {
        let scopes = all.partitions.iter().chain([&all.coupled]);
        scopes.flat_map(|own| [own.b, own.c, own.d]).all(|reach| as_good(&reach))
    };
    if all_reach(|reach| reach.exact == reach.order) {
        text
    } else if all_reach(|reach| reach.as_stated == reach.order) {
        text + " (to precision)"
    } else {
        text + " (numerically)"
    }
}

fn letters(assumptions: &SimplifyingAssumptions) -> String {
    let SimplifyingAssumptions { b, c, d } = assumptions;
    format!("B({}) C({}) D({})", b.order, c.order, d.order)
}

/// The principal error norms of the partitions and of the coupling.
fn parts(checked: &Checked) -> String {
    let error = &checked.report.principal_error;
    let partitions = checked.method.partitions().iter().zip(&error.partitions);
    let named = partitions.map(|(partition, norms)| format!("{} {}", partition.name, text::number(norms.two)));
    named.chain([format!("coupling {}", text::number(error.coupling.two))]).collect::<Vec<_>>().join(", ")
}

fn symplectic(symplecticity: &Symplecticity) -> String {
    let readings = [
        ("", Some(symplecticity.within).filter(|_| symplecticity.conjugate.is_none())),
        ("within each partition: ", Some(symplecticity.within).filter(|_| symplecticity.conjugate.is_some())),
        ("as positions and momenta: ", symplecticity.conjugate),
        // What holds in general holds for separable systems, too.
        (
            "as those of separable systems: ",
            symplecticity.conjugate_separable.filter(|verdict| Some(*verdict) != symplecticity.conjugate),
        ),
    ];
    holding(&readings)
}

fn symmetric(symmetry: &Symmetry) -> String {
    let separable = symmetry.separable.filter(|_| !symmetry.general.holds());
    holding(&[("", Some(symmetry.general)), ("for separable systems: ", separable)])
}

/// The properties that hold, each with its verdict; `no` if none does.
fn holding(readings: &[(&str, Option<Verdict>)]) -> String {
    let text = |(name, verdict): &(&str, Option<Verdict>)| match (*verdict)? {
        Verdict::Exact => Some(format!("{name}exactly")),
        Verdict::ToPrecision => Some(format!("{name}to precision")),
        Verdict::Numerically => Some(format!("{name}numerically")),
        Verdict::Fails => None,
    };
    let texts: Vec<String> = readings.iter().filter_map(text).collect();
    if texts.is_empty() { "no".to_owned() } else { texts.join(", ") }
}
