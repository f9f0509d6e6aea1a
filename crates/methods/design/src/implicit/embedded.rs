//! Embedded weights of order p − 1 whose stability functions vanish at infinity.
//!
//! The conditions are linear, and the weights b of the method satisfy them all. Embedded weights are b plus a multiple of
//! a direction in the null space, along which the error of the next order is small beside that of their own order: the
//! criteria B and C of Prince & Dormand (1981).

use hemiola_order::{NodeKind, Tree};
use hemiola_stability::sector_angle;
use hemiola_tableau::{Exact, Method, Tableau, dot};
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use num_traits::{One, Zero};

use crate::error::DesignError;
use crate::implicit::method::finished;
use crate::implicit::specification::ImplicitSpecification;
use crate::proof::independence::GradientSpan;
use crate::proof::trees::{psi, trees};

/// Multiples of the balanced length, tried in turn until the embedded method is A-stable.
const MULTIPLES: [f64; 10] = [1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.25, -0.25, 4.0, -4.0];
/// Shortest step to embedded weights, as a fraction of the longest: the error of the method may be nearly zero.
const LEAST_STEP: f64 = 0.01;
/// Digits of the steps of exact solutions.
const REFINEMENTS: usize = 8;

/// Requirement on R̂ at infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Damping {
    Vanishing,
    Bounded,
    Free,
}

/// The common conditions of the weights of some partitions.
struct WeightConditions {
    partitions: Vec<usize>,
    /// The stages at which weights are unknown.
    stages: Vec<usize>,
    /// Rows over these stages, with their right-hand sides.
    rows: Vec<(Vec<Exact>, Exact)>,
    /// The rows Ψ/σ of the trees of the embedded method's principal error, and of the next order.
    errors: [DMatrix<f64>; 2],
    /// The error coefficients of the method itself, one order higher.
    own_error: DVector<f64>,
}

/// Adds embedded weights to a finished method; returns it unchanged if there are none.
pub(crate) fn with_embedded(
    specification: &ImplicitSpecification,
    method: Method,
    radius: Option<f64>,
) -> Result<Method, DesignError> {
    let order = specification.order - 1;
    if order == 0 {
        return Ok(method);
    }
    let tableau = method.exact();
    let mut found = None;
    for damping in [Damping::Vanishing, Damping::Bounded, Damping::Free] {
        let groups = groups(specification, &tableau, order, damping)?;
        let directions: Option<Vec<_>> =
            groups.into_iter().map(|group| group.direction(&tableau).map(|direction| (group, direction))).collect();
        found = directions;
        if found.is_some() {
            break;
        }
    }
    let Some(directions) = found else { return Ok(method) };
    let mut best: Option<(f64, Method)> = None;
    for multiple in MULTIPLES {
        let mut weights: Vec<Vec<Exact>> = tableau.partitions.iter().map(|part| part.b.clone()).collect();
        for (group, direction) in &directions {
            let Some(found) = group.weights(&tableau, &(direction * multiple)) else { return Ok(method) };
            group.partitions.iter().for_each(|&partition| weights[partition].clone_from(&found));
        }
        let trial = finished(specification, &method, Some((order, weights)), radius)?;
        let angle = smallest_angle(specification, &trial)?;
        if best.as_ref().is_none_or(|(largest, _)| angle > *largest) {
            best = Some((angle, trial));
        }
        if angle >= 90.0 {
            break;
        }
    }
    Ok(best.map_or(method, |(_, found)| found))
}

/// Returns the smallest sector angle of the embedded weights of implicit partitions; −1 if one has none.
fn smallest_angle(specification: &ImplicitSpecification, method: &Method) -> Result<f64, DesignError> {
    let Some(embedded) = method.embedded() else { return Ok(-1.0) };
    let mut smallest: f64 = 90.0;
    for partition in specification.implicit() {
        smallest = smallest.min(sector_angle(&embedded, partition)?.unwrap_or(-1.0));
    }
    Ok(smallest)
}

