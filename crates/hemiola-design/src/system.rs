//! The equations that a certificate is about: assumptions, conditions, and coefficients of the fast part's polynomial.

use dashu::rational::RBig;
use hemiola_order::{Kind, Tree, free_coefficients, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau, dot};
use nalgebra::{DMatrix, DVector, SVD};
use num_traits::{One, Zero};

use crate::assumption::{Assumption, psi, residuals};
use crate::bounds::Bounds;
use crate::pattern::{FAST, SLOW};

/// Singular values below this part of the largest count as zero: the equations are then not independent.
const RANK_TOLERANCE: f64 = 1e-9;

/// Equations G(x) = 0 in the coefficients x that the structure of a tableau leaves free.
pub(crate) struct System {
    rows: Vec<Equation>,
    slots: Vec<Slot>,
}

/// One equation.
enum Equation {
    /// An assumption at a stage.
    Assumption(Assumption, usize),
    /// Φ(t) = the number.
    Weight(Tree, RBig),
}

/// A proof that a solution is near.
pub(crate) struct Enclosure {
    /// A bound on ‖G(x)‖∞.
    pub(crate) residual: f64,
    /// A bound on ‖I − G′R‖∞ for an approximate right inverse R, all over the ball.
    pub(crate) contraction: f64,
    /// A bound on the distance between x and the solution, coefficient by coefficient.
    pub(crate) radius: f64,
}

impl System {
    /// The equations at a tableau with the structure whose coefficients are the unknowns. `polynomial` has powers k of z with
    /// bᵀAᵏ⁻¹𝟙.
    pub(crate) fn new(
        tableau: &Tableau<Exact>,
        assumptions: &[Assumption],
        conditions: &[Tree],
        polynomial: &[(usize, RBig)],
    ) -> Self {
        let slots = slots(tableau);
        let bounds = ball(tableau, &slots, 1.0);
        let mut rows = Vec::new();
        for assumption in assumptions {
            for (stage, value) in residuals(assumption, tableau) {
                // A value of zero and a gradient that is zero all over a ball: it vanishes by the structure alone.
                let is_constant = stage_gradient(assumption, stage, &bounds, &slots).iter().all(Bounds::is_zero);
                let is_said = has_empty_column(assumption, stage, &slots) && says(&rows, assumption, stage);
                if !(is_said || is_constant && value.is_zero()) {
                    rows.push(Equation::Assumption(assumption.clone(), stage));
                }
            }
        }
        let condition = |tree: &Tree| Equation::Weight(tree.clone(), RBig::ONE / RBig::from(tree.density()));
        rows.extend(conditions.iter().map(condition));
        rows.extend(polynomial.iter().map(|(power, beta)| Equation::Weight(chain(*power), beta.clone())));
        Self { rows, slots }
    }

    /// Proves a solution near the tableau, or `None` where that fails.
    ///
    /// With ε = ‖G(x)‖∞ and K = sup ‖I − G′R‖∞ ≤ ½ over all x + Ry with ‖y‖∞ ≤ 2ε, the map y ↦ y − G(x + Ry) contracts that ball
    /// into itself: there G has a zero (Banach; the operator is Krawczyk's of 1969, with the box in the coordinates y).
    pub(crate) fn enclose(&self, tableau: &Tableau<Exact>) -> Option<Enclosure> {
        let residual = upwards(largest(&self.values(tableau)));
        let inverse = self.right_inverse(tableau)?;
        let reach = inverse.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
        let radius = upwards(upwards(reach) * 2.0 * residual).max(f64::MIN_POSITIVE);
        let contraction = deviation(&self.jacobian(&ball(tableau, &self.slots, radius)), &inverse);
        (contraction <= 0.5 && radius.is_finite()).then_some(Enclosure { residual, contraction, radius })
    }

    /// Newton steps of smallest norm with exact residuals: each gains some fifteen digits.
    pub(crate) fn refine(&self, tableau: &Tableau<Exact>, round: impl Fn(&RBig) -> RBig) -> Option<Tableau<Exact>> {
        const STEPS: usize = 8;
        let inverse = self.right_inverse(tableau)?;
        let (mut at, mut values) = (tableau.clone(), self.values(tableau));
        for _ in 0..STEPS {
            let step = &inverse * DVector::from_iterator(values.len(), values.iter().map(Exact::to_f64));
            let mut trial = at.clone();
            for (slot, step) in self.slots.iter().zip(step.iter()) {
                let moved = slot.entry(&at).as_rational()? - RBig::try_from(*step).ok()?;
                *slot.entry_mut(&mut trial) = Exact::from(round(&moved));
            }
            trial.partitions.iter_mut().for_each(|butcher| butcher.c = butcher.row_sums());
            let next = self.values(&trial);
            // At the last digits, rounding them stops the decrease.
            if largest(&next) >= largest(&values) {
                break;
            }
            (at, values) = (trial, next);
        }
        Some(at)
    }

