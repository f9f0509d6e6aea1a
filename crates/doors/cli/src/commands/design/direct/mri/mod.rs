//! Multirate methods of any ratio: `hemiola design --slow S --fast exact …`.

mod arguments;

use std::path::Path;

use hemiola::design::{MriDesign, MriSpecification, design_mri};
use hemiola::number::bound_text;
use serde_json::{Value, json};

pub(crate) use self::arguments::{FastEvaluations, MriArgs, SharedOptions};
use crate::arguments::figure::FigureArgs;
use crate::commands::design::direct::files::{MethodFiles, paths, wrote};
use crate::commands::design::error::DesignInterrupted;
use crate::failure::Failure;
use crate::output::certificate::write_multirate_certificate;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text;
use crate::output::writer::write;

/// Multirate design with its output file.
pub(crate) struct MriJob {
    specification: MriSpecification,
    files: MethodFiles,
}

impl MriJob {
    /// Prepares a job. A method of different origin is overwritten only with `force`.
    pub(crate) fn new(
        specification: MriSpecification,
        output: Option<&Path>,
        force: bool,
        look: FigureArgs,
    ) -> Result<Self, Failure> {
        let names = (output, specification.default_id());
        let files = MethodFiles::new(names, &specification.command(), force, look)?;
        Ok(Self { specification, files })
    }

    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let found = design_mri(&self.specification, self.files.id(), &monitor);
        monitor.finish();
        // A search that ended early gives another method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Direct { option: "--fast exact" }.into());
        }
        let design = found?;
        let method = self.files.path();
        write(method, design.method.to_json().as_bytes())?;
        let mut files = vec![method.to_owned()];
        if let Some(certificate) = &design.certificate {
            files.push(method.with_extension("certificate.json"));
            write_multirate_certificate(&files[1], certificate)?;
        }
        Ok((self.page(&design) + &wrote(&files), self.to_json(&design, &paths(&files))))
    }

    fn page(&self, design: &MriDesign) -> String {
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
        head + &text::entries(&facts) + "\n"
    }

    fn to_json(&self, design: &MriDesign, files: &[String]) -> Value {
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
            "files": files,
        })
    }
}

fn limit(sector: &hemiola::multirate::SectorLimit) -> String {
    let limit = sector.limit.map_or_else(|| "unbounded".to_owned(), |limit| text::rounded(limit, 4));
    format!("x({}°) = {limit}", text::number(sector.angle))
}
