//! `hemiola sweep`: a grid of designs as one job that can be stopped, resumed and distributed.

mod grid;
mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::design::{SearchShare, SweepFile};
use hemiola::tableau::library::Library;
use serde_json::json;

use crate::arguments::usage::OptionError;
use crate::failure::{CommandOutcome, Failure};
use crate::output::interrupt::Interrupt;
use crate::output::writer::{Output, WriteError, write};
use crate::ranks::Ranks;

use grid::{DesignState, SweepFolder};
use table::SweepTable;

/// Design all pairs of a grid: sizes, orders, damping, requirements
#[derive(Args)]
#[command(after_help = "\
A sweep file has the format hemiola-sweep/1. It contains the common part of its designs, as in a design file, and \
axes with values that change it. There is one design for every combination of values, one from each axis:

  { \"format\": \"hemiola-sweep/1\",
    \"design\": { \"slow\": 2, \"fast\": 5, \"starts\": 64 },
    \"over\": [
      { \"name\": \"size\", \"values\": [{ \"slow\": 2, \"fast\": 5 }, { \"slow\": 3, \"fast\": 7 }] },
      { \"name\": \"damping\", \"values\": [{}, { \"stability\": { \"fast\": { \"axis\": \"imaginary\", \"damping\": 0.05 } } }] }
    ] }

Each finished design is written as NAME-1.json, …, with the same additional files as by `hemiola design`. After \
Ctrl-C, an error or a shutdown of the machine, the same command continues: finished designs are kept, and a search \
that was interrupted is resumed. Files of other designs, also of an earlier version of the sweep, are overwritten with --force only. When all designs are finished, NAME.md contains their table. It marks the designs \
that no other design of their order surpasses in both errors and stable step per slow evaluation; NAME.svg shows \
them.

Under `mpirun` (feature `mpi`), the ranks share the starts of each design.

With --part K/N, one of N machines computes every N-th design. In a common folder, the machine that finishes last \
writes the table, as does the same command without --part.

Examples:
  hemiola sweep pairs.sweep.json
  hemiola sweep pairs.sweep.json --folder results --part 3/16")]
pub(crate) struct Sweep {
    /// Sweep file, NAME.sweep.json
    #[arg(value_name = "NAME.sweep.json")]
    file: PathBuf,

    /// Folder for all results [default: that of the sweep file]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Compute every N-th design, beginning with the K-th
    #[arg(long, value_name = "K/N")]
    part: Option<SearchShare>,

    /// Overwrite results of other designs with the same names
    #[arg(long)]
    force: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Sweep {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let ranks = Ranks::join();
        if ranks.work() {
            return Ok(CommandOutcome::Done);
        }
        let sweep = SweepFile::read(&self.file)?;
        let beside = || self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).map(PathBuf::from);
        let folder = self.folder.clone().or_else(beside).unwrap_or_else(|| PathBuf::from("."));
        if !folder.is_dir() {
            return Err(OptionError::NoFolder { option: "--folder", folder }.into());
        }
        let interrupt = Interrupt::listen();
        let grid = SweepFolder::new(&sweep, &folder);
        if let Some(file) = grid.foreign_file().filter(|_| !self.force) {
            return Err(WriteError::Exists { file }.into());
        }
        let is_ours = |k: &usize| self.part.is_none_or(|part| k % part.of() + 1 == part.number());
        for k in (0..sweep.designs.len()).filter(is_ours) {
            if interrupt.is_requested() {
                break;
            }
            let state = match grid.state(k) {
                DesignState::Open => grid.make(k, (&interrupt, &ranks))?,
                state => state,
            };
            if !self.json && !interrupt.is_requested() {
                output.line(&table::line(&grid, k, &state)?)?;
                output.flush()?;
            }
        }
        let states: Vec<DesignState> = (0..sweep.designs.len()).map(|k| grid.state(k)).collect();
        let open = states.iter().filter(|state| matches!(state, DesignState::Open)).count();
        if open > 0 && !self.json {
            output.text(&format!("{open} of {} designs are open\n", states.len()))?;
        } else {
            let table = SweepTable::new(&grid, &states)?;
            let written = if open == 0 { write_results(&table, &folder, &sweep.id)? } else { Vec::new() };
            self.show(&table, &sweep, open, &written, output)?;
        }
        Ok(if interrupt.is_requested() { CommandOutcome::Interrupted } else { CommandOutcome::Done })
    }
    fn show(
        &self,
        table: &SweepTable,
        sweep: &SweepFile,
        open: usize,
        written: &[PathBuf],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let files = written.iter().map(|file| file.strip_prefix(".").unwrap_or(file).display().to_string());
        if self.json {
            let designs: Vec<_> = (0..sweep.designs.len()).map(|k| table.json(k)).collect();
            let files: Vec<String> = files.collect();
            return output.json(
                &json!({ "id": sweep.id, "axes": sweep.axes, "designs": designs, "open": open, "files": files }),
            );
        }
        let written: String = files.map(|file| format!("wrote {file}\n")).collect();
        output.text(&format!("\n{}{written}", table.page()))
    }
}

/// Writes the table of a sweep and its figure, if there is any design.
fn write_results(table: &SweepTable, folder: &Path, id: &str) -> Result<Vec<PathBuf>, Failure> {
    let [report, figure] = ["md", "svg"].map(|ending| folder.join(format!("{id}.{ending}")));
    let drawn = table.figure();
    let name = drawn.as_ref().map(|_| format!("{id}.svg"));
    write(&report, table.report(name.as_deref()).as_bytes())?;
    let Some(drawn) = drawn else { return Ok(vec![report]) };
    write(&figure, drawn.to_svg()?.as_bytes())?;
    Ok(vec![report, figure])
}
