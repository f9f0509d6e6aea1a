//! Embedded rows for multirate methods of any kind.

use dashu::rational::RBig;
use hemiola_multirate::{
    InfinitesimalMethod, InfinitesimalStage, MultirateReport, MultirateWeights, RowKind, RowVerdicts,
};
use hemiola_order::{Grammar, NodeKind, Tree, Trees};
use hemiola_tableau::{Claims, Coefficient, Exact, Scalar, Source};
use nalgebra::{DMatrix, DVector};
use num_traits::{One, Zero};

use crate::completion::elimination::Elimination;
use crate::completion::finding::CompletionOutcome;
use crate::completion::method::written;
use crate::completion::proof::AbsenceProof;
use crate::completion::task::simple_steps;
use crate::error::DesignError;
use crate::mri::{NORMS, same_columns, steepest, summing_to};
use crate::pair::decimals::{DECIMALS, WORKING_DECIMALS, decimal, from_doubles, moved_to};
use crate::weights::moments::RangeNullSpace;

/// Highest order of a row. Up to this order, the conditions are affine functions of the row. In trees with a fast root
/// and five further nodes, two factors depend on it.
const HIGHEST_ORDER: usize = 4;
/// Largest coefficient of a row whose free coefficients are chosen, in units of the largest one of the method, at least one.
const LARGEST: f64 = 2.0;

/// Steps of refinement, enough for the decimals that are written.
const STEPS: usize = 4;

/// A multirate method with an embedded row, or the reason why there is none.
#[derive(Clone, Debug)]
pub struct MultirateCompletion {
    /// The completed method; `None` without a row.
    pub method: Option<InfinitesimalMethod>,
    /// The order of the given method.
    pub order: usize,
    /// Whether the method satisfies its conditions exactly; the row is then exact.
    pub is_exact: bool,
    /// The result.
    pub outcome: CompletionOutcome,
}

/// Completes a multirate method with an embedded row of an order below its own.
///
/// The row replaces the forcing of the last stage and has no corrections. It needs no further slow evaluations, and
/// supersedes an embedded row of the method. It is internally consistent if the last stage has neither a start nor a
/// drift. Free coefficients are chosen so that every slow partition has an error estimate of about the size of
/// published ones.
///
/// ```
/// use hemiola_design::complete_multirate;
/// let method = hemiola_multirate::library::method("mis-kw3")?;
/// let found = complete_multirate(&method, 2)?;
/// let completed = found.method.ok_or("no row")?;
/// assert!(found.is_exact && completed.claims().embedded_order == Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the order is not below that of the method, or exceeds four.
pub fn complete_multirate(method: &InfinitesimalMethod, order: usize) -> Result<MultirateCompletion, DesignError> {
    let report = MultirateReport::new(method, None)?;
    let own = report.step.order_as_stated();
    if !(1..=HIGHEST_ORDER.min(own.saturating_sub(1))).contains(&order) {
        let expected = "an order from 1 to 4, below that of the method";
        return Err(DesignError::OutOfRange { name: "the embedded order", found: order.to_string(), expected });
    }
    let problem = RowProblem::new(method, order)?;
    let is_exact = report.step.exact_order() >= own;
    let found = if is_exact { problem.exactly() } else { problem.to_precision() };
    let undecided = CompletionOutcome::Undecided { order, partition: problem.partitions() };
    let mut completion = MultirateCompletion { method: None, order: own, is_exact, outcome: undecided };
    match found {
        RowOutcome::Found { row, free, only } => {
            let found = completed(method, &row, order, is_exact)?;
            let reached = MultirateReport::new(&found, Some(own))?.embedded.map_or(0, |row| row.order_as_stated());
            // A row with the order of the method estimates no error; neither does a row with the slow weights of the
            // method.
            if (order..own).contains(&reached) && problem.estimates_every_part(&found)? {
                let claimed = if reached > order { completed(method, &row, reached, is_exact)? } else { found };
                completion.outcome =
                    CompletionOutcome::Found { order: reached, conditions: order, free, shared: false, class: None };
                completion.method = Some(claimed);
            } else if let Some(proof) = only.filter(|_| reached >= own && problem.is_own(&row)) {
                let (partition, stages) = (problem.partitions(), problem.stages());
                completion.outcome = CompletionOutcome::Impossible { order, partition, stages, proof };
            }
        }
        RowOutcome::Impossible(proof) => {
            let (partition, stages) = (problem.partitions(), problem.stages());
            completion.outcome = CompletionOutcome::Impossible { order, partition, stages, proof };
        }
        RowOutcome::Undecided => {}
    }
    Ok(completion)
}

