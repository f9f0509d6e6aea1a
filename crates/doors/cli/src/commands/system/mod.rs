//! `hemiola system`: the largest stable step sizes of methods on a linear system or a linearized model.

mod page;
mod source;

use clap::Args;
use hemiola::plot::{SystemCurve, system_figure};
use hemiola::report::results::{StableStepsReport, stable_steps_csv};
use hemiola::study::stable_steps::{StableStepStudy, SteppedMethod};
use hemiola::tableau::library::Library;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::{format, methods, number};
use crate::commands::system::source::SystemArgs;
use crate::failure::{CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::writer::{Output, expect_ending, write};

/// Find the largest stable step of each METHOD on a linear system with slow and fast variables
#[derive(Args)]
#[command(after_help = "\
A step h is stable if the spectral radius of the step matrix M(h), q⁺ = M q on q' = Jq, is at most 1 + 1e-9. The \
first exit is printed beside the decoupled step, the largest stable step of the parts alone. The parts are the \
diagonal blocks of J. For models on meshes, each part is instead a mesh of one width around the whole period, since \
the blocks of the mesh's pieces are far from normal; --part-jacobians gives such parts for a file. The decoupled step is zero \
if a part alone grows, even if the coupling stabilizes it. Methods with one partition advance all variables.

For more than 400 variables, the step matrices of partitioned methods are not decomposed. Growth is detected from the \
vector that remains after 1500 steps, and from the eigenvalues of M(h) on a Krylov subspace that begins with this \
vector. Exits are then accurate to about a part in a thousand, and narrow gaps may be missed. Methods with one \
partition need only the eigenvalues of J, which are computed for up to 1500 variables.

The fast part of a multirate method (`mri-gark-erk33a`) is solved exactly: the exponential of the fast block advances the \
fast variables. The system may then have up to 400 variables. `mri-gark-erk33a:inner=kutta-3,substeps=4` is a pair with its own fast steps.

A Jacobian file has one row per line, with numbers separated by blanks or commas; # begins a comment.

Models, linearized at their initial states (`--model NAME:?` shows parameters, units and default values):
  quarter-car-body, quarter-car, quarter-car-ring, planar-vehicle      vehicles: models A, B, C and that of Shome, Haug & Jay
  hmmwv, sedan, truck                                                  multibody vehicles
  spatial-vehicle                                                      hmmwv on rigid-ring tires
  single-track                                                         steered car in the single-track model
  pendulum-particle, flexible-beam, two-link-manipulator               machines
  coupled-oscillators, linear-pair                                     linear, with given coupling
  van-der-pol, kepler, brusselator, kpr                                nonlinear test problems
  dg-advection, dg-burgers, dg-waves, dg-plane, dg-waves-plane         discontinuous Galerkin, cells of several widths
  dg-waves-quadtree, dg-euler-quadtree                                 discontinuous Galerkin, cells refined along both axes
  advection-diffusion, advection-plane                                 finite volumes, cells of several widths

Examples:
  hemiola system shome-haug-jay-2-5 rk4 --model quarter-car
  hemiola system shome-haug-jay-2-5 mprk-p3 --model planar-vehicle:speed=30
  hemiola system rk4 hemiola-4-8 --model quarter-car-ring:torque-pulse=0,road-amplitude=0 --simulate
  hemiola system mprk-p3 --model coupled-oscillators:ratio=2,coupling=0.2 --output steps.svg
  hemiola system perk-4-9-5 hemiola-family-4-5-9 --model dg-advection:cells=8,nodes=lobatto
  hemiola system merk43 merk43:inner=rk4,substeps=4 rk4 --model quarter-car
  hemiola system mprk-p3 rk4 gauss-2 --jacobian vehicle.txt --slow-variables 1..6,9 --largest-step 0.05 --data radii.csv")]
pub(crate) struct System {
    /// Library ids or method files
    #[arg(required = true, value_name = "METHOD")]
    methods: Vec<String>,

    #[command(flatten)]
    source: SystemArgs,

    /// Largest step to examine
    ///
    /// The default lies beyond the first exit, and is at least twice the largest stable step of the parts alone.
    #[arg(long, alias = "to", value_name = "H", value_parser = number::positive)]
    largest_step: Option<f64>,

    /// Find the largest stable step of a model by simulation, too
    ///
    /// Beyond this step, a small perturbation grows within 12 000 steps.
    #[arg(long, conflicts_with = "jacobian")]
    simulate: bool,

    /// Draw the spectral radius against the step
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Write the steps and spectral radii
    #[arg(long, value_name = "F.csv")]
    data: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

impl System {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        expect_ending("--data", self.data.as_deref(), ".csv")?;
        if let Some(table) = self.source.parameter_table()? {
            output.text(&table)?;
            return Ok(CommandOutcome::Done);
        }
        let names = crate::arguments::source::all(&self.methods)?;
        let methods = methods::each(&names, |name| stepped(name, library))?;
        let system = self.source.system(&methods)?;
        let model = system.model.as_ref().filter(|_| self.simulate);
        // Ctrl-C ends the program.
        let monitor = Monitor::new();
        monitor.announce(&format!("stable steps on {} variables", system.blocks.variables()));
        let study = StableStepStudy::new(&system.blocks, &methods, self.largest_step, model, &monitor)?;
        monitor.finish();
        if self.json {
            output.json(&StableStepsReport::new(&system.name, &system.variables, &study))?;
        } else {
            output.text(&page::page(&system, &study))?;
        }
        if self.output.is_some() || self.data.is_some() {
            let monitor = Monitor::new();
            monitor.announce("spectral radii");
            let curves = study.curves()?;
            monitor.finish();
            if let Some(file) = &self.output {
                let curve = |k: usize| SystemCurve {
                    label: methods[k].id(),
                    radii: &curves.radii[k],
                    steps: &study.methods[k].steps,
                };
                let shown: Vec<SystemCurve<'_>> = (0..methods.len()).map(curve).collect();
                let drawn = system_figure(&system.name, &curves.steps, &shown);
                let called: Vec<_> =
                    methods.iter().map(|method| (method.id().to_owned(), method.name().to_owned())).collect();
                self.figure.write("--output", file, drawn, &called)?;
            }
            if let Some(file) = &self.data {
                write(file, stable_steps_csv(&study, &curves).as_bytes())?;
            }
        }
        if !self.json {
            output.wrote(&[&self.output, &self.data])?;
        }
        Ok(CommandOutcome::Done)
    }
}

/// Reads a METHOD; the fast part of a multirate method is solved exactly.
fn stepped(name: &str, library: &Library) -> Result<SteppedMethod, Failure> {
    use crate::arguments::source::{method, multirate_method};
    match multirate_method(name, library)? {
        Some(found) => Ok(SteppedMethod::exact_flow(&found)?),
        None => Ok(method(name, library)?.into()),
    }
}
