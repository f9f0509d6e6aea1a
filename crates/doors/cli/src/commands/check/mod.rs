//! `hemiola check`: verdicts on order conditions and claims.

mod arguments;
mod figure;
mod microsteps;
mod multirate;
mod page;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::atlas::check::{CheckReport, CheckedClaim, ClaimOrders, MethodCheck, condition_table};
use hemiola::design::{Certificate, CertificateRefusal};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::number::{Counter, Progress};
use hemiola::order::{CheckOptions, ClaimedOrders, OrderError, OrderReport, ProblemClass, StageSolution};
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use rayon::prelude::*;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::methods::warn_of_id;
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::MethodUseError;
use crate::arguments::{format, number, source};
use crate::commands::check::multirate::MultirateCheck;
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::certificate;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::counted;
use crate::output::writer::{Output, expect_ending, write};

/// Reason why some or all methods are not checked.
#[derive(Debug, Error, Diagnostic)]
enum CheckError {
    #[error("interrupted: {checked} of {} were checked", counted(*.methods, "method"))]
    Interrupted { checked: usize, methods: usize },
    #[error("{name} is not a multirate method with an exact fast part; expected such methods only, beside {multirate}")]
    #[diagnostic(help("check ordinary methods, and methods with micro-steps, in commands of their own"))]
    MixedMethods { multirate: String, name: String },
}

hinted!(CheckError);

/// Verify the order of methods from their coefficients
#[derive(Args)]
#[command(after_help = "\
Each condition has one of four verdicts. It holds exactly; it holds to the precision of the coefficients (the stated \
precision, or that of the given digits); it holds numerically (errors in the last digits explain the residual, which \
is at most 1e-12 of the sum of the moduli of the terms); or it fails. The order counts the first three verdicts, the \
order as stated the first two, and the exact order only the first.

Without --order the check goes on to the first order that fails, at least to one above the claim. An order whose \
successor was not checked, because that would take more than seconds, is printed as ≥ N. The claim of an order is one for \
y' = f(t, y): an abscissa that is not the row sum of A and lowers that order refutes it.

Exit code 1: a certificate does not hold, a claim fails (order, separable order, embedded order or dense order; with \
--separable only the separable order), or a method without claims does not reach the requested order.

Examples:
  hemiola check rk4
  hemiola check --order 6 mine.json
  hemiola check --linearized 1 gauss-2       the linearized method with one Newton iteration
  hemiola check --summary tableaus           all method files in a folder
  hemiola check mri-gark-erk45a merk43       multirate methods, with the fast part solved exactly
  hemiola check multirate-midpoint           a method with M micro-steps, for every M
  hemiola check multirate-midpoint@M=4       the pair with four micro-steps
  hemiola check --trees failing.svg shome-haug-jay-2-5
  hemiola check --latex conditions.tex --standalone rk4")]
pub(crate) struct Check {
    /// Library ids, method files, or folders of method files
    #[arg(required = true, value_name = "METHOD|FOLDER")]
    methods: Vec<String>,

    /// Highest order to check [default: up to the first order that fails, at least one above the claim]
    #[arg(long, value_name = "N")]
    order: Option<NonZeroUsize>,

    /// Check the order conditions for separable problems
    ///
    /// In a separable problem, the derivative of a partition depends only on the other partitions.
    #[arg(long)]
    separable: bool,

    /// Check the linearized implicit method with Q Newton iterations
    ///
    /// Claims are not checked.
    #[arg(long, value_name = "Q")]
    linearized: Option<NonZeroUsize>,

    /// Accept a claim only if it holds exactly
    #[arg(long)]
    exact: bool,

    /// Accept every condition with a residual of at most T
    ///
    /// The precision of the coefficients is ignored.
    #[arg(long, value_name = "T", value_parser = number::not_negative)]
    tolerance: Option<f64>,

    /// Verify a certificate of the method, as written by `hemiola design`
    #[arg(long, value_name = "F.certificate.json", conflicts_with_all = ["linearized", "separable"])]
    certificate: Option<PathBuf>,

