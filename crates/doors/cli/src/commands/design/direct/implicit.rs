//! Diagonally implicit methods, alone or with explicit partners: `hemiola design --implicit …`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use hemiola::design::{
    DesignError, DiagonalStructure, Gamma, ImplicitCertificate, ImplicitDesign, ImplicitKind, ImplicitSpecification,
    ImplicitStability, SlowPart, design_implicit,
};
use hemiola::number::{Progress, bound_text};
use hemiola::tableau::Method;
use hemiola::tableau::library::{Library, method};
use serde_json::{Value, json};

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::number;
use crate::arguments::usage::OptionError;
use crate::commands::design::direct::SharedOptions;
use crate::commands::design::direct::files::MethodFiles;
use crate::commands::design::direct::job::DirectDesign;
use crate::failure::Failure;
use crate::output::text::{self, Column};

impl Choices for ImplicitKind {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Alone, "alone", "One implicit partition of --stages"),
        (
            Self::Additive,
            "additive",
            "IMEX: an explicit partner with the same stages and weights, of ESDIRK methods also with the same abscissae; \
             with --fast exact, an explicit and an implicit slow partition",
        ),
        (Self::Slow, "slow", "The slow partition of --slow and --fast; the fast one is explicit, or exact"),
        (Self::Fast, "fast", "The fast partition of --slow and --fast; the slow one is explicit"),
        (Self::Both, "both", "Both partitions of --slow and --fast"),
    ];
}

impl Choices for DiagonalStructure {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Esdirk, "esdirk", "An explicit first stage, then one number γ"),
        (Self::Sdirk, "sdirk", "One number γ"),
        (Self::Dirk, "dirk", "Numbers of their own"),
    ];
}

/// Options of an implicit design.
#[derive(Args)]
#[command(next_help_heading = "Implicit partitions")]
pub(crate) struct ImplicitArgs {
    /// Design a diagonally implicit partition: L-stable and stiffly accurate, unless --fast is exact
    ///
    /// The principal error is minimized. With --fast exact, --sector states the wanted stability. The method file names the
    /// command that reproduces it.
    #[arg(long, value_name = "PARTITION", group = "of_implicit", value_parser = choice::<ImplicitKind>(), requires = "order", conflicts_with_all = [
        "files", "levels", "Polynomials", "Small", "Made", "first_same_as_last", "non_negative_weights",
        "abscissae_in_step", "increasing_abscissae", "fast_chain", "sparsity", "bounds", "set", "pareto", "tune", "resume",
        "part", "effort", "solver", "slow_stages", "shared_weights", "shared_abscissae", "ssp", "storage",
    ])]
    implicit: Option<ImplicitKind>,

    /// Diagonal of the implicit partition [default: esdirk]
    #[arg(long, requires = "of_implicit", value_parser = choice::<DiagonalStructure>(), hide = true)]
    diagonal: Option<DiagonalStructure>,

    /// Diagonal entry: a number, or C0,…,CN@X for the root of C0 + C1·γ + … + CN·γ^N that Newton's method reaches from X
    /// [default: chosen by the search, if the conditions leave it free]
    #[arg(long, value_name = "γ", requires = "of_implicit", value_parser = diagonal_entry, allow_hyphen_values = true, hide = true)]
    gamma: Option<Gamma>,

    /// Stage order of the implicit partition, 1 or 2 [default: 2 for esdirk]
    #[arg(long, value_name = "Q", requires = "of_implicit", hide = true)]
    stage_order: Option<usize>,

    /// Extent on the negative real axis of the joint region of an IMEX method [default: 0, no requirement]
    ///
    /// The search aims at |R(z_E, z_I)| ≤ 1 for all z_I in the left half-plane and all z_E in a disk from −R to 0. It penalizes
    /// instability at sampled points, so that the region may end slightly earlier; the name of the method states the extent for
    /// which |R| ≤ 1.001 is proved. With R@A, z_I need only lie within A
    /// degrees of the negative real axis, which leaves more freedom.
    #[arg(long, value_name = "R[@A]", requires = "of_implicit")]
    joint: Option<JointRegion>,

    /// Largest wanted modulus of the limit of a stage for z → ∞ (internal stability)
    #[arg(long, value_name = "R", requires = "of_implicit", value_parser = number::positive, hide = true)]
    internal: Option<f64>,

    /// Method of the library from which the search starts, with displacements
    #[arg(long, value_name = "METHOD", requires = "of_implicit", hide = true)]
    start: Option<String>,
}

/// The extent of a joint region, and the half-angle of its wedge in degrees.
#[derive(Clone, Copy)]
struct JointRegion {
    extent: f64,
    wedge: f64,
}

