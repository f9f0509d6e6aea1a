//! `hemiola simulate`: runs methods on a model.

mod animation;
mod page;
use thiserror::Error;

use std::cell::LazyCell;

use clap::Args;
use hemiola::figure::Figure;
use hemiola::integrate::Integrator;
use hemiola::report::results::{ShownQuantities, SimulationReport, drawn, simulation_csv};
use hemiola::report::{block_eigenvalues, eigenvalue_figure};
use hemiola::study::StudyError;
use hemiola::study::simulation::{Simulation, SimulationResults, StepChoice};
use hemiola::tableau::library::Library;

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::figure::FigureArgs;
use crate::arguments::format::{self, FigureFormat};
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::MethodUseError;
use crate::arguments::{methods, model, number, source};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::interrupt::Interrupt;
#[cfg(feature = "plotters")]
use crate::output::preview::PreviewArgs;
use crate::output::progress::Monitor;
use crate::output::writer::{Output, expect_ending, write};
use animation::AnimationArgs;

/// Model without the quantities to draw.
#[derive(Debug, Error)]
enum DrawingError {
    #[error("--show {show}: {model} has no such output; `hemiola models NAME` lists the outputs of a model")]
    NoOutput { show: &'static str, model: String },
}

impl CommandError for DrawingError {}

impl CommandError for StudyError {}

/// Run each METHOD on a MODEL, with equal or adaptive steps
#[derive(Args)]
#[command(after_help = "\
METHOD is a library id, a method file, or a scheme built on a method:
  linearized:METHOD[,q=N]        N Newton iterations from f(y) instead of the solution of the stage equations
  singular-perturbation[:METHOD] scheme of Gil, Sanfelice and Nikravesh with RK4 or METHOD on the slow manifold

A multirate method NAME, NAME:inner=METHOD, NAME:substeps=M or NAME:inner=METHOD,substeps=M solves the fast variables in \
each of its intervals by M steps of an inner method: by default bogacki-shampine-3 up to order 3, dormand-prince-5 up to \
order 5, dormand-prince-8 beyond. Without substeps, there are four, unless steps are adaptive and the inner method has \
embedded weights: then the micro-steps are adaptive, too, to a tenth of the tolerance.

MODEL is the name of a model, with any parameters that differ from their default values: NAME[:KEY=VALUE,…]. `hemiola \
models` lists the models.
A file NAME.json in the format hemiola-multibody/1 describes a machine of your own: bodies, joints, loops and forces \
(machines/schema.json).
Vehicles and machines have a parameter solver=direct|cholesky|refined|matrix-free. direct is the fastest solver \
without refinement: articulated inertias for trees, and the same as cholesky for machines with loops. cholesky \
computes a dense factorization in each evaluation. refined and matrix-free factorize in every second evaluation and \
refine to refinement-tolerance in those between (Pan & He). This pays off only if direct is dense, too, and the model \
has many degrees of freedom, as truck:axles=rods.

Steps are adaptive unless --step or --steps is given. Adaptive steps use the embedded weights if the method has them; \
otherwise, or with --doubling, they use step doubling, for RK4 as in Numerical Recipes. Errors are computed at the \
final time, for each variable relative to its largest modulus during the run. The reference is the exact solution if \
it is known, otherwise a numerical solution with tolerance 1e-13 (up to 1e-11 if rounding requires it).

Exit code 1: a method does not reach the end, or its result is not finite or has an error of more than 10⁶ times the \
solution.

Examples:
  hemiola simulate kepler rk4 dormand-prince-5 --tolerance 1e-8
  hemiola simulate quarter-car shome-haug-jay-2-5 rk4 --step 0.002 --output car.svg
  hemiola simulate planar-vehicle hemiola-4-8 shome-haug-jay-2-5 --step 0.001 --end 2 --variables 1,3 --output vehicle.pdf
  hemiola simulate planar-vehicle rk4 --end 50 --tolerance 1e-6 --eigenvalues eigenvalues.svg
  hemiola simulate kpr merk43 hemiola-mri-5-4:inner=rk4,substeps=10 --steps 100
  hemiola simulate van-der-pol:epsilon=1e-3 radau-iia-3 linearized:radau-iia-3,q=2 --steps 4000
  hemiola simulate machines/four-bar-linkage.json rk4 --step 0.001
  hemiola simulate truck:axles=rods,solver=matrix-free,refinement-tolerance=1e-3 rk4 --step 0.001 --time
  hemiola simulate hmmwv:lane-change=0.3 rk4 --step 0.002 --no-reference --animate drive.gif
  hemiola simulate quarter-car rk4 --step 0.002 --preview
  hemiola simulate sedan rk4 --step 0.001 --no-reference --show forces --output forces.pdf
  hemiola simulate kepler gauss-3 --steps 200 --data orbit.csv")]
pub(crate) struct Simulate {
    /// Model with its parameters, machine file NAME.json, or linear system FILE@I,…
    ///
    /// FILE contains the Jacobian of the linear system; I, … are its slow variables.
    #[arg(value_name = "MODEL")]
    model: String,

