//! High-precision evaluation ("closer look") of residuals that do not clearly fail in doubles. Twice the digits, the
//! gradient and a majorant of each decide nearly all nonzero residuals, a hundred times as fast as exact arithmetic.
//!
//! In high orders the terms of a condition cancel to a billionth of their sizes and less, so that nearly all residuals
//! are small enough for an explanation by last digits. The gradient shows whether last digits do explain them. This
//! module returns only verdicts, and only certain ones; residuals for display are rounded from more digits.

use std::sync::Arc;

use hemiola_number::DoubleDouble;
use hemiola_tableau::Tableau;

use crate::engine::doubled::{self, DoubleDoubles, SplitRows};
use crate::engine::gradient::entries;
use crate::engine::jet::{Jet, Majorants};
use crate::engine::kernel::CHUNK;
use crate::engine::slopes::{Gradients, ValueWithGradient};
use crate::engine::tables::{ForestTables, PathVector};
use crate::engine::tree_path::{CompletionTable, SharedPath};
use crate::trees::enumerate::Trees;
use crate::trees::grammar::{Grammar, NodeKind};
use crate::verdict::condition::{NUMERICALLY, Verdict};
use crate::verdict::forms::CoefficientForms;

/// Maximum number of derivatives in the tables (64 MB).
const MOST_SLOPES: usize = 8 << 20;
/// Sizes of coefficients whose products neither underflow nor overflow, up to order twenty.
const SIZES: std::ops::Range<f64> = 1e-12..1e12;
/// Bound far above anything that underflows.
const UNDERFLOW: f64 = 1e-60;
/// Relative distance of bounds below which exact arithmetic compares them; it covers the rounding of a sum of thousands
/// of terms.
const MARGIN: f64 = 1e-9;

/// The coefficients in the number types of a closer look.
pub(crate) struct CloserForms {
    doubled: Tableau<DoubleDouble>,
    sloped: Tableau<ValueWithGradient>,
    gradients: Gradients,
    /// The possible error of each differentiated coefficient: by its precision, and in last digits.
    deltas: [Vec<f64>; 2],
}

impl CloserForms {
    /// Converts the coefficients; `None` if products might underflow, or if there are too many derivatives.
    pub(crate) fn new(forms: &CoefficientForms, trees: &Trees) -> Option<Self> {
        let nearest = forms.uncertainties.nearest();
        let mut sizes = entries(nearest).map(|x| x.abs()).filter(|size| *size != 0.0);
        if !sizes.all(|size| SIZES.contains(&size)) {
            return None;
        }
        let [stated, slack]: [Vec<f64>; 2] = [&forms.uncertainties.stated, &forms.uncertainties.slack]
            .map(|uncertainty| entries(&uncertainty.deltas).copied().collect());
        let has_time = has_time(trees.grammar());
        let s = nearest.stages();
        // Without time leaves nothing depends on the abscissae.
        let is_used = |place: usize| slack[place] > 0.0 && (has_time || place % (s * (s + 2)) < s * (s + 1));
        let used: Vec<usize> = (0..slack.len()).filter(|&place| is_used(place)).collect();
        let vectors = (trees.forest_count() + trees.tree_count()) * s;
        if vectors.saturating_mul(used.len()) > MOST_SLOPES {
            return None;
        }
        let mut places = vec![None; slack.len()];
        used.iter().enumerate().for_each(|(k, &place)| places[place] = Some(k));
        let deltas = [stated, slack].map(|deltas| used.iter().map(|&place| deltas[place]).collect());
        Some(Self {
            doubled: doubled::tableau(&forms.exact),
            sloped: Gradients::tableau(nearest, &places),
            gradients: Gradients { count: used.len() },
            deltas,
        })
    }
}

fn has_time(grammar: &Grammar) -> bool {
    grammar.kinds().iter().any(|kind| matches!(kind, NodeKind::Time(_)))
}

