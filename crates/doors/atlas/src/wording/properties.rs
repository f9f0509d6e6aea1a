//! Properties of a method, as text.

use hemiola_export::describe;
use hemiola_order::{
    OrderCheck, OrderReport, OrderSummary, PrincipalError, SimplifyingAssumptions, Symmetry, Symplecticity, Verdict,
    VerifiedOrders, off_row_sums_text,
};
use hemiola_tableau::{Method, Partition};

/// The name and the text of a line.
pub type Property = (&'static str, String);

/// Returns the orders for classes of problems that require only a subset of the conditions.
#[must_use]
pub fn orders(report: &OrderReport) -> Vec<Property> {
    let orders = [("coupling order", report.coupling_order), ("linear order", report.linear_order)];
    orders.into_iter().filter_map(|(name, order)| Some((name, order?.to_string()))).collect()
}

/// Formats the order; if no order was checked that fails, as `≥ 4 (the highest checked)`.
#[must_use]
pub fn order(check: &OrderCheck) -> String {
    let highest = if check.is_capped() { " (the highest checked)" } else { "" };
    format!("{}{highest}", at_least(check))
}

/// Formats the order; if no order was checked that fails, as `≥ 4`.
#[must_use]
pub fn at_least(check: &OrderCheck) -> String {
    let order = check.order();
    if check.is_capped() { format!("≥ {order}") } else { order.to_string() }
}

/// Formats the order for problems y' = f(t, y), if the abscissae differ from the row sums, with the abscissae that lower it.
#[must_use]
pub fn non_autonomous_order(method: &Method, report: &OrderReport) -> Option<Property> {
    let order = report.non_autonomous_order?;
    let reason = off_row_sums_text(method).filter(|_| order < report.check.order());
    let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    Some(("non-autonomous order", format!("{order}{reason}")))
}

/// Formats the principal error norm with the order of its conditions.
#[must_use]
pub fn principal_error_norm(report: &OrderReport) -> Option<Property> {
    let error = report.principal_error.as_ref()?;
    let norm = describe::number(error.total.two);
    Some(("principal error norm", format!("{norm} (of the conditions of order {})", error.order)))
}

/// Returns the verdict on the worst condition of an order.
///
/// ```
/// use hemiola_atlas::wording::verdict;
/// use hemiola_order::{CheckOptions, OrderCheck};
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let check = OrderCheck::new(&rk4, CheckOptions { highest_order: 5, ..Default::default() }).unwrap();
/// assert_eq!(check.orders().iter().map(verdict).collect::<Vec<_>>(), ["exact", "exact", "exact", "exact", "fails"]);
/// ```
#[must_use]
pub fn verdict(summary: &OrderSummary) -> &'static str {
    if summary.failed() > 0 {
        "fails"
    } else if summary.fails_together() {
        "fails together"
    } else if summary.numerically > 0 || !summary.together_as_stated {
        "numerically"
    } else if summary.to_precision > 0 {
        "to precision"
    } else {
        "exact"
    }
}

/// Describes the order and degree of the dense output and its smoothness across steps.
#[must_use]
pub fn dense_output(report: &OrderReport) -> Option<Property> {
    let dense = report.dense_output?;
    let joined = match (dense.continuous, dense.smooth) {
        (Verdict::Fails, _) => "not continuous: b(1) is not b",
        (_, Verdict::Fails) => "continuous",
        _ => "continuously differentiable",
    };
    Some(("dense output", format!("order {} (degree {}, {joined})", dense.order, dense.degree)))
}

/// Describes simplifying assumptions, error constants, symplecticity and symmetry.
#[must_use]
pub fn properties(method: &Method, report: &OrderReport) -> Vec<Property> {
    let mut facts = vec![("simplifying assumptions", assumptions(method, report))];
    if method.partitions().len() > 1 {
        let parts = report.principal_error.as_ref().map(|error| parts(method, error));
        facts.extend(parts.map(|parts| ("error norm by partition", parts)));
    }
    let largest = report.principal_error.as_ref().map(|error| describe::number(error.total.infinity));
    facts.extend(largest.map(|largest| ("largest error coefficient", largest)));
    if let Some(error) = report.embedded_error {
        let [norm, growth, difference] = [error.principal.two, error.growth, error.difference].map(describe::number);
        facts.push((
            "embedded error norm",
            format!("{norm} (order {}), B = {growth}, C = {difference}", error.order + 1),
        ));
    }
    facts.extend(estimate_gaps(method));
    facts.push(("symplectic", symplectic(&report.symplecticity)));
    facts.push(("symmetric", symmetric(&report.symmetry)));
    facts
}

/// Names the classes of problems on which error estimates vanish.
fn estimate_gaps(method: &Method) -> Option<Property> {
    let of_partition = |(k, partition): (usize, &Partition)| {
        let of = if method.partitions().len() == 1 { String::new() } else { format!("of {} ", partition.name) };
        hemiola_order::estimate_gaps(method, k).into_iter().map(move |gap| format!("{of}{gap}"))
    };
    let texts: Vec<String> = method.partitions().iter().enumerate().flat_map(of_partition).collect();
    (!texts.is_empty()).then(|| ("error estimate", texts.join("; ")))
}

/// Formats the simplifying assumptions of each partition and of the coupling, as `B(4) C(2) D(2)`.
fn assumptions(method: &Method, report: &OrderReport) -> String {
    let all = &report.assumptions;
    let partitions = method.partitions().iter().zip(&all.partitions);
    let text = match &all.partitions[..] {
        [single] => letters(single),
        _ => {
            let named = partitions.map(|(partition, own)| format!("{} {}", partition.name, letters(own)));
            named.chain([format!("coupled {}", letters(&all.coupled))]).collect::<Vec<_>>().join(", ")
        }
    };
    let all_reach = |as_good: fn(&VerifiedOrders) -> bool| {
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

/// Formats the principal error norms of the partitions and of the coupling.
fn parts(method: &Method, error: &PrincipalError) -> String {
    let partitions = method.partitions().iter().zip(&error.partitions);
    let named = partitions.map(|(partition, norms)| format!("{} {}", partition.name, describe::number(norms.two)));
    named.chain([format!("coupling {}", describe::number(error.coupling.two))]).collect::<Vec<_>>().join(", ")
}

fn symplectic(symplecticity: &Symplecticity) -> String {
    let readings = [
        ("", Some(symplecticity.within).filter(|_| symplecticity.conjugate.is_none())),
        ("within each partition: ", Some(symplecticity.within).filter(|_| symplecticity.conjugate.is_some())),
        ("as positions and momenta: ", symplecticity.conjugate),
        // A property that holds for all systems also holds for separable systems.
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

/// Lists the properties that hold, each with its verdict; `no` if none does.
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
