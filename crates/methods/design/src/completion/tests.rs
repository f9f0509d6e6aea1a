//! Completed methods of the library are verified by the order check, and proofs by independent computations.

use hemiola_multirate::{InfinitesimalMethod, MultirateReport, library as multirate};
use hemiola_order::{CheckOptions, NodeKind, OrderReport, Tree, principal_error};
use hemiola_tableau::{Butcher, Claims, Coefficient, Exact, Method, Scalar, dot, library};
use num_traits::{One, Zero};

use crate::completion::complete::*;
use crate::completion::embedded::differ;
use crate::proof::trees::psi;
use crate::{AbsenceProof, CompletionOutcome, DesignError, PolynomialClass, complete_multirate};

/// Additive pairs and tables of SUNDIALS and PETSc without embedded weights in the library, each with the order below
/// its own, and whether weights of this order exist at the evaluated stages.
const WITHOUT: [(&str, usize, bool); 17] = [
    ("ars-1-2-2", 1, false),
    ("ars-2-2-2", 1, true),
    ("ars-2-3-2", 1, true),
    ("ars-2-3-3", 2, false),
    ("ars-3-4-3", 2, true),
    ("ars-4-4-3", 2, true),
    ("ars-4-4-3-shared-weights", 2, true),
    ("giraldo-kelly-constantinescu-ark-2c", 1, true),
    ("imex-ssp2-222", 1, true),
    ("imex-ssp2-322", 1, true),
    ("imex-ssp2-332", 1, true),
    ("imex-ssp3-332", 1, true),
    ("imex-ssp3-433", 2, true),
    ("imex-trapezoid-2", 1, true),
    ("kennedy-carpenter-esdirk-3-2i-5", 2, true),
    ("knoth-wolke-3", 2, true),
    ("esdirk-1-2-2", 1, false),
];

fn embedded(order: usize) -> CompletionRequests {
    CompletionRequests { embedded: Some(order), ..CompletionRequests::default() }
}

fn dense(order: usize) -> CompletionRequests {
    CompletionRequests { dense: Some(order), ..CompletionRequests::default() }
}

fn report(method: &Method, order: usize) -> OrderReport {
    OrderReport::new(method, CheckOptions { highest_order: order, ..CheckOptions::default() }, &()).unwrap()
}

fn values(row: &[Coefficient]) -> Vec<Exact> {
    row.iter().map(|x| x.value().clone()).collect()
}

/// Computes γΨᵢ of a tree at some stages.
fn row(tree: &Tree, method: &Method, stages: &[usize]) -> Vec<Exact> {
    let psi = psi(tree, &method.exact());
    stages.iter().map(|&i| psi[i].clone() * Exact::ratio(tree.density() as i64, 1)).collect()
}

/// Computes a determinant by expansion along the first row.
fn determinant(rows: &[Vec<Exact>]) -> Exact {
    let Some((first, rest)) = rows.split_first() else { return Exact::one() };
    (0..first.len()).fold(Exact::zero(), |sum, j| {
        let minor: Vec<Vec<Exact>> = rest.iter().map(|row| [&row[..j], &row[j + 1..]].concat()).collect();
        let term = first[j].clone() * determinant(&minor);
        if j % 2 == 0 { sum + term } else { sum - term }
    })
}

/// Returns whether a proof is correct; `right` gives the right-hand side of a condition by its number of nodes.
fn holds(proof: &AbsenceProof, method: &Method, stages: &[usize], right: impl Fn(usize) -> i32) -> bool {
    match proof {
        AbsenceProof::Contradiction { terms, sum } => {
            let left = |j: usize| {
                terms
                    .iter()
                    .fold(Exact::zero(), |all, (tree, by)| all + by.clone() * row(tree, method, stages)[j].clone())
            };
            let total =
                terms.iter().fold(Exact::zero(), |all, (tree, by)| all + by.clone() * Exact::from(right(tree.order())));
            (0..stages.len()).all(|j| left(j).is_zero()) && total == *sum && !sum.is_zero()
        }
        AbsenceProof::OnlyOwn { trees, determinant: stated } => {
            let rows: Vec<Vec<Exact>> = trees.iter().map(|tree| row(tree, method, stages)).collect();
            rows.len() == stages.len() && determinant(&rows).abs() == *stated && !stated.is_zero()
        }
        AbsenceProof::WithinPrecision { .. } => false,
    }
}