impl FromStr for JointRegion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (extent, wedge) = text.split_once('@').unwrap_or((text, "90"));
        let extent = number::not_negative(extent).map_err(|problem| problem.to_string())?;
        let wedge = number::positive(wedge).map_err(|problem| problem.to_string())?;
        if wedge > 90.0 {
            return Err(format!("found the angle {wedge}; expected one above 0, at most 90"));
        }
        Ok(Self { extent, wedge })
    }
}

/// Reads a diagonal entry: a number, or a root of a polynomial near a number.
fn diagonal_entry(text: &str) -> Result<Gamma, String> {
    let said = |problem: number::NumberError| problem.to_string();
    let Some((coefficients, near)) = text.split_once('@') else {
        return number::rational(text).map(Gamma::Fixed).map_err(said);
    };
    let numbers: Result<Vec<_>, _> = coefficients.split(',').map(number::rational).collect();
    Gamma::root(&numbers.map_err(said)?, number::real(near).map_err(said)?).ok_or_else(|| {
        format!("Newton's method finds no simple root from {near}; expected at most 13 coefficients, C0,…,CN@X")
    })
}

impl ImplicitArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.implicit.is_some()
    }

    /// Returns the slow part of a multirate method of any ratio, to which the other options do not apply.
    pub(crate) fn slow_part(&self) -> Result<SlowPart, Failure> {
        let given = [
            ("--diagonal", self.diagonal.is_some()),
            ("--gamma", self.gamma.is_some()),
            ("--stage-order", self.stage_order.is_some()),
            ("--joint", self.joint.is_some()),
            ("--internal", self.internal.is_some()),
            ("--start", self.start.is_some()),
        ];
        let surplus = given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        let (found, surplus) = match self.implicit {
            None => (SlowPart::Explicit, surplus),
            Some(ImplicitKind::Slow) => (SlowPart::Implicit, surplus),
            Some(ImplicitKind::Additive) => (SlowPart::Additive, surplus),
            Some(ImplicitKind::Alone) => (SlowPart::Explicit, Some("--implicit alone")),
            Some(_) => (SlowPart::Explicit, Some("--implicit fast or both")),
        };
        let has_one_size = self.implicit.is_some_and(ImplicitKind::has_one_size);
        let with = if has_one_size { "--stages" } else { "a number of fast evaluations" };
        surplus.map_or(Ok(found), |option| Err(OptionError::Contradiction { option, with }.into()))
    }

    /// Returns the requested design, if any.
    pub(crate) fn specification(
        &self,
        stages: Option<usize>,
        shared: &SharedOptions<'_>,
        library: &Library,
    ) -> Result<Option<ImplicitSpecification>, Failure> {
        let (Some(kind), Some(order)) = (self.implicit, shared.order) else { return Ok(None) };
        if kind.has_one_size() != stages.is_some() {
            let (option, with) = if kind.has_one_size() {
                ("--implicit alone|additive", "--stages")
            } else {
                ("--implicit", "--slow and --fast")
            };
            return Err(OptionError::Contradiction { option, with }.into());
        }
        let sizes =
            stages.map_or_else(|| [shared.slow, shared.fast].map(Option::unwrap_or_default).to_vec(), |s| vec![s]);
        let default = ImplicitSpecification::new(kind, &sizes, order);
        let structure = self.diagonal.unwrap_or(default.structure);
        let usual = if structure == DiagonalStructure::Esdirk { default.stage_order } else { 1 };
        if shared.embedded.is_some_and(|embedded| embedded == 0 || order.checked_sub(1) != Some(embedded)) {
            return Err(OptionError::Contradiction {
                option: "--embedded",
                with: "the order below that of the method",
            }
            .into());
        }
        let start = self.start.as_ref().map(|name| library.load(name)).transpose()?;
        // The command in the file of the new method must be able to find the starting method again.
        let is_known = |start: &Method| method(start.id()).is_ok_and(|known| known.exact() == start.exact());
        if !start.as_ref().is_none_or(is_known) {
            return Err(OptionError::Contradiction { option: "--start", with: "a method of the library" }.into());
        }
        let specification = ImplicitSpecification {
            structure,
            stage_order: self.stage_order.unwrap_or(usual),
            gamma: self.gamma.clone().unwrap_or(Gamma::Free),
            joint: self.joint.map_or(default.joint, |joint| joint.extent),
            joint_wedge: self.joint.map_or(default.joint_wedge, |joint| joint.wedge),
            internal: self.internal,
            start,
            embedded: shared.embedded.is_some(),
            dense: shared.dense,
            largest: shared.largest.unwrap_or(default.largest),
            seed: shared.seed.unwrap_or(default.seed),
            starts: shared.starts.unwrap_or(default.starts),
            ..default
        };
        specification.validate()?;
        Ok(Some(specification))
    }
}