    /// Prove the claims of the certificate again and replace its file
    ///
    /// Use this after a change of the table, or for a certificate in an older format.
    #[arg(long, requires = "certificate")]
    renew: bool,

    /// Print only one line per method
    #[arg(long)]
    summary: bool,

    /// Draw the failing trees up to the claimed order
    ///
    /// If the claim holds, draw those of the first order that fails.
    #[arg(long, value_name = format::VALUE_NAME)]
    trees: Option<OutputFile>,

    /// Write the order conditions as a LaTeX table for \input
    ///
    /// The table contains the conditions up to the claimed order, or up to --order.
    #[arg(long, value_name = "F.tex", conflicts_with = "linearized")]
    latex: Option<OutputFile>,

    /// Print JSON
    ///
    /// `failures` lists at most the first thousand failing trees, in increasing order.
    #[arg(long, conflicts_with = "summary")]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

impl Check {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check_files("--trees", self.trees.as_deref())?;
        self.figure.check_document(self.latex.as_deref().or(self.trees.as_deref()))?;
        expect_ending("--latex", self.latex.as_deref(), ".tex")?;
        let methods = arguments::methods(&self.methods, library);
        if let Some(found) = microsteps::methods(&methods, library)? {
            self.refuse_options(found[0].id())?;
            if self.certificate.is_some() {
                let id = found[0].id().to_owned();
                return Err(MethodUseError::NotForMultirate { option: "--certificate", id }.into());
            }
            return microsteps::check(&found, self.order.map(NonZeroUsize::get), self.json, output);
        }
        if let Some(found) = multirate_methods(&methods, library)? {
            return self.check_multirate(found, output);
        }
        let option = self.trees.as_ref().map(|_| "--trees").or(self.latex.as_ref().map(|_| "--latex"));
        let option = option.or(self.certificate.as_ref().map(|_| "--certificate"));
        if let Some(option) = option.filter(|_| methods.len() > 1) {
            return Err(MethodUseError::NotOneMethod { option, found: methods.len() }.into());
        }
        if self.summary {
            let show = |_: &MethodCheck<ClaimedOrders>, _: &mut Output| Ok(());
            return self.check_all(library, methods, output, show, |all, output| match all {
                [] => Ok(()),
                all => output.text(&page::summary(all)),
            });
        }
        let mut has_page = false;
        let page = |checked: &MethodCheck<OrderReport>, output: &mut Output| {
            let gap = if std::mem::replace(&mut has_page, true) { "\n" } else { "" };
            if self.json { Ok(()) } else { output.text(&format!("{gap}{}", page::page(checked))) }
        };
        self.check_all(library, methods, output, page, |all, output| {
            if self.json {
                output.json(&all.iter().map(CheckReport::new).collect::<Vec<_>>())
            } else if all.len() > 1 {
                output.text(&format!("\n{}", page::summary(all)))
            } else {
                Ok(())
            }
        })
    }

    /// Checks multirate methods, for which some options have no meaning.
    fn check_multirate(
        &self,
        methods: Vec<InfinitesimalMethod>,
        output: &mut Output,
    ) -> Result<CommandOutcome, Failure> {
        methods.first().map_or(Ok(()), |method| self.refuse_options(method.id()))?;
        if self.certificate.is_some() && methods.len() > 1 {
            return Err(MethodUseError::NotOneMethod { option: "--certificate", found: methods.len() }.into());
        }
        let order = self.order.map(NonZeroUsize::get);
        let certificate = self.certificate.as_deref().map(certificate::read_multirate).transpose()?;
        let check = |method: InfinitesimalMethod| MultirateCheck::new(method, order, self.exact, certificate.as_ref());
        let all = methods.into_iter().map(check).collect::<Result<Vec<_>, _>>()?;
        if self.json {
            output.json(&all.iter().map(multirate::json).collect::<Vec<_>>())?;
        } else if self.summary {
            output.text(&multirate::summary(&all))?;
        } else {
            let pages: Vec<String> = all.iter().map(MultirateCheck::page).collect();
            output.text(&pages.join("\n"))?;
            if all.len() > 1 {
                output.text(&format!("\n{}", multirate::summary(&all)))?;
            }
        }
        Ok(all.iter().map(MultirateCheck::outcome).max().unwrap_or(CommandOutcome::Done))
    }

