//! `hemiola optimize FILE.json`: problems from files.

use std::path::Path;

use hemiola::optimize::{ControlFileError, ProblemFile};
use hemiola::plot::course_figure;
use hemiola::report::optimum_course;
use hemiola::tableau::json;
use hemiola::tableau::library::Library;

use crate::arguments::model;
use crate::commands::optimize::options::{SolveArgs, SolveTask};
use crate::commands::optimize::results::{OptimumPresentation, ResultArgs};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::writer::{Output, expect_ending};

impl CommandError for ControlFileError {
    fn hint(&self) -> Option<String> {
        Some("problems/schema.json describes the format; the same folder contains examples".to_owned())
    }
}

/// Solves a problem in a file.
pub(crate) fn run(
    path: &Path,
    solve: &SolveArgs,
    results: &ResultArgs,
    library: &Library,
    output: &mut Output,
) -> Result<CommandOutcome, Failure> {
    expect_ending("FILE", Some(path), ".json")?;
    results.check()?;
    let text = json::read_bounded(path)?;
    let file = ProblemFile::from_json(&text, &path.display().to_string(), &|text| Ok(model::read(text)?))?;
    let grid = solve.grid(file.grid);
    let show = OptimumPresentation {
        name: &file.name,
        states: &file.states,
        controls: &file.controls,
        entries: &|optimum| {
            let parameters = file.parameters.iter().zip(&optimum.found.parameters);
            let parameters: Vec<String> = parameters.map(|(name, value)| format!("{name} {value:.8}")).collect();
            let duration = ("duration", format!("{:.8}", optimum.found.duration));
            let parameters = (!parameters.is_empty()).then(|| ("parameters", parameters.join(", ")));
            [duration].into_iter().chain(parameters).collect()
        },
        figure: &|optimum| {
            course_figure(&optimum_course(&file.states, &file.controls, grid.is_linear, optimum), &file.name)
        },
    };
    let task = SolveTask {
        problem: &file.problem,
        sizes: &file.sizes,
        guess: &file.guess,
        grid: file.grid,
        method: &file.method,
    };
    results.solve(solve, &task, &show, library, output)
}
