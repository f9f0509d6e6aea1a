//! `hemiola design`: a new dual-rate pair, with its figure and a report.

mod comparison;
mod findings;
mod page;
mod progress;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use hemiola::design::{Specification, Stability, design};
use hemiola::figures::stability_figure;
use hemiola::tableau::is_id;

use crate::certificate;
use crate::failure::{Failure, Outcome};
use crate::number;
use crate::output::Output;
use crate::polynomial::AxisName;

use self::findings::Findings;
use self::progress::Watch;

/// Design a dual-rate pair: few slow and many fast evaluations a step
#[derive(Args)]
#[command(after_help = "\
All order and coupling conditions are satisfied together with the fast part's optimal stability polynomial, and the \
principal error norm is made as small as many random starts allow. The method, its certificate, its stability figure and a report \
are written; the same options give the same files on any number of threads. Ctrl-C ends the search and keeps the best so far.

Examples:
  hemiola design --slow 2 --fast 5
  hemiola design --slow 2 --fast 5 --damping 0.05 --output damped.json
  hemiola design --slow 4 --fast 8 --starts 64 --output four-eight.json")]
pub(crate) struct Design {
    /// The number of slow evaluations in a step
    #[arg(long, value_name = "S_S")]
    slow: usize,

    /// The number of fast evaluations in a step
    #[arg(long, value_name = "S_F")]
    fast: usize,

    /// The order (default: the highest that the slow evaluations allow: 1, 2, 3, 4, 4, 5 for 1 to 6)
    #[arg(long, value_name = "P")]
    order: Option<usize>,

    /// The axis along which the fast part is to be stable as far as possible
    #[arg(long, value_enum, default_value = "imaginary")]
    axis: AxisName,

    /// The damping η of the fast part's polynomial, |R| ≤ 1 − η as in `hemiola polynomial`
    #[arg(long, value_name = "E", default_value = "0", value_parser = number::real)]
    damping: f64,

    /// The stages at which the slow part is evaluated, counted from 1 (default: searched over)
    #[arg(long, value_name = "I,J,…", value_delimiter = ',')]
    slow_stages: Option<Vec<usize>>,

    /// The largest coefficient allowed, in absolute value
    #[arg(long, value_name = "C", default_value = "1", value_parser = number::not_negative)]
    largest: f64,

    /// The seed of the random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of random starts (default: depends on the order)
    #[arg(long, value_name = "N")]
    starts: Option<usize>,

    /// The method file to write; the certificate (.certificate.json), the figure (.svg) and the report (.md) go beside it (default: dual-rate-S_S-S_F.json)
    #[arg(long, value_name = "F.json")]
    output: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Design {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let file = self.file()?;
        let specification = self.specification()?;
        let start = Instant::now();
        let watch = Watch::new(specification.starts);
        let found = design(&specification, |progress| watch.see(progress));
        let interrupted = watch.finish();
        let mut found = found?;
        let id = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        found.method = found.method.with_id(id)?;
        id.clone_into(&mut found.certificate.method);
        let findings = Findings::new(&specification, found)?;
        let files = Files::beside(&file);
        files.write(&findings)?;
        if self.json {
            output.json(&findings.to_json(&files.all(), interrupted))?;
        } else {
            output.text(&page::page(&findings, start.elapsed(), interrupted, &files.all()))?;
        }
        Ok(Outcome::Done)
    }

    fn specification(&self) -> Result<Specification, Failure> {
        let mut specification = Specification::new(self.slow, self.fast, self.order)?;
        specification.stability[1] = Stability::Optimal { axis: self.axis.into(), damping: self.damping };
        specification.seed = self.seed;
        specification.structure.largest_coefficient = self.largest;
        if let Some(stages) = &self.slow_stages {
            let fits = stages.iter().all(|stage| (1..=self.fast).contains(stage)) && stages.len() == self.slow;
            if !fits || stages.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(Failure::SlowStages { found: stages.clone(), slow: self.slow, fast: self.fast });
            }
            specification.slow_stages = Some(stages.iter().map(|stage| stage - 1).collect());
        }
        if let Some(starts) = self.starts {
            specification.starts = starts;
        }
        Ok(specification)
    }

    /// The method file. Its name must serve as an id, which is checked before the search.
    fn file(&self) -> Result<PathBuf, Failure> {
        let default = || PathBuf::from(format!("dual-rate-{}-{}.json", self.slow, self.fast));
        let file = self.output.clone().unwrap_or_else(default);
        if file.extension().is_none_or(|ending| ending != "json") {
            return Err(Failure::WrongEnding { option: "--output", file, expected: ".json" });
        }
        if !file.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_id) {
            return Err(Failure::NoId { file });
        }
        // A search may take minutes: what would lose its result is found out before.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::NoFolder { option: "--output", folder: folder.to_owned() });
        }
        Ok(file)
    }
}

/// The files that a design leaves behind.
struct Files {
    method: PathBuf,
    certificate: PathBuf,
    figure: PathBuf,
    report: PathBuf,
}

impl Files {
    fn beside(method: &Path) -> Self {
        Self {
            method: method.to_owned(),
            certificate: method.with_extension("certificate.json"),
            figure: method.with_extension("svg"),
            report: method.with_extension("md"),
        }
    }

    fn write(&self, findings: &Findings) -> Result<(), Failure> {
        let figure = self.figure.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let svg = stability_figure(&findings.design.method)?;
        crate::output::write(&self.method, findings.design.method.to_json().as_bytes())?;
        let certificate = format!("{:#}\n", certificate::to_json(&findings.design.certificate));
        crate::output::write(&self.certificate, certificate.as_bytes())?;
        crate::output::write(&self.figure, svg.as_bytes())?;
        crate::output::write(&self.report, report::report(findings, &figure).as_bytes())
    }

    fn all(&self) -> [&Path; 4] {
        [&self.method, &self.certificate, &self.figure, &self.report]
    }
}
