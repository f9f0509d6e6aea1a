//! `hemiola polynomial`: optimal stability polynomials.

mod page;
mod request;
mod table;

use std::path::Path;

use clap::Args;
use hemiola::atlas::polynomial::{DigitRequest, PolynomialResults};
use hemiola::figure::Figure;
use hemiola::plot::polynomial_figure;
use hemiola::tableau::library::Library;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::format;
use crate::arguments::number::Counts;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::OptionError;
use crate::commands::polynomial::request::{ProblemArgs, Request};
use crate::commands::polynomial::table::{LimitTable, TableRows};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::text::counted;
use crate::output::writer::{Output, write};

pub(crate) use crate::commands::polynomial::request::{named as spectrum, of_model};

/// Reason why some or all polynomials are not shown.
#[derive(Debug, Error)]
enum TableError {
    #[error(
        "no certificate: the bound on |R| could not be proved exactly; expected a polished optimum on an axis or a shape"
    )]
    NoCertificate,
    #[error("interrupted: {done} of {} were computed", counted(*.asked, "polynomial"))]
    Interrupted { done: usize, asked: usize },
    #[error("--stages, --order and --damping ask for {asked} polynomials; expected at most {most}")]
    TooMany { asked: usize, most: usize },
}

impl CommandError for TableError {}

/// Compute the stability polynomial with the largest limit on an axis, a shape or a spectrum
#[derive(Args)]
#[command(after_help = "\
Several numbers of stages, orders or dampings give a table of limits.

Shapes, each scaled by the limit:
  disk                         |z + 1| ≤ 1
  wedge:60                     |arg(-z)| ≤ 60°, |z| ≤ 1
  rectangle:2,1                -2 ≤ Re z ≤ 0, |Im z| ≤ 1
  rays:0.02,0.3                oscillations |z| ≤ 1 with damping ratios 0.02 to 0.3
  intervals:-1,-0.8,-0.05,0    real intervals [-1, -0.8] and [-0.05, 0]
  dg:3                         eigenvalues of upwind discontinuous Galerkin advection of degree 3, cells of length 1
  dgsem:3                      as dg:3, with interpolation and quadrature on Lobatto nodes (DGSEM)
  upwind:5                     eigenvalues of advection by upwind-biased differences of order 1, 3 or 5
Operators on equal cells of length 1, with waves of speed 1 in all directions:
  waves-2d:dg=3                acoustics; also waves-1d, waves-3d and maxwell-3d; dg, dgsem, upwind or fv (order 1, 3, 5)
  advection-2d:dg=3,angle=0..45    flows of speed 1 with angles in a range of degrees; flux=rusanov for all systems
  euler-2d:dg=3,mach=0..0.5    linearized about flows at the ends and the middle of these Mach numbers, and of angles 0..45
Unions of eigenvalues, each with a factor:
  0.4*dg:3+0.2*waves-2d:dg=3   a limit above 1: steps above 0.4 on dg:3, and above 0.2 on the waves, are stable

A file of eigenvalues contains complex numbers such as 1-2i, -0.5+3i, 2i or -4, separated by blanks, commas or line \
breaks; # begins a comment. If every line has two real numbers, they are read as real and imaginary parts; write real \
eigenvalues one per line to avoid this. Conjugates may be omitted. A matrix has one row per line.

Examples:
  hemiola polynomial --stages 5 --order 2 --axis imaginary
  hemiola polynomial --stages 8 --order 4 --axis imaginary --digits 40 --json
  hemiola polynomial --stages 2..20 --order 1,2,3,4 --axis imaginary --output limits.svg
  hemiola polynomial --stages 10 --order 2 --axis real --damping 0.05 --output damped.svg
  hemiola polynomial --stages 10 --order 2 --axis real --damping 0,0.01,0.05,0.1
  hemiola polynomial --stages 8 --order 3 --spectrum rays:0.02,0.3
  hemiola polynomial --stages 9 --order 3 --axis imaginary --digits 34 --certificate nine-three.json
  hemiola polynomial --stages 6 --order 2 --jacobian jacobian.txt
  hemiola polynomial --stages 8 --order 4 --spectrum waves-2d:dg=3 --output waves.svg
  hemiola polynomial --stages 8 --order 4 --spectrum-of dg-waves:cells=4")]
pub(crate) struct Polynomial {
    /// Number of stages, the degree of the polynomial
    ///
    /// A number 5, a list 5,10,20 or a range 5..20.
    #[arg(long, value_name = "S")]
    stages: Counts,