    /// Whether all equations hold as they are written.
    pub(crate) fn holds_exactly(&self, tableau: &Tableau<Exact>) -> bool {
        self.values(tableau).iter().all(Exact::is_zero)
    }

    /// The largest residual.
    pub(crate) fn worst(&self, tableau: &Tableau<Exact>) -> f64 {
        largest(&self.values(tableau))
    }

    /// G(x), exactly.
    fn values(&self, tableau: &Tableau<Exact>) -> Vec<Exact> {
        let value = |row: &Equation| match row {
            Equation::Assumption(assumption, stage) => {
                let all = residuals(assumption, tableau);
                all.into_iter().find(|(j, _)| j == stage).map_or_else(Exact::zero, |(_, value)| value)
            }
            Equation::Weight(tree, expected) => weight(tree, tableau) - Exact::from(expected.clone()),
        };
        self.rows.iter().map(value).collect()
    }

    /// G′ with respect to the unknowns.
    fn jacobian(&self, bounds: &Tableau<Bounds>) -> Vec<Vec<Bounds>> {
        let gradient = |row: &Equation| match row {
            Equation::Assumption(assumption, stage) => stage_gradient(assumption, *stage, bounds, &self.slots),
            Equation::Weight(tree, _) => restricted(&value_and_gradient(tree, bounds).1, &self.slots),
        };
        self.rows.iter().map(gradient).collect()
    }

    /// A right inverse of G′ in doubles, of smallest norm; `None` where the rows are not independent.
    fn right_inverse(&self, tableau: &Tableau<Exact>) -> Option<DMatrix<f64>> {
        let rows = self.jacobian(&ball(tableau, &self.slots, 0.0));
        if rows.is_empty() || rows.len() > self.slots.len() {
            return None;
        }
        let mut jacobian = DMatrix::from_fn(rows.len(), self.slots.len(), |i, j| rows[i][j].middle());
        // High coefficients of the polynomial are small, and so are their gradients: rows of length one show the rank.
        let lengths: Vec<f64> = jacobian.row_iter().map(|row| row.norm().max(f64::MIN_POSITIVE)).collect();
        jacobian.row_iter_mut().zip(&lengths).for_each(|(mut row, length)| row /= *length);
        let svd = SVD::try_new(jacobian, true, true, f64::EPSILON, 10_000)?;
        let (smallest, largest) = (svd.singular_values.min(), svd.singular_values.max());
        let is_independent = smallest > RANK_TOLERANCE * largest;
        let mut inverse = svd.pseudo_inverse(0.0).ok().filter(|_| is_independent)?;
        inverse.column_iter_mut().zip(&lengths).for_each(|(mut column, length)| column /= *length);
        Some(inverse)
    }
}

/// Whether Σᵢ bᵢʳ aᵢⱼᑫ is empty by structure: then D(1) says bⱼᑫ(1 − cⱼ) = 0 at this stage, whatever r is.
fn has_empty_column(assumption: &Assumption, stage: usize, slots: &[Slot]) -> bool {
    let Assumption::Weights { a, .. } = assumption else { return false };
    let s = slots.iter().map(|slot| slot.row).max().unwrap_or(0);
    !slots.iter().any(|slot| slot.partition == *a && slot.column == stage && slot.row < s)
}

/// Whether D(1) of the same matrix is there for this stage, with any weights.
fn says(rows: &[Equation], assumption: &Assumption, stage: usize) -> bool {
    let matrix = |assumption: &Assumption| match assumption {
        Assumption::Weights { a, .. } => Some(*a),
        Assumption::Stages { .. } | Assumption::SharedWeights => None,
    };
    let is_same = |row: &Equation| matches!(row, Equation::Assumption(other, j) if *j == stage && matrix(other) == matrix(assumption));
    rows.iter().any(is_same)
}

/// Σᵢ bᵢΨᵢ(t).
pub(crate) fn weight<T: Scalar>(tree: &Tree, tableau: &Tableau<T>) -> T {
    let Kind::Partition(root) = tree.kind() else { return T::zero() };
    dot(&tableau.partitions[root].b, &psi(tree, tableau))
}

/// The fast tree whose weight is bᵀAᵏ⁻¹𝟙.
pub(crate) fn chain(k: usize) -> Tree {
    let node = |children| Tree::new(Kind::Partition(FAST), children);
    (1..k).fold(node(Vec::new()), |tree, _| node(vec![tree]))
}

/// A coefficient that the structure leaves free: an entry of A, or of b where the row is s.
struct Slot {
    partition: usize,
    row: usize,
    column: usize,
}

