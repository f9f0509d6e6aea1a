//! Properties of a method, as text.

use hemiola_export::describe;
use hemiola_order::{
    OrderReport, OrderSummary, SimplifyingAssumptions, Symmetry, Symplecticity, Verdict, VerifiedOrders,
};
use hemiola_tableau::Method;

/// The name and the text of a line.
pub type Property = (&'static str, String);

/// Returns the orders for classes of problems that require only a subset of the conditions.
#[must_use]
pub fn orders(report: &OrderReport) -> Vec<Property> {
    let orders = [("coupling order", report.coupling_order), ("linear order", report.linear_order)];
    orders.into_iter().filter_map(|(name, order)| Some((name, order?.to_string()))).collect()
}

/// Formats the stage order, with the checked order if that limits it.
#[must_use]
pub fn stage_order(report: &OrderReport) -> String {
    let order = report.stage_order;
    if report.is_stage_order_capped { format!("≥ {order} (checked to order {order})") } else { order.to_string() }
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
        facts.push(("error norm by partition", parts(method, report)));
    }
    facts.push(("largest error coefficient", describe::number(report.principal_error.total.infinity)));
    if let Some(error) = report.embedded_error {
        let [norm, growth, difference] = [error.principal.two, error.growth, error.difference].map(describe::number);
        facts.push((
            "embedded error norm",
            format!("{norm} (order {}), B = {growth}, C = {difference}", error.order + 1),
        ));
    }
    facts.push(("symplectic", symplectic(&report.symplecticity)));
    facts.push(("symmetric", symmetric(&report.symmetry)));
    facts
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
fn parts(method: &Method, report: &OrderReport) -> String {
    let error = &report.principal_error;
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
