//! Embedded weights and dense output of designed pairs: orders by the exact engine, and measured convergence.

use hemiola_order::{CheckOptions, OrderReport, Verdict};
use hemiola_tableau::{Butcher, Coefficient, Method, Partition, Tableau};

use crate::pair::decimals::HALF_UNIT;
use crate::weights::dense_output::dense;
use crate::{Specification, design};

/// Designs a pair from a few starts, with embedded weights and dense output of given orders.
fn designed((slow, fast): (usize, usize), starts: usize, reused: bool, orders: [usize; 2]) -> (Method, usize) {
    let mut specification = Specification { starts, ..Specification::new(slow, fast, None).unwrap() };
    specification.structure.first_same_as_last = reused;
    [specification.embedded, specification.dense] = orders.map(Some);
    let found = design(&specification, &()).unwrap();
    (found.method, specification.order)
}

/// Takes one step of size h with given weights for s′ = −s³f², f′ = sf/2, whose solution is s = 1/(1 + t), f = √(1
/// + t).
fn advanced(tableau: &Tableau<f64>, weights: [&[f64]; 2], h: f64, [s, f]: [f64; 2]) -> [f64; 2] {
    let mut slopes: Vec<[f64; 2]> = Vec::new();
    let sum = |slopes: &[[f64; 2]], row: &[f64], r: usize| slopes.iter().zip(row).map(|(k, a)| a * k[r]).sum::<f64>();
    for i in 0..tableau.stages() {
        let [s, f] = [(0, s), (1, f)].map(|(r, y)| y + h * sum(&slopes, &tableau.partitions[r].a[i], r));
        slopes.push([-s * s * s * f * f, s * f / 2.0]);
    }
    [(0, s), (1, f)].map(|(r, y)| y + h * sum(&slopes, weights[r], r))
}

fn distance(t: f64, [s, f]: [f64; 2]) -> f64 {
    (s - 1.0 / (1.0 + t)).hypot(f - (1.0 + t).sqrt())
}

/// Returns log₂ of the quotient of errors.
fn rate(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

fn check((slow, fast): (usize, usize), starts: usize, reused: bool, [hat_order, dense_order]: [usize; 2]) {
    let (method, order) = designed((slow, fast), starts, reused, [hat_order, dense_order]);
    let name = format!("{slow}–{fast}, reused {reused}");
    let tableau = method.to_f64();
    let numbers = |row: &Vec<Coefficient>| row.iter().map(|x| x.value().to_f64()).collect::<Vec<f64>>();
    let parts = method.partitions();
    let hats: Vec<Vec<f64>> = parts.iter().map(|part| numbers(part.b_hat.as_ref().unwrap())).collect();
    let dense = |part: &Partition| part.dense.as_ref().unwrap().iter().map(numbers).collect::<Vec<_>>();
    let polynomials: Vec<Vec<Vec<f64>>> = parts.iter().map(dense).collect();

    // The new weights use no further slow evaluations, except the first evaluation of the next step.
    let evaluated = tableau.partitions.iter().map(Butcher::evaluated_stages);
    for ((stages, hat), dense) in evaluated.zip(&hats).zip(&polynomials) {
        let may = |i: usize| stages.contains(&i) || (reused && stages[0] == 0 && i + 1 == tableau.stages());
        let is_used = |i: usize| hat[i] != 0.0 || dense[i].iter().any(|&d| d != 0.0);
        assert!((0..tableau.stages()).all(|i| may(i) || !is_used(i)), "{name}");
    }

    let options = CheckOptions { highest_order: order + 1, ..CheckOptions::default() };
    let report = OrderReport::new(&method, options, &()).unwrap();
    assert_eq!((report.check.order(), report.embedded_order), (order, Some(hat_order)), "{name}");
    let output = report.dense_output.unwrap();
    assert!(output.order >= dense_order && output.continuous.holds(), "{name}: {output:?}");
    let is_smooth = tableau.partitions.iter().all(|butcher| reused && butcher.evaluated_stages()[0] == 0);
    assert_eq!(output.smooth != Verdict::Fails, is_smooth, "{name}");

    let at_end = |count: u32| {
        let h = 1.0 / f64::from(count);
        let step = |y, _| advanced(&tableau, [&hats[0], &hats[1]], h, y);
        distance(1.0, (0..count).fold([1.0, 1.0], step))
    };
    let measured = rate(at_end(32), at_end(64));
    assert!((measured - hat_order as f64).abs() < 0.3, "{name}: embedded {measured}");

    for theta in [0.3, 0.7] {
        let horner = |row: &Vec<f64>| row.iter().rev().fold(0.0, |sum, d| (sum + d) * theta);
        let weights: Vec<Vec<f64>> = polynomials.iter().map(|rows| rows.iter().map(horner).collect()).collect();
        let within = |h: f64| distance(theta * h, advanced(&tableau, [&weights[0], &weights[1]], h, [1.0, 1.0]));
        let measured = rate(within(0.02), within(0.01));
        assert!((measured - output.order as f64 - 1.0).abs() < 0.35, "{name}: {measured} at θ = {theta}");
    }
}

#[test]
fn pairs_of_order_two_and_three() {
    check((2, 5), 8, false, [1, 1]);
    check((3, 5), 8, false, [2, 2]);
    check((3, 7), 8, false, [2, 2]);
    check((3, 7), 8, true, [2, 3]);
}

#[test]
fn pairs_of_order_four() {
    check((4, 6), 8, false, [2, 3]);
    check((4, 6), 8, true, [3, 3]);
}

#[test]
fn pairs_of_order_five() {
    check((6, 8), 4, false, [3, 3]);
    check((6, 8), 4, true, [3, 4]);
}

#[test]
fn what_the_stages_do_not_allow_is_no_rounding() {
    // c^s and c^f differ at the slow stages of a 2–5 pair, so that no b(θ) of order two can serve both.
    let (method, _) = designed((2, 5), 8, false, [1, 1]);
    let tableau = method.exact();
    let stage = tableau.partitions[0].evaluated_stages()[0];
    let [slow, fast] = [0, 1].map(|r| tableau.partitions[r].c[stage].to_f64());
    assert!((slow - fast).abs() > 1e6 * HALF_UNIT && dense(&tableau, 2).is_err());
}