/// The tables of a closer look.
pub(crate) struct CloserLook<'a> {
    forms: &'a CoefficientForms,
    doubled: ForestTables<'a, DoubleDoubles>,
    forests: Vec<SplitRows>,
    trees: Vec<SplitRows>,
    stated: ForestTables<'a, Majorants>,
    slack: ForestTables<'a, Majorants>,
    slopes: ForestTables<'a, Gradients>,
    deltas: &'a [Vec<f64>; 2],
    tolerance: Option<f64>,
}

impl<'a> CloserLook<'a> {
    pub(crate) fn new(
        forms: &'a CoefficientForms,
        closer: &'a CloserForms,
        trees: &'a Trees,
        tolerance: Option<f64>,
    ) -> Self {
        let doubled = ForestTables::new(&DoubleDoubles, trees, &closer.doubled);
        let sizes = 0..trees.highest_order();
        Self {
            forms,
            forests: sizes.clone().map(|size| SplitRows::new(doubled.forest_rows(size))).collect(),
            trees: sizes.map(|order| SplitRows::new(doubled.tree_rows(order))).collect(),
            doubled,
            stated: ForestTables::new(&Majorants, trees, &forms.uncertainties.stated.jets),
            slack: ForestTables::new(&Majorants, trees, &forms.uncertainties.slack.jets),
            slopes: ForestTables::new(&closer.gradients, trees, &closer.sloped),
            deltas: &closer.deltas,
            tolerance,
        }
    }

    fn rows(&self, table: CompletionTable) -> &SplitRows {
        match table {
            CompletionTable::Forests { size } => &self.forests[size],
            CompletionTable::Trees { order, .. } => &self.trees[order],
        }
    }

    /// Returns the largest residual that is excused, given the part that the precision explains.
    fn excused(&self, explained: f64, stem: &SharedPath, member: usize) -> f64 {
        let uncertainties = &self.forms.uncertainties;
        if !uncertainties.is_presumed {
            return explained;
        }
        let trees = self.doubled.trees;
        uncertainties.excused(explained, stem.spine(trees, member).density(trees))
    }

    /// Prepares a closer look at the trees with a stem.
    pub(crate) fn at(&self, stem: &Arc<SharedPath>) -> PathLook<'_, 'a> {
        // A path of products through a tree meets at most n(s + 3) roundings, and the expected value four more.
        let operations = stem.order * (self.slack.tableau.stages() + 3) + 4;
        PathLook {
            look: self,
            stated: self.stated.at(stem),
            slack: self.slack.at(stem),
            slopes: self.slopes.at(stem),
            stem: Arc::clone(stem),
            operations,
            doubled: None,
            chunk: None,
            gradient: vec![0.0; self.deltas[0].len()],
        }
    }
}

/// The common data of the trees with a stem.
pub(crate) struct PathLook<'l, 'a> {
    look: &'l CloserLook<'a>,
    stem: Arc<SharedPath>,
    stated: PathVector<Jet>,
    slack: PathVector<Jet>,
    slopes: PathVector<ValueWithGradient>,
    operations: usize,
    /// The factors of the rows, computed on first use.
    doubled: Option<Vec<DoubleDouble>>,
    /// The last computed residuals, with the index of the first.
    chunk: Option<(usize, [f64; CHUNK])>,
    gradient: Vec<f64>,
}

impl PathLook<'_, '_> {
    /// Returns the verdict on a member; `None` if it is in doubt, or if the residual may be larger than
    /// `largest`, which then becomes a lower bound on it.
    pub(crate) fn verdict(&mut self, member: usize, largest: &mut f64) -> Option<Verdict> {
        let residual = self.residual(member).abs();
        let size = self.look.slack.residual(&self.slack, self.stem.table, member).value;
        // A sum of n terms adds n² units to those of its terms.
        let units = self.operations + (self.slack.v.len() + 1).pow(2);
        let error = 2.0 * units as f64 * doubled::ROUNDING * size + f64::EPSILON * residual + UNDERFLOW;
        let (least, most) = (residual - error, residual + error);
        // Comparisons with NaN are false and leave the decision to exact arithmetic.
        if most < *largest && least > 0.0 {
            return self.verdict_on(member, least, most).map(|(verdict, _)| verdict);
        }
        *largest = largest.max(least);
        None
    }

