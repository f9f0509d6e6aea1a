//! Methods with M micro-steps for every M, against the verdicts on ordinary pairs.

use hemiola_multirate::microsteps::{CompoundStage, HoldingRatios, MicroStepMethod, MicroStepReport, library};
use hemiola_multirate::{InfinitesimalMethod, MultirateError, MultirateReport};
use hemiola_order::{CheckOptions, Grammar, OrderCheck, StageSolution, Trees, Weights};

fn midpoint_with(entry: &str) -> MicroStepMethod {
    let text = include_str!("../../../../../tableaus/microsteps/multirate-midpoint.json");
    let changed = text.replace("\"(λ-1/2)/M\"", &format!("{entry:?}"));
    MicroStepMethod::from_json(changed.as_bytes(), "changed").expect("a method")
}

#[test]
fn verdicts_for_every_ratio_agree_with_those_on_pairs() {
    for id in library::ids() {
        let method = library::method(id).unwrap();
        let report = MicroStepReport::new(&method, None).unwrap();
        assert_eq!(Some(report.order()), method.claims().order, "{id}");
        for ratio in method.least_ratio()..=6 {
            let pair = method.at(ratio).unwrap();
            let options = CheckOptions { highest_order: report.orders.len(), ..CheckOptions::default() };
            let order = OrderCheck::new(&pair, options).unwrap().order();
            let last = report.orders.len();
            let holds = match report.holds_to(last) {
                HoldingRatios::Every => true,
                HoldingRatios::Only(ratios) => ratios.contains(&(ratio as u64)),
            };
            assert_eq!(order, if holds { last } else { report.order() }, "{id} at M = {ratio}");
            // Implicit stages are solved one at a time, but for a pair of stages or two in methods that are implicit in both parts.
            let groups = method.coupled_stages(ratio).unwrap();
            assert_eq!(pair.exact().is_explicit(), groups.is_empty(), "{id} at M = {ratio}");
            let pairs: Vec<_> = groups.iter().filter(|group| group.len() > 1).collect();
            let expected = match id {
                "mrgark-im2-im2" => 2,
                "mrgark-im3-im3" => 1,
                _ => 0,
            };
            assert_eq!(pairs.len(), expected, "{id} at M = {ratio}");
            let is_mixed =
                |group: &&Vec<CompoundStage>| matches!(group[..], [CompoundStage::Slow(_), CompoundStage::Fast(..)]);
            assert!(pairs.iter().all(is_mixed), "{id} at M = {ratio}: {pairs:?}");
        }
    }
}

/// The slow tableau of Table 3 has one evaluation, at the beginning, and the fast one three equal steps.
#[test]
fn euler_with_three_micro_steps_is_table_3() {
    let pair = library::method("shome-haug-jay-euler").unwrap().at(3).unwrap().exact();
    let [slow, fast] = &pair.partitions[..] else { unreachable!() };
    let text = |row: &[hemiola_tableau::Exact]| row.iter().map(ToString::to_string).collect::<Vec<_>>();
    // The slow stage comes first; the fast stages see the slow variable at 0, 1/3 and 2/3.
    assert_eq!(
        (text(&slow.b), text(&slow.c)),
        (text(&["1", "0", "0", "0"].map(number)), text(&["0", "0", "1/3", "2/3"].map(number)))
    );
    assert_eq!(text(&fast.c), text(&["0", "0", "1/3", "2/3"].map(number)));
}

fn number(text: &str) -> hemiola_tableau::Exact {
    hemiola_number::parse_number(text).expect("a number")
}

#[test]
fn a_coupling_broken_in_one_term_fails_for_all_but_finitely_many_ratios() {
    // The second condition of order 2 has the residual (M − 3)/M.
    let report = MicroStepReport::new(&midpoint_with("(λ-1/2)/M + (M-3)/M"), None).unwrap();
    assert_eq!((report.order(), report.holds_to(2)), (1, HoldingRatios::Only(vec![3])));
    assert_eq!(report.orders[1].failures.len(), 1);
    // A zero far beyond the values that are computed.
    let report = MicroStepReport::new(&midpoint_with("(λ-1/2)/M + (M-3)*(M-57)/M^2"), None).unwrap();
    assert_eq!(report.holds_to(2), HoldingRatios::Only(vec![3, 57]));
    // No integer satisfies 1/(6M) = 0.
    let report = MicroStepReport::new(&midpoint_with("(λ-2/3)/M"), None).unwrap();
    assert_eq!(report.holds_to(2), HoldingRatios::Only(Vec::new()));
}

#[test]
fn zeros_that_are_not_followed_leave_the_verdict_open() {
    // The condition holds for M = 2 000 000.
    let method = midpoint_with("(λ-1/2)/M + (M-2000000)/M");
    assert!(matches!(MicroStepReport::new(&method, None), Err(MultirateError::Undecided { order: 2 })));
}