enum RowOutcome {
    Found {
        row: InfinitesimalStage<Exact>,
        free: usize,
        /// The proof that there is no other row.
        only: Option<AbsenceProof>,
    },
    Impossible(AbsenceProof),
    Undecided,
}

/// A coefficient γᵏⱼ of a slow partition, all from 0.
#[derive(Clone, Copy)]
struct Place {
    part: usize,
    power: usize,
    column: usize,
}

/// The affine conditions on a row, Φ(t) = 1/γ(t).
struct RowProblem<'a> {
    method: &'a InfinitesimalMethod,
    order: usize,
    trees: Trees,
    rows: Vec<InfinitesimalStage<Exact>>,
    places: Vec<Place>,
    /// Whether the last stage has neither a start nor a drift. Internal consistency then determines the sums of its
    /// forcing; otherwise they remain unchanged.
    is_consistent: bool,
}

impl<'a> RowProblem<'a> {
    fn new(method: &'a InfinitesimalMethod, order: usize) -> Result<Self, DesignError> {
        let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), order + 1)?;
        let mut rows = method.exact_rows();
        rows.truncate(method.stages().len());
        let is_consistent = rows.last().is_some_and(InfinitesimalStage::is_simple);
        let mut places = Vec::new();
        for (part, powers) in rows.last().iter().flat_map(|row| row.forcing.iter().enumerate()) {
            let evaluated = method.evaluated_stages(part + 1);
            let columns: Vec<usize> = evaluated.into_iter().filter(|column| (1..rows.len()).contains(column)).collect();
            let of_power = |power: usize| columns.iter().map(move |&column| Place { part, power, column });
            places.extend((0..powers.len().max(1)).flat_map(of_power));
        }
        Ok(Self { method, order, trees, rows, places, is_consistent })
    }

    /// Returns the names of the slow partitions.
    fn partitions(&self) -> String {
        self.method.partitions()[1..].join(" and ")
    }

    /// Returns the stages, from 0, at which some slow partition is evaluated.
    fn stages(&self) -> Vec<usize> {
        let mut stages: Vec<usize> =
            (1..self.method.partitions().len()).flat_map(|part| self.method.evaluated_stages(part)).collect();
        stages.sort_unstable();
        stages.dedup();
        stages
    }

    fn row(&self, x: &[Exact]) -> InfinitesimalStage<Exact> {
        let last = &self.rows[self.rows.len() - 1];
        let width = self.rows.len();
        let mut forcing: Vec<Vec<Vec<Exact>>> =
            last.forcing.iter().map(|powers| vec![vec![Exact::zero(); width]; powers.len().max(1)]).collect();
        for (place, x) in self.places.iter().zip(x) {
            forcing[place.part][place.power][place.column] = x.clone();
        }
        for (powers, own) in forcing.iter_mut().zip(&last.forcing) {
            for (power, columns) in powers.iter_mut().enumerate() {
                let whole = match (self.is_consistent, power) {
                    (false, _) => own.get(power).into_iter().flatten().fold(Exact::zero(), |sum, x| sum + x.clone()),
                    (true, 0) => last.interval.clone(),
                    (true, _) => Exact::zero(),
                };
                *columns = summing_to(whole, &columns[1..]);
            }
        }
        InfinitesimalStage { forcing, correction: vec![Vec::new(); last.correction.len()], ..last.clone() }
    }

    /// Returns whether a row is the last stage.
    fn is_own(&self, row: &InfinitesimalStage<Exact>) -> bool {
        let last = &self.rows[self.rows.len() - 1];
        let none = vec![Vec::new(); last.correction.len()];
        same_columns(&last.correction, &none)
            && last.forcing.iter().zip(&row.forcing).all(|(own, found)| same_columns(own, found))
    }

    /// Returns whether the embedded row of a method fails a condition one order above its own for a root of every slow color.
    fn estimates_every_part(&self, method: &InfinitesimalMethod) -> Result<bool, DesignError> {
        let embedded = MultirateReport::new(method, Some(self.order + 1))?.embedded;
        let fails = |color: usize| {
            let mut failures = embedded.iter().flat_map(RowVerdicts::failures);
            failures.any(|condition| condition.tree.kind() == NodeKind::Partition(color))
        };
        Ok((1..method.partitions().len()).all(fails))
    }

    /// Computes Φ(t) − 1/γ(t) for the trees of orders.
    fn residuals(&self, x: &[Exact], orders: std::ops::RangeInclusive<usize>) -> Vec<Exact> {
        let rows = self.rows.iter().cloned().chain([self.row(x)]).collect();
        let mut weights = MultirateWeights::new(&self.trees, rows, self.rows.len());
        let trees = orders.flat_map(|order| self.trees.of_order(order));
        trees.map(|tree| weights.weight(tree, RowKind::Embedded) - Exact::ratio(1, self.trees.density(tree))).collect()
    }

    /// Returns the residuals with all coefficients zero, and their derivatives with respect to each coefficient.
    /// Differences give these exactly, because the residuals are affine up to the highest order.
    fn affine(&self, orders: std::ops::RangeInclusive<usize>) -> (Vec<Exact>, Vec<Vec<Exact>>) {
        let n = self.places.len();
        let base = self.residuals(&vec![Exact::zero(); n], orders.clone());
        let column = |k: usize| {
            let unit: Vec<Exact> = (0..n).map(|j| if j == k { Exact::one() } else { Exact::zero() }).collect();
            let moved = self.residuals(&unit, orders.clone());
            moved.into_iter().zip(&base).map(|(x, y)| x - y.clone()).collect()
        };
        let columns = (0..n).map(column).collect();
        (base, columns)
    }

    fn exactly(&self) -> RowOutcome {
        let n = self.places.len();
        let (base, columns) = self.affine(1..=self.order);
        let orders = (1..=self.order).flat_map(|order| self.trees.of_order(order));
        let trees: Vec<Tree> = orders.map(|tree| self.trees.tree(tree)).collect();
        // Proofs are about the conditions times γ.
        let densities: Vec<Exact> = trees.iter().map(|tree| Exact::from(RBig::from(tree.density()))).collect();
        let mut elimination = Elimination::new(n);
        for (i, (right, density)) in base.iter().zip(&densities).enumerate() {
            let row = columns.iter().map(|column| column[i].clone() * density.clone()).collect();
            if let Err(found) = elimination.add(row, vec![-(right.clone() * density.clone())]) {
                return RowOutcome::Impossible(AbsenceProof::of_rows(&found, &trees));
            }
        }
        let (mut x, null, free) = (elimination.solution(0), elimination.null(), elimination.free());
        let kept = DMatrix::from_fn(base.len(), n, |i, j| columns[j][i].to_f64());
        let start: Vec<f64> = x.iter().map(Exact::to_f64).collect();
        let chosen = self.chosen(&kept, &start);
        if chosen.is_none() && !free.is_empty() {
            return RowOutcome::Undecided;
        }
        if let Some(wanted) = chosen {
            let step: Vec<f64> = free.iter().map(|&k| wanted[k] - start[k]).collect();
            let from: Vec<Exact> = free.iter().map(|&k| x[k].clone()).collect();
            for (step, vector) in simple_steps(&from, &step, wanted.amax()).iter().zip(&null) {
                x.iter_mut().zip(vector).for_each(|(x, y)| *x += step.clone() * y.clone());
            }
        }
        let only = free.is_empty().then(|| AbsenceProof::only_own_of(&elimination, &trees));
        RowOutcome::Found { row: self.row(&x), free: free.len(), only }
    }

    fn to_precision(&self) -> RowOutcome {
        let n = self.places.len();
        if n == 0 {
            return RowOutcome::Found { row: self.row(&[]), free: 0, only: None };
        }
        let (base, columns) = self.affine(1..=self.order);
        let kept = DMatrix::from_fn(base.len(), n, |i, j| columns[j][i].to_f64());
        let right = DVector::from_iterator(base.len(), base.iter().map(Exact::to_f64));
        let noise = rounding_error(self.method) * kept.norm();
        let Some(RangeNullSpace { inverse, null }) = RangeNullSpace::with_noise(&kept, noise) else {
            return RowOutcome::Undecided;
        };
        let start: Vec<f64> = (-(&inverse * right)).iter().copied().collect();
        let chosen = self.chosen(&kept, &start);
        if chosen.is_none() && null.ncols() > 0 {
            return RowOutcome::Undecided;
        }
        let wanted = chosen.unwrap_or_else(|| DVector::from_vec(start));
        let mut x: Vec<RBig> = from_doubles(wanted.iter().copied());
        // The conditions of a rounded table have no common solution. Each step gains the digits of a double, until the
        // precision of the table is reached.
        for _ in 0..STEPS {
            let exact: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
            let residuals = self.residuals(&exact, 1..=self.order);
            let step = -(&inverse * DVector::from_iterator(residuals.len(), residuals.iter().map(Exact::to_f64)));
            x = moved_to(WORKING_DECIMALS, &x, step.iter());
        }
        // Sums of decimals are decimals, so the row with rounded unknowns is exactly consistent.
        let x = moved_to(decimals(self.method), &x, &vec![0.0; n]);
        let x: Vec<Exact> = x.into_iter().map(Exact::from).collect();
        RowOutcome::Found { row: self.row(&x), free: null.ncols(), only: None }
    }

    /// Moves from a solution to coefficients with errors of the next order for roots of every slow color; `None` if no
    /// coefficient is free, or if no choice gives an error for some slow color.
    fn chosen(&self, kept: &DMatrix<f64>, start: &[f64]) -> Option<DVector<f64>> {
        if self.places.is_empty() {
            return None;
        }
        let next = self.order + 1;
        let trees = self.trees.of_order(next);
        let (base, columns) = self.affine(next..=next);
        let weighted = |i: usize, x: &Exact| x.to_f64() / self.trees.symmetry(trees[i]) as f64;
        let slopes = DMatrix::from_fn(trees.len(), columns.len(), |i, j| weighted(i, &columns[j][i]));
        let of_color = |color: usize| {
            let kind = NodeKind::Partition(color);
            let chosen: Vec<usize> = (0..trees.len()).filter(|i| self.trees.kind(trees[*i]) == kind).collect();
            slopes.select_rows(&chosen)
        };
        let colors = self.method.partitions().len();
        let start = DVector::from_column_slice(start);
        // The solution with the smallest coefficients, from which the row moves.
        let RangeNullSpace { null, .. } = RangeNullSpace::new(kept)?;
        let start = &start - &null * (null.transpose() * &start);
        let by_color: Vec<DMatrix<f64>> = (0..colors).map(of_color).collect();
        let direction = steepest(kept, &by_color)?;
        let errors = DVector::from_fn(trees.len(), |i, _| weighted(i, &base[i])) + &slopes * &start;
        let wanted = NORMS[(self.order - 1).min(NORMS.len() - 1)];
        let grown = (&slopes * &direction).norm();
        let entries = self.rows.iter().flat_map(|row| row.forcing.iter().flatten().flatten());
        let bound = LARGEST * entries.map(|x| x.to_f64().abs()).fold(1.0, f64::max);
        let room = start.iter().zip(direction.iter()).map(|(x, d)| (bound - x.abs()).max(0.0) / d.abs().max(1e-300));
        // The direction in which errors grow.
        let side = if (&slopes * &direction).dot(&errors) < 0.0 { -1.0 } else { 1.0 };
        let length = room.fold(wanted / grown, f64::min) * side;
        Some(start + direction * length)
    }
}

