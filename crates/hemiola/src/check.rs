//! `hemiola check`: which order conditions hold, and whether the claims do.

mod claim;
mod json;
mod page;

use std::num::NonZeroUsize;

use clap::Args;
use hemiola::order::{CheckOptions, OrderReport, Problem, Stages};
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;

use crate::failure::{Failure, Outcome};
use crate::number;
use crate::output::Output;

use self::claim::Claim;

/// Verify the order of methods from their coefficients
#[derive(Args)]
#[command(after_help = "\
A condition holds exactly, to the stated precision of the coefficients (with none stated: to the rounding of doubles), \
or it fails. The order counts the first two, the exact order the first alone.

Exit code 1: a claim fails (order, separable order or embedded order; with --separable the separable order alone), or a \
method without claims does not reach the order asked for.

Examples:
  hemiola check rk4
  hemiola check --order 6 mine.json
  hemiola check --linearized 1 gauss-2       the linearised method with one Newton iteration")]
pub(crate) struct Check {
    /// Library ids or method files
    #[arg(required = true, value_name = "METHOD")]
    methods: Vec<String>,

    /// Check up to this order (default: one above the claim, or 4)
    #[arg(long, value_name = "N")]
    order: Option<NonZeroUsize>,

    /// Check the conditions of separable problems, whose partitions depend on each other alone
    #[arg(long)]
    separable: bool,

    /// Check the linearised implicit method with Q Newton iterations; claims are not compared
    #[arg(long, value_name = "Q")]
    linearized: Option<NonZeroUsize>,

    /// Count a claim as failed unless it holds exactly
    #[arg(long)]
    exact: bool,

    /// Count a condition as holding up to this residual, whatever the precision of the coefficients
    #[arg(long, value_name = "T", value_parser = number::not_negative)]
    tolerance: Option<f64>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A method with what was found of it.
struct Checked {
    method: Method,
    options: CheckOptions,
    /// The claim that is about the problems of the options.
    claimed_order: Option<usize>,
    /// Whether the highest order was asked for.
    is_order_asked: bool,
    must_be_exact: bool,
    report: OrderReport,
}

impl Check {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Done;
        let mut all = Vec::new();
        for name in &self.methods {
            match self.check(library, name) {
                Ok(checked) => {
                    if !self.json {
                        let gap = if all.is_empty() { "" } else { "\n" };
                        output.text(&format!("{gap}{}", page::page(&checked)))?;
                    }
                    outcome = outcome.max(checked.outcome());
                    all.push(checked);
                }
                Err(failure) => {
                    output.report(failure)?;
                    outcome = Outcome::BadInput;
                }
            }
        }
        if self.json {
            output.json(&all.iter().map(json::report).collect::<Vec<_>>())?;
        } else if all.len() > 1 {
            output.text(&format!("\n{}", page::summary(&all)))?;
        }
        Ok(outcome)
    }

    fn check(&self, library: &Library, name: &str) -> Result<Checked, Failure> {
        let method = library.load(name)?;
        if self.separable && method.partitions().len() == 1 {
            return Err(Failure::NotPartitioned { id: method.id().to_owned() });
        }
        let claims = method.claims();
        // A method of order p has at least that order for separable problems.
        let claimed_order = if self.separable { claims.separable_order.or(claims.order) } else { claims.order };
        let options = self.options(claimed_order);
        let report = OrderReport::new(&method, options)
            .map_err(|problem| Failure::Order { id: method.id().to_owned(), problem })?;
        let (is_order_asked, must_be_exact) = (self.order.is_some(), self.exact);
        Ok(Checked { method, options, claimed_order, is_order_asked, must_be_exact, report })
    }

    fn options(&self, claimed_order: Option<usize>) -> CheckOptions {
        const WITHOUT_CLAIM: usize = 4;
        let default_order = claimed_order.map_or(WITHOUT_CLAIM, |claim| claim + 1);
        CheckOptions {
            highest_order: self.order.map_or(default_order, NonZeroUsize::get),
            problem: if self.separable { Problem::Separable } else { Problem::General },
            stages: match self.linearized {
                Some(iterations) => Stages::Linearized { iterations: iterations.get() },
                None => Stages::Solved,
            },
            tolerance: self.tolerance,
        }
    }
}

impl Checked {
    fn outcome(&self) -> Outcome {
        if self.claims().iter().any(Claim::fails) { Outcome::CheckFailed } else { Outcome::Done }
    }

    /// Whether the conditions are those of separable problems, which say nothing of a partition by itself.
    fn is_separable(&self) -> bool {
        self.options.problem == Problem::Separable
    }

    /// The Newton iterations of a linearised method.
    fn iterations(&self) -> Option<usize> {
        match self.options.stages {
            Stages::Solved => None,
            Stages::Linearized { iterations } => Some(iterations),
        }
    }

    /// Whether all conditions of the method as it stands were checked: stage order and error norm are about them.
    fn is_general(&self) -> bool {
        !self.is_separable() && self.iterations().is_none()
    }

    /// The labels of the colours in trees: first letters where they differ, else the names.
    fn labels(&self) -> Vec<String> {
        let names = self.method.partitions().iter().map(|partition| partition.name.clone());
        let names: Vec<String> = names.collect();
        let letters: Vec<String> = names.iter().map(|name| name.chars().take(1).collect()).collect();
        let distinct = letters.iter().enumerate().all(|(i, letter)| !letters[..i].contains(letter));
        if distinct { letters } else { names }
    }
}
