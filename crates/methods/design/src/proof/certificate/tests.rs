//! Certificates prove the expected statements, and modified ones are refused.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_order::{NodeKind, Tree};
use hemiola_tableau::Method;

use crate::proof::certificate::{Certificate, CertificateRefusal, ProofStatus};
use crate::proof::{Assumption, CertificateClaims, FurtherProof, FurtherWeights};
use crate::{Design, Specification, Vector, design};

fn designed(slow: usize, fast: usize, starts: usize) -> Design {
    let specification = Specification { starts, ..Specification::new(slow, fast, None).unwrap() };
    design(&specification, &()).unwrap()
}

/// Returns the method with the twentieth decimal of one coefficient changed.
fn spoiled(method: &Method) -> Method {
    let text = method.partitions()[1].b[0].text();
    let digit = text.find('.').unwrap() + 20;
    let other = if &text[digit..=digit] == "5" { "6" } else { "5" };
    let changed = format!("{}{other}{}", &text[..digit], &text[digit + 1..]);
    Method::from_json(method.to_json().replace(text, &changed).as_bytes(), "spoiled").unwrap()
}

fn is_enclosed(method: &Method, certificate: &Certificate) {
    let ProofStatus::Enclosed { radius, contraction, .. } = certificate.status else {
        panic!("{}: {:?}", method.id(), certificate.status)
    };
    assert!(radius < 1e-30 && contraction < 1e-5, "{}: {radius:e}, {contraction:e}", method.id());
    assert!(certificate.holds(method).unwrap());
    let spoiled = spoiled(method);
    let refusal = |certificate: &Certificate| certificate.refusal(&spoiled).unwrap();
    assert!(matches!(refusal(certificate), Some(CertificateRefusal::Table { .. })));
    // With the digest of the spoiled table, the radius is too small, and a larger one exceeds its last digit.
    let table = crate::proof::certificate::digest::digest(&spoiled);
    let with = |radius: f64| {
        let status = ProofStatus::Enclosed { radius, residual: 1.0, contraction: 0.5 };
        refusal(&Certificate { status, table: table.clone(), ..certificate.clone() })
    };
    assert_eq!(with(radius), Some(CertificateRefusal::NoSolution));
    assert!(matches!(with(1e-15), Some(CertificateRefusal::Radius { .. })));
}

#[test]
fn families_are_exact_or_not_proved() {
    for (id, order) in [("hemiola-family-2-4-8", 2), ("hemiola-family-4-6-12", 4)] {
        let family = hemiola_tableau::library::method(id).unwrap();
        let certificate = Certificate::new(&family, order, &[]).unwrap();
        assert!(certificate.status == ProofStatus::Exact && certificate.holds(&family).unwrap(), "{id}");
        let more = Certificate { order: order + 1, ..certificate.clone() };
        assert!(!more.holds(&family).unwrap(), "{id}");
        let other = hemiola_tableau::library::method("mprk-2a23").unwrap();
        assert!(!certificate.holds(&other).unwrap());
    }
    // A published family with fifteen decimals.
    let rounded = hemiola_tableau::library::method("perk-4-10-6-5").unwrap();
    let status = Certificate::new(&rounded, 4, &[]).unwrap().status;
    assert!(matches!(status, ProofStatus::Verified { decimals: 13..=16 }), "{status:?}");
}

#[test]
fn designs_of_orders_two_to_four_are_enclosed() {
    for (slow, fast, starts) in [(2, 5, 6), (3, 6, 4), (3, 7, 8), (4, 6, 4), (4, 8, 6), (4, 10, 3)] {
        let design = designed(slow, fast, starts);
        is_enclosed(&design.method, &design.certificate);
    }
}

/// Returns a method and the coefficients of the optimal polynomial.
fn written(text: &str, slow: usize, fast: usize) -> (Method, Vec<(usize, RBig)>) {
    let specification = Specification::new(slow, fast, None).unwrap();
    let [_, polynomial] = specification.polynomials().unwrap();
    let beyond = polynomial.into_iter().flatten().enumerate().skip(specification.order + 1).collect();
    (Method::from_json(text.as_bytes(), "a design").unwrap(), beyond)
}

#[test]
fn methods_of_order_five_are_enclosed() {
    // One method has stages with D(1); in the other, differences are proportional instead of zero.
    for (text, slow, fast) in [
        (include_str!("../../../tests/data/dual-rate-6-8.json"), 6, 8),
        (include_str!("../../../tests/data/dual-rate-6-9.json"), 6, 9),
    ] {
        let (method, polynomial) = written(text, slow, fast);
        let certificate = Certificate::new(&method, 5, &polynomial).unwrap();
        is_enclosed(&method, &certificate);
        for k in 0..certificate.assumptions.len() {
            let mut fewer = certificate.clone();
            fewer.assumptions.remove(k);
            assert!(!fewer.holds(&method).unwrap(), "{}", certificate.assumptions[k]);
        }
    }
}