/// Collects the conditions of all partitions together if they share their weights, otherwise of each partition.
fn groups(
    specification: &ImplicitSpecification,
    tableau: &Tableau<Exact>,
    order: usize,
    damping: Damping,
) -> Result<Vec<WeightConditions>, DesignError> {
    let count = tableau.partitions.len();
    let sets: Vec<Vec<usize>> =
        if specification.shared_weights { vec![(0..count).collect()] } else { (0..count).map(|k| vec![k]).collect() };
    let all = trees(count, order + 2)?;
    let group = |partitions: Vec<usize>| {
        let mut group = WeightConditions::new(tableau, partitions, order, &all);
        let implicit = specification.implicit().filter(|partition| group.partitions.contains(partition));
        let rows: Vec<_> = implicit.flat_map(|partition| limits(tableau, partition, &group.stages, damping)).collect();
        group.rows.extend(rows);
        group
    };
    Ok(sets.into_iter().map(group).collect())
}

impl WeightConditions {
    fn new(tableau: &Tableau<Exact>, partitions: Vec<usize>, order: usize, trees: &[Tree]) -> Self {
        let stages = tableau.partitions[partitions[0]].evaluated_stages();
        let own = |tree: &&Tree| tree.kind() == NodeKind::Partition(partitions[0]);
        let vector = |tree: &Tree| {
            let all = psi(tree, tableau);
            stages.iter().map(|&stage| all[stage].clone()).collect::<Vec<Exact>>()
        };
        let right = |tree: &Tree| Exact::from_ratio(1, tree.density());
        let low = trees.iter().filter(own).filter(|tree| tree.order() <= order);
        let rows: Vec<(Vec<Exact>, Exact)> = low.map(|tree| (vector(tree), right(tree))).collect();
        let of = |order: usize| trees.iter().filter(own).filter(move |tree| tree.order() == order);
        let matrix = |order: usize| {
            let rows: Vec<Vec<f64>> = of(order)
                .map(|tree| vector(tree).iter().map(|x| x.to_f64() / tree.symmetry() as f64).collect())
                .collect();
            DMatrix::from_fn(rows.len(), stages.len(), |i, j| rows[i][j])
        };
        let b: Vec<Exact> = stages.iter().map(|&stage| tableau.partitions[partitions[0]].b[stage].clone()).collect();
        let error = |tree: &Tree| (dot(&b, &vector(tree)) - right(tree)).to_f64() / tree.symmetry() as f64;
        let own_error = DVector::from_vec(of(order + 2).map(error).collect());
        let errors = [matrix(order + 1), matrix(order + 2)];
        Self { partitions, stages, rows, errors, own_error }
    }

    /// Returns the change of the weights with the smallest ratio C, with a length at which B is at most 3C/2.
    fn direction(&self, tableau: &Tableau<Exact>) -> Option<DVector<f64>> {
        let count = self.stages.len();
        let mut span = GradientSpan::new(1e-9);
        for (row, _) in &self.rows {
            span.add(DVector::from_iterator(count, row.iter().map(Exact::to_f64)));
        }
        let null = span.complement(count);
        if null.ncols() == 0 {
            return None;
        }
        let [low, high] = self.errors.each_ref().map(|matrix| matrix * &null);
        let least = 1e-12 * low.norm_squared().max(1e-300);
        let gram = low.tr_mul(&low) + DMatrix::identity(null.ncols(), null.ncols()) * least;
        let inverse = gram.cholesky()?.l().try_inverse()?;
        let eigen = SymmetricEigen::new(&inverse * high.tr_mul(&high) * inverse.transpose());
        let (best, ratio) = eigen.eigenvalues.iter().enumerate().min_by(|(_, x), (_, y)| x.total_cmp(y))?;
        let direction = &null * (inverse.transpose() * eigen.eigenvectors.column(best));
        // The first nonzero entry is positive, whatever the eigenvector's sign.
        let sign = direction.iter().find(|x| x.abs() > 1e-9).map_or(1.0, |x| x.signum());
        let size = (&self.errors[0] * &direction).norm();
        let balanced = 2.0 * self.own_error.norm() / (ratio.sqrt().max(0.1) * size);
        let b = tableau.partitions[self.partitions[0]].b.iter().fold(0.0, |most: f64, b| most.max(b.to_f64().abs()));
        let longest = 0.5 * b.max(1.0) / direction.amax();
        // Weights with the order of the method estimate no error.
        (size > 1e-8 * direction.norm()).then(|| direction * (sign * balanced.max(LEAST_STEP * longest).min(longest)))
    }

