//! Known methods and theorems of diagonally implicit methods.

use hemiola_order::{CheckOptions, OrderCheck, Tree, dense_output};
use hemiola_tableau::{library, parse_number};
use num_complex::Complex64;

use crate::implicit::problem::Problem;
use crate::implicit::reduction::TreeReduction;
use crate::implicit::stability::amplification;
use crate::implicit::start::start;
use crate::implicit::*;

/// Norms of Kennedy & Carpenter's methods, from `principal_error`, which shares no code with the objective.
#[test]
fn published_methods_solve_the_equations_with_their_own_norm() {
    for (id, kind, stages, order) in [
        ("kennedy-carpenter-ark-4-3-7", ImplicitKind::Additive, 7, 4),
        ("kennedy-carpenter-ark-5-4-8b", ImplicitKind::Additive, 8, 5),
        ("kennedy-carpenter-esdirk-5-4-7", ImplicitKind::Alone, 7, 5),
    ] {
        let method = library::method(id).unwrap();
        let specification = ImplicitSpecification::new(kind, &[stages], order);
        let evaluated = vec![(0..stages).collect(); specification.partitions.len()];
        let problem = Problem::new(&specification, evaluated).unwrap();
        let x = start(&problem.layout, Some(&method), 1, 0);
        assert!(problem.residuals(&x).amax() < 1e-13, "{id}");
        let expected = hemiola_order::principal_error(&method.exact(), order).unwrap().total.two;
        assert!((problem.error_norm(&x) - expected).abs() < 1e-9 * expected.max(1e-3), "{id}");
    }
}

/// Two stages of order two, stiffly accurate: γ = 1 − √2/2 (Alexander 1977).
#[test]
fn a_determined_diagonal_keeps_fifty_digits() {
    let specification = ImplicitSpecification {
        structure: DiagonalStructure::Sdirk,
        stage_order: 1,
        starts: 8,
        ..ImplicitSpecification::new(ImplicitKind::Alone, &[2], 2)
    };
    let design = design_implicit(&specification, "alexander", &()).unwrap();
    let gamma = design.method.partitions()[0].a[1][1].value().clone();
    let distance = (gamma - parse_number("1-sqrt(2)/2").unwrap()).to_f64().abs();
    assert!(distance < 1e-49, "{distance}");
    assert_eq!((design.stability[0].angle, design.stability[0].at_infinity), (Some(90.0), Some(0.0)));
}

#[test]
fn embedded_weights_have_their_order_and_vanish_at_infinity() {
    let specification =
        ImplicitSpecification { embedded: true, starts: 8, ..ImplicitSpecification::new(ImplicitKind::Alone, &[5], 3) };
    let design = design_implicit(&specification, "five", &()).unwrap();
    assert_eq!(design.method.claims().embedded_order, Some(2));
    let embedded = design.method.embedded().unwrap();
    let check = OrderCheck::new(&embedded, CheckOptions { highest_order: 3, ..CheckOptions::default() }).unwrap();
    assert_eq!(check.order(), 2);
    let (_, at_infinity) = design.stability[0].embedded.unwrap();
    assert!(at_infinity.unwrap() < 1e-40);
}

/// Stage order two at stages without an evaluation, or bounded limits after the first stage alone, would make the second stage
/// repeat the first.
#[test]
fn a_slow_implicit_partition_is_evaluated_less_often() {
    let specification = ImplicitSpecification {
        starts: 8,
        joint: 5.0,
        largest: 3.0,
        embedded: true,
        dense: Some(3),
        ..ImplicitSpecification::new(ImplicitKind::Slow, &[4, 6], 3)
    };
    let design = design_implicit(&specification, "slow", &()).unwrap();
    let tableau = design.method.exact();
    let counts: Vec<usize> = tableau.partitions.iter().map(|part| part.evaluated_stages().len()).collect();
    assert_eq!(counts, [4, 6]);
    assert!(tableau.partitions[0].is_diagonally_implicit() && tableau.partitions[1].is_explicit());
    let options = CheckOptions { highest_order: 4, ..CheckOptions::default() };
    let check = OrderCheck::new(&design.method, options).unwrap();
    assert_eq!(check.order(), 3);
    let claims = design.method.claims();
    assert_eq!((claims.embedded_order, claims.dense_order), (Some(2), Some(3)));
    assert_eq!(dense_output(&design.method, options).unwrap().unwrap().order, 3);
    let doubles = design.method.to_f64();
    let c = doubles.partitions[0].row_sums();
    assert!((0..6).all(|i| (0..i).all(|j| (c[i] - c[j]).abs() > 1e-3)), "{c:?}");
    for k in 0..60 {
        let slow = Complex64::new(0.0, 1e-2 * 1.4_f64.powi(k));
        let r = amplification(&doubles, &[slow, Complex64::new(-4.0, 0.0)]).r.norm();
        assert!(r <= 1.0, "{slow}: {r}");
    }
}

