//! Multirate methods of any ratio: `hemiola design --slow S --fast exact …`.

mod arguments;

use std::path::{Path, PathBuf};

use hemiola::design::{MriDesign, MriSpecification, design_mri};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::number::bound_text;
use serde_json::{Value, json};

pub(crate) use self::arguments::{FastEvaluations, MriArgs, SharedOptions};
use crate::arguments::usage::OptionError;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::failure::Failure;
use crate::output::certificate::write_multirate_certificate;
use crate::output::file_lock::FileLock;
use crate::output::interrupt::Interrupt;
use crate::output::new_method::id;
use crate::output::progress::Monitor;
use crate::output::text;
use crate::output::writer::write;

/// Multirate design with its output file.
pub(crate) struct MriJob {
    specification: MriSpecification,
    method: PathBuf,
    id: String,
    /// Lock that is held while the job exists.
    _claim: FileLock,
}

impl MriJob {
    /// Prepares a job. A method of different origin is overwritten only with `force`.
    pub(crate) fn new(specification: MriSpecification, output: Option<&Path>, force: bool) -> Result<Self, Failure> {
        let method = output.map_or_else(|| format!("{}.json", specification.default_id()).into(), Path::to_path_buf);
        let Some(id) = id(Some(&method))? else { return Err(OptionError::NoId { file: method }.into()) };
        let folder = method.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        let claim = FileLock::new(&method)?;
        let is_same = || {
            let place = InfinitesimalMethod::read(&method).ok().and_then(|there| there.source().place.clone());
            place.is_some_and(|place| place == specification.command())
        };
        if method.exists() && !force && !is_same() {
            return Err(DesignJobError::OtherFamily { file: method }.into());
        }
        Ok(Self { specification, method, id, _claim: claim })
    }

    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let found = design_mri(&self.specification, &self.id, &monitor);
        monitor.finish();
        // A search that ended early gives another method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Multirate.into());
        }
        let design = found?;
        write(&self.method, design.method.to_json().as_bytes())?;
        let mut files = vec![self.method.clone()];
        if let Some(certificate) = &design.certificate {
            files.push(self.method.with_extension("certificate.json"));
            write_multirate_certificate(&files[1], certificate)?;
        }
        Ok((self.page(&design, &files), self.to_json(&design, &files)))
    }

    fn page(&self, design: &MriDesign, files: &[PathBuf]) -> String {
        let mut facts = vec![
            ("slow evaluations", self.specification.slow.to_string()),
            ("order", self.specification.order.to_string()),
            ("principal error norm", text::rounded(design.error, 6)),
        ];
        let limits: Vec<String> = design.sectors.iter().map(limit).collect();
        facts.push(("sector limits", limits.join(", ")));
        if let Some(order) = design.method.claims().embedded_order {
            facts.push(("embedded", format!("order {order}")));
        }
        let proof = design.certificate.as_ref().map_or_else(
            || "not proved".to_owned(),
            |certificate| {
                let radius = bound_text(certificate.radius, 1);
                format!("an exact solution of all conditions lies within {radius} of each coefficient")
            },
        );
        facts.push(("order conditions", proof));
        let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
        let wrote: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
        head + &text::entries(&facts) + "\n" + &wrote
    }

    fn to_json(&self, design: &MriDesign, files: &[PathBuf]) -> Value {
        let sectors = design.sectors.iter().map(|sector| json!({ "angle": sector.angle, "limit": sector.limit }));
        json!({
            "id": design.method.id(),
            "order": self.specification.order,
            "slow_evaluations": self.specification.slow,
            "principal_error_norm": design.error,
            "sectors": sectors.collect::<Vec<_>>(),
            "embedded_order": design.method.claims().embedded_order,
            "radius": design.certificate.as_ref().map(|certificate| certificate.radius),
            "solved_starts": design.solved,
            "command": self.specification.command(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        })
    }
}

fn limit(sector: &hemiola::multirate::SectorLimit) -> String {
    let limit = sector.limit.map_or_else(|| "unbounded".to_owned(), |limit| text::rounded(limit, 4));
    format!("x({}°) = {limit}", text::number(sector.angle))
}
