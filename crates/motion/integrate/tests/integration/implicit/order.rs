//! Orders of convergence on a nonlinear, coupled, non-autonomous system, and the evaluations of a step.

use std::fs;
use std::path::Path;

use hemiola_integrate::{
    Counted, Extras, Implicit, LinearizedStepper, MethodMismatch, SingularPerturbationStepper, Stepper, System,
};

use hemiola_tableau::{Method, library};
use serde_json::Value;

use super::problems::{Autonomous, Coupled, integrate, largest_difference, method, observed_order};

/// All implicit methods of the library up to order six; beyond that, rounding dominates before the order shows.
#[test]
fn methods_converge_at_their_order() {
    let is_meant = |method: &Method| !method.to_f64().is_explicit() && method.claims().order.unwrap() <= 6;
    let ids: Vec<&str> = library::ids().filter(|id| is_meant(&method(id))).collect();
    assert_eq!(ids, implicit_files(6));
    for id in ids {
        let (method, system) = (method(id), Coupled(vec![2, 2]));
        let order = method.claims().order.unwrap() as f64;
        let observed = observed_order(&system, &system.start(), || Implicit::new(&method, &system).unwrap());
        // Its conditions of order five hold up to 3e-6: no step shows its order.
        let shown = if id == "hemiola-esdirk-6-order-4" { 5.0 } else { order };
        assert!((observed - shown).abs() < 0.25, "{id}: {observed} for {order}");
    }
}