    /// Returns weights that satisfy the conditions to more than fifty decimals, near b plus a step.
    fn weights(&self, tableau: &Tableau<Exact>, step: &DVector<f64>) -> Option<Vec<Exact>> {
        let b = &tableau.partitions[self.partitions[0]].b;
        let short = |x: f64| hemiola_number::parse_number(&format!("{x:.12}")).ok();
        let mut x: Vec<Exact> = Vec::with_capacity(self.stages.len());
        for (&stage, step) in self.stages.iter().zip(step.iter()) {
            x.push(short(b[stage].to_f64() + step)?);
        }
        let count = self.stages.len();
        let matrix = DMatrix::from_fn(self.rows.len(), count, |i, j| self.rows[i].0[j].to_f64());
        let inverse = matrix.pseudo_inverse(1e-10).ok()?;
        for _ in 0..REFINEMENTS {
            let residual = DVector::from_iterator(
                self.rows.len(),
                self.rows.iter().map(|(row, right)| (dot(row, &x) - right.clone()).to_f64()),
            );
            let step = &inverse * residual;
            let old: Vec<_> = x.iter().map(crate::pair::decimals::rational).collect();
            x = crate::pair::decimals::moved(&old, (-step).iter()).into_iter().map(Exact::from).collect();
        }
        let mut all = vec![Exact::zero(); b.len()];
        self.stages.iter().zip(x).for_each(|(&stage, x)| all[stage] = x);
        Some(all)
    }
}

/// Returns the conditions that R̂ of a partition is bounded and vanishes at infinity, over its evaluated stages.
///
/// With an explicit first stage, Â and a as in R = 1 + zb₁ + zb̂ᵀ(I − zÂ)⁻¹(e + za): b₁ = b̂ᵀÂ⁻¹a and b̂ᵀ(Â⁻¹e + Â⁻²a) = 1.
fn limits(tableau: &Tableau<Exact>, partition: usize, stages: &[usize], damping: Damping) -> Vec<(Vec<Exact>, Exact)> {
    if damping == Damping::Free {
        return Vec::new();
    }
    let a = |i: usize, j: usize| tableau.partitions[partition].a[stages[i]][stages[j]].clone();
    let count = stages.len();
    let first = usize::from(a(0, 0).is_zero());
    let solve = |right: Vec<Exact>| -> Vec<Exact> {
        let mut found: Vec<Exact> = Vec::with_capacity(right.len());
        for (i, right) in right.into_iter().enumerate() {
            let known = found.iter().enumerate().fold(right, |sum, (j, x)| sum - a(i + first, j + first) * x.clone());
            found.push(rounded(known / a(i + first, i + first)));
        }
        found
    };
    let ones = vec![Exact::one(); count - first];
    if first == 0 {
        // R̂(∞) = 1 − b̂ᵀA⁻¹e, which is always bounded.
        let vanishing = vec![(solve(ones), Exact::one())];
        return if damping == Damping::Vanishing { vanishing } else { Vec::new() };
    }
    let limits = solve((1..count).map(|i| a(i, 0)).collect());
    let bounded = [Exact::one()].into_iter().chain(limits.iter().map(|x| -x.clone())).collect();
    let sums = ones.into_iter().zip(&limits).map(|(one, x)| one + x.clone());
    // Â⁻¹(e + Â⁻¹a).
    let vanishing = [Exact::zero()].into_iter().chain(solve(sums.collect())).collect();
    let mut rows = vec![(bounded, Exact::zero()), (vanishing, Exact::one())];
    rows.truncate(if damping == Damping::Vanishing { 2 } else { 1 });
    rows
}

/// Rounds to the working decimals, so that quotients stay short; a division by zero gives zero.
fn rounded(x: Option<Exact>) -> Exact {
    x.map_or_else(Exact::zero, |x| Exact::from(crate::pair::decimals::rounded(&crate::pair::decimals::rational(&x))))
}