    /// Returns an error for options that have no meaning for a multirate method.
    fn refuse_options(&self, id: &str) -> Result<(), Failure> {
        let given = [
            ("--separable", self.separable),
            ("--linearized", self.linearized.is_some()),
            ("--tolerance", self.tolerance.is_some()),
            ("--renew", self.renew),
            ("--trees", self.trees.is_some()),
            ("--latex", self.latex.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(MethodUseError::NotForMultirate { option, id: id.to_owned() }.into()),
            None => Ok(()),
        }
    }

    /// Checks the methods, prints each result, and a summary of all of them at the end.
    fn check_all<R: ClaimOrders>(
        &self,
        library: &Library,
        methods: Vec<Result<String, Failure>>,
        output: &mut Output,
        show: impl FnMut(&MethodCheck<R>, &mut Output) -> Result<(), Failure>,
        show_all: impl FnOnce(&[MethodCheck<R>], &mut Output) -> Result<(), Failure>,
    ) -> Result<CommandOutcome, Failure> {
        let count = methods.len();
        // A single check counts conditions. It has no partial results, so Ctrl-C ends the program.
        let monitor = if count < 2 { Monitor::new() } else { Monitor::stopped_by(&Interrupt::listen()) };
        let counter = Counter::new(&monitor, "methods", Some(count));
        let progress: &dyn Progress = if count < 2 { &monitor } else { &counter };
        let check = |method: Result<String, Failure>| {
            counter.run(|| method.and_then(|name| self.check(library, &name, progress)))
        };
        // One method may take a thousand times as long as another, so each is a separate task.
        let results: Vec<Option<Result<MethodCheck<R>, Failure>>> =
            methods.into_par_iter().with_max_len(1).map(check).collect();
        monitor.finish();
        let is_done = |result: &Result<MethodCheck<R>, Failure>| {
            let error = result.as_ref().err().and_then(Failure::downcast_ref);
            !matches!(error, Some(MethodUseError::Order { problem: OrderError::Interrupted, .. }))
        };
        let results: Vec<_> = results.into_iter().flatten().filter(is_done).collect();
        let done = results.len();
        let (all, outcome) = self.print(results, output, show)?;
        show_all(&all, output)?;
        if done < count {
            output.report(CheckError::Interrupted { checked: done, methods: count })?;
            return Ok(CommandOutcome::Interrupted);
        }
        Ok(outcome)
    }

    /// Prints the results in the order of the arguments, with an error in place of each method that could not be
    /// checked.
    fn print<R: ClaimOrders>(
        &self,
        results: Vec<Result<MethodCheck<R>, Failure>>,
        output: &mut Output,
        mut show: impl FnMut(&MethodCheck<R>, &mut Output) -> Result<(), Failure>,
    ) -> Result<(Vec<MethodCheck<R>>, CommandOutcome), Failure> {
        let mut outcome = CommandOutcome::Done;
        let mut all = Vec::new();
        for result in results {
            match result {
                Ok(checked) => {
                    warn_of_id(&checked.name, &checked.method, output)?;
                    show(&checked, output)?;
                    self.write_files(&checked, output)?;
                    outcome = outcome.max(self::outcome(&checked));
                    all.push(checked);
                }
                Err(failure) => {
                    output.report(failure)?;
                    outcome = CommandOutcome::BadInput;
                }
            }
        }
        Ok((all, outcome))
    }

    /// Writes the requested files and reports them unless the output is JSON.
    fn write_files(&self, checked: &MethodCheck<impl ClaimOrders>, output: &mut Output) -> Result<(), Failure> {
        let mut lines = Vec::new();
        if let Some(file) = &self.trees {
            lines.push(figure::draw(checked, file, &self.figure)?);
        }
        if let Some(file) = &self.latex {
            let refused = |problem| MethodUseError::Order { id: checked.method.id().to_owned(), problem };
            write(file, condition_table(checked, self.figure.is_document()).map_err(refused)?.as_bytes())?;
            lines.push(format!("wrote {}", file.display()));
        }
        if let (Some(file), Some((certificate, _)), true) = (&self.certificate, &checked.certificate, self.renew) {
            certificate::write_certificate(file, certificate)?;
            lines.push(format!("wrote {}", file.display()));
        }
        lines.iter().filter(|_| !self.json).try_for_each(|line| output.line(line))
    }

    fn check<R: ClaimOrders>(
        &self,
        library: &Library,
        name: &str,
        progress: &dyn Progress,
    ) -> Result<MethodCheck<R>, Failure> {
        let method = source::method(name, library).map_err(arguments::or_folder)?;
        if self.separable && method.partitions().len() == 1 {
            return Err(MethodUseError::NotPartitioned { id: method.id().to_owned() }.into());
        }
        let claims = method.claims();
        // A method of order p has at least that order for separable problems.
        let claimed_order = if self.separable { claims.separable_order.or(claims.order) } else { claims.order };
        let refused = |problem| MethodUseError::Order { id: method.id().to_owned(), problem };
        let options = self.options(&method, claimed_order).map_err(refused)?;
        let report = R::new(&method, options, progress).map_err(refused)?;
        let options = CheckOptions { highest_order: report.check().highest_order(), ..options };
        let certificate = self.certificate.as_deref().map(|file| self.verified(file, &method)).transpose()?;
        let (is_order_asked, must_be_exact) = (self.order.is_some(), self.exact);
        let name = name.to_owned();
        Ok(MethodCheck { method, options, claimed_order, is_order_asked, must_be_exact, report, certificate, name })
    }

    /// Reads a certificate, or proves it again, and determines the reason why it does not hold for the method, if any.
    fn verified(&self, file: &Path, method: &Method) -> Result<(Certificate, Option<CertificateRefusal>), Failure> {
        let broken = |problem| MethodUseError::Order { id: method.id().to_owned(), problem };
        let certificate = if self.renew {
            let claims = certificate::read_claims(file)?;
            Certificate::new(method, claims.order, &claims.polynomial).map_err(broken)?
        } else {
            certificate::read(file)?
        };
        let refusal = certificate.refusal(method).map_err(broken)?;
        Ok((certificate, refusal))
    }

    fn options(&self, method: &Method, claimed_order: Option<usize>) -> Result<CheckOptions, OrderError> {
        let range = match self.order {
            Some(order) => CheckOptions { highest_order: order.get(), ..CheckOptions::default() },
            None => CheckOptions::for_claim(method, claimed_order)?,
        };
        Ok(CheckOptions {
            problem: if self.separable { ProblemClass::Separable } else { ProblemClass::General },
            stages: match self.linearized {
                Some(iterations) => StageSolution::Linearized { iterations: iterations.get() },
                None => StageSolution::Solved,
            },
            tolerance: self.tolerance,
            ..range
        })
    }
}

/// Returns the methods if they are multirate; `None` if there is none, or an argument cannot be read.
fn multirate_methods(
    names: &[Result<String, Failure>],
    library: &Library,
) -> Result<Option<Vec<InfinitesimalMethod>>, Failure> {
    let mut found: Vec<InfinitesimalMethod> = Vec::new();
    let mut other = None;
    for name in names {
        let Ok(name) = name else { return Ok(None) };
        match source::multirate_method(name, library)? {
            Some(method) => found.push(method),
            None => other = Some(name),
        }
    }
    match (found.first(), other) {
        (None, _) => Ok(None),
        (Some(_), None) => Ok(Some(found)),
        (Some(method), Some(name)) => {
            Err(CheckError::MixedMethods { multirate: method.id().to_owned(), name: name.clone() }.into())
        }
    }
}

fn outcome(checked: &MethodCheck<impl ClaimOrders>) -> CommandOutcome {
    let is_refuted = checked.certificate.as_ref().is_some_and(|(_, refusal)| refusal.is_some());
    let fails = is_refuted || checked.claims().iter().any(CheckedClaim::fails);
    if fails { CommandOutcome::CheckFailed } else { CommandOutcome::Done }
}
