//! The equations and the objective of a diagonally implicit design.

use hemiola_order::{NodeKind, Tree, value_and_gradient};
use hemiola_tableau::{Exact, Tableau};
use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;

use crate::error::DesignError;
use crate::implicit::layout::Layout;
use crate::implicit::reduction::{TreeReduction, needs_unknown_weights};
use crate::implicit::specification::{DiagonalStructure, ImplicitSpecification};
use crate::implicit::stability::{AxisPoint, StageLimits, amplification, axis_points};
use crate::polish::assumption::{AssumptionComponent, AssumptionVector};
use crate::polish::damping::DampingMatrix;
use crate::polish::equation::PolishEquation;
use crate::proof::trees::trees;

/// Weight of the excess of |R|² over one, relative to the error norm of the start.
const STABILITY_WEIGHT: f64 = 30.0;
/// Weight of the excess of a coefficient over its bound.
const SIZE_WEIGHT: f64 = 3.0;
/// Weight of the excess of the limit of a stage over its bound.
const INTERNAL_WEIGHT: f64 = 3.0;
/// Weight of the size of all coefficients, which decides between otherwise equal methods.
const TINY_WEIGHT: f64 = 1e-4;
/// Modulus that represents infinity in the joint region.
const INFINITE: f64 = 1e6;

/// A principal error coefficient: the residual of a tree with its weight.
#[derive(Clone, Debug)]
pub(crate) struct ErrorTerm {
    tree: Tree,
    weight: f64,
}

/// A point z at which |R| ≤ 1 is required.
#[derive(Clone, Debug)]
pub(crate) struct StabilityPoint {
    z: Vec<Complex64>,
    /// Factor of the excess.
    scale: f64,
}

/// The nonlinear program of a design.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) layout: Layout,
    pub(crate) equations: Vec<PolishEquation>,
    errors: Vec<ErrorTerm>,
    points: Vec<StabilityPoint>,
    largest: f64,
    /// The bound on the limits of stages, with the partitions to which it applies.
    internal: Option<(f64, Vec<usize>)>,
    /// Factor of the error terms, so that their norm is about one.
    pub(crate) error_scale: f64,
    /// The margin of |R|² below one, relative to the scale of its point.
    pub(crate) margin: f64,
}

/// Values with their derivatives, one row each.
pub(crate) struct Rows {
    pub(crate) values: DVector<f64>,
    pub(crate) slopes: DMatrix<f64>,
}

impl Problem {
    pub(crate) fn new(specification: &ImplicitSpecification, evaluated: Vec<Vec<usize>>) -> Result<Self, DesignError> {
        let has_embedded = needs_unknown_weights(specification)?;
        let layout = Layout::new(specification, evaluated, has_embedded);
        let count = specification.partitions.len();
        let reduction = TreeReduction::new(specification);
        let mut equations = structure(specification, &layout.evaluated, has_embedded);
        let conditions = reduction.all(&trees(count, specification.order)?);
        if has_embedded {
            let low = conditions.iter().filter(|(tree, _)| tree.order() < specification.order);
            equations.extend(low.map(|(tree, _)| PolishEquation::Order(of_embedded(tree, count))));
        }
        equations.extend(conditions.into_iter().map(|(tree, _)| PolishEquation::Order(tree)));
        let next = trees(count, specification.order + 1)?;
        let next: Vec<Tree> = next.into_iter().filter(|tree| tree.order() > specification.order).collect();
        let errors = reduction.all(&next).into_iter().map(|(tree, weight)| ErrorTerm { tree, weight }).collect();
        let points = points(specification);
        let (error_scale, margin) = (1.0, 0.0);
        let largest = specification.largest;
        let internal = specification.internal.map(|limit| (limit, specification.implicit().collect()));
        Ok(Self { layout, equations, errors, points, largest, internal, error_scale, margin })
    }

    /// Computes the residuals of the equations.
    pub(crate) fn residuals(&self, x: &[f64]) -> DVector<f64> {
        let tableau = self.layout.doubles(x);
        let value = |equation: &PolishEquation| equation.residual(&tableau, Exact::to_f64);
        DVector::from_iterator(self.equations.len(), self.equations.iter().map(value))
    }

    /// Computes the gradients of the equations.
    pub(crate) fn gradients(&self, x: &[f64]) -> Vec<DVector<f64>> {
        let tableau = self.layout.doubles(x);
        let slopes = |equation: &PolishEquation| DVector::from_vec(self.layout.slopes(&equation.gradient(&tableau)));
        self.equations.iter().map(slopes).collect()
    }