/// Returns the largest rounding error of a coefficient.
fn rounding_error(method: &InfinitesimalMethod) -> f64 {
    let rounding = method.rounding();
    method.stages().iter().flat_map(InfinitesimalStage::coefficients).map(|x| rounding.of(x)).fold(0.0, f64::max)
}

/// Returns the number of decimals of the table. More decimals in the row would suggest that all coefficients are more
/// precise.
fn decimals(method: &InfinitesimalMethod) -> usize {
    let written = |x: &Coefficient| {
        let (mantissa, exponent) = x.text().split_once(['e', 'E']).unwrap_or((x.text(), "0"));
        let places = mantissa.split_once('.').map(|(_, decimals)| decimals.len() as i64)?;
        usize::try_from(places - exponent.parse::<i64>().ok()?).ok()
    };
    let coefficients = || method.stages().iter().flat_map(InfinitesimalStage::coefficients);
    let stated = method.precision().map(|precision| precision.decimals as usize);
    let found = stated.or_else(|| coefficients().filter_map(written).max());
    found.map_or(DECIMALS, |decimals| decimals.min(DECIMALS))
}

/// Returns the method with the row.
fn completed(
    method: &InfinitesimalMethod,
    row: &InfinitesimalStage<Exact>,
    order: usize,
    is_exact: bool,
) -> Result<InfinitesimalMethod, DesignError> {
    let number = |x: &Exact| if is_exact || x.is_zero() { written(x, true) } else { decimal(x, decimals(method)) };
    let numbers = |columns: &Vec<Exact>| columns.iter().map(number).collect::<Result<Vec<_>, _>>();
    let last = &method.stages()[method.stages().len() - 1];
    let forcing = row
        .forcing
        .iter()
        .map(|powers| powers.iter().map(numbers).collect::<Result<Vec<_>, _>>())
        .collect::<Result<Vec<_>, _>>()?;
    let correction: Vec<Vec<Coefficient>> = vec![Vec::new(); row.correction.len()];
    let embedded = InfinitesimalStage { forcing, correction, ..last.clone() };
    let partitions = method.partitions().to_vec();
    let claims = Claims { embedded_order: Some(order), ..method.claims() };
    let sentence = format!("Added by Hemiola, not part of the source: the embedded row of order {order}.");
    let note = method.source().note.as_ref().map_or(sentence.clone(), |note| format!("{note} {sentence}"));
    let source = Source { note: Some(note), ..method.source().clone() };
    let new =
        InfinitesimalMethod::new(method.id(), method.name(), partitions, method.stages().to_vec(), Some(embedded))?;
    Ok(new.described(claims, method.precision(), source)?)
}