impl Slot {
    fn entry<'a, T>(&self, tableau: &'a Tableau<T>) -> &'a T {
        let Butcher { a, b, .. } = &tableau.partitions[self.partition];
        a.get(self.row).map_or(&b[self.column], |row| &row[self.column])
    }

    fn entry_mut<'a, T>(&self, tableau: &'a mut Tableau<T>) -> &'a mut T {
        let Butcher { a, b, .. } = &mut tableau.partitions[self.partition];
        if self.row < a.len() { &mut a[self.row][self.column] } else { &mut b[self.column] }
    }
}

fn slots(tableau: &Tableau<Exact>) -> Vec<Slot> {
    let free = free_coefficients(tableau);
    let s = tableau.stages();
    let places = (0..free.partitions.len())
        .flat_map(|partition| (0..=s).flat_map(move |row| (0..s).map(move |column| Slot { partition, row, column })));
    places.filter(|slot| *slot.entry(&free)).collect()
}

/// All tableaus of this structure whose coefficients differ by no more than a radius.
fn ball(tableau: &Tableau<Exact>, slots: &[Slot], radius: f64) -> Tableau<Bounds> {
    let zero = Butcher {
        a: vec![vec![Bounds::zero(); tableau.stages()]; tableau.stages()],
        b: vec![Bounds::zero(); tableau.stages()],
        c: Vec::new(),
    };
    let mut bounds = Tableau { partitions: vec![zero; tableau.partitions.len()] };
    for slot in slots {
        *slot.entry_mut(&mut bounds) = Bounds::around(slot.entry(tableau), radius);
    }
    bounds.partitions.iter_mut().for_each(|butcher| butcher.c = butcher.row_sums());
    bounds
}

fn restricted(gradient: &Tableau<Bounds>, slots: &[Slot]) -> Vec<Bounds> {
    slots.iter().map(|slot| *slot.entry(gradient)).collect()
}

/// The gradient of an assumption's equation at one stage.
fn stage_gradient(assumption: &Assumption, stage: usize, bounds: &Tableau<Bounds>, slots: &[Slot]) -> Vec<Bounds> {
    match assumption {
        // Ψ at a stage is Φ with a unit vector for the weights, which are then no unknowns.
        Assumption::Stages { left, right } => {
            let mut picked = bounds.clone();
            for butcher in &mut picked.partitions {
                butcher.b = vec![Bounds::zero(); butcher.a.len()];
                butcher.b[stage] = Bounds::one();
            }
            let of = |tree: &Tree| {
                let mut gradient = value_and_gradient(tree, &picked).1;
                gradient.partitions.iter_mut().for_each(|butcher| butcher.b.fill(Bounds::zero()));
                restricted(&gradient, slots)
            };
            let [g, h] = [left, right].map(|tree| Bounds::point(tree.density() as f64));
            of(left).into_iter().zip(of(right)).map(|(x, y)| x * g - y * h).collect()
        }
        Assumption::Weights { b, a } => {
            let (weights, matrix) = (&bounds.partitions[*b], &bounds.partitions[*a]);
            let (s, j) = (weights.a.len(), stage);
            let zero = Butcher { a: vec![vec![Bounds::zero(); s]; s], b: vec![Bounds::zero(); s], c: Vec::new() };
            let mut gradient = Tableau { partitions: vec![zero; bounds.partitions.len()] };
            for i in 0..s {
                gradient.partitions[*b].b[i] += matrix.a[i][j];
                gradient.partitions[*a].a[i][j] += weights.b[i];
                gradient.partitions[FAST].a[j][i] += matrix.b[j];
            }
            gradient.partitions[*a].b[j] += bounds.partitions[FAST].c[j] - Bounds::one();
            restricted(&gradient, slots)
        }
        Assumption::SharedWeights => {
            let unit = |slot: &Slot| match (slot.row == bounds.stages() && slot.column == stage, slot.partition) {
                (false, _) => Bounds::zero(),
                (true, SLOW) => Bounds::one(),
                (true, _) => -Bounds::one(),
            };
            slots.iter().map(unit).collect()
        }
    }
}

/// A bound on ‖I − G′R‖∞.
fn deviation(jacobian: &[Vec<Bounds>], inverse: &DMatrix<f64>) -> f64 {
    let row_sum = |(i, row): (usize, &Vec<Bounds>)| {
        let entry = |k: usize| {
            let unit = if i == k { Bounds::one() } else { Bounds::zero() };
            let products = row.iter().enumerate().map(|(j, x)| *x * Bounds::point(inverse[(j, k)]));
            products.fold(unit, |difference, product| difference - product).size()
        };
        upwards((0..jacobian.len()).map(entry).sum())
    };
    // `max` would forget a NaN.
    jacobian.iter().enumerate().map(row_sum).fold(0.0, |max, sum| if sum <= max { max } else { sum })
}

fn largest(values: &[Exact]) -> f64 {
    values.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max)
}

/// A little more: covers the rounding of sums of a thousand positive doubles.
fn upwards(x: f64) -> f64 {
    x * (1.0 + 2048.0 * f64::EPSILON)
}
