//! What a maintainer of a solver asks of the tables in it: do the methods keep what is said of them?
//!
//! [`lint()`] reads method files, checks every claim from the coefficients, and compares each method with all others. Each
//! [`Finding`] names the rule, the file, the line and what was expected there; [`Facts`] are what a solver relies on beside.
//!
//! | rule                    | level   | what is found                                                                          |
//! |-------------------------|---------|----------------------------------------------------------------------------------------|
//! | `unreadable`            | error   | a file that holds no valid method                                                      |
//! | `order`                 | error   | the claimed order is not reached                                                       |
//! | `separable-order`       | error   | the claimed order for separable systems is not reached                                 |
//! | `embedded-order`        | error   | the embedded weights have a lower order than claimed                                   |
//! | `dense-order`           | error   | the dense output has a lower order than claimed                                        |
//! | `embedded-is-step`      | error   | the embedded weights are those of the step: the estimate is zero                       |
//! | `duplicate-id`          | error   | two files have one id                                                                  |
//! | `note`                  | error   | the name or the note says first same as last, stiffly accurate or a stage order wrongly |
//! | `claim-too-low`         | warning | an order above the claimed one is reached                                              |
//! | `no-claim`              | warning | no order is claimed                                                                    |
//! | `row-sums`              | warning | abscissae that are not row sums of A lower the order of problems with explicit time     |
//! | `digits`                | warning | as written, or as stated, the coefficients have the order to the rounding of doubles alone|
//! | `unchecked`             | warning | the claim is beyond what can be checked                                                |
//! | `duplicate`             | warning | another file has the same coefficients, up to precision and the sequence of the stages; |
//! |                         |         | a note that names the other's id says that this is known                               |
//! | `source`                | warning | authors, title, year or place of the publication are missing                           |
//! | `id`                    | warning | the id is not the file's name                                                          |
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("rk4.json");
//! let five = hemiola_tableau::library::method("rk4")?.to_json().replace("\"order\": 4", "\"order\": 5");
//! std::fs::write(&file, &five)?;
//! let linted = hemiola_lint::lint(&[file]);
//! let finding = &linted[0].findings[0];
//! assert_eq!((finding.rule.id(), finding.message.as_str()), ("order", "claims order 5; has order 4"));
//! assert_eq!(finding.line, five.lines().position(|line| line.contains("\"order\": 5")).map(|before| before + 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claims;
mod coefficients;
mod duplicates;
mod facts;
mod finding;
mod lint;
mod place;
mod words;

pub use facts::Facts;
pub use finding::{Finding, Rule, Severity};
pub use lint::{Linted, lint};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