    fn residual(&mut self, member: usize) -> f64 {
        let start = member / CHUNK * CHUNK;
        if let Some((_, values)) = self.chunk.filter(|(first, _)| *first == start) {
            return values[member - start];
        }
        let u = self.doubled.get_or_insert_with(|| {
            let PathVector { mut v, factor } = self.look.doubled.at(&self.stem);
            v.push(-factor);
            v
        });
        let values = self.look.rows(self.stem.table).combine(u, start);
        self.chunk = Some((start, values));
        values[member - start]
    }

    /// Returns the verdict on a member whose residual is nonzero and lies between these bounds, with
    /// approximately the part that the precision explains. Returns `None` if the verdict is in doubt.
    pub(crate) fn verdict_on(&mut self, member: usize, least: f64, most: f64) -> Option<(Verdict, f64)> {
        if let Some(tolerance) = self.look.tolerance {
            return decided(least, most, [tolerance; 2], [tolerance; 2]).map(|verdict| (verdict, tolerance));
        }
        let table = self.stem.table;
        let [stated, slack] = [(&self.look.stated, &self.stated), (&self.look.slack, &self.slack)]
            .map(|(tables, at)| tables.residual(at, table, member));
        // The sum of the moduli lies between those at the coefficients with either change.
        let caps = [NUMERICALLY * stated.value * (1.0 - MARGIN), NUMERICALLY * slack.value * (1.0 + MARGIN)];
        let most_explained = stated.first + stated.beyond_first_order();
        if least > caps[1] && least > most_explained * (1.0 + MARGIN) {
            return Some((Verdict::Fails, most_explained));
        }
        let [to_precision, last_digits] = self.first_order(member);
        let in_doubles = 8.0 * self.operations as f64 * f64::EPSILON;
        let bounds = |first: f64, majorant: Jet| {
            let explained = first + majorant.beyond_first_order();
            let unknown = in_doubles * majorant.first + MARGIN * explained;
            [explained - unknown, explained + unknown]
        };
        let (to_precision, last_digits) = (bounds(to_precision, stated), bounds(last_digits, slack));
        let to_precision = to_precision.map(|explained| self.look.excused(explained, &self.stem, member));
        let numerically = [last_digits[0].min(caps[0]), last_digits[1].min(caps[1])];
        decided(least, most, to_precision, numerically).map(|verdict| (verdict, to_precision[0]))
    }

    /// Computes Σ |∂Φ/∂x| δx for the precision and for last digits.
    fn first_order(&mut self, member: usize) -> [f64; 2] {
        let rows = self.look.slopes.rows(self.stem.table);
        self.gradient.fill(0.0);
        Gradients::add_slopes(&mut self.gradient, self.slopes.v.iter().zip(rows.iter().map(|row| &row[member])));
        let explained =
            |deltas: &Vec<f64>| self.gradient.iter().zip(deltas).map(|(slope, delta)| slope.abs() * delta).sum();
        let [stated, slack] = self.look.deltas;
        [explained(stated), explained(slack)]
    }
}

