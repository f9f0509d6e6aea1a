//! `hemiola optimize lane-change`.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use hemiola::models::SingleTrack;
use hemiola::optimize::{LaneChange, Track};
use hemiola::report::{lane_change_drive, lane_change_figure};
use hemiola::tableau::library::Library;

use crate::arguments::figure::FigureArgs;
use crate::arguments::{format, number};
use crate::commands::optimize::options::SolveArgs;
use crate::commands::optimize::page::{Report, csv, outcome};
use crate::commands::optimize::progress::IterationProgress;
use crate::failure::{Failure, Outcome};
use crate::output::text::counted;
use crate::output::writer::{Output, expect_ending, write};

/// Drive a car past an obstacle and back in the least time (Gerdts 2003)
#[derive(Args)]
#[command(after_help = "\
A single-track car with seven states goes from x = -30 m to x = 140 m, steered at up to 0.5 rad/s, without leaving the track at grid points; its \
initial place across the track is free, and at the end it looks straight ahead.")]
pub(crate) struct LaneChangeCommand {
    #[command(flatten)]
    solve: SolveArgs,

    /// The initial speed in m/s
    #[arg(long, value_name = "V", default_value = "25", value_parser = number::positive)]
    speed: f64,

    /// The gear
    #[arg(long, value_name = "1..5", default_value = "4", value_parser = clap::value_parser!(u8).range(1..=5))]
    gear: u8,

    /// The accelerator pedal, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0", value_parser = part)]
    pedal: f64,

    /// The braking force in N
    #[arg(long, value_name = "F", default_value = "0", value_parser = number::not_negative)]
    brake: f64,

    /// The yaw equation: the paper's, or that with the moment of the front wheel's pull
    #[arg(long, value_name = "WHICH", default_value = "paper")]
    yaw_equation: YawEquation,

    /// How much narrower than the paper's the gap beside the obstacle is, in m
    #[arg(long, value_name = "D", default_value = "0", value_parser = number::real)]
    narrowing: f64,

    /// Draw the track with the path, the control and the convergence
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<PathBuf>,

    /// Write time, states and control at the grid points
    #[arg(long, value_name = "F.csv")]
    data: Option<PathBuf>,

    /// Measure the time of the solution
    #[arg(long)]
    time: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

/// The yaw equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum YawEquation {
    Paper,
    Full,
}

fn part(text: &str) -> Result<f64, String> {
    let value = number::real(text).map_err(|problem| problem.to_string())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("expected a number from 0 to 1".to_owned()) }
}

const STATES: [&str; 7] = ["x", "y", "speed", "side slip angle", "yaw angle", "yaw rate", "steering angle"];

impl LaneChangeCommand {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        expect_ending("--data", self.data.as_deref(), ".csv")?;
        let lane = self.problem();
        let mut watch = IterationProgress::new();
        let start = Instant::now();
        let (optimum, method) = self.solve.solve(&lane.problem(), &[7], &lane.guess(), library, &mut watch)?;
        let seconds = self.time.then(|| start.elapsed().as_secs_f64());
        watch.finish();
        let report = Report::new("lane-change", &method, self.solve.grid(), &optimum, seconds);
        let drive = lane_change_drive(&lane, &optimum);
        if self.json {
            output.json(&report)?;
        } else {
            let held = format!(
                "{} by the track, {} at a bound of the control",
                counted(drive.held.len(), "point"),
                drive.bounded.len()
            );
            output.text(&report.page(&[("held", held)]))?;
        }
        if let Some(file) = &self.data {
            write(file, csv(&optimum, &STATES, &["steering rate"]).as_bytes())?;
        }
        if let Some(file) = &self.output {
            self.figure.write("--output", file, lane_change_figure(&drive), &[])?;
        }
        Ok(outcome(optimum.solution.status))
    }

    fn problem(&self) -> LaneChange {
        let car = SingleTrack {
            gear: self.gear,
            pedal: self.pedal,
            brake: self.brake,
            has_front_moment: self.yaw_equation == YawEquation::Full,
            ..SingleTrack::default()
        };
        let track = Track { narrowing: self.narrowing, ..Track::default() };
        LaneChange { car, speed: self.speed, track, ..LaneChange::default() }
    }
}