/// Joint regions of one extent cost less error for a narrower wedge of z_I; R stays bounded on the wedge's edges.
#[test]
fn narrower_wedges_of_joint_regions_cost_less() {
    let norm = |joint_wedge: f64| {
        let specification = ImplicitSpecification {
            starts: 12,
            joint: 4.0,
            joint_wedge,
            ..ImplicitSpecification::new(ImplicitKind::Additive, &[4], 3)
        };
        let marked = specification.command().contains("--joint 4@45");
        assert_eq!(marked, joint_wedge < 90.0);
        let design = design_implicit(&specification, "joint", &()).unwrap();
        let doubles = design.method.to_f64();
        for k in 0..40 {
            let edge = Complex64::from_polar(1e-2 * 1.5_f64.powi(k), (180.0 - joint_wedge).to_radians());
            for explicit in [-1.0, -2.5, -3.8] {
                let r = amplification(&doubles, &[Complex64::new(explicit, 0.0), edge]).r.norm();
                // The search penalizes instability at sampled points; slight instability may remain between them.
                assert!(r <= 1.005, "{joint_wedge}: {edge}, {explicit}: {r}");
            }
        }
        hemiola_order::principal_error(&design.method.exact(), 3).unwrap().total.two
    };
    let [narrow, half_plane] = [norm(45.0), norm(90.0)];
    assert!(narrow < 0.96 * half_plane, "{narrow}, {half_plane}");
}

/// Abscissae differ at an implicit first stage, so that trees must not be merged by their leaves.
#[test]
fn implicit_first_stages_beside_explicit_ones_keep_the_order() {
    for (structure, stages) in [(DiagonalStructure::Sdirk, 3), (DiagonalStructure::Dirk, 4)] {
        let specification = ImplicitSpecification {
            structure,
            stage_order: 1,
            starts: 8,
            ..ImplicitSpecification::new(ImplicitKind::Additive, &[stages], 2)
        };
        let design = design_implicit(&specification, "additive", &()).unwrap();
        let options = CheckOptions { highest_order: 3, ..CheckOptions::default() };
        assert_eq!(OrderCheck::new(&design.method, options).unwrap().order(), 2, "{structure:?}");
    }
}

/// A node of the slow partition with one leaf is two leaves below slow nodes only: those have weights only where the slow partition is
/// evaluated.
#[test]
fn reduced_trees_differ_only_where_the_stage_order_is_known() {
    let slow = ImplicitSpecification::new(ImplicitKind::Slow, &[3, 4], 3);
    let [own, below] = ["[[τ_f]_s]_s", "[[τ_s]_s]_f"].map(|text| Tree::parse(text, &["s", "f"]).unwrap());
    let text = |tree| TreeReduction::new(&slow).all(&[tree])[0].0.text(&["s", "f"]);
    assert_eq!(text(own), "[τ_s,τ_s]_s");
    assert_eq!(text(below), "[[τ_s]_s]_f");
}

#[test]
fn certificates_state_independent_equations_for_all_unknowns() {
    let specification = ImplicitSpecification {
        starts: 8,
        embedded: true,
        ..ImplicitSpecification::new(ImplicitKind::Additive, &[4], 3)
    };
    let design = design_implicit(&specification, "mine", &()).unwrap();
    let certificate = design.certificate.unwrap().to_json().unwrap();
    let count = |field: &str| certificate[field].as_array().unwrap().len();
    assert_eq!(count("unknowns"), count("solution"));
    assert!(count("equations") <= count("unknowns"));
    assert!(certificate["radius"].as_f64().unwrap() < 1e-45);
    let kinds: Vec<&str> =
        certificate["equations"].as_array().unwrap().iter().filter_map(|entry| entry["kind"].as_str()).collect();
    for kind in ["shared abscissa", "stage order two", "limit", "condition", "embedded condition", "embedded bounded"] {
        assert!(kinds.contains(&kind), "{kind}");
    }
}
