//! The equations that a certificate is about: assumptions, conditions, and coefficients of the fast part's polynomial.

use dashu::rational::RBig;
use hemiola_order::{Kind, Tree, free_coefficients, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Scalar, Tableau, dot};
use nalgebra::{DMatrix, DVector, SVD};
use num_traits::{One, Zero};

use crate::assumption::{Assumption, Vector, psi};
use crate::bounds::{Bounds, upwards};
use crate::dual::Dual;
use crate::pattern::FAST;

/// Singular values below this part of the largest count as zero: the equations are then not independent.
const RANK_TOLERANCE: f64 = 1e-9;

/// Equations G(x) = 0 in the coefficients x that the structure of a tableau leaves free.
pub(crate) struct System {
    /// Vectors with the stages at which they are to vanish.
    vectors: Vec<(Vector, Vec<usize>)>,
    /// Φ(t) = the number.
    weights: Vec<(Tree, RBig)>,
    unknowns: Unknowns,
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
        let vectors = assumptions.iter().map(|assumption| (assumption.vector.clone(), assumption.imposed.clone()));
        let conditions = conditions.iter().map(|tree| (tree.clone(), RBig::ONE / RBig::from(tree.density())));
        let polynomial = polynomial.iter().map(|(power, beta)| (chain(*power), beta.clone()));
        Self {
            vectors: vectors.collect(),
            weights: conditions.chain(polynomial).collect(),
            unknowns: Unknowns::new(tableau),
        }
    }

    /// Proves a solution near the tableau, or `None` where that fails.
    ///
    /// With ε = ‖G(x)‖∞ and K = sup ‖I − G′R‖∞ ≤ ½ over all x + Ry with ‖y‖∞ ≤ 2ε, the map y ↦ y − G(x + Ry) contracts that ball
    /// into itself: there G has a zero (Banach; the operator is Krawczyk's of 1969, with the box in the coordinates y).
    pub(crate) fn enclose(&self, tableau: &Tableau<Exact>) -> Option<Enclosure> {
        // What is below the smallest double is not zero.
        let residual = upwards(largest(&self.values(tableau))).max(f64::MIN_POSITIVE);
        let inverse = self.right_inverse(tableau)?;
        let reach = inverse.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
        let radius = upwards(upwards(upwards(reach) * 2.0) * residual);
        let contraction = deviation(&self.jacobian(tableau, radius), &inverse);
        (contraction <= 0.5 && radius.is_finite()).then_some(Enclosure { residual, contraction, radius })
    }

    /// Newton steps of smallest norm with exact residuals: each gains some fifteen digits.
    pub(crate) fn refine(&self, tableau: &Tableau<Exact>, round: impl Fn(&RBig) -> RBig) -> Option<Tableau<Exact>> {
        // The inverse stays: after a first move of up to 1e-6, each step gains no more than six digits.
        const STEPS: usize = 12;
        let inverse = self.right_inverse(tableau)?;
        let (mut at, mut values) = (tableau.clone(), self.values(tableau));
        for _ in 0..STEPS {
            let step = &inverse * DVector::from_iterator(values.len(), values.iter().map(Exact::to_f64));
            let mut trial = at.clone();
            for (slot, step) in self.unknowns.slots.iter().zip(step.iter()) {
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

    /// The largest residual.
    pub(crate) fn worst(&self, tableau: &Tableau<Exact>) -> Exact {
        let sizes = self.values(tableau).into_iter().map(|x| if x.sign().is_lt() { -x } else { x });
        sizes.reduce(|x, y| if (x.clone() - y.clone()).sign().is_lt() { y } else { x }).unwrap_or_else(Exact::zero)
    }

    /// G(x), exactly.
    fn values(&self, tableau: &Tableau<Exact>) -> Vec<Exact> {
        let vectors = self.vectors.iter().flat_map(|(vector, stages)| {
            let all = vector.at(tableau);
            stages.iter().map(move |&stage| all[stage].clone())
        });
        let weights = self.weights.iter().map(|(tree, expected)| weight(tree, tableau) - Exact::from(expected.clone()));
        vectors.chain(weights).collect()
    }

    /// G′ with respect to the unknowns at all tableaus whose coefficients differ by no more than a radius.
    fn jacobian(&self, tableau: &Tableau<Exact>, radius: f64) -> Vec<Vec<Bounds>> {
        let ball = self.unknowns.ball(tableau, radius);
        let vectors = self.vectors.iter().flat_map(|(vector, stages)| {
            let mut all = self.unknowns.gradients(vector, &ball);
            stages.iter().map(move |&stage| std::mem::take(&mut all[stage]))
        });
        let weights = self.weights.iter().map(|(tree, _)| self.unknowns.weight_gradient(tree, &ball));
        vectors.chain(weights).collect()
    }

    /// A right inverse of G′ in doubles, of smallest norm; `None` where the rows are not independent.
    fn right_inverse(&self, tableau: &Tableau<Exact>) -> Option<DMatrix<f64>> {
        let rows = self.jacobian(tableau, 0.0);
        if rows.is_empty() || rows.len() > self.unknowns.slots.len() {
            return None;
        }
        let mut jacobian = DMatrix::from_fn(rows.len(), self.unknowns.slots.len(), |i, j| rows[i][j].middle());
        // High coefficients of the polynomial are small, and so are their gradients: rows of length one show the rank.
        let lengths: Vec<f64> = jacobian.row_iter().map(|row| row.norm().max(f64::MIN_POSITIVE)).collect();
        jacobian.row_iter_mut().zip(&lengths).for_each(|(mut row, length)| row /= *length);
        let svd = SVD::try_new(jacobian, true, true, f64::EPSILON, 10_000)?;
        let (smallest, largest) = (svd.singular_values.min(), svd.singular_values.max());
        let is_independent = smallest > RANK_TOLERANCE * largest;
        let mut inverse = svd.pseudo_inverse(0.0).ok().filter(|_| is_independent)?;
        inverse.column_iter_mut().zip(&lengths).for_each(|(mut column, length)| column /= *length);
        inverse.iter().all(|x| x.is_finite()).then_some(inverse)
    }
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

/// The coefficients that the structure of a tableau leaves free.
pub(crate) struct Unknowns {
    slots: Vec<Slot>,
}

impl Unknowns {
    pub(crate) fn new(tableau: &Tableau<Exact>) -> Self {
        let free = free_coefficients(tableau);
        let s = tableau.stages();
        let places = (0..free.partitions.len()).flat_map(|partition| {
            (0..=s).flat_map(move |row| (0..s).map(move |column| Slot { partition, row, column }))
        });
        Self { slots: places.filter(|slot| *slot.entry(&free)).collect() }
    }

    /// All tableaus of this structure whose coefficients differ by no more than a radius.
    pub(crate) fn ball(&self, tableau: &Tableau<Exact>, radius: f64) -> Tableau<Bounds> {
        self.filled(tableau.stages(), tableau.partitions.len(), |_, slot| Bounds::around(slot.entry(tableau), radius))
    }

    fn filled<T: Scalar>(&self, s: usize, partitions: usize, entry: impl Fn(usize, &Slot) -> T) -> Tableau<T> {
        let zero = Butcher { a: vec![vec![T::zero(); s]; s], b: vec![T::zero(); s], c: Vec::new() };
        let mut tableau = Tableau { partitions: vec![zero; partitions] };
        for (k, slot) in self.slots.iter().enumerate() {
            *slot.entry_mut(&mut tableau) = entry(k, slot);
        }
        tableau.partitions.iter_mut().for_each(|butcher| butcher.c = butcher.row_sums());
        tableau
    }

    /// The gradients of a vector's components, stage by stage.
    pub(crate) fn gradients(&self, vector: &Vector, ball: &Tableau<Bounds>) -> Vec<Vec<Bounds>> {
        let count = self.slots.len();
        let dual = |k: usize, slot: &Slot| Dual::unknown(*slot.entry(ball), k, count);
        let tableau = self.filled(ball.stages(), ball.partitions.len(), dual);
        vector.at(&tableau).into_iter().map(|component| component.gradient(count)).collect()
    }

    pub(crate) fn weight_gradient(&self, tree: &Tree, ball: &Tableau<Bounds>) -> Vec<Bounds> {
        let gradient = value_and_gradient(tree, ball).1;
        self.slots.iter().map(|slot| *slot.entry(&gradient)).collect()
    }
}

/// A bound on ‖I − G′R‖∞.
pub(crate) fn deviation(jacobian: &[Vec<Bounds>], inverse: &DMatrix<f64>) -> f64 {
    let row_sum = |(i, row): (usize, &Vec<Bounds>)| {
        let entry = |k: usize| {
            let unit = if i == k { Bounds::one() } else { Bounds::zero() };
            let products = row.iter().enumerate().map(|(j, x)| *x * Bounds::point(inverse[(j, k)]));
            products.fold(unit, |difference, product| difference - product).size()
        };
        upwards((0..jacobian.len()).map(entry).sum())
    };
    // A size is never NaN, which `max` would forget.
    jacobian.iter().enumerate().map(row_sum).fold(0.0, f64::max)
}

fn largest(values: &[Exact]) -> f64 {
    values.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max)
}