#[test]
fn methods_that_ship_without_embedded_weights() {
    for (id, order, exist) in WITHOUT {
        let method = library::method(id).unwrap();
        assert!(method.partitions()[0].b_hat.is_none(), "{id}");
        let Completion { method: found, embedded: finding, is_exact, .. } = complete(&method, embedded(order)).unwrap();
        if !exist {
            let Some(CompletionOutcome::Impossible { stages, proof, .. }) = finding else {
                panic!("{id}: {finding:?}")
            };
            assert!(found.is_none() && holds(&proof, &method, &stages, |_| 1), "{id}: {proof:?}");
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{id}: {finding:?}"));
        // The file is readable.
        let found = Method::from_json(found.to_json().as_bytes(), "completed").unwrap();
        let check = report(&found, order + 2);
        assert_eq!(check.embedded_order, Some(order), "{id}");
        assert_eq!(found.claims().embedded_order, Some(order), "{id}");
        let exact = report(&found.embedded().unwrap(), order + 1);
        assert_eq!(exact.check.exact_order() == order, is_exact, "{id}");
        for (part, evaluated) in found.partitions().iter().zip(&found.exact().partitions) {
            let hat = values(part.b_hat.as_ref().unwrap());
            assert!(differ(&hat, &evaluated.b), "{id}: an estimate of zero");
            let stages = evaluated.evaluated_stages();
            let may = |i: usize| stages.contains(&i) || i + 1 == hat.len() && stages[0] == 0;
            assert!((0..hat.len()).all(|i| may(i) || hat[i].is_zero()), "{id}");
        }
    }
}

#[test]
fn shared_weights_share_the_embedded_ones() {
    for id in ["ars-2-3-2", "ars-4-4-3-shared-weights", "imex-ssp3-433", "giraldo-kelly-constantinescu-ark-2c"] {
        let order = library::method(id).unwrap().claims().order.unwrap();
        let found = complete(&library::method(id).unwrap(), embedded(order - 1)).unwrap();
        assert!(matches!(found.embedded, Some(CompletionOutcome::Found { shared: true, .. })), "{id}");
        let parts = found.method.unwrap();
        assert_eq!(parts.partitions()[0].b_hat, parts.partitions()[1].b_hat, "{id}");
    }
    let own = complete(&library::method("ars-4-4-3").unwrap(), embedded(2)).unwrap();
    assert!(matches!(own.embedded, Some(CompletionOutcome::Found { shared: false, .. })));
}

/// Two stages of order two and four of order four whose own weights do not satisfy the conditions that one vector of
/// weights satisfies.
#[test]
fn conditions_with_one_solution_that_is_not_b() {
    let two = r#"[["0", "0"], ["1", "0"]], "b": ["1/4", "3/4"]"#;
    let four = r#"[["0", "0", "0", "0"], ["1/2", "0", "0", "0"], ["0", "1/2", "0", "0"], ["0", "0", "1", "0"]],
        "b": ["1/4", "1/4", "1/4", "1/4"]"#;
    for (table, wanted, weights) in [
        (two, 2, vec!["1/2", "1/2"]),
        (four, 3, vec!["1/6", "1/3", "1/3", "1/6"]),
        (four, 4, vec!["1/6", "1/3", "1/3", "1/6"]),
    ] {
        let text = format!(
            r#"{{ "format": "hemiola-method/1", "id": "one", "name": "one", "partitions": [{{ "name": "all", "a": {table} }}] }}"#
        );
        let method = Method::from_json(text.as_bytes(), "one.json").unwrap();
        let found = complete(&method, embedded(wanted)).unwrap();
        let Some(CompletionOutcome::Found { order, free: 0, .. }) = found.embedded else {
            panic!("{:?}", found.embedded)
        };
        let completed = found.method.unwrap();
        // The verified order, also where a lower one was requested.
        assert_eq!(order, weights.len());
        assert_eq!(completed.claims().embedded_order, Some(order));
        let hat = values(completed.partitions()[0].b_hat.as_ref().unwrap());
        for (found, expected) in hat.iter().zip(&weights) {
            assert_eq!(*found, hemiola_tableau::parse_number(expected).unwrap());
        }
    }
    // With one stage no weight is free.
    let euler = library::method("explicit-euler").unwrap();
    for wanted in 1..=3 {
        assert!(complete(&euler, embedded(wanted)).unwrap().method.is_none(), "{wanted}");
    }
}

/// The cubic of Hermite has order three and is unique only at degree three with a continuous derivative.
#[test]
fn the_order_of_a_dense_output_is_the_verified_one() {
    for id in ["hemiola-4-8", "bogacki-shampine-3"] {
        let found = complete(&library::method(id).unwrap(), dense(2)).unwrap();
        let Some(CompletionOutcome::Found { order, conditions, free, class, .. }) = found.dense else { panic!("{id}") };
        assert_eq!((order, conditions, free), (3, 2, 0), "{id}");
        assert_eq!(class, Some(PolynomialClass { degree: 3, is_smooth: true }), "{id}");
        let completed = found.method.unwrap();
        assert_eq!(completed.claims().dense_order, Some(3), "{id}");
        assert_eq!(report(&completed, 5).dense_output.unwrap().order, 3, "{id}");
        assert!(completed.source().note.as_ref().unwrap().contains("dense output of order 3"), "{id}");
    }
    // Without null vectors the polynomials are unique at any degree.
    let found = complete(&library::method("gauss-2").unwrap(), dense(2)).unwrap().dense;
    assert!(matches!(found, Some(CompletionOutcome::Found { order: 2, free: 0, class: None, .. })), "{found:?}");
}

/// The published embedded weights satisfy the conditions; if these leave a line, both solutions lie on it.
#[test]
fn published_weights_lie_on_the_line_that_is_found() {
    for (id, order) in [("bogacki-shampine-3", 2), ("dormand-prince-5", 4), ("kennedy-carpenter-esdirk-3-2-5", 2)] {
        let published = library::method(id).unwrap();
        let found = complete(&published, embedded(order)).unwrap();
        let Some(CompletionOutcome::Found { free, .. }) = found.embedded else { panic!("{id}") };
        let hats =
            [&published, found.method.as_ref().unwrap()].map(|m| values(m.partitions()[0].b_hat.as_ref().unwrap()));
        let b = &published.exact().partitions[0].b;
        let [theirs, ours] = hats.map(|hat| hat.into_iter().zip(b).map(|(x, b)| x - b.clone()).collect::<Vec<Exact>>());
        let parallel = (0..b.len()).all(|i| {
            (0..i).all(|j| (theirs[i].clone() * ours[j].clone() - theirs[j].clone() * ours[i].clone()).is_zero())
        });
        assert!(free > 1 || parallel, "{id}: {free}");
    }
}

#[test]
fn four_stages_of_order_four() {
    let rk4 = library::method("rk4").unwrap();
    let Some(CompletionOutcome::Impossible { stages, proof, .. }) = complete(&rk4, embedded(3)).unwrap().embedded
    else {
        panic!()
    };
    assert!(matches!(proof, AbsenceProof::OnlyOwn { .. }) && holds(&proof, &rk4, &stages, |_| 1));
    // An order above the method's own: the conditions contradict each other.
    let Some(CompletionOutcome::Impossible { stages, proof, .. }) = complete(&rk4, embedded(5)).unwrap().embedded
    else {
        panic!()
    };
    assert!(matches!(proof, AbsenceProof::Contradiction { .. }) && holds(&proof, &rk4, &stages, |_| 1));
    // Hairer, Nørsett & Wanner 1993, §II.6: θ − 3θ²/2 + 2θ³/3, twice θ² − 2θ³/3, −θ²/2 + 2θ³/3; order four is
    // impossible.
    let found = complete(&rk4, dense(3)).unwrap().method.unwrap();
    let polynomials = found.partitions()[0].dense.as_ref().unwrap();
    let expected = [["1", "-3/2", "2/3"], ["0", "1", "-2/3"], ["0", "1", "-2/3"], ["0", "-1/2", "2/3"]];
    for (found, expected) in polynomials.iter().zip(expected) {
        assert_eq!(found.iter().map(Coefficient::text).collect::<Vec<_>>(), expected);
    }
    let Some(CompletionOutcome::Impossible { stages, proof, .. }) = complete(&rk4, dense(4)).unwrap().dense else {
        panic!()
    };
    assert!((1..=4).any(|k| holds(&proof, &rk4, &stages, |order| i32::from(order == k))), "{proof:?}");
}

/// The collocation polynomial of degree s is the only dense output of order s at s stages: bᵢ(θ) = ∫₀^θ ℓᵢ.
#[test]
fn collocation_methods_have_the_polynomial_of_collocation() {
    for (id, s) in [("gauss-2", 2), ("radau-iia-2", 2), ("gauss-3", 3), ("radau-iia-3", 3)] {
        let method = library::method(id).unwrap();
        let found = complete(&method, dense(s)).unwrap();
        assert!(matches!(found.dense, Some(CompletionOutcome::Found { free: 0, .. })), "{id}: {:?}", found.dense);
        let Butcher { c, .. } = &method.exact().partitions[0];
        for (i, polynomial) in found.method.unwrap().partitions()[0].dense.as_ref().unwrap().iter().enumerate() {
            // The derivative Σ_k k dₖ θ^{k−1} is ℓᵢ: one at cᵢ, zero at the others.
            for (j, c) in c.iter().enumerate() {
                let (mut power, mut terms) = (Exact::one(), Vec::new());
                for _ in polynomial {
                    terms.push(power.clone());
                    power = power * c.clone();
                }
                let slopes: Vec<Exact> = (1..).zip(values(polynomial)).map(|(k, d)| Exact::from(k) * d).collect();
                assert_eq!(dot(&slopes, &terms), Exact::from(i32::from(i == j)), "{id}");
            }
        }
    }
}

#[test]
fn dense_output_of_every_kind_of_method() {
    for (id, order, extra_stage) in [
        ("ars-2-2-2", 2, false),
        ("ars-3-4-3", 2, false),
        ("ars-4-4-3", 3, false),
        ("imex-ssp2-322", 2, false),
        ("lobatto-iiia-iiib-3", 2, false),
        ("lobatto-iiia-4", 4, false),
        ("mprk-2a23", 1, false),
        ("shome-haug-jay-2-5", 1, false),
        ("dormand-prince-5", 4, false),
        ("three-eighths", 3, true),
        ("knoth-wolke-3", 3, true),
    ] {
        let wishes = CompletionRequests { dense: Some(order), extra_stage, ..CompletionRequests::default() };
        let completion = complete(&library::method(id).unwrap(), wishes).unwrap();
        let found = completion.method.unwrap_or_else(|| panic!("{id}: {:?}", completion.dense));
        let found = Method::from_json(found.to_json().as_bytes(), "completed").unwrap();
        let dense = report(&found, order + 1).dense_output.unwrap();
        assert!(dense.order >= order && dense.continuous.holds(), "{id}: {dense:?}");
        assert_eq!(dense.exact_order >= order, completion.is_exact, "{id}");
        // Both end derivatives are available if a partition is evaluated at the first stage.
        let hands_on = |part: &Butcher<Exact>| part.is_first_same_as_last() && part.evaluated_stages()[0] == 0;
        assert_eq!(dense.smooth.holds(), found.exact().partitions.iter().all(hands_on), "{id}");
    }
}

/// Proofs for nine printed digits cover every table that rounds to them; there is no proof if the digits do not decide.
#[test]
fn decimals_prove_what_their_precision_allows() {
    let method = library::method("ars-3-4-3").unwrap();
    let finding = complete(&method, embedded(4)).unwrap().embedded;
    assert!(
        matches!(
            finding,
            Some(CompletionOutcome::Impossible {
                proof: AbsenceProof::WithinPrecision { contradiction: true, .. },
                ..
            })
        ),
        "{finding:?}"
    );
    // The classical method with eight decimals has only its own weights.
    let text = library::method("rk4").unwrap().to_json().replace("1/6", "0.16666667").replace("1/3", "0.33333333");
    let text =
        text.replace("\"claims\"", "\"precision\": {\"decimals\": 8}, \"claims\"").replace("\"1/2\"", "\"0.50000000\"");
    let decimals = Method::from_json(text.as_bytes(), "rk4").unwrap();
    let finding = complete(&decimals, embedded(3)).unwrap().embedded;
    assert!(
        matches!(
            finding,
            Some(CompletionOutcome::Impossible {
                proof: AbsenceProof::WithinPrecision { contradiction: false, .. },
                ..
            })
        ),
        "{finding:?}"
    );
}

#[test]
fn an_extra_stage_is_the_first_of_the_next_step() {
    let wishes = CompletionRequests { embedded: Some(3), dense: Some(3), extra_stage: true };
    let found = complete(&library::method("gill-4").unwrap(), wishes).unwrap().method.unwrap();
    assert!(found.exact().partitions[0].is_first_same_as_last());
    let check = report(&found, 5);
    assert_eq!((check.check.order(), check.embedded_order, check.dense_output.unwrap().order), (4, Some(3), 3));
    assert!(check.dense_output.unwrap().smooth.holds());
    let hat = values(found.partitions()[0].b_hat.as_ref().unwrap());
    assert!(!hat[4].is_zero(), "the fifth stage is what sets the weights apart");
    for id in ["gauss-2", "dormand-prince-5", "sdirk-2"] {
        let refused = complete(&library::method(id).unwrap(), CompletionRequests { extra_stage: true, ..embedded(1) });
        assert!(matches!(refused, Err(DesignError::OutOfRange { .. })), "{id}");
    }
}

/// A table without claims once received its own weights as embedded weights, up to rounding, because its order was
/// assumed to be the requested order.
#[test]
fn weights_do_not_depend_on_claims() {
    for id in ["rk4", "gill-4"] {
        let method = library::method(id).unwrap();
        let without = Method::new(
            method.id(),
            method.name(),
            method.partitions().to_vec(),
            Claims::default(),
            method.precision(),
            method.source().clone(),
        );
        let wishes = CompletionRequests { extra_stage: true, ..embedded(3) };
        let [with, without] = [&method, &without.unwrap()].map(|method| complete(method, wishes).unwrap());
        assert_eq!((with.order, without.order), (4, 4), "{id}");
        let weights = |found: &Completion| found.method.as_ref().unwrap().partitions()[0].b_hat.clone().unwrap();
        assert_eq!(values(&weights(&with)), values(&weights(&without)), "{id}");
    }
}

#[test]
fn orders_out_of_range_are_refused() {
    let rk4 = library::method("rk4").unwrap();
    for wishes in [embedded(0), embedded(13), dense(0), dense(5)] {
        assert!(matches!(complete(&rk4, wishes), Err(DesignError::OutOfRange { .. })), "{wishes:?}");
    }
}

/// The estimate has the size of the method's own error, E = 1 of Prince & Dormand, up to the choice of simple
/// fractions.
#[test]
fn simple_fractions_keep_the_criteria() {
    for (id, order) in [("ars-4-4-3", 2), ("imex-ssp2-332", 1), ("bogacki-shampine-5", 4)] {
        let method = library::method(id).unwrap();
        let found = complete(&method, embedded(order)).unwrap().method.unwrap();
        let norm = |method: &Method, order: usize| principal_error(&method.exact(), order).unwrap().total.two;
        let ratio = norm(&method, order + 1) / norm(&found.embedded().unwrap(), order);
        assert!((ratio - 1.0).abs() < 0.2, "{id}: E = {ratio}");
    }
}

/// Rows of published multirate methods have their order and not the next one, and estimate the error of every slow partition.
#[test]
fn multirate_methods_are_completed() {
    for (id, order, is_exact) in [
        ("mis-kw3", 2, true),
        ("wicker-skamarock-3", 1, true),
        ("mis4", 2, false),
        ("mis5-4", 3, false),
        ("hemiola-mri-5-4", 1, false),
        ("imex-mri-gark-trapezoidal", 1, true),
        ("imex-mri-gark3a", 2, false),
        ("imex-mri-gark4", 3, false),
    ] {
        let found = complete_multirate(&multirate::method(id).unwrap(), order).unwrap();
        assert!(found.is_exact == is_exact && matches!(found.outcome, CompletionOutcome::Found { .. }), "{id}");
        let completed = found.method.unwrap();
        let report = MultirateReport::new(&completed, Some(order + 1)).unwrap();
        let embedded = report.embedded.unwrap();
        assert_eq!(embedded.order_as_stated(), order, "{id}");
        for color in 1..completed.partitions().len() {
            let is_of_color = |tree: &Tree| tree.kind() == NodeKind::Partition(color);
            assert!(embedded.failures().any(|condition| is_of_color(&condition.tree)), "{id}: {color}");
        }
        assert!(completed.source().note.as_ref().unwrap().contains("Added by Hemiola"), "{id}");
    }
}

/// A row of order two of ESDIRK34a needs no corrections, which the published one has.
#[test]
fn rows_have_an_order_below_the_method() {
    let found = complete_multirate(&multirate::method("mri-gark-esdirk34a").unwrap(), 2).unwrap();
    assert!(found.method.is_some() && found.order == 3, "{found:?}");
    // The implicit trapezoidal rule in one stage leaves no unknown: its row is a step of Euler's method.
    let trapezoidal = r#"{ "format": "hemiola-multirate/1", "id": "one", "name": "one", "partitions": ["fast", "slow"],
        "stages": [{ "from": 1, "interval": "1", "forcing": {"slow": [["1"]]}, "correction": {"slow": ["-1/2", "1/2"]} }],
        "claims": {"order": 2}, "source": {"authors": "a", "title": "t"} }"#;
    let single = InfinitesimalMethod::from_json(trapezoidal.as_bytes(), "one.json").unwrap();
    let found = complete_multirate(&single, 1).unwrap();
    assert!(matches!(found.outcome, CompletionOutcome::Found { order: 1, free: 0, .. }), "{:?}", found.outcome);
    // The conditions hold to ten decimals only, those of order two exactly.
    let mut table: serde_json::Value = serde_json::from_str(&multirate::method("mis-kw3").unwrap().to_json()).unwrap();
    table["stages"][2]["forcing"]["slow"][0] =
        serde_json::json!(["0.3541666665917", "-0.637499999925", "0.5333333333"]);
    table["precision"] = serde_json::json!({ "decimals": 10 });
    let rounded = InfinitesimalMethod::from_json(table.to_string().as_bytes(), "rounded.json").unwrap();
    let found = complete_multirate(&rounded, 2).unwrap();
    assert!(!found.is_exact && matches!(found.outcome, CompletionOutcome::Found { order: 2, .. }), "{found:?}");
    let euler = multirate::method("mri-gark-forward-euler").unwrap();
    assert!(matches!(complete_multirate(&euler, 1), Err(DesignError::OutOfRange { .. })));
    let method = multirate::method("merk43").unwrap();
    for order in [0, 4, 5] {
        assert!(matches!(complete_multirate(&method, order), Err(DesignError::OutOfRange { .. })), "{order}");
    }
}
