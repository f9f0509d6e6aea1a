//! What a check found beside the order conditions, line by line as `hemiola check` prints it.

use hemiola_export::describe;
use hemiola_order::{OrderReport, Reach, SimplifyingAssumptions, Symmetry, Symplecticity, Verdict};

use crate::asked::checked::Checked;
use crate::words::Fact;

pub(crate) fn facts(checked: &Checked) -> Vec<Fact> {
    let report = &checked.report;
    let check = &report.check;
    let order = check.order();
    let highest = if order == checked.highest { " (the highest checked)" } else { "" };
    let mut facts = vec![Fact::new("order", format!("{order}{highest}"))];
    if check.order_as_stated() < order {
        facts.push(Fact::new("as stated", format!("order {}", check.order_as_stated())));
    }
    facts.push(Fact::new("exact order", check.exact_order().to_string()));
    let partitions = checked.method.partitions();
    if partitions.len() > 1 {
        let named = partitions.iter().zip(&report.partition_orders);
        let named: Vec<String> = named.map(|(partition, order)| format!("{} {order}", partition.name)).collect();
        facts.push(Fact::new("partition orders", named.join(", ")));
    }
    let orders = [
        ("coupling order", report.coupling_order),
        ("linear order", report.linear_order),
        ("separable order", report.separable_order),
        ("embedded order", report.embedded_order),
        ("non-autonomous order", report.non_autonomous_order),
    ];
    facts.extend(orders.into_iter().filter_map(|(name, order)| Some(Fact::new(name, order?.to_string()))));
    facts.extend(dense_output(report));
    facts.push(Fact::new("stage order", stage_order(report)));
    let norm = describe::number(report.principal_error_norm);
    facts.push(Fact::new("principal error norm", format!("{norm} (of the conditions of order {})", order + 1)));
    facts.push(Fact::new("simplifying assumptions", assumptions(checked)));
    if partitions.len() > 1 {
        facts.push(Fact::new("error norm by partition", parts(checked)));
    }
    facts.push(Fact::new("largest error coefficient", describe::number(report.principal_error.total.infinity)));
    if let Some(error) = report.embedded_error {
        let [norm, growth, difference] = [error.principal.two, error.growth, error.difference].map(describe::number);
        let text = format!("{norm} (order {}), B = {growth}, C = {difference}", error.order + 1);
        facts.push(Fact::new("embedded error norm", text));
    }
    facts.push(Fact::new("symplectic", symplectic(&report.symplecticity)));
    facts.push(Fact::new("symmetric", symmetric(&report.symmetry)));
    facts.push(Fact::new("arithmetic", report.arithmetic));
    facts
}

fn stage_order(report: &OrderReport) -> String {
    let order = report.stage_order;
    if report.is_stage_order_capped { format!("≥ {order} (checked to order {order})") } else { order.to_string() }
}

fn dense_output(report: &OrderReport) -> Option<Fact> {
    let dense = report.dense_output?;
    let joined = match (dense.continuous, dense.smooth) {
        (Verdict::Fails, _) => "not continuous: b(1) is not b",
        (_, Verdict::Fails) => "continuous",
        _ => "continuously differentiable",
    };
    Some(Fact::new("dense output", format!("order {} (degree {}, {joined})", dense.order, dense.degree)))
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
    let named = partitions.map(|(partition, norms)| format!("{} {}", partition.name, describe::number(norms.two)));
    named.chain([format!("coupling {}", describe::number(error.coupling.two))]).collect::<Vec<_>>().join(", ")
}

fn symplectic(symplecticity: &Symplecticity) -> String {
    let Symplecticity { within, conjugate, conjugate_separable } = *symplecticity;
    let is_pair = conjugate.is_some();
    holding(&[
        ("", Some(within).filter(|_| !is_pair)),
        ("within each partition: ", Some(within).filter(|_| is_pair)),
        ("as positions and momenta: ", conjugate),
        // What holds in general holds for separable systems, too.
        ("as those of separable systems: ", conjugate_separable.filter(|verdict| Some(*verdict) != conjugate)),
    ])
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
