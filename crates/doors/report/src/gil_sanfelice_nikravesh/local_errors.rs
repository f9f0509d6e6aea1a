//! Figures 4 and 5: the errors of a single step on the linear test equation.

use hemiola_integrate::{AnyStepper, Explicit, Sample, SingularPerturbationStepper, Stepper};
use hemiola_models::{Model, model};
use hemiola_tableau::library;

use crate::report::ReportError;
use crate::runs::reference;

/// Smallest error shown; smaller ones are rounding errors.
const ROUNDING: f64 = 1e-15;
/// Largest error shown; larger ones are meaningless.
const LARGEST: f64 = 1.0;

/// Returns step sizes from 10⁻⁵ to 1, eight per decade.
fn steps() -> impl Iterator<Item = f64> {
    (0..=40).map(|k| 10f64.powf(-5.0 + f64::from(k) / 8.0))
}

/// One-step errors of a scheme on the test equation for given α and β.
pub(crate) struct LocalErrors {
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    scheme: AnyStepper,
    pair: Model,
}

impl LocalErrors {
    pub(crate) fn of_scheme(alpha: f64, beta: f64) -> Result<Self, ReportError> {
        Self::new(alpha, beta, |pair| {
            Ok(AnyStepper::SingularPerturbation(Box::new(SingularPerturbationStepper::new(pair)?)))
        })
    }

    pub(crate) fn of_rk4(alpha: f64, beta: f64) -> Result<Self, ReportError> {
        let rk4 = library::method("rk4")?;
        Self::new(alpha, beta, |pair| Ok(AnyStepper::Explicit(Box::new(Explicit::new(&rk4, pair)?))))
    }

    fn new(
        alpha: f64,
        beta: f64,
        scheme: impl Fn(&Model) -> Result<AnyStepper, ReportError>,
    ) -> Result<Self, ReportError> {
        let pair = model("linear-pair", &[("ratio", alpha), ("coupling", beta)])?;
        Ok(Self { alpha, beta, scheme: scheme(&pair)?, pair })
    }

    /// Computes |l_x| and |l_z|, (61), for a step of size h; returns `None` if the step fails.
    pub(crate) fn at(&self, h: f64) -> Option<[f64; 2]> {
        let (mut y, exact) = (self.pair.initial.clone(), self.pair.exact(h)?);
        self.scheme.clone().step(&self.pair, 0.0, h, &mut y).ok()?;
        let error = |i: usize| (y[i] - exact[i]).hypot(y[i + 1] - exact[i + 1]);
        Some([error(0), error(2)])
    }

    /// Computes the slopes of log |l_x| and log |l_z| over log h between h and 2h.
    pub(crate) fn slopes(&self, h: f64) -> Option<[f64; 2]> {
        let (short, long) = (self.at(h)?, self.at(2.0 * h)?);
        Some([0, 1].map(|i| (long[i] / short[i]).log2()))
    }

    /// Samples |l_x| or |l_z| over h, above the rounding errors of a solution of order one.
    pub(crate) fn curve(&self, variable: usize) -> Vec<[f64; 2]> {
        let point = |h: f64| Some([h, self.at(h)?[variable]]);
        steps().filter_map(point).filter(|[_, error]| (ROUNDING..LARGEST).contains(error)).collect()
    }

    /// Computes the largest error of any variable at t = 1 for a number of steps.
    pub(crate) fn global(&self, steps: u64) -> Result<Sample, ReportError> {
        let (exact, _) = reference(&self.pair, 1.0, 1.0)?;
        let comparison = self.pair.comparison(1.0, &exact, &[0, 1, 2, 3]);
        Ok(comparison.sample(&mut self.scheme.clone(), steps, &()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_errors_tend_to_their_leading_terms() {
        for (alpha, beta) in [(5.0, 0.1), (10.0, 0.05), (10.0, 0.4), (100.0, 0.1)] {
            let errors = LocalErrors::of_scheme(alpha, beta).unwrap();
            let h = 1e-5;
            // |ξ|² = 2h²; the next term is smaller by a factor of size αξ.
            let leading = beta * (1.0 + beta) * (1.0 - beta * beta) * h * h;
            let [x, z] = errors.at(h).unwrap();
            assert!(
                (x / leading - 1.0).abs() < 2.0 * alpha * h && (z / (beta * leading) - 1.0).abs() < 2.0 * alpha * h
            );
        }
    }

    #[test]
    fn the_scheme_has_order_one_and_rk4_order_four() {
        for alpha in [5.0, 10.0, 100.0] {
            let scheme = LocalErrors::of_scheme(alpha, 0.1).unwrap();
            let rk4 = LocalErrors::of_rk4(alpha, 0.1).unwrap();
            // At these step sizes, the next term of either expansion changes the slope by less than 0.05.
            assert!(scheme.slopes(1e-2 / alpha).unwrap().iter().all(|slope| (slope - 2.0).abs() < 0.05));
            assert!(rk4.slopes(0.1 / alpha).unwrap().iter().all(|slope| (slope - 5.0).abs() < 0.05));
        }
    }

    #[test]
    fn long_steps_are_better_with_a_faster_fast_part() {
        let error = |alpha: f64| LocalErrors::of_scheme(alpha, 0.1).unwrap().at(0.1).unwrap()[0];
        assert!(error(100.0) < 0.2 * error(10.0));
        assert!(LocalErrors::of_scheme(100.0, 0.1).unwrap().global(8).unwrap().error < 1e-4);
        assert!(LocalErrors::of_rk4(100.0, 0.1).unwrap().global(8).unwrap().error > 1.0);
    }
}
