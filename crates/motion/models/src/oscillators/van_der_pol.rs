//! Van der Pol's oscillator.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::Parameter;

/// x' = v, ε v' = (1 − x²) v − x, where v is fast. The scaling and the initial state, on the slow manifold to O(ε⁴),
/// are those of Hairer & Wanner, Solving Ordinary Differential Equations II (1996), IV.10 and VI.3.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "van-der-pol",
    title: "van der Pol's oscillator",
    parameters: &[Parameter::new("epsilon", "ε: how much faster v is than x", 0.05, "1")],
    build: |values| {
        let epsilon = values.of("epsilon");
        let series = [-2.0 / 3.0, 10.0 / 81.0, -292.0 / 2187.0, -1814.0 / 19_683.0];
        let speed = series.iter().rev().fold(0.0, |sum, term| sum * epsilon + term);
        let built = ModelParts::new(&[("x", "1"), ("v", "1")], &[1, 1], VanDerPol { epsilon });
        Some(built.starting(vec![2.0, speed]).lasting(3.0).drawing(&[0, 1]))
    },
};

struct VanDerPol {
    epsilon: f64,
}

impl Equations for VanDerPol {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, v], [rate]) = (y, rate) else { return };
        *rate = if partition == 0 { v } else { ((-x * x + 1.0) * v - x) / self.epsilon };
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{rates, rk4};
    use crate::registry::model;

    #[test]
    fn it_begins_on_the_slow_manifold() {
        // On the manifold v'' is of order one; at a distance d from it v' is of order 3d/ε. The series leaves O(ε⁴).
        for epsilon in [1e-2, 1e-3] {
            let oscillator = model("van-der-pol", &[("epsilon", epsilon)]).unwrap();
            let [x, v] = oscillator.initial[..] else { panic!("two variables") };
            // On the manifold v = H(x), v' = H' v to leading order, with H = x/(1 − x²), H' = (1 + x²)/(1 − x²)².
            let expected = (1.0 + x * x) / (1.0 - x * x).powi(2) * v;
            let found = rates(&oscillator, 0.0, &[x, v])[1];
            assert!((found - expected).abs() < 2.0 * epsilon, "{found} {expected}");
        }
    }

    #[test]
    fn the_limit_cycle_has_the_known_amplitude_and_period() {
        // At ε = 1 the amplitude is 2.00862 and the period 6.66329 (scipy, DOP853 at 1e-12).
        let oscillator = model("van-der-pol", &[("epsilon", 1.0)]).unwrap();
        let (mut peaks, mut last) = (Vec::new(), [0.0; 2]);
        rk4(&oscillator, 1e-3, 40_000, |t, y| {
            if last[1] > 0.0 && y[1] <= 0.0 {
                // Zero of v between two steps, by linear interpolation.
                peaks.push((t - 1e-3 * y[1] / (y[1] - last[1]), y[0]));
            }
            last = [y[0], y[1]];
        });
        let [.., (before, _), (after, top)] = peaks[..] else { panic!("a cycle") };
        assert!((top - 2.008_62).abs() < 1e-5 && (after - before - 6.663_29).abs() < 2e-5, "{top} {}", after - before);
    }
}
