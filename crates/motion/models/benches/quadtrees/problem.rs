//! A law on a mesh: its model, its exact solution, and the solution that is exact in time.

use std::ops::ControlFlow;

use hemiola_integrate::{Counted, Explicit, Outcome, Stepper, System, equal_steps};
use hemiola_models::{Model, Value, model_with};
use hemiola_tableau::library;

use crate::refined;

/// Perturbation of all variables at the start, relative to the error of the discretization in space. Upwind fluxes damp it, so
/// that it is there at the end only if a method lets it grow.
const PERTURBATION: f64 = 0.03;
/// Time steps of the reference in the time in which a wave crosses a narrowest cell; the method has order eight.
const REFERENCE: f64 = 8.0;
/// Weights of the Gauss quadrature with four nodes on [0, 1].
const WEIGHTS: [f64; 4] =
    [0.173_927_422_568_726_9, 0.326_072_577_431_273_1, 0.326_072_577_431_273_1, 0.173_927_422_568_726_9];

/// Half width of the shear layers, which the widest cells resolve.
const THICKNESS: f64 = 0.2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    /// Standing acoustic waves.
    Waves,
    /// The Euler equations with an isentropic vortex.
    Euler,
    /// The Euler equations with two shear layers, before they roll up.
    Shear,
}

impl Law {
    /// Returns the number of variables, the period of the mesh, the end of a run and the largest speed of a wave.
    pub(crate) fn facts(self) -> (usize, f64, f64, f64) {
        match self {
            // Six periods of the standing wave, two waves along the period.
            Self::Waves => (3, 1.0, 6.0 * std::f64::consts::FRAC_1_SQRT_2 / 2.0, 1.0),
            // Sound, the flow that carries the vortex, and the vortex.
            Self::Euler => (4, 10.0, 10.0, 1.75),
            // Sound in the thin gas and the speed of the layers; the run ends while the layers are smooth.
            Self::Shear => (4, 2.0, 1.0, 2.2),
        }
    }

    /// Returns the model on a mesh.
    pub(crate) fn model(self, widths: usize, [base, patch, ring]: [f64; 3]) -> Model {
        let name = if self == Self::Waves { "dg-waves-quadtree" } else { "dg-euler-quadtree" };
        let mut changes: Vec<(&str, Value<'_>)> = vec![
            ("cells", base.into()),
            ("meshes", (widths as f64).into()),
            ("patch", patch.into()),
            ("ring", ring.into()),
        ];
        match self {
            Self::Waves => changes.push(("waves", 2.0.into())),
            Self::Euler => {}
            Self::Shear => changes.extend([("flow", "shear".into()), ("thickness", THICKNESS.into())]),
        }
        model_with(name, &changes).unwrap()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Waves => "Waves",
            Self::Euler => "Euler",
            Self::Shear => "Kelvin–Helmholtz",
        }
    }
}

/// A model with its errors.
pub(crate) struct Problem {
    pub(crate) law: Law,
    pub(crate) widths: usize,
    pub(crate) model: Model,
    pub(crate) end: f64,
    start: Vec<f64>,
    /// The solution, and that of the discretization in space.
    exact: Vec<f64>,
    reference: Vec<f64>,
    /// The largest variable, and the error of the discretization in space relative to it.
    largest: f64,
    pub(crate) space_error: f64,
    /// The time in which the fastest wave crosses a narrowest cell.
    pub(crate) crossing: f64,
    /// The width of the cells of each partition.
    cell_widths: Vec<f64>,
}

/// Errors at the end, relative to the largest variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errors {
    pub(crate) total: f64,
    pub(crate) time: f64,
}

/// Returns the law, the cells of each width, and the share of the narrowest.
pub(crate) fn title(law: Law, widths: usize, [base, patch]: [f64; 2]) -> String {
    let block = 16 * law.facts().0;
    let cells: Vec<usize> = law.model(widths, [base, patch, 1.0]).sizes().iter().map(|size| size / block).collect();
    let all: usize = cells.iter().sum();
    let share = 100.0 * cells[widths - 1] as f64 / all as f64;
    let list: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let count = if widths == 2 { "two" } else { "three" };
    format!("{}, {count} widths, {share:.0} % narrow: {} cells", law.name(), list.join(" + "))
}