    /// Computes the norm of the principal error coefficients.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        let tableau = self.layout.doubles(x);
        let square = |term: &ErrorTerm| (term.weight * term.residual(&tableau)).powi(2);
        self.errors.iter().map(square).sum::<f64>().sqrt()
    }

    /// Computes the objective: half the sum of the squares of all terms.
    pub(crate) fn merit(&self, x: &[f64]) -> f64 {
        let tableau = self.layout.doubles(x);
        let errors = self.errors.iter().map(|term| self.error_scale * term.weight * term.residual(&tableau));
        let sizes = x.iter().map(|&x| self.size(x).0).chain(x.iter().map(|x| TINY_WEIGHT * x));
        let stability = self.points.iter().map(|point| self.instability(point, amplification(&tableau, &point.z).r));
        let internal = self.limits(&tableau).into_iter().map(|(value, ..)| value);
        0.5 * errors.chain(sizes).chain(stability).chain(internal).map(|x| x * x).sum::<f64>()
    }

    /// Computes all terms of the objective with their derivatives; terms that vanish nearby are omitted.
    pub(crate) fn terms(&self, x: &[f64]) -> Rows {
        let tableau = self.layout.doubles(x);
        let (mut values, mut rows): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for term in &self.errors {
            let (phi, gradient) = value_and_gradient(&term.tree, &tableau);
            let scale = self.error_scale * term.weight;
            values.push(scale * (phi - 1.0 / term.tree.density() as f64));
            rows.push(self.layout.slopes(&gradient).into_iter().map(|slope| scale * slope).collect());
        }
        for (k, &value) in x.iter().enumerate() {
            let (excess, slope) = self.size(value);
            for (value, slope) in [(excess, slope), (TINY_WEIGHT * value, TINY_WEIGHT)] {
                if slope != 0.0 {
                    let mut row = vec![0.0; x.len()];
                    row[k] = slope;
                    values.push(value);
                    rows.push(row);
                }
            }
        }
        for point in &self.points {
            let found = amplification(&tableau, &point.z);
            let value = self.instability(point, found.r);
            if value > 0.0 {
                let factor = STABILITY_WEIGHT * point.scale * 2.0;
                let slopes = self.layout.slopes(&found.gradient_of_half_square(&point.z));
                values.push(value);
                rows.push(slopes.into_iter().map(|slope| factor * slope).collect());
            }
        }
        for (value, slope, gradient) in self.limits(&tableau).into_iter().filter(|(value, ..)| *value > 0.0) {
            values.push(value);
            rows.push(self.layout.slopes(&gradient).into_iter().map(|x| slope * x).collect());
        }
        let slopes = DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i][j]);
        Rows { values: DVector::from_vec(values), slopes }
    }

    /// Returns the weighted excesses of the limits of stages before the last, each with its slope and the limit's gradient.
    fn limits(&self, tableau: &Tableau<f64>) -> Vec<(f64, f64, Tableau<f64>)> {
        let Some((largest, partitions)) = &self.internal else { return Vec::new() };
        let mut all = Vec::new();
        for &partition in partitions {
            let limits = StageLimits::new(tableau, partition, &self.layout.evaluated[partition]);
            for (stage, value) in limits.values.iter().enumerate().take(limits.values.len() - 1) {
                let excess = INTERNAL_WEIGHT * (value.abs() - largest).max(0.0);
                all.push((excess, INTERNAL_WEIGHT * value.signum(), limits.gradient(stage, tableau)));
            }
        }
        all
    }

    fn size(&self, x: f64) -> (f64, f64) {
        let excess = x.abs() - 0.98 * self.largest;
        if excess > 0.0 { (SIZE_WEIGHT * excess, SIZE_WEIGHT * x.signum()) } else { (0.0, 0.0) }
    }

    fn instability(&self, point: &StabilityPoint, r: Complex64) -> f64 {
        STABILITY_WEIGHT * (point.scale * (r.norm_sqr() - 1.0) + self.margin).max(0.0)
    }
}

impl ErrorTerm {
    fn residual(&self, tableau: &Tableau<f64>) -> f64 {
        crate::proof::trees::weight(&self.tree, tableau) - 1.0 / self.tree.density() as f64
    }
}

