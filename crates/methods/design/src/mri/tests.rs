//! Compares gradients with differences and stability with the exact flow, and checks that modified certificates fail.

use hemiola_multirate::{AdditiveFlow, InfinitesimalMethod, MultirateReport, SimplifyingAssumption};
use num_complex::Complex64;

use crate::mri::form::MriForm;
use crate::mri::problem::{MriProblem, TermWeights};
use crate::mri::{MriCertificate, MriRefusal, MriSpecification, SlowPart, SlowStability, WantedSector, design_mri};

fn specification(restarts: bool, part: SlowPart) -> MriSpecification {
    let sectors = vec![
        WantedSector { angle: 45.0, limit: 3.0, implicit_limit: None },
        WantedSector { angle: 80.0, limit: 3.0, implicit_limit: None },
    ];
    MriSpecification { degree: 2, restarts, part, sectors, largest: 1.0, ..MriSpecification::new(4, 3) }
}

/// Some point with stages in order, large coefficients and unstable samples.
fn point(form: &MriForm) -> Vec<f64> {
    let c = (1..form.stages).map(|k| k as f64 / form.stages as f64);
    let rest = form.unknowns() - form.abscissae();
    let mut x: Vec<f64> = c.chain((0..rest).map(|k| ((k * 37 % 19) as f64 - 9.0) / 6.0)).collect();
    form.diagonals().for_each(|k| x[k] = 0.4);
    x
}

#[test]
fn gradients_are_those_of_differences() {
    for (restarts, part) in [false, true].into_iter().flat_map(|restarts| SlowPart::ALL.map(|part| (restarts, part))) {
        let problem = MriProblem::new(&specification(restarts, part)).unwrap();
        let x = point(&problem.form);
        let weights = TermWeights { error: 2.0, violation: 0.5 };
        assert!(problem.violation(&x) > 1.0);
        let (gradient, (_, jacobian)) = (problem.model(&x, weights).gradient, problem.linearized(&x));
        for k in 0..x.len() {
            let moved = |step: f64| {
                let mut x = x.clone();
                x[k] += step;
                x
            };
            const STEP: f64 = 1e-6;
            let slope =
                (problem.objective(&moved(STEP), weights) - problem.objective(&moved(-STEP), weights)) / (2.0 * STEP);
            let scale = gradient.amax();
            assert!((gradient[k] - slope).abs() < 1e-6 * scale, "{restarts} {k}: {} {slope}", gradient[k]);
            let difference = (problem.residuals(&moved(STEP)) - problem.residuals(&moved(-STEP))) / (2.0 * STEP);
            assert!((jacobian.column(k) - difference).amax() < 1e-7, "{restarts} {k}");
        }
    }
}

#[test]
fn a_design_is_consistent_and_its_samples_are_those_of_the_exact_flow() {
    let small = MriSpecification { starts: 2, ..MriSpecification::new(3, 3) };
    let design = design_mri(&small, "mine", &()).unwrap();
    let report = MultirateReport::new(&design.method, Some(4)).unwrap();
    assert_eq!((report.step.order_as_stated(), design.method.is_internally_consistent()), (3, true));
    let error = report.step.principal_error().unwrap().total.two;
    assert!((error - design.error).abs() < 1e-10, "{error} {}", design.error);
    let embedded = report.embedded.unwrap();
    assert_eq!(embedded.order_as_stated(), 2);
    assert!((embedded.principal_error().unwrap().total.two - 0.2).abs() < 1e-10);
    // A limit just above the found one is violated, one just below is not.
    let limit = design.sectors[0][0].limit.unwrap();
    let (form, x) = MriForm::of_rows(&design.method.exact_rows()[..3]).unwrap();
    let x: Vec<f64> = x.iter().map(hemiola_tableau::Exact::to_f64).collect();
    let violation = |factor: f64| {
        let sectors = vec![WantedSector { angle: 45.0, limit: limit * factor, implicit_limit: None }];
        MriProblem::new(&MriSpecification { sectors, largest: 1e3, ..small.clone() }).unwrap().violation(&x)
    };
    assert!(violation(1.05) > 0.0 && violation(0.95) == 0.0 && form.unknowns() == x.len());
    let flow = AdditiveFlow::<Complex64>::new(&design.method).unwrap();
    let beyond = design.sectors[0][0].witness.as_ref().unwrap();
    let fast = beyond.fast.unwrap();
    assert!(flow.at(&fast, &[beyond.slow.into()]).unwrap().norm() > 1.0);
}

