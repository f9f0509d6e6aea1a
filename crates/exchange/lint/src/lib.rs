//! Checks for maintainers of method collections: every claim is compared with the coefficients.
//!
//! [`lint()`] reads method files, checks every claim from the coefficients, and compares each method with all
//! others. Each [`LintFinding`] names the rule, the file, the line and the expected value. [`StructureFacts`] holds further
//! properties that a solver relies on. [`formats`] writes findings for people and other programs; a [`Baseline`] removes those
//! that are known.
//!
//! | rule                    | level   | finding                                                                                |
//! |-------------------------|---------|----------------------------------------------------------------------------------------|
//! | `unreadable`            | error   | a file that holds no valid method                                                      |
//! | `order`                 | error   | the claimed order is not reached                                                       |
//! | `separable-order`       | error   | the claimed order for separable systems is not reached                                 |
//! | `embedded-order`        | error   | the embedded weights have a lower order than claimed                                   |
//! | `dense-order`           | error   | the dense output has a lower order than claimed                                        |
//! | `embedded-is-step`      | error   | the embedded weights equal the weights of the step: the error estimate is zero         |
//! | `duplicate-id`          | error   | two files have the same id                                                             |
//! | `intervals`             | error   | the intervals of a multirate method do not end at 1                                    |
//! | `note`                  | error   | the name or the note misstates first same as last, stiff accuracy or the stage order   |
//! | `claim-too-low`         | warning | the order exceeds the claimed one                                                      |
//! | `no-claim`              | warning | no order is claimed                                                                    |
//! | `estimate-vanishes`     | warning | the error estimate vanishes on linear problems or on quadrature, whatever the error     |
//! | `near-library`          | warning | the table is a method of the library but for one entry, or for last digits            |
//! | `internal-consistency`  | warning | a slow partition of a multirate method advances a stage by another length              |
//! | `row-sums`              | warning | abscissae that are not row sums of A lower the order for problems with explicit time   |
//! | `digits`                | note    | the coefficients reach their order up to rounding in double precision, but not exactly |
//! | `unchecked`             | warning | the claim exceeds what can be checked                                                  |
//! | `duplicate`             | warning | another file has the same coefficients, and neither note names the other's id          |
//! | `unread`                | warning | a table of a program could not be read                                                 |
//! | `source`                | warning | authors, title, year or place of the publication are missing                           |
//! | `id`                    | warning | the id differs from the file name                                                      |
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("rk4.json");
//! let five = hemiola_tableau::library::method("rk4")?.to_json().replace("\"order\": 4", "\"order\": 5");
//! std::fs::write(&file, &five)?;
//! let linted = hemiola_lint::lint(&[file]);
//! let finding = &linted[0].findings[0];
//! assert_eq!((finding.rule.id(), finding.message.as_str()), ("order", "claims order 5; has order 4: 9 of 9 conditions of order 5 fail, by up to 1.2e-2"));
//! assert_eq!(finding.line, five.lines().position(|line| line.contains("\"order\": 5")).map(|before| before + 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod facts;
mod file;
mod finding;
pub mod formats;
mod lint;
mod method;
mod place;
mod rules;
mod tables;

pub use baseline::{BASELINE_FORMAT, Baseline, BaselineCounts, BaselineError};
pub use facts::StructureFacts;
pub use file::{FileContents, LintFile};
pub use finding::{LintFinding, Rule, Severity};
pub use lint::{LintReport, lint, lint_files};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
