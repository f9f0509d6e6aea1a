//! SSP designs against the best known coefficients.

use crate::proof::ProofStatus;
use crate::ssp::{SspDesign, SspSpecification, design_ssp};

/// Designs a method and checks its order and its proof.
fn designed(specification: &SspSpecification) -> SspDesign {
    let design = design_ssp(specification, &()).unwrap();
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
    // Gottlieb, Ketcheson & Shu (2011), tables 6.1 to 6.3; order two has s − 1.
    let best: [(usize, &[(usize, f64)]); 3] = [
        (2, &[(2, 1.0), (3, 2.0), (5, 4.0), (8, 7.0), (10, 9.0)]),
        (3, &[(3, 1.0), (4, 2.0), (5, 2.6506), (6, 3.5184), (7, 4.2879), (8, 5.1071)]),
        (4, &[(5, 1.5082), (6, 2.2945), (7, 3.3209), (8, 4.1459)]),
    ];
    for (order, all) in best {
        for &(stages, known) in all {
            let time = std::time::Instant::now();
            let design = designed(&SspSpecification::new(vec![stages], order));
            let found = design.coefficients[0].value().unwrap();
            eprintln!("{stages} {order} {found} {:?} {:?}", design.proof, time.elapsed());
            assert!(found > known - 6e-5, "{stages} stages, order {order}: {found}");
            let bound = design.bounds[0].value().unwrap();
            assert!(found <= bound * (1.0 + 1e-14), "{found} {bound}");
        }
    }
}
