//! Results of a check other than order conditions, line by line as `hemiola check` prints them.

use hemiola_atlas::wording;

use crate::requests::checked::CheckedMethod;
use crate::wording::Fact;

pub(crate) fn facts(checked: &CheckedMethod) -> Vec<Fact> {
    let report = &checked.report;
    let check = &report.check;
    let order = check.order();
    let mut facts = vec![Fact::new("order", wording::order(check))];
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
    let further = [("separable order", report.separable_order), ("embedded order", report.embedded_order)];
    let further = further.into_iter().filter_map(|(name, order)| Some((name, order?.to_string())));
    let further = further.chain(wording::non_autonomous_order(&checked.method, report));
    let stage_order = ("stage order", report.stage_order.to_string());
    let solved = [Some(stage_order), wording::principal_error_norm(report)].into_iter().flatten();
    let orders = wording::orders(report).into_iter().chain(further).chain(wording::dense_output(report));
    let all = orders.chain(solved).chain(wording::properties(&checked.method, report));
    facts.extend(all.map(|(name, text)| Fact::new(name, text)));
    facts.push(Fact::new("arithmetic", report.arithmetic));
    facts
}
