//! Refutation of small changes with more digits than doubles have, by a Taylor series about the printed tableau.
//!
//! If the printed tableau misses the conditions by less than doubles resolve, nearly every hypothesis fits, and
//! checking each text in full precision would take most of the time. But then the changes are small as well. With
//! the residuals of the printed tableau from exact arithmetic, slopes in doubles give the residuals of the
//! changed tableau to nearly as many digits.

use hemiola_tableau::{Butcher, Coefficient, Method, Tableau};

use crate::diagnose::claim::Claim;
use crate::diagnose::options::DiagnoseOptions;
use crate::diagnose::suggestion::CoefficientChange;
use crate::diagnose::suspects::map_tableau;
use crate::engine::gradient::value_and_gradient;
use crate::engine::jet::Jet;
use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::verdict::condition::NUMERICALLY;
use crate::verdict::uncertainty::Uncertainty;

/// Highest order of the conditions; higher orders rarely refute further changes.
const HIGHEST_ORDER: usize = 5;
/// Largest relative change that counts as small; the terms beyond the first are then bounded well.
const SMALL: f64 = 1e-3;
/// Safety factor that covers the rounding of the bounds themselves.
const MARGIN: f64 = 1.0 + 1e-6;

/// A condition at the printed tableau.
struct PrintedCondition {
    /// The number n of nodes.
    order: usize,
    /// Φ(t) − 1/γ(t), rounded once.
    residual: f64,
    slopes: Tableau<f64>,
    /// The sum of the moduli of all terms.
    size: f64,
    /// The part of a residual that the precision explains.
    explained: f64,
}

/// The conditions of low orders at the printed table.
pub(super) struct SmallChangeTest {
    rows: Vec<PrintedCondition>,
    /// The largest relative change of a coefficient within its precision.
    relative: f64,
    /// For each stage, whether no partition uses it. The rows of such a stage are meaningless, like those of a last
    /// stage that only embedded weights use.
    unused: Vec<bool>,
}

impl SmallChangeTest {
    pub(super) fn new(method: &Method, options: &DiagnoseOptions) -> Result<Self, OrderError> {
        let partitions = method.partitions().len();
        let is_separable = options.claim == Claim::SeparableOrder;
        let grammar = if is_separable { Grammar::separable(partitions) } else { Grammar::partitioned(partitions) };
        let order = options.order.min(HIGHEST_ORDER);
        let trees = Trees::new(&grammar, order)?;
        let (exact, doubles) = (method.exact(), method.to_f64());
        let sizes = map_tableau(&doubles, |x| Jet::new(x.abs(), 0.0));
        let uncertainty = Uncertainty::new(doubles, method.tableau(|coefficient| last_place(coefficient, method)));
        let mut residuals = Weights::new(&trees, &exact, StageSolution::Solved);
        let mut sizes = Weights::new(&trees, &sizes, StageSolution::Solved);
        let row = |id| {
            let tree = trees.tree(id);
            PrintedCondition {
                order: tree.order(),
                residual: residuals.residual(id).to_f64(),
                slopes: value_and_gradient(&tree, &uncertainty.nearest).1,
                size: sizes.elementary_weight(id).value,
                explained: uncertainty.explained(&tree),
            }
        };
        let rows = (1..=order).flat_map(|order| trees.of_order(order)).map(row).collect();
        let used: Vec<Vec<usize>> = exact.partitions.iter().map(Butcher::evaluated_stages).collect();
        let unused = (0..method.stages()).map(|j| used.iter().all(|stages| !stages.contains(&j))).collect();
        Ok(Self { rows, relative: uncertainty.relative_change(1), unused })
    }

    /// Returns whether some condition certainly fails after these changes, or with `numerically` does not even
    /// hold numerically. Returns `false` if the changes are not small.
    pub(super) fn refutes(&self, changes: &[CoefficientChange], method: &Method, numerically: bool) -> bool {
        let is_used = |stage: usize| !self.unused[stage] || changes.iter().any(|change| change.cell.column() == stage);
        let changes = changes.iter().filter(|change| change.cell.row().is_none_or(is_used));
        let small = |change: &CoefficientChange| {
            let old = change.old.value();
            let by = (change.new.value().clone() - old.clone()).to_f64();
            let unknown = last_place(&change.new, method);
            let part = by.abs() / old.to_f64().abs();
            (part <= SMALL).then_some((change.cell, by, unknown, part))
        };
        let Some(changes) = changes.map(small).collect::<Option<Vec<_>>>() else { return false };
        let part = changes.iter().map(|(.., part)| *part).fold(0.0, f64::max);
        self.rows.iter().any(|row| {
            let n = row.order as f64;
            let grown = (n * part.ln_1p()).exp_m1();
            // Bounds the terms beyond the first by those of the majorant, and the rounding of the slopes as in
            // `check`.
            let rounding = 0.5 * f64::EPSILON * (n * (self.unused.len() + 3) as f64 + 4.0);
            let beyond = (grown - n * part).max(n * n * part * part * f64::EPSILON) + 2.0 * n * rounding * part;
            let error = row.size * beyond + f64::EPSILON * row.residual.abs();
            let first: f64 = changes.iter().map(|(cell, by, ..)| cell.of(&row.slopes) * by).sum();
            // Elsewhere the precision explains as much as before, apart from the effect of the changes on the
            // slopes.
            let unknown: f64 = changes.iter().map(|(cell, _, unknown, _)| cell.of(&row.slopes).abs() * unknown).sum();
            let explained = row.explained + unknown + n * grown * (self.relative * row.size);
            let allowed = if numerically { explained.max(NUMERICALLY * row.size * (1.0 + grown)) } else { explained };
            (row.residual + first).abs() > (allowed + error) * MARGIN
        })
    }
}