    /// Library ids, method files or schemes
    #[arg(required = true, value_name = "METHOD")]
    schemes: Vec<String>,

    /// Use equal steps of size H
    ///
    /// The steps are slightly smaller if H does not divide the interval.
    #[arg(long, value_name = "H", value_parser = number::positive)]
    step: Option<f64>,

    /// Use N equal steps
    #[arg(long, value_name = "N", conflicts_with = "step", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Tolerance of adaptive steps
    #[arg(long, value_name = "E", default_value = "1e-6", conflicts_with_all = ["step", "steps"], value_parser = number::positive)]
    tolerance: f64,

    /// Use step doubling even if there are embedded weights
    #[arg(long, conflicts_with_all = ["step", "steps"])]
    doubling: bool,

    /// Final time [default: that of the model]
    #[arg(long, alias = "to", value_name = "T", value_parser = number::positive)]
    end: Option<f64>,

    /// Variables to compare and draw, by name or number
    ///
    /// By default, all variables are compared, and the model selects those that are drawn.
    #[arg(long, value_name = "NAME|I,…")]
    variables: Option<String>,

    /// Skip the reference solution
    #[arg(long)]
    no_reference: bool,

    /// Measure the time of each run
    ///
    /// The runs are then made one after the other.
    #[arg(long)]
    time: bool,

    /// Draw the solutions over time, and their errors if there is a reference
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Quantities that --output draws over time
    #[arg(long, value_name = "SHOW", default_value = "variables", value_parser = choice::<ShownQuantities>(), requires = "output")]
    show: ShownQuantities,

    /// Draw the eigenvalues of the diagonal blocks of the Jacobian during the run
    #[arg(long, value_name = format::VALUE_NAME)]
    eigenvalues: Option<OutputFile>,

    /// Write the solution of a single METHOD at every step
    ///
    /// The table also contains wheel forces, energies and power if the model has them.
    #[arg(long, value_name = "F.csv")]
    data: Option<OutputFile>,

    #[command(flatten)]
    animation: AnimationArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,

