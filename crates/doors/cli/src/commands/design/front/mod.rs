//! Compromises between errors and the other terms of an objective, each with its files, with a table and a figure of all of them.

mod compromises;
mod table;

use std::time::Instant;

use hemiola::design::{DesignFile, pareto};
use hemiola::plot::front_figure;

use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;

use super::files::DesignFiles;

/// Front whose files have been written.
pub(crate) use compromises::Front;
use compromises::FrontPoint;

impl<'a> Front<'a> {
    pub(crate) fn new(
        file: &'a DesignFile,
        files: &'a DesignFiles,
        asked: usize,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let monitor = Monitor::stopped_by(interrupt);
        let found = pareto(&file.specification, asked, &monitor);
        monitor.finish();
        let numbered = found?.into_iter().enumerate();
        let points = numbered.map(|(k, compromise)| FrontPoint::new(file, files, asked, k + 1, compromise));
        let points = points.collect::<Result<Vec<FrontPoint>, Failure>>()?;
        let (time, interrupted) = (start.elapsed(), interrupt.is_requested());
        let front = Self { file, files, asked, points, time, interrupted };
        front.write()?;
        Ok(front)
    }

    fn write(&self) -> Result<(), Failure> {
        let places: Vec<[f64; 2]> =
            self.points.iter().map(|point| [point.compromise.error, point.compromise.others]).collect();
        let others = self.others();
        let description = format!("Compromises of {}: errors versus {others}", self.file.name);
        let figure = front_figure(&places, [self.errors(), &others], &description);
        self.files.write_design(self.file)?;
        self.files.write_report(figure, &[], &table::report(self))
    }

    pub(crate) fn page(&self) -> String {
        table::page(self)
    }
}
