//! Low-storage designs against published methods and proven optima.

use hemiola_order::principal_error_norm;
use hemiola_tableau::low_storage::{StorageClass, storage_form};
use hemiola_tableau::{Exact, Method, library};
use nalgebra::DVector;

use crate::error::DesignError;
use crate::storage::coordinates::StorageCoordinates;
use crate::storage::equations::StorageEquations;
use crate::storage::objective::StorageObjective;
use crate::storage::start::random_start;
use crate::storage::target::StabilityTarget;
use crate::storage::{StorageDesign, StorageSpecification, design_storage};

const CLASSES: [StorageClass; 3] = [StorageClass::TwoN, StorageClass::TwoS, StorageClass::ThreeSStar];

/// Designs a method, and checks its proof, its form and the method read back from its file.
fn designed(specification: &StorageSpecification) -> StorageDesign {
    let design = design_storage(specification, "mine", &()).unwrap();
    assert!(design.proof.is_some_and(|proof| proof.radius < 1e-45), "{:?}", design.proof);
    assert!(storage_form(&design.method, 0, specification.class).is_some());
    assert_eq!(Method::from_json(design.to_json().as_bytes(), "mine.json").unwrap().exact(), design.method.exact());
    design
}

fn sized(form: &str, stages: usize, order: usize, starts: usize) -> StorageSpecification {
    StorageSpecification { starts, ..StorageSpecification::new(form.parse().unwrap(), stages, order) }
}

#[test]
fn the_error_is_smaller_than_that_of_carpenter_and_kennedy() {
    let published = principal_error_norm(&library::method("carpenter-kennedy-5-4").unwrap().exact(), 4).unwrap();
    assert!((published - 5.733e-3).abs() < 1e-6, "{published}");
    let design = designed(&sized("2N", 5, 4, 16));
    assert!(design.error_norm < 0.6 * published, "{}", design.error_norm);
    assert_eq!((design.form.registers, design.limit), (2, None));
}

#[test]
fn the_step_on_the_spectrum_is_the_largest_possible() {
    let spectrum = Some("dg:3".parse().unwrap());
    let specification = StorageSpecification { spectrum: spectrum.clone(), ..sized("2N", 6, 4, 16) };
    let design = designed(&specification);
    let (limit, optimum) = (design.limit.unwrap(), design.optimum.unwrap());
    assert!((limit / optimum - 1.0).abs() < 1e-6, "{limit} {optimum}");
    // A shorter step allows a smaller error.
    let shorter = designed(&StorageSpecification { share: 0.9, ..specification });
    assert!(shorter.limit.unwrap() >= 0.9 * optimum * (1.0 - 1e-6));
    assert!(shorter.error_norm < design.error_norm, "{} {}", shorter.error_norm, design.error_norm);
}

#[test]
fn embedded_weights_belong_to_the_form() {
    let design = designed(&StorageSpecification { embedded: Some(2), ..sized("3S*", 5, 3, 8) });
    assert_eq!((design.form.registers, design.form.registers_with_embedded), (3, Some(3)));
    assert_eq!(design.method.claims().embedded_order, Some(2));
    let outside = designed(&StorageSpecification { embedded: Some(2), ..sized("2N", 5, 3, 8) });
    assert!(outside.embedded.is_some_and(|embedded| embedded.is_found()));
    assert_eq!(outside.form.registers_with_embedded, Some(3));
}

#[test]
fn too_many_equations_are_counted() {
    // Six stages have eleven coefficients for the 17 conditions of order five.
    let error = design_storage(&sized("2N", 6, 5, 4), "mine", &()).unwrap_err();
    assert!(matches!(error, DesignError::TooFewCoefficients { coefficients: 11, equations: 17, .. }), "{error}");
}

#[test]
fn derivatives_agree_with_differences() {
    for class in CLASSES {
        let share = 0.9;
        let spectrum = Some("dg:3".parse().unwrap());
        let specification = StorageSpecification { class, spectrum, share, ..sized("2N", 6, 3, 1) };
        let target = StabilityTarget::new(&specification).unwrap();
        let coordinates = StorageCoordinates::new(class, 6, class != StorageClass::TwoN);
        let embedded = (class != StorageClass::TwoN).then_some(2);
        let equations = StorageEquations::new(coordinates, 3, embedded, &[]).unwrap();
        let objective = StorageObjective::new(&specification, target.as_ref(), 1.0).unwrap();
        let x = random_start(&equations.coordinates, 1, 0);
        let at = |x: &[f64]| {
            let (tableaus, slopes) = (equations.coordinates.tableaus(x), equations.coordinates.slopes(x));
            (equations.linearized(&tableaus, &slopes), objective.linearized(&tableaus, &slopes))
        };
        let ((values, jacobian), (terms, slopes)) = at(&x);
        let half = |terms: &DVector<f64>| terms.norm_squared() / 2.0;
        let gradient = slopes.transpose() * &terms;
        for k in 0..x.len() {
            let moved = |step: f64| {
                let mut moved = x.clone();
                moved[k] += step;
                at(&moved)
            };
            let (up, down) = (moved(1e-6), moved(-1e-6));
            let difference = (half(&up.1.0) - half(&down.1.0)) / 2e-6;
            let scale = 1e-7 * (1.0 + half(&terms) + gradient.amax());
            assert!((gradient[k] - difference).abs() < scale, "{class} {k}: {} {difference}", gradient[k]);
            for row in 0..values.len() {
                let difference = (up.0.0[row] - down.0.0[row]) / 2e-6;
                assert!((jacobian[(row, k)] - difference).abs() < 1e-6 * (1.0 + difference.abs()), "{class} {row} {k}");
            }
        }
    }
}

#[test]
fn the_unknowns_of_a_form_are_those_that_made_it() {
    for class in CLASSES {
        let coordinates = StorageCoordinates::new(class, 5, class != StorageClass::TwoN);
        let x = random_start(&coordinates, 2, 1);
        let exact: Vec<Exact> = x.iter().map(|x| Exact::from_f64(*x).unwrap()).collect();
        let form = coordinates.family.form(&coordinates.parameters(&exact)).unwrap();
        assert_eq!(coordinates.of_form(&form), exact, "{class}");
    }
}
