//! The coupling order: the order of the conditions that involve several partitions.

use crate::verdict::check::OrderCheck;
use crate::verdict::condition::OrderSummary;

/// Returns the largest order up to which all conditions with at least two colors hold, together with those of one
/// color.
///
/// `check` is the check of all conditions, and `alone` contains those of the individual partitions. Failures beyond the
/// latter are due to coupling.
pub(crate) fn coupling_order(check: &OrderCheck, alone: &[OrderCheck]) -> usize {
    // A check of a partition may end before that of all conditions.
    let own = |k: usize| alone.iter().filter_map(move |check| check.orders().get(k));
    let holds = |k: &usize| {
        let summary = &check.orders()[*k];
        let is_coupled = |colors: &[usize]| colors.len() > 1;
        if summary.failures.iter().any(|condition| is_coupled(&condition.tree.partitions())) {
            return false;
        }
        // If each partition can satisfy its own conditions, but all of them fail together, the coupling is the cause.
        if summary.fails_together() && !own(*k).any(OrderSummary::fails_together) {
            return false;
        }
        // Failures are listed only up to a maximum number.
        let of_one_color: u64 = own(*k).map(OrderSummary::failed).sum();
        summary.failures.len() as u64 == summary.failed() || summary.failed() <= of_one_color
    };
    (0..check.orders().len()).take_while(holds).count()
}

#[cfg(test)]
mod tests {
    use crate::{CheckOptions, OrderReport};
    use hemiola_tableau::{Method, library};

    fn report(method: &Method) -> OrderReport {
        OrderReport::new(method, CheckOptions { highest_order: 5, ..Default::default() }, &()).unwrap()
    }

    #[test]
    fn coupling_may_be_better_than_the_partitions() {
        // Explicit methods for separable systems: b ĉ = 1/2 = b̂ c couples them to order 2, each alone has order 1.
        for (id, partitions, coupling) in
            [("ruth-3", [1, 1], 2), ("symplectic-euler", [1, 1], 1), ("lobatto-iiia-iiib-3", [4, 4], 4)]
        {
            let report = report(&library::method(id).unwrap());
            assert_eq!(
                (&report.partition_orders[..], report.coupling_order),
                (&partitions[..], Some(coupling)),
                "{id}"
            );
        }
        assert_eq!(report(&library::method("rk4").unwrap()).coupling_order, None);
    }

    /// Uses two tableaus of order three with the same abscissae. The coupling conditions bÂĉ = 1/6 are off by
    /// 2.5e-13, which last digits explain in each of them, but not in all conditions together.
    #[test]
    fn coupling_that_contradicts_the_partitions_does_not_hold() {
        let text = r#"{"format": "hemiola-method/1", "id": "off", "name": "Off", "partitions": [
            {"name": "slow", "a": [["0", "0", "0", "0"], ["0.3195876288659794", "0", "0", "0"],
             ["0.04438817676247172", "0.5844778026189716", "0", "0"],
             ["-0.07772895158126837", "0.1428571428571429", "0.9142532520230946", "0"]], "b": ["0.1345722847573720", "0.3049411162314388", "0.4176294561540463", "0.1428571428571429"]},
            {"name": "fast", "a": [["0", "0", "0", "0"], ["0.3195876288659794", "0", "0", "0"],
             ["0.04438817675940322", "0.5844778026220401", "0", "0"],
             ["-0.1714057665677828", "0.3333333333333333", "0.8174538765334185", "0"]], "b": ["0.06881720430107527", "0.5034050179211470", "0.2277777777777778", "0.2"]}]}"#;
        let report = report(&Method::from_json(text.as_bytes(), "off.json").unwrap());
        let summary = &report.check.orders()[2];
        assert!(summary.fails_together(), "{summary:?}");
        assert_eq!((&report.partition_orders[..], report.coupling_order), (&[3, 3][..], Some(2)));
        assert_eq!((report.check.order(), report.linear_order), (2, Some(2)));
    }

    #[test]
    fn coupling_may_be_worse_than_the_partitions() {
        // Heun's method beside the midpoint rule: order 2 each, but Σ bᵢĉᵢ = 1/4.
        let text = r#"{"format": "hemiola-method/1", "id": "uncoupled", "name": "Uncoupled", "partitions": [
            {"name": "slow", "a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"]},
            {"name": "fast", "a": [["0", "0"], ["1/2", "0"]], "b": ["0", "1"]}]}"#;
        let report = report(&Method::from_json(text.as_bytes(), "uncoupled.json").unwrap());
        assert_eq!((&report.partition_orders[..], report.coupling_order), (&[2, 2][..], Some(1)));
    }
}
