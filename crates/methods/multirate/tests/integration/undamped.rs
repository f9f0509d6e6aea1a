//! Growth for undamped fast parts, bounded on all of the imaginary axis.

use hemiola_multirate::{AdditiveFlow, InfinitesimalMethod, Resonance, library};
use num_complex::Complex64;
use num_traits::Zero;

/// Corrections make the growth almost periodic: it rises again far beyond the first peaks, and the bound holds for all y.
#[test]
fn growth_far_out_is_found_and_bounded() {
    let [imex, implicit] =
        [include_str!("data/almost-periodic-imex.json"), include_str!("data/almost-periodic-implicit.json")];
    for (text, slow, far, seen) in [(imex, 1, 105_579.0, 1.66), (implicit, 0, 188_624.41, 0.63)] {
        let method = InfinitesimalMethod::from_json(text.as_bytes(), "almost-periodic").unwrap();
        let id = method.id();
        let resonance = Resonance::new(&method, slow).unwrap();
        let flow = AdditiveFlow::<Complex64>::new(&method).unwrap();
        let modulus = |y: f64, x: f64| {
            let mut values = vec![Complex64::zero(); flow.slow_partitions()];
            values[slow] = (-x).into();
            flow.at(&Complex64::new(0.0, y), &values).unwrap().norm()
        };
        let growth = |y: f64| (modulus(y, 1e-6) - 1.0) / 1e-6;
        assert!(growth(far) > seen, "{id}: {}", growth(far));
        assert!(resonance.growth >= growth(far) - 1e-4 && resonance.is_proved, "{id}: {resonance:?}");
        assert!(resonance.growth_bound < 1.02 * resonance.growth, "{id}: {resonance:?}");
        let lower = resonance.practical_lower.unwrap();
        let limit = resonance.practical_limit.unwrap();
        assert!(lower > 0.95 * limit && modulus(resonance.frequency, 1.001 * limit) > 1.001, "{id}: {resonance:?}");
        // Nothing exceeds the bounds, wherever one looks.
        for k in 0..20_000 {
            let y = 0.37 * 1.0009f64.powi(k);
            assert!(growth(y) <= resonance.growth_bound + 1e-4 + 1e-8 * y, "{id} at {y}");
            assert!(modulus(y, lower) <= 1.001 + 1e-15 * y, "{id} at {y}");
        }
    }
}

/// The limits of methods with vanishing growth are enclosed to the printed digits, wherever the peak is.
#[test]
fn undamped_limits_are_enclosed() {
    for id in ["mis-kw3", "mri-gark-erk45a", "merk43", "hemiola-mri-5-4", "mri-gark-esdirk46a", "imex-mri-sr32"] {
        let method = library::method(id).unwrap();
        for slow in 0..method.partitions().len() - 1 {
            let Resonance { growth, growth_bound, practical_limit, practical_lower, .. } =
                Resonance::new(&method, slow).unwrap();
            assert!(growth <= growth_bound && growth_bound < growth * (1.0 + 1e-7), "{id}: {growth} {growth_bound}");
            let (limit, lower) = (practical_limit.unwrap(), practical_lower.unwrap());
            assert!(lower < limit && lower > limit * (1.0 - 2e-6), "{id}: {lower} {limit}");
        }
    }
}