/// Returns the largest possible error of a coefficient, independent of what the digits of changed coefficients
/// imply about the rounding of the others.
fn last_place(coefficient: &Coefficient, method: &Method) -> f64 {
    let known = method.rounding().of(coefficient);
    let decimals = coefficient.text().split_once('.').filter(|_| method.precision().is_none() && known > 0.0);
    decimals.map_or(known, |(_, digits)| known.max(0.5 * 10f64.powi(-(digits.len() as i32))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;
    use crate::diagnose::claim::CoefficientArray;
    use crate::verdict::cell::{Cell, TableauPosition};
    use hemiola_tableau::{Claims, Partition, library};

    /// Uses digits beyond doubles: the test refutes wrong texts, but neither the correct one nor large changes.
    #[test]
    fn only_the_right_text_is_left() {
        let method = library::method("tsitouras-5").unwrap();
        let cell = Cell { partition: 0, place: TableauPosition::Matrix { row: 3, column: 1 } };
        let right = cell.coefficient(method.partitions()).clone();
        let changed = |text: &str, at: usize| {
            let digit = if text.as_bytes()[at] == b'5' { "6" } else { "5" };
            Coefficient::parse(&format!("{}{digit}{}", &text[..at], &text[at + 1..])).unwrap()
        };
        let wrong = changed(right.text(), 26);
        let mut partitions = method.partitions().to_vec();
        *cell.coefficient_mut(&mut partitions) = wrong.clone();
        let (claims, source) = (method.claims(), method.source().clone());
        let printed = Method::new("wrong", "Wrong", partitions, claims, method.precision(), source).unwrap();
        let nearby =
            SmallChangeTest::new(&printed, &DiagnoseOptions { order: 5, ..DiagnoseOptions::default() }).unwrap();
        let refuted = |new: &Coefficient| {
            nearby.refutes(
                &[CoefficientChange {
                    cell,
                    array: CoefficientArray::Tableau,
                    old: wrong.clone(),
                    new: new.clone(),
                    solved: false,
                }],
                &printed,
                false,
            )
        };
        assert!(!refuted(&right) && refuted(&wrong) && refuted(&changed(right.text(), 27)));
        assert!(!refuted(&Coefficient::parse("1/2").unwrap()));
    }

    /// Returns two steps of half the size as a single step with twice the stages.
    fn twice(id: &str) -> Method {
        let method = library::method(id).unwrap();
        let half = |x: &Coefficient| Coefficient::parse(&format!("{}/2", x.text())).unwrap();
        let zero = || Coefficient::parse("0").unwrap();
        let partition = |Partition { name, a, b, .. }: &Partition| {
            let s = b.len();
            let b: Vec<Coefficient> = b.iter().map(half).collect();
            let a: Vec<Vec<Coefficient>> = a.iter().map(|row| row.iter().map(half).collect()).collect();
            let first = a.iter().map(|row| row.iter().cloned().chain((0..s).map(|_| zero())).collect());
            let second = a.iter().map(|row| b.iter().chain(row).cloned().collect());
            let a = first.chain(second).collect();
            let b = [b.as_slice(), &b].concat();
            Partition { name: name.clone(), a, b, c: None, b_hat: None, dense: None }
        };
        let partitions = method.partitions().iter().map(partition).collect();
        let claims = Claims { order: method.claims().order, ..Claims::default() };
        Method::new("twice", "Twice", partitions, claims, method.precision(), method.source().clone()).unwrap()
    }

    /// Thousands of hypotheses fit a pair of 18 stages in doubles. Checking all of them in full precision would take a
    /// minute.
    #[test]
    fn a_digit_that_doubles_do_not_see_is_found_in_a_long_pair() {
        let right = twice("hemiola-4-8");
        let cell = Cell { partition: 1, place: TableauPosition::Matrix { row: 6, column: 2 } };
        let printed = cell.coefficient(right.partitions());
        let wrong = Coefficient::parse(&format!("{}+3e-20", printed.text())).unwrap();
        let mut partitions = right.partitions().to_vec();
        *cell.coefficient_mut(&mut partitions) = wrong;
        let method =
            Method::new("wrong", "Wrong", partitions, right.claims(), right.precision(), right.source().clone())
                .unwrap();
        let options = DiagnoseOptions { order: 4, given: vec![0], ..DiagnoseOptions::default() };
        let found = diagnose(&method, &options, &()).unwrap();
        let change = &found.suggestions[0].changes[0];
        assert_eq!(change.cell, cell);
        assert!((change.new.value().clone() - printed.value().clone()).to_f64().abs() < 1e-45);
    }
}