#[test]
fn implicit_slow_parts_have_their_order_and_their_limits() {
    // Without a requirement on the stability and with three implicit evaluations the error of order three can vanish: the design
    // has order four. Its rows of order three have the slow weights of the last stage, so the embedded row has order two.
    let (any, damped) = (SlowStability::Any, SlowStability::LStable);
    for (part, slow, stability, order, embedded, limits) in [
        (SlowPart::Implicit, 4, any, 4, 2, [20.0, 20.0]),
        (SlowPart::Implicit, 4, damped, 3, 2, [5.0, 5.0]),
        (SlowPart::Additive, 3, any, 2, 1, [1.5, 10.0]),
        (SlowPart::Additive, 5, any, 3, 2, [1.5, 20.0]),
    ] {
        let implicit_limit = (part == SlowPart::Additive).then_some(limits[1]);
        let sectors = vec![WantedSector { angle: 80.0, limit: limits[0], implicit_limit }];
        let is_raised = (part, stability) == (SlowPart::Implicit, any);
        let asked = order - usize::from(is_raised);
        let specification = MriSpecification {
            part,
            degree: 1,
            restarts: true,
            sectors,
            stability,
            starts: 16,
            ..MriSpecification::new(slow, asked)
        };
        assert_eq!(specification.command().contains("--sector 80=1.5,"), part == SlowPart::Additive);
        let design = design_mri(&specification, "mine", &()).unwrap();
        let report = MultirateReport::new(&design.method, Some(order + 1)).unwrap();
        assert_eq!(
            (report.step.order_as_stated(), design.method.is_internally_consistent()),
            (order, true),
            "{part:?}"
        );
        assert_eq!(design.method.claims().order, Some(order), "{part:?}");
        assert_eq!(
            report.embedded.as_ref().map(hemiola_multirate::RowVerdicts::order_as_stated),
            Some(embedded),
            "{part:?}"
        );
        let error = report.step.principal_error().unwrap().total.two;
        assert!((error - design.error).abs() < 1e-10, "{error} {}", design.error);
        assert!(design.method.require_decoupled().is_ok());
        // All stages of the implicit partition have stage order two, which makes conditions dependent.
        let certificate = design.certificate.as_ref().unwrap();
        let assumption = is_raised.then_some(SimplifyingAssumption::C2);
        assert_eq!((certificate.assumption, certificate.refusal(&design.method).unwrap()), (assumption, None));
        let evaluated = design.method.evaluated_stages(design.method.partitions().len() - 1);
        assert_eq!(evaluated.len(), slow, "{part:?}");
        for (found, wanted) in design.sectors.iter().zip(limits) {
            assert!(found[0].limit.is_none_or(|limit| limit >= wanted), "{part:?}: {found:?}");
        }
        let rows = design.method.exact_rows();
        let (form, x) = MriForm::of_rows(&rows[..slow - 1]).unwrap();
        assert_eq!((form.part, form.unknowns()), (part, x.len()));
    }
}

/// A single interval has one column of forcing, which consistency determines: there is no embedded row.
#[test]
fn a_single_interval_has_no_embedded_row() {
    let stability = SlowStability::AStable;
    let wanted = MriSpecification { part: SlowPart::Implicit, stability, starts: 4, ..MriSpecification::new(2, 2) };
    assert!(design_mri(&wanted, "mine", &()).is_err());
    let design = design_mri(&MriSpecification { embedded: false, ..wanted }, "mine", &()).unwrap();
    assert_eq!((design.method.claims().order, design.method.claims().embedded_order), (Some(2), None));
}