/// Returns the equations that do not come from trees: shared abscissae, stage order and damping at infinity.
pub(crate) fn structure(
    specification: &ImplicitSpecification,
    evaluated: &[Vec<usize>],
    has_embedded: bool,
) -> Vec<PolishEquation> {
    let (s, count) = (specification.stages(), specification.partitions.len());
    let mut all = Vec::new();
    if specification.has_shared_abscissae() {
        let rows = (1..count).flat_map(|partition| (1..s).map(move |row| (partition, row)));
        all.extend(rows.map(|(partition, row)| PolishEquation::SharedSum { partition, row }));
    }
    for partition in specification.implicit() {
        if specification.stage_order > 1 {
            // At other stages this would fix abscissae needlessly, because the partition does not use the values there.
            let later = evaluated[partition].iter().copied().filter(|&stage| stage > 0);
            all.extend(later.map(|stage| second_stage_order(partition, stage, count)));
        }
        if specification.structure == DiagonalStructure::Esdirk {
            // The limits of stages without an evaluation are bounded, since the partner uses these stages.
            let own = &evaluated[partition];
            for stage in (1..s).filter(|stage| !own.contains(stage)) {
                let stages = own.iter().copied().filter(|&earlier| earlier < stage).collect();
                let bounded = DampingMatrix { partition, weights: Some(partition), stages, row: stage };
                all.push(PolishEquation::Damped(bounded));
            }
            let matrix = |weights| DampingMatrix { partition, weights, stages: own.clone(), row: s };
            all.push(PolishEquation::Damped(matrix(None)));
            if has_embedded {
                all.push(PolishEquation::Damped(matrix(Some(count + partition))));
            }
        }
    }
    // The conditions of order five imply that a sum of squares with the weights vanishes if these are positive.
    let is_needed = specification.order >= 5 && specification.stage_order > 1 && specification.has_shared_abscissae();
    let explicit = (0..count).filter(|&k| specification.implicit().all(|other| other != k));
    if is_needed {
        all.extend(explicit.flat_map(|k| (2..s).map(move |stage| second_stage_order(k, stage, count))));
    }
    all
}

/// Returns the tree of the same condition for the embedded weights of its partition.
pub(crate) fn of_embedded(tree: &Tree, partitions: usize) -> Tree {
    match tree.kind() {
        NodeKind::Partition(color) => Tree::new(NodeKind::Partition(partitions + color), tree.children().to_vec()),
        NodeKind::Time(_) => tree.clone(),
    }
}

/// Σⱼ aᵢⱼcⱼ = cᵢ²/2 at a stage.
fn second_stage_order(partition: usize, stage: usize, partitions: usize) -> PolishEquation {
    let node = |children| Tree::new(NodeKind::Partition(partition), children);
    let leaf = || node(Vec::new());
    let vector = AssumptionVector::Stages { left: node(vec![node(vec![leaf()])]), right: node(vec![leaf(), leaf()]) };
    PolishEquation::Assumed(AssumptionComponent { vector, stage, partitions })
}

/// Returns the points at which |R| ≤ 1 is required: the imaginary axis of each implicit partition, and the joint region.
fn points(specification: &ImplicitSpecification) -> Vec<StabilityPoint> {
    let count = specification.partitions.len();
    let axis = axis_points(specification.order);
    let mut all = Vec::new();
    for partition in specification.implicit() {
        for &AxisPoint { y, scale } in &axis {
            let mut z = vec![Complex64::ZERO; count];
            z[partition] = Complex64::new(0.0, y);
            all.push(StabilityPoint { z, scale });
        }
    }
    if specification.joint > 0.0 && count == 2 {
        let implicit = specification.implicit().next().unwrap_or(1);
        let radius = specification.joint / 2.0;
        let tilt = (90.0 - specification.joint_wedge).to_radians();
        for k in 0..12 {
            let turn = std::f64::consts::PI * f64::from(k) / 6.0;
            let explicit = Complex64::from_polar(radius, turn) - radius;
            for sign in [1.0, -1.0] {
                for y in axis.iter().step_by(3).map(|point| point.y).chain([INFINITE]) {
                    let mut z = vec![explicit; 2];
                    z[implicit] = Complex64::new(-y * tilt.sin(), sign * y * tilt.cos());
                    // Conjugate points have conjugate values.
                    if explicit.im > -1e-12 {
                        all.push(StabilityPoint { z, scale: 1.0 });
                    }
                }
            }
        }
    }
    all
}
