//! Independence of the notation: the order of partitions and stages, the units of the components, two names for one
//! tableau.

use hemiola_order::{CheckOptions, Grammar, OrderReport, StageSolution, TreeId, Trees, Weights, value_and_gradient};
use hemiola_stability::{eigenvalues, stability_matrix};
use hemiola_tableau::{Claims, Exact, Method, Partition, Scalar, Source, Tableau, library};
use num_complex::Complex64;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// Methods of three stages, any of which may be partitions of one method.
const THREE_STAGES: [&str; 8] =
    ["kutta-3", "heun-3", "ralston-3", "nystrom-3", "gauss-3", "radau-iia-3", "lobatto-iiia-3", "lobatto-iiib-3"];
const PAIRS: [&str; 5] = ["shome-haug-jay-2-5", "mprk-p2", "ars-2-3-3", "lobatto-iiia-iiib-3", "stormer-verlet"];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() }
}

fn load(id: &str) -> Method {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

/// Builds a method of these partitions with the precision of another.
fn with_partitions(method: &Method, partitions: Vec<Partition>) -> Method {
    let (claims, source) = (Claims::default(), Source::default());
    Method::new("composed", "Composed", partitions, claims, method.precision(), source)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Combines several single-partition methods as partitions of one.
fn composed(ids: &[&str]) -> Method {
    let methods: Vec<Method> = ids.iter().map(|id| load(id)).collect();
    let partitions = methods.iter().enumerate().map(|(r, method)| {
        let name = format!("partition-{r}");
        Partition { name, b_hat: None, dense: None, ..method.partitions()[0].clone() }
    });
    with_partitions(&methods[0], partitions.collect())
}

/// Returns the items at the given positions.
fn permuted<T: Clone>(items: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| items[place].clone()).collect()
}

fn permutation(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<usize>>()).prop_shuffle()
}

fn trees(grammar: &Grammar, order: usize) -> (Trees, Vec<TreeId>) {
    let trees = Trees::new(grammar, order).unwrap_or_else(|error| panic!("{error}"));
    let all = (1..=order).flat_map(|n| trees.of_order(n)).collect();
    (trees, all)
}

