//! `hemiola optimize lane-change`: the double lane change.

use clap::{Args, ValueEnum};
use hemiola::models::SingleTrack;
use hemiola::optimize::{ControlGrid, ControlOptimum, LaneChange, LaneTrack, ShootingNodes};
use hemiola::report::{lane_change_drive, lane_change_figure};
use hemiola::tableau::library::Library;

use crate::arguments::number;
use crate::commands::optimize::options::{SolveArgs, SolveTask};
use crate::commands::optimize::results::{OptimumPresentation, ResultArgs};
use crate::failure::{CommandOutcome, Failure};
use crate::output::text::counted;
use crate::output::writer::Output;

/// Drive a car past an obstacle and back in the least time (Gerdts 2003)
#[derive(Args)]
#[command(after_help = "\
A single-track car with seven states drives from x = -30 m to x = 140 m, with a steering rate of up to 0.5 rad/s, and \
stays on the track at all grid points. Its initial lateral position is free, and at the end it points straight ahead.")]
pub(crate) struct LaneChangeCommand {
    #[command(flatten)]
    solve: SolveArgs,

    /// Initial speed in m/s
    #[arg(long, value_name = "V", default_value = "25", value_parser = number::positive)]
    speed: f64,

    /// Gear
    #[arg(long, value_name = "1..5", default_value = "4", value_parser = clap::value_parser!(u8).range(1..=5))]
    gear: u8,

    /// Position of the accelerator pedal, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0", value_parser = part)]
    pedal: f64,

    /// Braking force in N
    #[arg(long, value_name = "F", default_value = "0", value_parser = number::not_negative)]
    brake: f64,

    /// Yaw equation
    #[arg(long, value_name = "WHICH", default_value = "paper")]
    yaw_equation: YawEquation,

    /// Reduction of the gap beside the obstacle in m, relative to the paper
    #[arg(long, value_name = "D", default_value = "0", value_parser = number::real)]
    narrowing: f64,

    #[command(flatten)]
    results: ResultArgs,
}

/// The yaw equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum YawEquation {
    /// Equation of the paper
    Paper,
    /// Equation that includes the moment of the longitudinal force of the front wheel
    Full,
}

fn part(text: &str) -> Result<f64, String> {
    let value = number::real(text).map_err(|problem| problem.to_string())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("expected a number from 0 to 1".to_owned()) }
}

const STATES: [&str; 7] = ["x", "y", "speed", "side slip angle", "yaw angle", "yaw rate", "steering angle"];

impl LaneChangeCommand {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.results.check()?;
        let lane = self.problem();
        // The track is a state constraint of order three, for which a linear control would ring.
        let usual = ControlGrid { points: 101, steps: 2, shooting: ShootingNodes::Multiple, is_linear: false };
        let grid = self.solve.grid(usual);
        let held = |optimum: &ControlOptimum| {
            let drive = lane_change_drive(&lane, grid.is_linear, optimum);
            let held = counted(drive.held.len(), "point");
            vec![("held", format!("{held} by the track, {} at a bound of the control", drive.bounded.len()))]
        };
        let show = OptimumPresentation {
            name: "lane-change",
            states: &STATES.map(str::to_owned),
            controls: &["steering rate".to_owned()],
            entries: &held,
            figure: &|optimum| lane_change_figure(&lane_change_drive(&lane, grid.is_linear, optimum)),
        };
        let (problem, guess) = (lane.problem(), lane.guess());
        let task =
            SolveTask { problem: &problem, sizes: &[7], guess: &guess, grid: usual, method: "linearized:radau-iia-2" };
        self.results.solve(&self.solve, &task, &show, library, output)
    }

    fn problem(&self) -> LaneChange {
        let car = SingleTrack {
            gear: self.gear,
            pedal: self.pedal,
            brake: self.brake,
            has_front_moment: self.yaw_equation == YawEquation::Full,
            ..SingleTrack::default()
        };
        let track = LaneTrack { narrowing: self.narrowing, ..LaneTrack::default() };
        LaneChange { car, speed: self.speed, track, ..LaneChange::default() }
    }
}