/// Returns the state of a model at the end of accurate steps.
pub(crate) fn accurate(model: &Model, end: f64, steps: u64) -> Vec<f64> {
    let mut y = model.initial.clone();
    let mut stepper = Explicit::new(&library::method("dormand-prince-8").unwrap(), model).unwrap();
    let run = equal_steps(&mut stepper, model, [0.0, end], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    assert_eq!(run.outcome, Outcome::Finished, "the reference fails");
    y
}

impl Problem {
    pub(crate) fn new(law: Law, widths: usize, [base, patch]: [f64; 2]) -> Self {
        let (_, period, end, speed) = law.facts();
        let model = law.model(widths, [base, patch, 1.0]);
        let cell_widths: Vec<f64> = (0..widths).map(|level| period / base / f64::from(1 << level)).collect();
        let crossing = cell_widths[widths - 1] / speed;
        let steps = (REFERENCE * end / crossing).ceil() as u64;
        let exact = model.exact(end).unwrap_or_else(|| refined::solution(law, widths, [base, patch], end, 2 * steps));
        let mut problem = Self {
            law,
            widths,
            start: model.initial.clone(),
            end,
            largest: exact.iter().fold(0.0, |most: f64, y| most.max(y.abs())),
            reference: exact.clone(),
            exact,
            space_error: 0.0,
            crossing,
            cell_widths,
            model,
        };
        problem.reference = accurate(&problem.model, end, steps);
        problem.space_error = problem.distance(&problem.reference, &problem.exact);
        let size = PERTURBATION * problem.space_error * problem.largest;
        for (k, y) in problem.start.iter_mut().enumerate() {
            *y += size * (1.7 * (k + 1) as f64).sin();
        }
        problem
    }

    fn block(&self) -> usize {
        16 * self.law.facts().0
    }

    /// Returns the state at the end; not a number if the run fails.
    pub(crate) fn run<T: Stepper<Model>>(&self, stepper: &mut T, steps: u64) -> Vec<f64> {
        self.run_on(&self.model, stepper, steps)
    }

    /// Returns the state at the end of a run on the model in another guise.
    pub(crate) fn run_on<S: System, T: Stepper<S>>(&self, system: &S, stepper: &mut T, steps: u64) -> Vec<f64> {
        let mut y = self.start.clone();
        let run = equal_steps(stepper, system, [0.0, self.end], steps, &mut y, &mut |_| ControlFlow::Continue(()));
        if run.outcome != Outcome::Finished {
            y.fill(f64::NAN);
        }
        y
    }

    /// Counts the evaluations of each partition in a step.
    pub(crate) fn evaluations<'a, T: Stepper<Counted<&'a Model>>>(&'a self, stepper: &mut T) -> Vec<f64> {
        let counted = Counted::new(&self.model);
        let mut y = self.start.clone();
        // Two steps more, so that slopes of a first stage that equal those of a last one count once.
        let h = 1e-3 * self.crossing;
        stepper.step(&counted, 0.0, h, &mut y).unwrap();
        let before = counted.evaluations();
        stepper.step(&counted, h, h, &mut y).unwrap();
        counted.evaluations().iter().zip(before).map(|(&now, before)| (now - before) as f64).collect()
    }

    pub(crate) fn errors(&self, y: &[f64]) -> Errors {
        Errors { total: self.distance(y, &self.exact), time: self.distance(y, &self.reference) }
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let worst = a.iter().zip(b).fold(0.0, |worst: f64, (a, b)| {
            let distance = (a - b).abs();
            if distance.is_finite() { worst.max(distance) } else { f64::INFINITY }
        });
        worst / self.largest
    }

    /// Returns the largest change of a conserved quantity, relative to the integral of the largest one's modulus.
    pub(crate) fn lost(&self, y: &[f64]) -> f64 {
        let [before, after] = [&self.start[..], y].map(|y| self.totals(y));
        let scale =
            self.totals(&self.start.iter().map(|y| y.abs()).collect::<Vec<_>>()).into_iter().fold(0.0, f64::max);
        before.iter().zip(after).map(|(before, after)| (before - after).abs()).fold(0.0, f64::max) / scale
    }

    fn totals(&self, y: &[f64]) -> Vec<f64> {
        let (variables, block) = (self.law.facts().0, self.block());
        let mut totals = vec![0.0; variables];
        let mut rest = y;
        for (size, width) in self.model.sizes().iter().zip(&self.cell_widths) {
            let (part, others) = rest.split_at(*size);
            rest = others;
            for (k, value) in part.iter().enumerate() {
                let node = k % block % 16;
                totals[k % block / 16] += width * width * WEIGHTS[node / 4] * WEIGHTS[node % 4] * value;
            }
        }
        totals
    }
}