#[test]
fn pairs_of_fifty_micro_steps_have_the_order() {
    for id in library::ids() {
        let method = library::method(id).unwrap();
        let order = method.claims().order.unwrap();
        // Methods with six fast stages end at 41: ordinary methods have at most 256 stages.
        let [slow, fast] = method.stages();
        for ratio in method.least_ratio()..=50.min((256 - slow) / fast) {
            let tableau = method.at(ratio).unwrap().to_f64();
            let trees = Trees::new(&Grammar::partitioned(2), order + 1).unwrap();
            let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
            let mut largest = |order: usize| {
                trees.of_order(order).into_iter().map(|tree| weights.residual(tree).abs()).fold(0.0, f64::max)
            };
            // Couplings of the size M² act M times.
            let rounding = 1e-14 + 1e-16 * (ratio as f64).powi(3);
            assert!((1..=order).all(|order| largest(order) < rounding), "{id} at M = {ratio}");
            assert!(largest(order + 1) > 1e-3, "{id} at M = {ratio}");
        }
    }
}

/// Euler's micro-steps with the slow slope at the beginning are a realization of the method whose fast part is exact.
#[test]
fn euler_with_many_micro_steps_approaches_the_infinitesimal_method() {
    let limit = r#"{
        "format": "hemiola-multirate/1", "id": "limit", "name": "Limit", "partitions": ["fast", "slow"],
        "stages": [{ "from": 1, "interval": "1", "forcing": { "slow": [["1"]] } }],
        "claims": { "order": 1 }, "source": { "authors": "Test", "title": "Test" }
    }"#;
    let limit = InfinitesimalMethod::from_json(limit.as_bytes(), "limit").unwrap();
    let micro_steps = library::method("shome-haug-jay-euler").unwrap();
    let euler = hemiola_tableau::library::method("explicit-euler").unwrap();
    let norm = |pair: &hemiola_tableau::Method| hemiola_order::principal_error_norm(&pair.exact(), 1).unwrap();
    let exact = MultirateReport::new(&limit, None).unwrap().step.principal_error().unwrap().total.two;
    let distances = [4, 8, 16].map(|ratio| {
        let found = norm(&micro_steps.at(ratio).unwrap());
        assert!((found - norm(&limit.expand(&euler, ratio).unwrap())).abs() < 1e-15, "M = {ratio}");
        (found - exact).abs()
    });
    assert!(distances[0] > 1.8 * distances[1] && distances[1] > 1.8 * distances[2], "{distances:?}");
}

/// Theorem of the source: with one slow evaluation no coupling makes the order two for all M.
#[test]
fn one_slow_evaluation_has_order_one() {
    for id in ["shome-haug-jay-euler", "shome-haug-jay-euler-averaged"] {
        let report = MicroStepReport::new(&library::method(id).unwrap(), Some(2)).unwrap();
        let slow = report.orders[1].failures.iter().find(|(tree, _)| tree.text(&["s", "f"]) == "[τ_s]_s");
        assert_eq!(slow.map(|(_, ratios)| ratios.clone()), Some(HoldingRatios::Only(Vec::new())), "{id}");
    }
}

/// The slow stage takes all fast slopes, and the fast stages from the second micro-step on take the slow slope.
#[test]
fn stages_that_depend_on_each_other_are_solved_together() {
    let text = include_str!("../../../../../tableaus/microsteps/shome-haug-jay-euler.json");
    let changed = text.replace("\"slow_fast\": [[\"0\"]]", "\"slow_fast\": [[\"1\"]]");
    let method = MicroStepMethod::from_json(changed.as_bytes(), "changed").unwrap();
    assert!(method.coupled_stages(1).unwrap().is_empty());
    let fast = |micro_step| CompoundStage::Fast(micro_step, 0);
    let [group] = &method.coupled_stages(3).unwrap()[..] else { panic!("expected one group") };
    assert_eq!((group.len(), group.contains(&CompoundStage::Slow(0))), (3, true));
    assert!(group.contains(&fast(1)) && group.contains(&fast(2)));
    // An implicit fast tableau alone is decoupled: each micro-step is solved after the other.
    let implicit = text.replace("\"fast\": { \"a\": [[\"0\"]]", "\"fast\": { \"a\": [[\"1\"]]");
    let method = MicroStepMethod::from_json(implicit.as_bytes(), "changed").unwrap();
    assert_eq!(method.coupled_stages(2).unwrap(), [[fast(0)], [fast(1)]]);
}