/// Returns the verdict on a nonzero residual between two bounds, if all values within the bounds on precision and
/// last digits lead to the same verdict.
fn decided(least: f64, most: f64, to_precision: [f64; 2], numerically: [f64; 2]) -> Option<Verdict> {
    let is_beyond_precision = least > to_precision[1];
    if most <= to_precision[0] {
        Some(Verdict::ToPrecision)
    } else if is_beyond_precision && most <= numerically[0] {
        Some(Verdict::Numerically)
    } else {
        (is_beyond_precision && least > numerically[1]).then_some(Verdict::Fails)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::engine::arithmetic::{BoundedF64, Doubles};
    use crate::engine::walk::{TreeBlock, Visitor, small_order, walk};
    use crate::verdict::decision::{Decisions, OpenCondition};
    use hemiola_tableau::library;

    /// A visitor that records all members of all blocks.
    struct Everything<'a>(&'a ForestTables<'a, Doubles>, Vec<OpenCondition>);

    impl Visitor<BoundedF64> for Everything<'_> {
        fn visit(&mut self, block: &TreeBlock<BoundedF64>) {
            let stem = Arc::new(block.stem());
            for member in block.members.clone() {
                let residual = self.0.residual(block.at, block.table, member);
                self.1.push(OpenCondition { place: self.1.len(), stem: Arc::clone(&stem), member, residual });
            }
        }
    }

    /// Checks that few verdicts remain open, and that all others agree with exact arithmetic, which alone decides small
    /// batches.
    #[test]
    fn verdicts_are_those_of_exact_arithmetic() {
        for (id, order, tolerance) in [
            ("dormand-prince-8", 10, None),
            ("dormand-prince-8", 8, None),
            ("dormand-prince-8", 10, Some(1e-9)),
            ("shome-haug-jay-2-5", 5, None),
            ("hemiola-4-8", 5, None),
        ] {
            let method = library::method(id).unwrap();
            let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), small_order(order)).unwrap();
            let (forms, closer_forms) = (CoefficientForms::new(&method), OnceLock::new());
            let decisions = Decisions::new(&trees, &forms, &closer_forms, tolerance);
            let doubles = ForestTables::new(&Doubles, &trees, &forms.doubles);
            let entries = walk(&doubles, order, 0, || Everything(&doubles, Vec::new())).remove(0).1;
            let (mut open, mut vanish) = (0, 0);
            for batch in entries.chunks(50) {
                let expected = decisions.decide(batch);
                for (entry, (_, expected)) in batch.iter().zip(expected) {
                    let look = decisions.high_precision().unwrap();
                    let mut largest = f64::INFINITY;
                    match look.at(&entry.stem).verdict(entry.member, &mut largest) {
                        Some(verdict) => assert_eq!(verdict, expected.verdict, "{id}: {:?}", expected.tree),
                        None if expected.verdict == Verdict::Exact => vanish += 1,
                        None => open += 1,
                    }
                    assert!(largest == f64::INFINITY);
                }
            }
            assert!(100 * open <= entries.len(), "{id}: {open} of {} open, {vanish} vanish", entries.len());
        }
    }

    #[test]
    fn what_may_be_the_largest_residual_is_left_to_more_digits() {
        let method = library::method("dormand-prince-8").unwrap();
        let trees = Trees::new(&Grammar::partitioned(1), small_order(9)).unwrap();
        let (forms, closer_forms) = (CoefficientForms::new(&method), OnceLock::new());
        let decisions = Decisions::new(&trees, &forms, &closer_forms, None);
        let doubles = ForestTables::new(&Doubles, &trees, &forms.doubles);
        let entries = walk(&doubles, 9, 0, || Everything(&doubles, Vec::new())).remove(0).1;
        let sizes = |x: &OpenCondition, y: &OpenCondition| x.residual.value.abs().total_cmp(&y.residual.value.abs());
        let entry = entries.into_iter().max_by(sizes).unwrap();
        let (look, mut largest) = (decisions.high_precision().unwrap(), 0.0);
        assert_eq!(look.at(&entry.stem).verdict(entry.member, &mut largest), None);
        let residual = decisions.decide(&[entry])[0].1.residual.abs();
        assert!(largest <= residual && largest > residual * (1.0 - 1e-9), "{largest} for {residual}");
    }

    #[test]
    fn coefficients_whose_products_underflow_get_no_closer_look() {
        let text = r#"{"format": "hemiola-method/1", "id": "tiny", "name": "Tiny", "partitions": [
            {"name": "all", "a": [["0", "0"], ["1e-60", "0"]], "b": ["1/2", "1/2"]}]}"#;
        let method = hemiola_tableau::Method::from_json(text.as_bytes(), "tiny.json").unwrap();
        let trees = Trees::new(&Grammar::partitioned(1), 3).unwrap();
        assert!(CloserForms::new(&CoefficientForms::new(&method), &trees).is_none());
    }
}