    /// Order, or a list or range of orders
    ///
    /// Coefficients up to this power agree with those of exp(z).
    #[arg(long, value_name = "P")]
    order: Counts,

    #[command(flatten)]
    options: ProblemArgs,

    /// Number of significant digits [default: 17]
    ///
    /// Tables have 10 digits by default, or 15 in JSON. At most 8 digits are known if the optimum is not isolated.
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=1000))]
    digits: Option<u16>,

    /// Draw the polynomial with its stability region, or the table of limits
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Write the polynomial with an exact proof of its limit
    ///
    /// The proof consists of cells on which |R| ≤ 1 and, on an axis without damping or formula, a functional that
    /// excludes any larger limit. Without this option, a proof is attempted for up to 50 stages and summarized.
    #[arg(long, value_name = "F.json")]
    certificate: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

/// Largest number of polynomials per table; each takes up to seconds.
const MOST_POLYNOMIALS: usize = 2000;

impl Polynomial {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        let request = self.options.request()?;
        let is_one = self.stages.0.len() == 1 && self.order.0.len() == 1 && self.options.damping.len() == 1;
        if self.certificate.is_some() && !is_one {
            return Err(OptionError::Contradiction { option: "--certificate", with: "one polynomial" }.into());
        }
        let (Counts(stages), Counts(orders), damping) = (&self.stages, &self.order, &self.options.damping);
        let asked = stages.len().saturating_mul(orders.len()).saturating_mul(damping.len());
        if asked > MOST_POLYNOMIALS {
            return Err(TableError::TooMany { asked, most: MOST_POLYNOMIALS }.into());
        }
        match (&stages[..], &orders[..], &damping[..]) {
            (&[stages], &[order], &[damping]) => self.one(&request, (stages, order, damping), output),
            (stages, orders, &[damping]) => {
                let table =
                    LimitTable::new(&request, TableRows::Stages(stages.to_vec()), orders, damping, self.table_digits());
                self.table(table, output)
            }
            (&[stages], orders, dampings) => {
                let rows = TableRows::Damping(stages, dampings.to_vec());
                self.table(LimitTable::new(&request, rows, orders, 0.0, self.table_digits()), output)
            }
            _ => Err(OptionError::Contradiction {
                option: "--damping with several numbers",
                with: "one number of --stages",
            }
            .into()),
        }
    }

    fn one(
        &self,
        request: &Request,
        (stages, order, damping): (usize, usize, f64),
        output: &mut Output,
    ) -> Result<CommandOutcome, Failure> {
        let monitor = Monitor::new();
        monitor.announce("search for the optimum");
        let optimum = request.solve(stages, order, damping)?;
        let digits = DigitRequest { asked: self.digits, usual: 17 };
        let findings =
            PolynomialResults::new(&optimum, digits, self.certificate.is_some(), &|next| monitor.announce(next))?;
        monitor.finish();
        if self.json {
            output.json(&findings.report)?;
        } else {
            output.text(&page::page(&findings))?;
        }
        if let Some(file) = &self.certificate {
            let certificate = findings.certificate.as_ref().ok_or(TableError::NoCertificate)?;
            write(file, format!("{:#}\n", certificate.to_json(&findings.polynomial)).as_bytes())?;
            if !self.json {
                announce(file, output)?;
            }
        }
        self.draw(output, || polynomial_figure(&findings.polynomial))?;
        Ok(CommandOutcome::Done)
    }

    fn table(&self, mut table: LimitTable, output: &mut Output) -> Result<CommandOutcome, Failure> {
        if let Some(failure) = table.failure() {
            return Err(failure);
        }
        if self.json {
            output.json(&table.json())?;
        } else {
            output.text(&table.page())?;
        }
        let (done, asked) = (table.done(), table.asked);
        if done < asked {
            output.report(TableError::Interrupted { done, asked })?;
            return Ok(CommandOutcome::Interrupted);
        }
        self.draw(output, || table.figure())?;
        Ok(CommandOutcome::Done)
    }

    /// Returns the digits of tables: fewer in text, where several orders share a line.
    fn table_digits(&self) -> DigitRequest {
        DigitRequest { asked: self.digits, usual: if self.json { 15 } else { 10 } }
    }

    fn draw(&self, output: &mut Output, drawn: impl FnOnce() -> Figure) -> Result<(), Failure> {
        let Some(file) = &self.output else { return Ok(()) };
        self.figure.write("--output", file, drawn(), &[])?;
        if self.json { Ok(()) } else { announce(file, output) }
    }
}

fn announce(file: &Path, output: &mut Output) -> Result<(), Failure> {
    output.line(&format!("\nwrote {}", file.display()))
}