#[test]
fn proportional_differences_of_order_four_are_enclosed() {
    // Five slow stages leave one direction for the differences of both matrices.
    let (method, polynomial) = written(include_str!("../../../tests/data/dual-rate-5-9.json"), 5, 9);
    let certificate = Certificate::new(&method, 4, &polynomial).unwrap();
    is_enclosed(&method, &certificate);
    assert!(certificate.assumptions.iter().any(|one| matches!(one.vector, Vector::Proportional { .. })));
}

#[test]
fn vanishing_fast_weights_are_imposed() {
    // The fast weights equal the slow weights, and vanish at all other stages.
    let mut specification = Specification::new(4, 6, None).unwrap();
    (specification.seed, specification.starts) = (3, 12);
    specification.slow_stages = Some(vec![0, 2, 4, 5]);
    let Design { method, certificate, .. } = design(&specification, &()).unwrap();
    is_enclosed(&method, &certificate);
}

#[test]
fn fields_out_of_range_are_refused() {
    let Design { method, certificate, .. } = designed(3, 6, 4);
    let refused = |spoil: &dyn Fn(&mut Certificate)| {
        let mut spoiled = certificate.clone();
        spoil(&mut spoiled);
        !spoiled.holds(&method).unwrap()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|c| c.assumptions[0].stages.push(6)) && refused(&|c| c.assumptions[0].imposed.push(0)));
    assert!(refused(&|c| c.assumptions[0].imposed.reverse()) && refused(&|c| c.order = 0));
    assert!(refused(&|c| c.order = 99) && refused(&|c| c.polynomial[0].0 = 0));
    assert!(refused(&|c| c.polynomial[0].0 = 7) && refused(&|c| c.polynomial.reverse()));
    assert!(refused(&|c| c.polynomial.push(c.polynomial[0].clone())));
    let time = || Tree::new(NodeKind::Partition(0), vec![Tree::new(NodeKind::Time(0), Vec::new())]);
    assert!(refused(&|c| c.conditions.push(time())));
    assert!(refused(&|c| c.conditions.push(Tree::parse("[τ_m]_s", &["s", "f", "m"]).unwrap())));
    assert!(refused(&|c| c.conditions.push(Tree::parse("[τ_s,τ_s,τ_s]_s", &["s", "f"]).unwrap())));
    assert!(refused(&|c| c.assumptions[0].vector = Vector::Weights { b: 2, a: 0 }));
    let below = |status| refused(&move |c: &mut Certificate| c.status = status);
    let ProofStatus::Enclosed { radius, residual, contraction } = certificate.status else { panic!() };
    assert!(below(ProofStatus::Enclosed { radius, residual, contraction: 0.0 }));
    assert!(below(ProofStatus::Enclosed { radius, residual: 0.0, contraction }));
    assert!(below(ProofStatus::Enclosed { radius: f64::NAN, residual, contraction }));
    assert!(below(ProofStatus::Verified { decimals: 60 }));
}

#[test]
fn other_methods_than_pairs_are_not_proved() {
    for id in ["rk4", "gauss-3", "shome-haug-jay-2-5"] {
        let method = hemiola_tableau::library::method(id).unwrap();
        let power = vec![(3, RBig::from(1u8)), (5, RBig::from(1u8))];
        let certificate = Certificate::new(&method, 2, &power).unwrap();
        assert_eq!(certificate.status, ProofStatus::Verified { decimals: 0 }, "{id}");
    }
}

#[test]
fn spoiled_certificates_are_refused() {
    let Design { method, certificate, .. } = designed(3, 6, 4);
    let refused = |spoiled: Certificate| !spoiled.holds(&method).unwrap();
    let ProofStatus::Enclosed { radius, residual, contraction } = certificate.status else {
        panic!("nothing is proved")
    };
    assert!(refused(Certificate { status: ProofStatus::Exact, ..certificate.clone() }));
    let smaller = ProofStatus::Enclosed { radius: radius / 2.0, residual, contraction };
    assert!(refused(Certificate { status: smaller, ..certificate.clone() }));
    assert!(refused(Certificate { conditions: certificate.conditions[1..].to_vec(), ..certificate.clone() }));
    assert!(refused(Certificate { assumptions: Vec::new(), ..certificate.clone() }));
    assert!(refused(Certificate { order: 4, ..certificate.clone() }));
    let mut moved = certificate.clone();
    moved.polynomial[0].1 += RBig::from_parts(IBig::ONE, 1_000_000_u32.into());
    assert!(refused(moved));
    // D(1) does not hold for this method.
    let mut too_much = certificate.clone();
    let vector = Vector::Weights { b: 0, a: 0 };
    too_much.assumptions.push(Assumption { vector, stages: vec![0], imposed: vec![0] });
    assert!(refused(too_much));
    let equations = Certificate { status: ProofStatus::Verified { decimals: 45 }, ..certificate };
    assert!(refused(equations.clone()), "equations that nothing is made of");
    let (assumptions, conditions, solution) = Default::default();
    let at_most = Certificate { assumptions, conditions, solution, embedded: None, dense: None, ..equations };
    assert!(at_most.holds(&method).unwrap());
}

