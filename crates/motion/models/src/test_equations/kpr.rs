//! The problem of Kværnø, Prothero and Robinson: non-autonomous, nonlinear and coupled, with a known solution.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

const SOURCE: &str = "in the range of ARKODE's examples";

/// (u', v')ᵀ = [a b; c d] (A, B)ᵀ + (r'/2u, s'/2v)ᵀ with A = (u² − 1 − r)/2u, B = (v² − 2 − s)/2v, r = cos(t)/2 and s =
/// cos(ωt). For any matrix the solution is u = √(1 + r), v = √(2 + s). v is fast. The form is that of the multirate
/// examples of ARKODE (SUNDIALS), after Kværnø's scalar problem of the kind of Prothero & Robinson.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "kpr",
    title: "problem of Kværnø, Prothero and Robinson, with a known solution",
    parameters: &[
        Parameter::new("slow-decay", "−a", 10.0, "1/s").from(SOURCE).within(AdmissibleValues::Real),
        Parameter::new("fast-to-slow", "b", 0.5, "1/s").from(SOURCE).within(AdmissibleValues::Real),
        Parameter::new("slow-to-fast", "c", 0.5, "1/s").from(SOURCE).within(AdmissibleValues::Real),
        Parameter::new("fast-decay", "−d", 1.0, "1/s").from(SOURCE).within(AdmissibleValues::Real),
        Parameter::new("frequency", "ω", 20.0, "rad/s").from(SOURCE),
    ],
    build: |values| {
        let kpr = Kpr {
            matrix: [
                [-values.of("slow-decay"), values.of("fast-to-slow")],
                [values.of("slow-to-fast"), -values.of("fast-decay")],
            ],
            frequency: values.of("frequency"),
        };
        let initial = kpr.exact(0.0)?;
        let built = ModelParts::new(&[("u", "1"), ("v", "1")], &[1, 1], kpr);
        Some(built.starting(initial).lasting(5.0).drawing(&[0, 1]))
    },
};

struct Kpr {
    matrix: [[f64; 2]; 2],
    frequency: f64,
}

impl Equations for Kpr {
    fn rate<N: Number>(&self, partition: usize, t: f64, y: &[N], rate: &mut [N]) {
        let (&[u, v], [rate]) = (y, rate) else { return };
        let phase = self.frequency * t;
        let first = (u * u - (1.0 + 0.5 * t.cos())) / (u * 2.0);
        let second = (v * v - (2.0 + phase.cos())) / (v * 2.0);
        let [a, b] = self.matrix[partition.min(1)];
        let driven = if partition == 0 {
            (u * 2.0).recip() * (-0.5 * t.sin())
        } else {
            (v * 2.0).recip() * (-self.frequency * phase.sin())
        };
        *rate = first * a + second * b + driven;
    }

    fn exact(&self, t: f64) -> Option<Vec<f64>> {
        Some(vec![(1.0 + 0.5 * t.cos()).sqrt(), (2.0 + (self.frequency * t).cos()).sqrt()])
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{observed_order, rates};
    use crate::registry::model;

    #[test]
    fn the_solution_is_the_square_root_of_its_square() {
        // On the solution d(u²)/dt = r' and d(v²)/dt = s'.
        let kpr = model("kpr", &[("frequency", 50.0)]).unwrap();
        for t in [0.0, 0.3, 2.0, 4.7] {
            let y = kpr.exact(t).unwrap();
            let rate = rates(&kpr, t, &y);
            assert!((2.0 * y[0] * rate[0] + 0.5 * t.sin()).abs() < 1e-13);
            assert!((2.0 * y[1] * rate[1] + 50.0 * (50.0 * t).sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn on_the_solution_the_jacobian_is_the_matrix_and_what_drives() {
        // On the solution A = B = 0 and their derivatives are 1.
        let kpr = model("kpr", &[]).unwrap();
        let found = kpr.jacobian_at(0.0, &kpr.initial);
        let expected = [[-10.0, 0.5], [0.5, -1.0]];
        assert!((0..4).all(|k| (found[k / 2][k % 2] - expected[k / 2][k % 2]).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn the_classical_method_converges_at_order_four() {
        let order = observed_order(&model("kpr", &[]).unwrap(), 2.0, 3200);
        assert!((order - 4.0).abs() < 0.1, "{order}");
    }
}
