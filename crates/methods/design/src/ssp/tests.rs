//! SSP designs against the best known coefficients.

use dashu::rational::RBig;
use hemiola_stability::monotonicity::MonotonicityRadius;

use crate::proof::ProofStatus;
use crate::proof::trees::trees;
use crate::ssp::canonical_form::{CanonicalForm, SspEquation};
use crate::ssp::start::random_start;
use crate::ssp::{SspDesign, SspSpecification, design_ssp};

/// Designs a method and checks its proof.
fn designed(specification: &SspSpecification) -> SspDesign {
    let design = design_ssp(specification, "mine", &()).unwrap();
    let is_proved = match design.proof {
        ProofStatus::Exact => true,
        ProofStatus::Enclosed { radius, .. } => radius < 1e-45,
        ProofStatus::Verified { .. } => false,
    };
    assert!(is_proved, "{:?}: {:?}", specification.evaluations, design.proof);
    design
}

#[test]
fn single_rate_designs_reach_the_best_known_coefficients() {
    // Gottlieb, Ketcheson & Shu (2011), tables 6.1 and 6.2; order two has s − 1.
    let best: [(usize, &[(usize, f64)]); 3] = [
        (2, &[(2, 1.0), (3, 2.0), (10, 9.0)]),
        (3, &[(3, 1.0), (4, 2.0), (5, 2.6506), (8, 5.1071)]),
        (4, &[(5, 1.5082)]),
    ];
    for (order, all) in best {
        for &(stages, known) in all {
            let design = designed(&SspSpecification::new(vec![stages], order));
            let found = design.coefficients[0].value().unwrap();
            // The tables have four decimals.
            assert!(found > known - 5e-5, "{stages} stages, order {order}: {found}");
            let bound = design.bounds[0].value().unwrap();
            assert!(found <= bound * (1.0 + 1e-14), "{found} {bound}");
        }
    }
}

#[test]
fn pairs_reach_their_bounds_by_parts_and_have_a_region_for_sums() {
    let ratio = RBig::from(2);
    let size = SspSpecification { ratio, ..SspSpecification::new(vec![3, 5], 2) };
    let parts = SspSpecification { by_parts: true, slow_stages: Some(vec![0, 2, 4]), ..size.clone() };
    let by_parts = designed(&parts);
    let found: Vec<f64> = by_parts.coefficients.iter().filter_map(MonotonicityRadius::value).collect();
    // s − 1 each.
    assert_eq!(found, [2.0, 4.0]);
    let sums = SspSpecification { starts: 12, slow_stages: Some(vec![0, 2, 3]), ..size };
    let design = designed(&sums);
    let along_ratio = |design: &SspDesign| design.along_ratio.as_ref().and_then(MonotonicityRadius::value).unwrap();
    let along = along_ratio(&design);
    // Larger than for partitions that are each optimal by themselves; at most the bound of the slow partition, s − 1.
    assert!(along > along_ratio(&by_parts) && along <= 2.0 && along == design.radius(&sums), "{along}");
    // The region contains the box below each of its points.
    assert!(design.diagonal.unwrap().value().unwrap() >= along);
    assert!(design.coefficients[1].value().unwrap() >= 2.0 * along);
}

#[test]
fn shared_weights_and_embedded_ones_are_kept() {
    let ratio = RBig::from(2);
    let slow_stages = Some(vec![0, 2, 4]);
    let pair = SspSpecification {
        by_parts: true,
        shared_weights: true,
        ratio,
        slow_stages,
        starts: 12,
        ..SspSpecification::new(vec![3, 5], 2)
    };
    let design = designed(&pair);
    let partitions = design.method.partitions();
    assert!((0..5).all(|k| partitions[0].b[k] == partitions[1].b[k]));
    let single = SspSpecification { embedded: Some(2), ..SspSpecification::new(vec![4], 3) };
    let design = designed(&single);
    assert!(design.embedded.unwrap().is_found());
    assert_eq!(design.method.claims().embedded_order, Some(2));
}

#[test]
fn derivatives_agree_with_differences() {
    for is_additive in [true, false] {
        let evaluated = [vec![0, 2], vec![0, 1, 2, 3]];
        let mut equations: Vec<SspEquation> = trees(2, 3).unwrap().into_iter().map(SspEquation::Order).collect();
        equations.extend([SspEquation::SharedWeight(2), SspEquation::SharedAbscissa(3)]);
        let form = CanonicalForm::new(&evaluated, is_additive, vec![RBig::ONE, RBig::from(2)], equations);
        let x = random_start(&form, 1, 0);
        let jacobian = form.linearized(&x).1;
        for k in 0..x.len() {
            let at = |step: f64| {
                let mut moved = x.clone();
                moved[k] += step;
                form.residuals(&form.double_tableau(&moved))
            };
            let (up, down) = (at(1e-6), at(-1e-6));
            for (row, (up, down)) in jacobian.iter().zip(up.iter().zip(down)) {
                let difference = (up - down) / 2e-6;
                assert!((row[k] - difference).abs() < 1e-8 * (1.0 + difference.abs()), "{} {difference}", row[k]);
            }
        }
    }
}
