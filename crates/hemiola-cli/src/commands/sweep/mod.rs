//! `hemiola sweep`: a grid of designs as one job that can be stopped and shared.

mod grid;
mod table;

use std::path::PathBuf;

use clap::Args;
use hemiola::design::{Part, SweepFile};
use serde_json::json;

use crate::failure::{Failure, Outcome};
use crate::output::interrupt::Interrupt;
use crate::output::writer::{Output, write};

use grid::{Grid, State};

/// Design all pairs of a grid: sizes, orders, damping, requirements
#[derive(Args)]
#[command(after_help = "\
A sweep file has the format hemiola-sweep/1: what its designs have in common, as in a design file, and axes with values that change it. \
There is one design for every choice of a value on each axis:

  { \"format\": \"hemiola-sweep/1\",
    \"design\": { \"slow\": 2, \"fast\": 5, \"starts\": 64 },
    \"over\": [
      { \"name\": \"size\", \"values\": [{ \"slow\": 2, \"fast\": 5 }, { \"slow\": 3, \"fast\": 7 }] },
      { \"name\": \"damping\", \"values\": [{}, { \"stability\": { \"fast\": { \"axis\": \"imaginary\", \"damping\": 0.05 } } }] }
    ] }

Each design is written when it is done, NAME-1.json and the files beside it, as `hemiola design` writes them. The same command continues after \
Ctrl-C, an error or the end of the machine: what is done is not done again, and a search that was under way goes on. When all are done, \
NAME.md has the table of the designs, with those marked that no other of their order surpasses in errors and in stable step for a \
slow evaluation; NAME.svg shows them.

With --part K/N one of N machines takes every N-th design; in a folder that all share, the last one writes the table, or the same command without \
--part.

Examples:
  hemiola sweep pairs.sweep.json
  hemiola sweep pairs.sweep.json --folder results --part 3/16")]
pub(crate) struct Sweep {
    /// The sweep file, NAME.sweep.json
    #[arg(value_name = "NAME.sweep.json")]
    file: PathBuf,

    /// The folder of all results [default: that of the sweep file]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Take every N-th design, beginning with the K-th
    #[arg(long, value_name = "K/N")]
    part: Option<Part>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Sweep {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let sweep = SweepFile::read(&self.file)?;
        let beside = || self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).map(PathBuf::from);
        let folder = self.folder.clone().or_else(beside).unwrap_or_else(|| PathBuf::from("."));
        if !folder.is_dir() {
            return Err(Failure::NoFolder { option: "--folder", folder });
        }
        let interrupt = Interrupt::listen();
        let grid = Grid { sweep: &sweep, folder: &folder };
        let is_ours = |k: &usize| self.part.is_none_or(|part| k % part.of() + 1 == part.number());
        for k in (0..sweep.designs.len()).filter(is_ours) {
            if interrupt.is_requested() {
                break;
            }
            let state = match grid.state(k)? {
                State::Open => grid.make(k, &interrupt)?,
                state => state,
            };
            if !self.json && !interrupt.is_requested() {
                output.line(&table::line(&sweep, k, &state))?;
                output.flush()?;
            }
        }
        let states = (0..sweep.designs.len()).map(|k| grid.state(k)).collect::<Result<Vec<State>, Failure>>()?;
        let open = states.iter().filter(|state| matches!(state, State::Open)).count();
        let mut written = Vec::new();
        if open == 0 {
            let [report, figure] = ["md", "svg"].map(|ending| folder.join(format!("{}.{ending}", sweep.id)));
            let name = figure.file_name().map(|name| name.to_string_lossy().into_owned());
            let drawn = table::figure(&sweep, &states);
            let shown = drawn.as_ref().and(name);
            write(&report, table::report(&sweep, &states, shown.as_deref()).as_bytes())?;
            written.push(report);
            if let Some(drawn) = drawn {
                write(&figure, drawn.to_svg()?.as_bytes())?;
                written.push(figure);
            }
        }
        if self.json {
            let designs: Vec<_> =
                states.iter().enumerate().map(|(k, state)| table::json(&sweep, k, state, &states)).collect();
            let files: Vec<String> = written.iter().map(|file| file.display().to_string()).collect();
            output.json(
                &json!({ "id": sweep.id, "axes": sweep.axes, "designs": designs, "open": open, "files": files }),
            )?;
        } else {
            let table = if open == 0 { format!("\n{}", table::page(&sweep, &states)) } else { String::new() };
            let written: String = written.iter().map(|file| format!("wrote {}\n", file.display())).collect();
            let left = if open > 0 { format!("{open} of {} designs are open\n", states.len()) } else { String::new() };
            output.text(&format!("{table}{left}{written}"))?;
        }
        Ok(if interrupt.is_requested() { Outcome::Interrupted } else { Outcome::Done })
    }
}