/// The coupling needs its divisions and its own first micro-step for order three.
#[test]
fn divisors_and_first_micro_steps_matter() {
    let text = library::method("mrgark-ex4-ex4").unwrap().to_json();
    let method = MicroStepMethod::from_json(text.as_bytes(), "written").unwrap();
    assert_eq!(method, library::method("mrgark-ex4-ex4").unwrap());
    let report = MicroStepReport::new(&method, Some(3)).unwrap();
    assert_eq!((report.order(), report.orders[2].conditions), (3, 14));
    // Another divisor, twice as large, halves all entries.
    for (divisor, twice) in [("\"3*M^2 - 7*M + 4\"", "\"6*M^2 - 14*M + 8\""), ("\"3*M - 4\"", "\"6*M - 8\"")] {
        let method = MicroStepMethod::from_json(text.replace(divisor, twice).as_bytes(), "changed").unwrap();
        assert_eq!(MicroStepReport::new(&method, Some(2)).unwrap().order(), 1, "{divisor}");
    }
    let error = |from: &str, to: &str| {
        MicroStepMethod::from_json(text.replacen(from, to, 1).as_bytes(), "file").unwrap_err().to_string()
    };
    for (from, to, part) in [
        (
            "\"3*M - 4\"",
            "\"3*M - 9\"",
            "coupling.fast_slow_in_first_divisor: found 3*M - 9; expected a polynomial in M without zeros",
        ),
        ("\"3*M - 4\"", "\"λ\"", "coupling.fast_slow_in_first_divisor: found λ; expected a polynomial in M"),
        ("\"3*M - 4\"", "\"0\"", "coupling.fast_slow_in_first_divisor: found 0; expected a polynomial in M"),
        (
            "\"least_ratio\": 2",
            "\"least_ratio\": 1",
            "coupling.fast_slow_divisor: found 3*M^2 - 7*M + 4; expected a polynomial",
        ),
        (
            "\"least_ratio\": 2",
            "\"least_ratio\": 9",
            "least_ratio: found 9; expected a number of micro-steps from 1 to 8",
        ),
    ] {
        assert!(error(from, to).contains(part), "{}", error(from, to));
    }
    let mut alone: serde_json::Value = serde_json::from_str(&text).unwrap();
    alone["coupling"].as_object_mut().unwrap().remove("fast_slow_in_first");
    let error = MicroStepMethod::from_json(alone.to_string().as_bytes(), "file").unwrap_err().to_string();
    assert!(error.contains("coupling.fast_slow_in_first_divisor: found a divisor alone"), "{error}");
    assert!(matches!(method.at(1), Err(MultirateError::LeastRatio { least: 2, .. })));
}

/// The last micro-step, and divisors of the couplings of slow stages, decide the order as well.
#[test]
fn last_micro_steps_and_divisors_of_slow_stages_matter() {
    let read = |value: &serde_json::Value| MicroStepMethod::from_json(value.to_string().as_bytes(), "file");
    let written = |id: &str| -> serde_json::Value {
        let text = library::method(id).unwrap().to_json();
        assert_eq!(MicroStepMethod::from_json(text.as_bytes(), "written").unwrap(), library::method(id).unwrap());
        serde_json::from_str(&text).unwrap()
    };
    let order = |value: &serde_json::Value| MicroStepReport::new(&read(value).unwrap(), Some(2)).unwrap().order();
    let mut im2 = written("mrgark-im2-ex2");
    assert_eq!(order(&im2), 2);
    // The second row of the last micro-step has the abscissa 1/2 in place of 1.
    im2["coupling"]["fast_slow_in_last"][1] = serde_json::json!(["1/2", "0"]);
    assert_eq!(order(&im2), 1);
    let mut ex3 = written("mrgark-ex3-ex3");
    assert_eq!(order(&ex3), 2);
    ex3["coupling"]["slow_fast_divisor"] = "2*M - 2".into();
    assert_eq!(order(&ex3), 1);
    ex3["coupling"]["slow_fast_divisor"] = "M - 2".into();
    let error = read(&ex3).unwrap_err().to_string();
    assert!(
        error.contains("coupling.slow_fast_divisor: found M - 2; expected a polynomial in M without zeros"),
        "{error}"
    );
    // With one micro-step, the first would be the last.
    let mut both = written("mrgark-im2-im2");
    both["least_ratio"] = 1.into();
    let error = read(&both).unwrap_err().to_string();
    assert!(error.contains("least_ratio: found 1; expected 2 or more: the first and the last micro-step"), "{error}");
    let mut alone = written("mrgark-im3-im3");
    alone["coupling"].as_object_mut().unwrap().remove("fast_slow_in_last");
    let error = read(&alone).unwrap_err().to_string();
    assert!(error.contains("coupling.fast_slow_in_last_divisor: found a divisor alone"), "{error}");
}

#[test]
fn requests_and_files_out_of_range_are_refused() {
    let method = library::method("multirate-midpoint").unwrap();
    for ratio in [0, 1000, usize::MAX] {
        assert!(matches!(method.at(ratio), Err(MultirateError::Substeps { .. })), "{ratio}");
    }
    assert!(matches!(MicroStepReport::new(&method, Some(6)), Err(MultirateError::Order(_))));
    let text = include_str!("../../../../../tableaus/microsteps/multirate-midpoint.json");
    for (from, to, part) in [
        ("[\"M/2\", \"0\"]", "[\"M/2\"]", "coupling.slow_fast_first[1]: found length 1; expected 2 rows of 2 entries"),
        ("\"b\": [\"0\", \"1\"] },\n  \"fast\"", "\"b\": [] },\n  \"fast\"", "slow.b: found length 0"),
        ("M/2", "M/", "coupling.slow_fast_first[1][0]"),
        ("hemiola-microsteps/1", "hemiola-method/1", "format"),
        ("\"order\": 2", "\"order\": -2", "claims"),
    ] {
        let error = MicroStepMethod::from_json(text.replacen(from, to, 1).as_bytes(), "file").unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
