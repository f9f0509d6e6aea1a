//! The BDF code of diffsol (variable order up to five, variable step size) with forward sensitivities, as an integrator
//! for shooting.

use std::cell::RefCell;

use diffsol::{
    MatrixCommon, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeSolverMethod, SensitivitiesOdeSolverMethod,
    VectorHost,
};
use hemiola_optimize::{Propagator, Span, StepFailure};
use nalgebra::DMatrix;

type Matrix = NalgebraMat<f64>;
type Solver = NalgebraLU<f64>;
type Numbers = NalgebraVec<f64>;

/// BDF with a tolerance, both relative and absolute, for states and sensitivities.
pub struct DiffsolBdf {
    pub tolerance: f64,
}

/// The equations on [0, 1], a fraction c of the interval: y' = h f(z) with h = (length of the interval) T.
struct Equations<'a> {
    span: &'a Span<'a>,
    /// Last evaluation of f′, which is cached because diffsol requests its products with vectors one by one.
    last: RefCell<(f64, Vec<f64>, Vec<f64>)>,
}

impl Equations<'_> {
    fn width(&self) -> f64 {
        self.span.ends[1] - self.span.ends[0]
    }

    fn h(&self, w: &[f64]) -> f64 {
        self.width() * w[self.span.local.duration()]
    }

    fn rate(&self, c: f64, y: &[f64], w: &[f64]) -> Vec<f64> {
        let mut rate = vec![0.0; y.len()];
        self.span.dynamics.value(&self.span.arguments(c, y, w), &mut rate);
        rate
    }

    /// Computes f′(z) v.
    fn derivative(&self, c: f64, y: &[f64], w: &[f64], v: &[f64]) -> Vec<f64> {
        let mut last = self.last.borrow_mut();
        if last.0 != c || last.1 != y {
            let mut jacobian = vec![0.0; y.len() * v.len()];
            self.span.dynamics.jacobian(&self.span.arguments(c, y, w), &mut jacobian);
            *last = (c, y.to_vec(), jacobian);
        }
        last.2.chunks(v.len()).map(|row| row.iter().zip(v).map(|(a, v)| a * v).sum()).collect()
    }
}

impl DiffsolBdf {
    fn run(&self, span: &Span<'_>, w: &[f64], has_derivatives: bool) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure> {
        let (n, m) = (span.local.states, w.len());
        let equations = Equations { span, last: RefCell::new((f64::NAN, Vec::new(), Vec::new())) };
        let (here, duration) = (&equations, span.local.duration());
        let put = |values: Vec<f64>, factor: f64, out: &mut Numbers| {
            values.iter().enumerate().for_each(|(k, value)| out[k] = factor * value);
        };
        let problem = OdeBuilder::<Matrix>::new()
            .rtol(self.tolerance)
            .atol([self.tolerance])
            .sens_rtol(self.tolerance)
            .sens_atol([self.tolerance])
            .h0(0.1)
            .p(w.to_vec())
            .rhs_sens_implicit(
                |y: &Numbers, w: &Numbers, c: f64, out: &mut Numbers| {
                    put(here.rate(c, y.as_slice(), w.as_slice()), here.h(w.as_slice()), out);
                },
                |y: &Numbers, w: &Numbers, c: f64, v: &Numbers, out: &mut Numbers| {
                    let mut z = vec![0.0; span.local.arguments()];
                    z[..n].copy_from_slice(v.as_slice());
                    put(here.derivative(c, y.as_slice(), w.as_slice(), &z), here.h(w.as_slice()), out);
                },
                |y: &Numbers, w: &Numbers, c: f64, v: &Numbers, out: &mut Numbers| {
                    let z = span.along(c, v.as_slice());
                    put(here.derivative(c, y.as_slice(), w.as_slice(), &z), here.h(w.as_slice()), out);
                    let stretch = here.width() * v[duration];
                    if stretch != 0.0 {
                        let rate = here.rate(c, y.as_slice(), w.as_slice());
                        rate.iter().enumerate().for_each(|(k, rate)| out[k] += stretch * rate);
                    }
                },
            )
            .init_sens(
                |w: &Numbers, _: f64, y: &mut Numbers| (0..n).for_each(|k| y[k] = w[k]),
                |_: &Numbers, _: f64, v: &Numbers, y: &mut Numbers| (0..n).for_each(|k| y[k] = v[k]),
                n,
            )
            .build()
            .map_err(|_| StepFailure::NotReached)?;
        if !has_derivatives {
            let mut solver = problem.bdf::<Solver>().map_err(|_| StepFailure::NotReached)?;
            let (ends, ..) = solver.solve_dense(&[1.0]).map_err(|_| StepFailure::NotReached)?;
            return finite((0..n).map(|k| ends.inner()[(k, 0)]).collect(), DMatrix::zeros(n, 0));
        }
        let mut solver = problem.bdf_sens::<Solver>().map_err(|_| StepFailure::NotReached)?;
        let (ends, columns, _) = solver.solve_dense_sensitivities(&[1.0]).map_err(|_| StepFailure::NotReached)?;
        let jacobian = DMatrix::from_fn(n, m, |row, column| columns[column].inner()[(row, 0)]);
        finite((0..n).map(|k| ends.inner()[(k, 0)]).collect(), jacobian)
    }
}

fn finite(end: Vec<f64>, jacobian: DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure> {
    let is_finite = end.iter().chain(jacobian.iter()).all(|value| value.is_finite());
    if is_finite { Ok((end, jacobian)) } else { Err(StepFailure::NotFinite) }
}

impl Propagator for DiffsolBdf {
    fn end(&self, span: &Span<'_>, w: &[f64]) -> Result<Vec<f64>, StepFailure> {
        Ok(self.run(span, w, false)?.0)
    }

    fn flow(&self, span: &Span<'_>, w: &[f64]) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure> {
        self.run(span, w, true)
    }
}