fn relabeled_alike(method: &Method, places: &[usize]) -> Result<(), TestCaseError> {
    let report = |method: &Method| {
        OrderReport::new(method, CheckOptions { highest_order: 5, ..CheckOptions::default() }, &())
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let other = report(&with_partitions(method, permuted(method.partitions(), places)));
    let method = report(method);
    prop_assert_eq!(other.check.order(), method.check.order());
    prop_assert_eq!(other.check.exact_order(), method.check.exact_order());
    prop_assert_eq!(other.separable_order, method.separable_order);
    prop_assert_eq!(other.stage_order, method.stage_order);
    prop_assert_eq!(&other.partition_orders, &permuted(&method.partition_orders, places));
    let norms = other.principal_error_norm().zip(method.principal_error_norm());
    prop_assert_eq!(norms.is_some(), other.check.order() < 5);
    if let Some((other, method)) = norms {
        prop_assert!((other - method).abs() <= 1e-13 * method);
    }
    Ok(())
}

/// Generates small exact entries: A, b and c of `partitions` tableaus of `stages` stages.
fn exact_entries(partitions: usize, stages: usize) -> impl Strategy<Value = Vec<Vec<Vec<Exact>>>> {
    let entry = (-3i64..=3, 1u64..=4).prop_map(|(n, d)| Exact::ratio(n, d));
    let rows = prop::collection::vec(prop::collection::vec(entry, stages), stages + 2);
    prop::collection::vec(rows, partitions)
}

/// Builds a tableau from rows, the last two of which are b and c.
fn tableau<T: Scalar>(partitions: &[Vec<Vec<T>>]) -> Tableau<T> {
    let split = |rows: &Vec<Vec<T>>| {
        let s = rows.len() - 2;
        (rows[..s].to_vec(), rows[s].clone(), Some(rows[s + 1].clone()))
    };
    Tableau::new(partitions.iter().map(split).collect())
}

/// Generates Z and a diagonal D of 2 or 3 components, D with moduli 1/8 to 8.
fn linear_problem(n: usize) -> impl Strategy<Value = (Vec<Vec<Complex64>>, Vec<Complex64>)> {
    let entry = (-1.0..0.5f64, -1.5..1.5f64).prop_map(|(re, im)| Complex64::new(re, im));
    let scale = (-3.0..3.0f64, -3.2..3.2f64).prop_map(|(log, angle)| Complex64::from_polar(log.exp2(), angle));
    let rows = prop::collection::vec(prop::collection::vec(entry, n), n);
    (rows, prop::collection::vec(scale, n))
}

fn scaled_alike(tableau: &Tableau<f64>, z: &[Vec<Complex64>], d: &[Complex64]) -> Result<(), TestCaseError> {
    let n = d.len();
    let scaled: Vec<Vec<Complex64>> = (0..n).map(|r| (0..n).map(|q| d[r] * z[r][q] / d[q]).collect()).collect();
    let matrix = |z: &[Vec<Complex64>]| stability_matrix(tableau, z).unwrap_or_else(|error| panic!("{error}"));
    let values = |s: &[Vec<Complex64>]| eigenvalues(s).unwrap_or_else(|error| panic!("{error}"));
    let s = matrix(z);
    let (one, other) = (values(&s), values(&matrix(&scaled)));
    let size = 1.0 + s.iter().flatten().map(|entry| entry.norm()).fold(0.0, f64::max);
    // Double eigenvalues are ill-conditioned, but the polynomial that vanishes at them is not.
    for value in one {
        let polynomial: Complex64 = other.iter().map(|other| value - other).product();
        prop_assert!(polynomial.norm() <= 1e-12 * size.powi(n as i32), "{} is none of {:?}", value, other);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn partitions_in_another_sequence(ids in prop::collection::vec(select(&THREE_STAGES[..]), 3), places in permutation(3)) {
        relabeled_alike(&composed(&ids), &places)?;
    }

    #[test]
    fn stages_in_another_sequence(entries in exact_entries(2, 3), places in permutation(3)) {
        let permute = |rows: &Vec<Vec<Exact>>| -> Vec<Vec<Exact>> {
            let rows_of_a = places.iter().copied().chain([3, 4]);
            rows_of_a.map(|row| permuted(&rows[row], &places)).collect()
        };
        let (tableau_one, tableau_other) = (tableau(&entries), tableau(&entries.iter().map(permute).collect::<Vec<_>>()));
        let (trees, all) = trees(&Grammar::non_autonomous(2), 4);
        for stages in [StageSolution::Solved, StageSolution::Linearized { iterations: 2 }] {
            let mut one = Weights::new(&trees, &tableau_one, stages);
            let mut other = Weights::new(&trees, &tableau_other, stages);
            for &tree in &all {
                prop_assert_eq!(one.elementary_weight(tree), other.elementary_weight(tree));
            }
        }
    }

    #[test]
    fn one_tableau_under_two_names(id in select(library::ids().collect::<Vec<_>>())) {
        let method = load(id);
        let order = method.claims().order.unwrap_or(0);
        if method.partitions().len() == 1 && order <= 6 {
            let twice = ["one", "other"].map(|name| {
                Partition { name: name.to_owned(), ..method.partitions()[0].clone() }
            });
            let pair = with_partitions(&method, twice.to_vec());
            let report = |method: &Method| {
                let options = CheckOptions { highest_order: order + 1, ..CheckOptions::default() };
                OrderReport::new(method, options, &()).unwrap_or_else(|error| panic!("{error}"))
            };
            let (method, pair) = (report(&method), report(&pair));
            prop_assert_eq!(pair.check.order(), method.check.order());
            prop_assert_eq!(pair.check.exact_order(), method.check.exact_order());
            prop_assert_eq!(pair.partition_orders, vec![method.check.order(); 2]);
        }
    }

    #[test]
    fn gradients_are_limits_of_differences(
        entries in prop::collection::vec(prop::collection::vec(prop::collection::vec(-1.0..1.0f64, 3), 5), 2),
    ) {
        const STEP: f64 = 1e-5;
        let (trees, all) = trees(&Grammar::non_autonomous(2), 4);
        let at = |place: [usize; 3], step: f64| {
            let mut moved = entries.clone();
            moved[place[0]][place[1]][place[2]] += step;
            let tableau = tableau(&moved);
            let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
            all.iter().map(|&tree| weights.elementary_weight(tree)).collect::<Vec<f64>>()
        };
        let tableau = tableau(&entries);
        let gradient = |&id: &TreeId| value_and_gradient(&trees.tree(id), &tableau).1;
        let gradients: Vec<Tableau<f64>> = all.iter().map(gradient).collect();
        for place in (0..30).map(|k| [k / 15, k % 15 / 3, k % 3]) {
            let (above, below) = (at(place, STEP), at(place, -STEP));
            for (t, gradient) in gradients.iter().enumerate() {
                let butcher = &gradient.partitions[place[0]];
                let rows: Vec<&Vec<f64>> = butcher.a.iter().chain([&butcher.b, &butcher.c]).collect();
                let (found, expected) = (rows[place[1]][place[2]], (above[t] - below[t]) / (2.0 * STEP));
                prop_assert!((found - expected).abs() <= 1e-7 * (1.0 + expected.abs()), "{} {}", found, expected);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn pairs_in_other_units(id in select(&PAIRS[..]), (z, d) in linear_problem(2)) {
        scaled_alike(&load(id).to_f64(), &z, &d)?;
    }

    #[test]
    fn triples_in_other_units(ids in prop::collection::vec(select(&THREE_STAGES[..]), 3), (z, d) in linear_problem(3)) {
        scaled_alike(&composed(&ids).to_f64(), &z, &d)?;
    }
}

#[test]
fn pairs_in_the_other_sequence() {
    for id in PAIRS {
        relabeled_alike(&load(id), &[1, 0]).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}