    #[cfg(feature = "plotters")]
    #[command(flatten)]
    preview: PreviewArgs,
}

impl Simulate {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        FigureFormat::expect("--eigenvalues", self.eigenvalues.as_deref())?;
        expect_ending("--data", self.data.as_deref(), ".csv")?;
        if self.data.is_some() && self.schemes.len() != 1 {
            return Err(MethodUseError::NotOneMethod { option: "--data", found: self.schemes.len() }.into());
        }
        if self.animation.is_given() && self.schemes.len() != 1 {
            return Err(MethodUseError::NotOneMethod { option: "--animate", found: self.schemes.len() }.into());
        }
        let model = model::read(&self.model)?;
        if self.show != ShownQuantities::Variables && !model.outputs().iter().any(|output| self.show.has(output)) {
            return Err(DrawingError::NoOutput { show: self.show.word(), model: self.model.clone() }.into());
        }
        let schemes = methods::each(&source::all(&self.schemes)?, |text| source::integrator(text, library))?;
        let variables = self.variables.as_deref().map(|text| model::variables(&model, text)).transpose()?;
        let end = self.end.unwrap_or(model.duration);
        self.animation.prepare(end)?;
        let steps = match (self.step, self.steps) {
            // A step size that divides the interval up to rounding is used unchanged.
            (Some(step), _) => StepChoice::Equal((end / step * (1.0 - 4.0 * f64::EPSILON)).ceil().max(1.0) as u64),
            (None, Some(steps)) => StepChoice::Equal(steps),
            (None, None) => StepChoice::Adaptive { tolerance: self.tolerance, doubling: self.doubling },
        };
        let keeps_all = self.data.is_some();
        let simulation = Simulation { model: &model, name: &self.model, steps, end, variables, keeps_all };
        let interrupt = Interrupt::listen();
        let monitor = Monitor::stopped_by(&interrupt);
        let simulated = simulation.run(&schemes, !self.no_reference, self.time, &monitor).map_err(run_error)?;
        monitor.finish();
        if self.json {
            output.json(&SimulationReport::new(&simulated))?;
        } else {
            output.text(&page::page(&simulated))?;
        }
        output.flush()?;
        let monitor = Monitor::stopped_by(&interrupt);
        self.write(&simulated, &schemes, &monitor, output)?;
        monitor.finish();
        if !self.json {
            output.wrote(&[&self.output, &self.eigenvalues, &self.data, &self.animation.written()])?;
        }
        Ok(match (simulated.is_interrupted, simulated.is_finished()) {
            (true, _) => CommandOutcome::Interrupted,
            (false, true) => CommandOutcome::Done,
            (false, false) => CommandOutcome::CheckFailed,
        })
    }

    /// Draws and writes the files. Errors over time require many short reference solutions.
    #[cfg_attr(not(feature = "plotters"), expect(unused_variables, reason = "only previews are printed"))]
    fn write(
        &self,
        simulated: &SimulationResults<'_>,
        schemes: &[Integrator],
        monitor: &Monitor,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let names = methods::run_labels(schemes);
        let page = LazyCell::new(|| {
            monitor.announce("errors over time");
            drawn(simulated, self.show)
        });
        #[cfg(feature = "plotters")]
        self.preview.show(&self.figure, || Figure::clone(&page).into(), &names, output)?;
        if let Some(file) = &self.output {
            self.figure.write("--output", file, Figure::clone(&page), &names)?;
        }
        if let Some(file) = &self.data {
            write(file, simulation_csv(simulated).as_bytes())?;
        }
        if let Some(file) = &self.eigenvalues {
            monitor.announce("eigenvalues");
            let blocks = block_eigenvalues(simulated.simulation.model, simulated.simulation.end)?;
            let titles: &[&str] = if blocks.len() == 2 { &["slow", "fast"] } else { &[""] };
            let look = self.figure.without_ranges();
            // The eigenvalues are those of the model along its reference solution. Their figure names no method.
            let look = if self.output.is_some() { look.without_labels() } else { look };
            look.write("--eigenvalues", file, eigenvalue_figure(&blocks, titles), &[])?;
        }
        let look = if self.output.is_some() { self.figure.without_labels() } else { self.figure.clone() };
        self.animation.write(simulated, &look, monitor)
    }
}

impl Choices for ShownQuantities {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Variables, "variables", "Variables, and their errors if there is a reference"),
        (Self::Forces, "forces", "Forces of the road on the wheels"),
        (
            Self::Energy,
            "energy",
            "Changes of the energies, and the power of all forces that the energies do not include",
        ),
    ];
}

/// Converts the error of a missing claimed order to the message of other commands.
fn run_error(error: StudyError) -> Failure {
    match error {
        StudyError::NoClaim { scheme } => MethodUseError::NoClaim { id: scheme }.into(),
        other => other.into(),
    }
}
