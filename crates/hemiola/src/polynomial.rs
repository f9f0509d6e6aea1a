//! `hemiola polynomial`: optimal stability polynomials.

use clap::{Args, ValueEnum};
use hemiola::polynomial::{Axis, StabilityPolynomial, optimal};
use hemiola::tableau::Exact;
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::text::{self, Column};

/// Compute the stability polynomial with the largest stability interval
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola polynomial --stages 5 --order 2 --axis imaginary
  hemiola polynomial --stages 8 --order 4 --axis imaginary --digits 40 --json")]
pub(crate) struct Polynomial {
    /// The number of stages, the polynomial's degree
    #[arg(long, value_name = "S")]
    stages: usize,

    /// The order: the coefficients up to this power are those of exp(z)
    #[arg(long, value_name = "P")]
    order: usize,

    /// The axis along which |R| ≤ 1 is to hold as far as possible
    #[arg(long, value_enum)]
    axis: AxisName,

    /// The significant digits of the numbers
    #[arg(long, value_name = "D", default_value_t = 17, value_parser = clap::value_parser!(u16).range(1..=1000))]
    digits: u16,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AxisName {
    /// Undamped oscillations
    Imaginary,
    /// Decay: the negative real axis
    Real,
}

impl From<AxisName> for Axis {
    fn from(name: AxisName) -> Self {
        match name {
            AxisName::Imaginary => Self::Imaginary,
            AxisName::Real => Self::Real,
        }
    }
}

#[derive(Serialize)]
struct Report {
    stages: usize,
    order: usize,
    axis: AxisName,
    limit: String,
    coefficients: Vec<String>,
}

impl Polynomial {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let polynomial = optimal(self.axis.into(), self.stages, self.order)?;
        let report = self.report(&polynomial);
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page(&report, &polynomial))?;
        }
        Ok(Outcome::Done)
    }

    fn report(&self, polynomial: &StabilityPolynomial) -> Report {
        let digits = usize::from(self.digits);
        let decimal = |exact: Exact| exact.to_decimal(digits).to_string();
        Report {
            stages: self.stages,
            order: self.order,
            axis: self.axis,
            limit: polynomial.limit_text(digits),
            coefficients: polynomial.coefficients().iter().cloned().map(Exact::from).map(decimal).collect(),
        }
    }
}

/// Longer fractions are left out of the table: their decimals say more.
const LONGEST_FRACTION: usize = 40;

fn page(report: &Report, polynomial: &StabilityPolynomial) -> String {
    let columns = [("k", Column::Right), ("Coefficient of zᵏ", Column::Left), ("Decimal", Column::Left)];
    let row = |(k, (exact, decimal)): (usize, (&_, &String))| {
        let fraction = Some(ToString::to_string(exact)).filter(|fraction| fraction.len() <= LONGEST_FRACTION);
        vec![k.to_string(), fraction.unwrap_or_default(), decimal.clone()]
    };
    let table = text::table(&columns, polynomial.coefficients().iter().zip(&report.coefficients).enumerate().map(row));
    let stages = text::counted(report.stages, "stage");
    let title =
        format!("Optimal on the {}: {stages}, order {}", polynomial.optimum().problem().spectrum(), report.order);
    format!("{title}\n\n{table}\n{}", text::entries(&[("limit", report.limit.clone())]))
}