#[test]
fn a_stage_for_other_weights_takes_nothing_from_the_proof() {
    let mut specification = Specification { starts: 6, ..Specification::new(4, 8, None).unwrap() };
    specification.structure.first_same_as_last = true;
    specification.embedded = Some(3);
    let design = design(&specification, &()).unwrap();
    assert_eq!(design.method.stages(), 9);
    assert!(matches!(design.certificate.status, ProofStatus::Enclosed { radius, .. } if radius < 1e-40));
    assert!(design.certificate.holds(&design.method).unwrap());
}

/// The descent for the best 2–5 pair with shared abscissae ends where some weights agree only to 1e-7, the accuracy
/// of a flat minimum.
#[test]
fn what_only_nearly_holds_is_not_assumed() {
    let mut specification = Specification::new(2, 5, None).unwrap();
    specification.structure.shared_abscissae = true;
    let found = design(&specification, &()).unwrap();
    is_enclosed(&found.method, &found.certificate);
    assert!(matches!(found.certificate.status, ProofStatus::Enclosed { radius, .. } if radius < 1e-40));
}

#[test]
fn the_classical_method_is_exact() {
    let rk4 = hemiola_tableau::library::method("rk4").unwrap();
    let mut partitions = vec![rk4.partitions()[0].clone(); 2];
    for (partition, name) in partitions.iter_mut().zip(["slow", "fast"]) {
        name.clone_into(&mut partition.name);
    }
    let pair = Method::new("rk-pair", "RK4 twice", partitions, rk4.claims(), None, rk4.source().clone()).unwrap();
    let certificate = Certificate::new(&pair, 4, &[]).unwrap();
    assert_eq!(certificate.status, ProofStatus::Exact);
    assert!(certificate.holds(&pair).unwrap());
    assert!(!matches!(
        Certificate::new(&pair, 5, &[]).unwrap().status,
        ProofStatus::Exact | ProofStatus::Enclosed { .. }
    ));
}

/// Returns a method of the library and the claims of its certificate.
fn of_library(id: &str) -> (Method, CertificateClaims) {
    let file = format!("{}/../../../designs/{id}.certificate.json", env!("CARGO_MANIFEST_DIR"));
    let claims = CertificateClaims::from_json(&std::fs::read_to_string(file).unwrap()).unwrap();
    (hemiola_tableau::library::method(id).unwrap(), claims)
}

/// Embedded weights and dense output at stages some of which are proportional: no relation implies their
/// conditions, but the dimension does.
#[test]
fn further_weights_are_proved_with_the_pair() {
    for id in ["hemiola-2-5", "hemiola-4-6"] {
        let (method, claims) = of_library(id);
        let certificate = Certificate::new(&method, claims.order, &claims.polynomial).unwrap();
        assert_eq!(certificate.refusal(&method).unwrap(), None, "{id}");
        let orders = [&certificate.embedded, &certificate.dense].map(|further| further.as_ref().unwrap().order);
        assert_eq!(orders, [method.claims().embedded_order.unwrap(), method.claims().dense_order.unwrap()]);
        let further: [fn(&mut Certificate) -> &mut Option<FurtherWeights>; 2] = [|c| &mut c.embedded, |c| &mut c.dense];
        for (of, what) in further.into_iter().zip(["embedded weights", "dense output"]) {
            let count = |certificate: &Certificate| {
                let mut copy = certificate.clone();
                let FurtherProof::WithPair(lists) = &of(&mut copy).as_ref().unwrap().proof else {
                    panic!("{id}: nothing is proved of the {what}")
                };
                lists.iter().map(Vec::len).collect::<Vec<usize>>()
            };
            // If any one condition is removed, some no longer follow.
            for (vector, conditions) in count(&certificate).into_iter().enumerate() {
                for k in 0..conditions {
                    let mut fewer = certificate.clone();
                    let FurtherProof::WithPair(lists) = &mut of(&mut fewer).as_mut().unwrap().proof else { panic!() };
                    lists[vector].remove(k);
                    assert_eq!(
                        fewer.refusal(&method).unwrap(),
                        Some(CertificateRefusal::Open { what }),
                        "{id}: {vector}, {k}"
                    );
                }
            }
        }
    }
}

/// Weights that use a last stage other than a copy of b are not part of the proof, and the certificate says so.
#[test]
fn weights_at_other_stages_are_verified_alone() {
    let (method, claims) = of_library("hemiola-4-6");
    let mut text: serde_json::Value = serde_json::from_str(&method.to_json()).unwrap();
    for partition in 0..2 {
        text["partitions"][partition]["a"][6][0] = serde_json::json!("0.25");
    }
    let other = Method::from_json(text.to_string().as_bytes(), "other").unwrap();
    let certificate = Certificate::new(&other, claims.order, &claims.polynomial).unwrap();
    assert!(matches!(certificate.status, ProofStatus::Enclosed { .. }));
    let decimals = |further: &Option<FurtherWeights>| match further {
        Some(FurtherWeights { proof: FurtherProof::Verified { decimals }, .. }) => *decimals,
        other => panic!("{other:?}"),
    };
    assert!(decimals(&certificate.embedded) < 3 && decimals(&certificate.dense) < 3);
    assert!(certificate.holds(&other).unwrap());
}