/// Lists the ids of the method files up to an order with an entry on or above some diagonal.
fn implicit_files(highest_order: u64) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tableaus");
    let read = |file: &Path| serde_json::from_str::<Value>(&fs::read_to_string(file).unwrap()).unwrap();
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.is_file()).map(|path| read(&path));
    let is_implicit = |partition: &Value| {
        // Low-storage forms have no A, and are explicit.
        let mut rows = partition["a"].as_array().into_iter().flatten().enumerate();
        rows.any(|(i, row)| row.as_array().unwrap()[i..].iter().any(|entry| entry != "0"))
    };
    let suits = |file: &Value| {
        file["claims"]["order"].as_u64().is_some_and(|order| order <= highest_order)
            && file["partitions"].as_array().unwrap().iter().any(is_implicit)
    };
    let mut ids: Vec<String> = files.filter(suits).map(|file| file["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn three_partitions_and_one() {
    for sizes in [vec![1, 2, 1], vec![4]] {
        let (method, system) = (method("gauss-2"), Coupled(sizes));
        let observed = observed_order(&system, &system.start(), || Implicit::new(&method, &system).unwrap());
        assert!((observed - 4.0).abs() < 0.1, "{observed}");
    }
}

#[test]
fn embedded_methods_and_dense_output_converge() {
    let (system, id) = (Coupled(vec![2, 2]), "kennedy-carpenter-ark-4-3-6");
    let (pair, start) = (method(id), system.start());
    let error_of = |h: f64| {
        let mut stepper = Implicit::with(&pair, &system, Extras { estimate: true, dense: false }).unwrap();
        let (mut y, mut estimate) = (start.clone(), [0.0; 4]);
        stepper.step(&system, 0.0, h, &mut y).unwrap();
        assert!(Stepper::<Coupled>::estimate(&stepper, &mut estimate));
        // The embedded result is that of the method with the weights b̂.
        let mut embedded = start.clone();
        Implicit::new(&pair.embedded().unwrap(), &system).unwrap().step(&system, 0.0, h, &mut embedded).unwrap();
        let difference: Vec<f64> = y.iter().zip(&embedded).map(|(y, embedded)| y - embedded).collect();
        assert!(largest_difference(&estimate, &difference) < 1e-15);
        estimate.iter().fold(0.0f64, |largest, error| largest.max(error.abs()))
    };
    let slope = (error_of(0.1) / error_of(0.05)).log2();
    assert!((slope - 4.0).abs() < 0.2, "{slope}");

    // An explicit pair with dense output of order 4 also runs.
    let pair = method("dormand-prince-5");
    let mut stepper = Implicit::with(&pair, &system, Extras { estimate: false, dense: true }).unwrap();
    let mut y = start.clone();
    stepper.step(&system, 0.0, 0.2, &mut y).unwrap();
    let mut middle = vec![0.0; 4];
    assert!(Stepper::<Coupled>::interpolate(&stepper, 1.0, &mut middle));
    assert!(largest_difference(&middle, &y) < 1e-15);
    assert!(Stepper::<Coupled>::interpolate(&stepper, 0.5, &mut middle));
    let exact = integrate(&mut Implicit::new(&method("gauss-4"), &system).unwrap(), &system, &start, 0.1, 10);
    let error = largest_difference(&middle, &exact);
    assert!(error > 1e-12 && error < 1e-7, "{error}");
}

#[test]
fn nothing_to_estimate_or_to_interpolate() {
    let system = Coupled(vec![2, 2]);
    let (mut gauss, mut y) = (Implicit::new(&method("gauss-2"), &system).unwrap(), system.start());
    gauss.step(&system, 0.0, 0.1, &mut y).unwrap();
    assert!(!Stepper::<Coupled>::estimate(&gauss, &mut [0.0; 4]));
    assert!(!Stepper::<Coupled>::interpolate(&gauss, 0.5, &mut [0.0; 4]));
    let both = Extras { estimate: true, dense: true };
    let missing = Implicit::with(&method("gauss-2"), &system, both).unwrap_err();
    assert_eq!(missing, MethodMismatch::NoEstimate { method: "gauss-2".to_owned() });
    // Before the first step.
    let pair = Implicit::with(&method("dormand-prince-5"), &system, both).unwrap();
    assert!(!Stepper::<Coupled>::estimate(&pair, &mut [0.0; 4]));
    assert!(!Stepper::<Coupled>::interpolate(&pair, 0.5, &mut [0.0; 4]));
}

/// Time can be treated as a variable if the abscissae are row sums.
#[test]
fn time_is_a_variable_like_others() {
    let system = Coupled(vec![4]);
    let with_time = Autonomous(Coupled(vec![4]), [5]);
    let start = system.start();
    let start_with_time: Vec<f64> = start.iter().copied().chain([0.0]).collect();
    for id in ["gauss-3", "radau-iia-2", "hairer-wanner-sdirk-4", "lobatto-iiic-3"] {
        let method = method(id);
        let plain = integrate(&mut Implicit::new(&method, &system).unwrap(), &system, &start, 1.0, 5);
        let stepper = &mut Implicit::new(&method, &with_time).unwrap();
        let other = integrate(stepper, &with_time, &start_with_time, 1.0, 5);
        assert!(largest_difference(&plain, &other[..4]) < 1e-14 && (other[4] - 1.0).abs() < 1e-15, "{id}");
    }
}

#[test]
fn only_what_is_needed_is_evaluated() {
    let counts = |id: &str, estimate: bool| {
        let system = Counted::new(Coupled(vec![2, 2]));
        let mut stepper = Implicit::with(&method(id), &system, Extras { estimate, dense: false }).unwrap();
        stepper.step(&system, 0.0, 0.1, &mut Coupled(vec![2, 2]).start()).unwrap();
        (system.evaluations(), system.jacobians())
    };
    assert_eq!(counts("shome-haug-jay-2-5", false), (vec![2, 5], 0));
    assert_eq!(counts("rk4", false), (vec![4, 4], 0));
    // The last stage is needed for the estimate only.
    assert_eq!(counts("dormand-prince-5", false), (vec![6, 6], 0));
    assert_eq!(counts("dormand-prince-5", true), (vec![7, 7], 0));
    // The explicit partition is evaluated six times, the implicit one once per iteration in each of five stages; one
    // Jacobian suffices.
    let (pair, jacobians) = counts("kennedy-carpenter-ark-4-3-6", false);
    assert!(pair[0] == 6 && pair[1] > 11 && pair[1] < 60 && jacobians == 1, "{pair:?}");
}

#[test]
fn partitions_must_agree() {
    let system = Coupled(vec![2, 1, 1]);
    let error = Implicit::new(&method("stormer-verlet"), &system).unwrap_err();
    let expected = MethodMismatch::Partitions { method: "stormer-verlet".to_owned(), found: 2, expected: 3 };
    assert_eq!(error, expected);
    assert_eq!(system.sizes(), [2, 1, 1]);
}

/// An empty system does not panic.
#[test]
fn systems_without_variables() {
    struct Empty;
    impl System for Empty {
        fn sizes(&self) -> &[usize] {
            &[0, 0]
        }
        fn rate(&self, _partition: usize, _t: f64, _y: &[f64], _rate: &mut [f64]) {}
    }
    for id in ["gauss-2", "lobatto-iiia-iiib-3"] {
        assert!(Implicit::new(&method(id), &Empty).unwrap().step(&Empty, 0.0, 0.1, &mut []).is_ok());
        assert!(LinearizedStepper::new(&method(id), 2, &Empty).unwrap().step(&Empty, 0.0, 0.1, &mut []).is_ok());
    }
    assert!(SingularPerturbationStepper::new(&Empty).unwrap().step(&Empty, 0.0, 0.1, &mut []).is_ok());
}