impl DirectDesign for ImplicitSpecification {
    type Found = ImplicitDesign;
    const OPTION: &'static str = "--implicit";

    fn id(&self) -> String {
        self.default_id()
    }

    fn text(&self) -> String {
        self.command()
    }

    fn search(&self, id: &str, progress: &dyn Progress) -> Result<ImplicitDesign, DesignError> {
        design_implicit(self, id, progress)
    }

    fn write(found: &ImplicitDesign, files: &MethodFiles) -> Result<Vec<PathBuf>, Failure> {
        let certificate = found.certificate.as_ref().map(ImplicitCertificate::to_json).transpose()?;
        files.write_with(&found.method.to_json(), &found.method, certificate)
    }

    fn page(&self, design: &ImplicitDesign) -> String {
        page(self, design)
    }

    fn to_json(&self, design: &ImplicitDesign) -> Value {
        let parts: Vec<Value> = design
            .stability
            .iter()
            .map(|part| {
                json!({
                    "name": design.method.partitions()[part.partition].name,
                    "sector_angle": part.angle,
                    "modulus_at_infinity": part.at_infinity,
                    "embedded_sector_angle": part.embedded.and_then(|(angle, _)| angle),
                    "embedded_modulus_at_infinity": part.embedded.and_then(|(_, modulus)| modulus),
                })
            })
            .collect();
        json!({
            "id": design.method.id(),
            "order": self.order,
            "principal_error_norm": design.error.total.two,
            "largest_coefficient": design.largest,
            "joint_extent": design.joint,
            "implicit": parts,
            "embedded_order": design.method.claims().embedded_order,
            "dense_order": design.method.claims().dense_order,
            "radius": design.certificate.as_ref().map(|certificate| certificate.radius),
        })
    }
}

fn page(specification: &ImplicitSpecification, design: &ImplicitDesign) -> String {
    let names = ["Implicit partition", "γ", "Sector", "|R(∞)|", "Embedded sector", "Embedded |R(∞)|"];
    let columns = names.map(|name| (name, Column::Right));
    let rows = design.stability.iter().map(|part| row(design, part));
    let claims = design.method.claims();
    let found = |order: Option<usize>| order.map_or("none".to_owned(), |order| format!("order {order}"));
    let proof = design.certificate.as_ref().map_or_else(
        || "none".to_owned(),
        |proof| {
            let bound = bound_text(proof.radius, 1);
            format!("a solution of the certificate's equations lies within {bound}; scripts/check-certificate derives the rest")
        },
    );
    let mut facts = vec![
        ("principal error norm", text::number(design.error.total.two)),
        ("largest coefficient", text::rounded(design.largest, 4)),
        ("embedded weights", found(claims.embedded_order)),
    ];
    if specification.joint > 0.0 {
        let reached = match (design.joint, specification.joint_wedge) {
            (Some(extent), _) => format!("{extent} with |R| ≤ 1.001, proved"),
            (None, 90.0) => "not proved".to_owned(),
            (None, wedge) => format!("not determined for {wedge}°; see `hemiola map --slice joint:`"),
        };
        facts.push(("extent of joint region", format!("{reached}; asked for {}", specification.joint)));
    }
    if let Some(wanted) = specification.dense {
        let none = || format!("none of order {wanted} at these stages");
        facts.push(("dense output", claims.dense_order.map_or_else(none, |order| format!("order {order}"))));
    }
    facts.push(("proof", proof));
    let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
    head + &text::table(&columns, rows) + "\n" + &text::entries(&facts) + "\n"
}

fn row(design: &ImplicitDesign, part: &ImplicitStability) -> Vec<String> {
    let butcher = &design.method.to_f64().partitions[part.partition];
    let diagonal: Vec<f64> = (0..butcher.stages()).map(|k| butcher.a[k][k]).filter(|x| *x != 0.0).collect();
    let is_one = diagonal.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-15);
    let gamma = diagonal.first().filter(|_| is_one).map_or("several".to_owned(), |x| text::number(*x));
    let angle = |angle: Option<f64>| match angle {
        Some(90.0) => "90° (A-stable)".to_owned(),
        Some(angle) => format!("{}°", text::rounded(angle, 2)),
        None => "none".to_owned(),
    };
    let modulus = |modulus: Option<f64>| modulus.map_or("unbounded".to_owned(), text::number);
    let embedded =
        part.embedded.map_or(["–".to_owned(), "–".to_owned()], |(sector, at)| [angle(sector), modulus(at)]);
    let [sector, limit] = embedded;
    let name = design.method.partitions()[part.partition].name.clone();
    vec![name, gamma, angle(part.angle), modulus(part.at_infinity), sector, limit]
}