/// The stability of the implicit part is proved and stated; a certificate that states more is refused.
#[test]
fn the_stability_of_the_implicit_part_is_certified() {
    let specification =
        MriSpecification { part: SlowPart::Implicit, restarts: true, starts: 8, ..MriSpecification::new(4, 3) };
    assert!(!specification.command().contains("stable"));
    let design = design_mri(&specification, "mine", &()).unwrap();
    let stiff = design.stiff.unwrap();
    assert_eq!((stiff.angle, stiff.at_infinity, stiff.class()), (Some(90.0), 0.0, SlowStability::LStable));
    let slow = design.method.slow_method().unwrap();
    assert_eq!(hemiola_stability::sector_angle(&slow, 0).unwrap(), Some(90.0));
    let far = hemiola_stability::StabilityFunction::new(&slow.to_f64().partitions[0]).at(Complex64::new(-1e7, 0.0));
    assert!(far.norm() < 1e-5, "{far}");
    let certificate = design.certificate.unwrap();
    assert_eq!((certificate.stability, certificate.refusal(&design.method).unwrap()), (SlowStability::LStable, None));
    let text = certificate.to_json().unwrap().to_string();
    assert!(text.contains("\"stability\":\"L-stable\"") && MriCertificate::from_json(&text).unwrap() == certificate);
    // Without a requirement, a smaller error leaves the left half-plane.
    let free = MriSpecification { stability: SlowStability::Any, ..specification };
    assert!(free.command().ends_with("--slow-stability any --starts 8"));
    let free = design_mri(&free, "mine", &()).unwrap();
    assert!(free.error < design.error && free.stiff.unwrap().class() < SlowStability::LStable);
    let mut stated = free.certificate.unwrap();
    stated.stability = SlowStability::AStable;
    assert_eq!(stated.refusal(&free.method).unwrap(), Some(MriRefusal::Field { field: "stability" }));
}

/// Tables of the library satisfy assumptions that make their conditions dependent.
#[test]
fn dependent_conditions_are_proved_under_an_assumption() {
    for (id, assumption, conditions) in [
        ("hemiola-mri-6-5", SimplifyingAssumption::D1, 17),
        ("hemiola-mri-implicit-5-4", SimplifyingAssumption::C2, 8),
        ("hemiola-mri-imex-7-4", SimplifyingAssumption::ProportionalC2, 29),
    ] {
        let method = hemiola_multirate::library::method(id).unwrap();
        let certificate = MriCertificate::new(&method).unwrap().unwrap();
        assert_eq!((certificate.assumption, certificate.conditions.len()), (Some(assumption), conditions), "{id}");
        assert!(certificate.radius < 1e-48 && certificate.refusal(&method).unwrap().is_none(), "{id}");
        let text = certificate.to_json().unwrap().to_string();
        assert_eq!(MriCertificate::from_json(&text).unwrap(), certificate);
        let without = MriCertificate { assumption: None, ..certificate };
        assert_eq!(without.refusal(&method).unwrap(), Some(MriRefusal::Field { field: "conditions" }), "{id}");
    }
}

#[test]
fn changed_certificates_and_methods_are_refused() {
    let design = design_mri(&MriSpecification { starts: 2, ..MriSpecification::new(3, 3) }, "mine", &()).unwrap();
    let certificate = design.certificate.unwrap();
    let text = certificate.to_json().unwrap().to_string();
    assert_eq!(MriCertificate::from_json(&text).unwrap(), certificate);
    let refusal = |changed: MriCertificate| changed.refusal(&design.method).unwrap();
    assert_eq!(refusal(certificate.clone()), None);
    let mut moved = certificate.clone();
    moved.solution[3] += dashu::rational::RBig::try_from(1e-45).unwrap();
    assert_eq!(refusal(moved), Some(MriRefusal::NoSolution));
    let narrow = MriCertificate { radius: certificate.radius * 0.5, ..certificate.clone() };
    assert_eq!(refusal(narrow), Some(MriRefusal::NoSolution));
    let wide = MriCertificate { radius: 1e-20, ..certificate.clone() };
    assert!(matches!(refusal(wide), Some(MriRefusal::Radius { .. })));
    let sure = MriCertificate { residual: certificate.residual * 0.1, ..certificate.clone() };
    assert!(matches!(refusal(sure), Some(MriRefusal::Bound { field: "residual", .. })));
    let mut fewer = certificate.clone();
    fewer.conditions.pop();
    assert_eq!(refusal(fewer), Some(MriRefusal::Field { field: "conditions" }));
    // A change of the last digit gives another table.
    let file = design.method.to_json();
    let digit = file.find("\"0.").map(|at| at + 50).unwrap();
    let other = if &file[digit..=digit] == "1" { "2" } else { "1" };
    let changed = format!("{}{other}{}", &file[..digit], &file[digit + 1..]);
    let changed = InfinitesimalMethod::from_json(changed.as_bytes(), "mine.json").unwrap();
    assert!(matches!(certificate.refusal(&changed).unwrap(), Some(MriRefusal::Other { .. })));
}
