//! Multirate methods of any ratio: `hemiola design --slow S --fast exact …`.

mod arguments;

use std::path::PathBuf;

use hemiola::design::{
    DesignError, MriCertificate, MriDesign, MriSpecification, SlowStability, StiffStability, design_mri,
};
use hemiola::multirate::SectorLimit;
use hemiola::number::{Progress, bound_text};
use hemiola::tableau::printable;
use serde_json::{Value, json};

pub(crate) use self::arguments::{FastEvaluations, MriArgs, SharedOptions};
use crate::commands::design::direct::files::MethodFiles;
use crate::commands::design::direct::job::DirectDesign;
use crate::failure::Failure;
use crate::output::text;
use crate::output::writer::write;

impl DirectDesign for MriSpecification {
    type Found = MriDesign;
    const OPTION: &'static str = "--fast exact";

    fn id(&self) -> String {
        self.default_id()
    }

    fn text(&self) -> String {
        self.command()
    }

    fn search(&self, id: &str, progress: &dyn Progress) -> Result<MriDesign, DesignError> {
        design_mri(self, id, progress)
    }

    fn write(found: &MriDesign, files: &MethodFiles) -> Result<Vec<PathBuf>, Failure> {
        let method = files.path();
        write(method, found.method.to_json().as_bytes())?;
        let mut written = vec![method.to_owned()];
        let certificate = found.certificate.as_ref().map(MriCertificate::to_json).transpose()?;
        written.extend(files.write_proof(certificate)?);
        Ok(written)
    }

    fn page(&self, design: &MriDesign) -> String {
        let mut facts = vec![
            ("slow evaluations", self.slow.to_string()),
            ("order", design.method.claims().order.unwrap_or(self.order).to_string()),
            ("principal error norm", text::rounded(design.error, 6)),
        ];
        if design.method.claims().order != Some(self.order) {
            facts.push(("asked for", format!("order {}, of which the error can vanish", self.order)));
        }
        let names = &design.method.partitions()[1..];
        let limits = design.sectors.iter().zip(&design.bounds).zip(names).map(|((limits, bounds), name)| {
            let texts: Vec<String> = limits.iter().zip(bounds).map(limit).collect();
            if names.len() == 1 { texts.join(", ") } else { format!("{} {}", printable(name), texts.join(", ")) }
        });
        facts.push(("sector limits", limits.collect::<Vec<_>>().join("; ")));
        if let Some(stiff) = &design.stiff {
            facts.push(("implicit part alone", stiff_part(stiff)));
        }
        if let Some(order) = design.method.claims().embedded_order {
            facts.push(("embedded", format!("order {order}")));
        }
        let proof = design.certificate.as_ref().map_or_else(
            || {
                let is_first = design.method.claims().order == Some(1);
                if is_first { "exact: they follow from internal consistency" } else { "not proved" }.to_owned()
            },
            |certificate| {
                let radius = bound_text(certificate.radius, 1);
                format!("an exact solution of all conditions lies within {radius} of each free coefficient")
            },
        );
        facts.push(("order conditions", proof));
        let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
        head + &text::entries(&facts) + "\n"
    }

    fn to_json(&self, design: &MriDesign) -> Value {
        let names = &design.method.partitions()[1..];
        let sectors = design.sectors.iter().zip(&design.bounds).zip(names).flat_map(|((limits, bounds), name)| {
            let entry = move |(sector, bound): (&SectorLimit, &Option<f64>)| {
                json!({ "partition": name, "angle": sector.angle, "limit": sector.limit, "proved_lower": bound })
            };
            limits.iter().zip(bounds).map(entry)
        });
        let stiff = design.stiff.as_ref();
        let stiff = stiff.map(|stiff| json!({ "sector_angle": stiff.angle, "modulus_at_infinity": stiff.at_infinity }));
        json!({
            "id": design.method.id(),
            "order": design.method.claims().order,
            "slow_evaluations": self.slow,
            "principal_error_norm": design.error,
            "sectors": sectors.collect::<Vec<_>>(),
            "implicit_part": stiff,
            "embedded_order": design.method.claims().embedded_order,
            "radius": design.certificate.as_ref().map(|certificate| certificate.radius),
            "solved_starts": design.solved,
        })
    }
}

fn limit((sector, bound): (&SectorLimit, &Option<f64>)) -> String {
    let limit = sector.limit.map_or_else(|| "none found up to 1e6".to_owned(), |limit| text::rounded(limit, 4));
    // Round the bound down, so that it remains one.
    let proved =
        bound.map_or_else(|| "not proved".to_owned(), |bound| format!("≥ {} proved", (bound * 1e3).floor() / 1e3));
    format!("x({}°) = {limit} ({proved})", text::number(sector.angle))
}

fn stiff_part(stiff: &StiffStability) -> String {
    let angle = stiff.angle.map_or_else(|| "none".to_owned(), |angle| format!("{}°", text::rounded(angle, 4)));
    let class = match stiff.class() {
        SlowStability::Any => "not A-stable",
        class => class.name(),
    };
    format!("{class}: sector {angle}, |R(∞)| = {}", text::rounded(stiff.at_infinity, 4))
}
