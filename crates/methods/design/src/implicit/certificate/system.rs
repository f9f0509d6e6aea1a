//! The unknowns of a finished design, with the equations that it satisfies.

use hemiola_order::{OrderError, Tree};
use hemiola_tableau::{Butcher, Exact, Method, Scalar, Tableau};
use nalgebra::DMatrix;

use super::equation::CertifiedEquation;
use crate::implicit::layout::Layout;
use crate::implicit::problem::{of_embedded, structure};
use crate::implicit::reduction::TreeReduction;
use crate::implicit::specification::{DiagonalStructure, Gamma, ImplicitSpecification};
use crate::interval::bounds::RealInterval;
use crate::interval::dual::IntervalDual;
use crate::pair::place::CoefficientIndex;
use crate::polish::damping::DampingMatrix;
use crate::polish::equation::PolishEquation;
use crate::proof::independence::GradientSpan;
use crate::proof::trees::trees;

/// Largest |R̂(∞)| of embedded weights with fifty decimals that counts as zero.
const VANISHES: f64 = 1e-40;

/// The unknowns with their ties, and independent equations.
pub(super) struct ImplicitSystem {
    pub(super) unknowns: Vec<Vec<CoefficientIndex>>,
    pub(super) equations: Vec<CertifiedEquation>,
    /// The table with fifty decimals: the partitions, and one without A for each set of embedded weights.
    table: Tableau<Exact>,
}

impl ImplicitSystem {
    /// Collects the unknowns and the independent equations of a finished design.
    ///
    /// `at_infinity` has |R̂(∞)| of the embedded weights of each implicit partition; `None` if it is unbounded.
    pub(super) fn new(
        specification: &ImplicitSpecification,
        method: &Method,
        at_infinity: &[Option<f64>],
    ) -> Result<Self, OrderError> {
        let table = extended(method);
        let count = specification.partitions.len();
        let evaluated: Vec<Vec<usize>> = (0..count).map(|k| evaluated(specification, &table, k)).collect();
        // The equations determine a root, and the table contains its decimals.
        let is_root = matches!(specification.gamma, Gamma::Root { .. });
        let free = is_root.then(|| ImplicitSpecification { gamma: Gamma::Free, ..specification.clone() });
        let specification = free.as_ref().unwrap_or(specification);
        let mut unknowns = Layout::new(specification, evaluated.clone(), false).unknowns;
        let mut equations = structure(specification, &evaluated, false);
        let reduction = TreeReduction::new(specification);
        let conditions = |order: usize| Ok::<_, OrderError>(reduction.all(&trees(count, order)?).into_iter());
        equations.extend(conditions(specification.order)?.map(|(tree, _)| PolishEquation::Order(tree)));
        let mut all: Vec<CertifiedEquation> = equations.into_iter().map(CertifiedEquation::Designed).collect();
        if let Some(order) = method.claims().embedded_order {
            unknowns.extend(embedded_unknowns(specification, &evaluated));
            let rooted = |tree: &Tree| CertifiedEquation::Designed(PolishEquation::Order(of_embedded(tree, count)));
            all.extend(conditions(order)?.map(|(tree, _)| rooted(&tree)));
            for (partition, limit) in specification.implicit().zip(at_infinity) {
                all.extend(embedded_limits(specification, &evaluated[partition], partition, *limit));
            }
        }
        let mut system = Self { unknowns, equations: all, table };
        let mut span = GradientSpan::default();
        let rows = system.jacobian(&system.values(), 0.0);
        let is_new: Vec<bool> = rows.iter().map(|row| span.add_enclosed(row)).collect();
        let chosen = system.equations.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
        system.equations = chosen.map(|(equation, _)| equation).collect();
        Ok(system)
    }

    /// Returns the decimals of the unknowns.
    pub(super) fn values(&self) -> Vec<Exact> {
        self.unknowns.iter().map(|places| places[0].entry(&self.table).clone()).collect()
    }

    /// Computes all residuals.
    pub(super) fn residuals(&self, x: &[Exact]) -> Vec<Exact> {
        self.of_all(x, Exact::clone)
    }

    /// Encloses the derivatives of all residuals over the ball of a radius about a point.
    pub(super) fn jacobian(&self, x: &[Exact], radius: f64) -> Vec<Vec<RealInterval>> {
        let count = x.len();
        let unknown = |(k, x): (usize, &Exact)| IntervalDual::unknown(RealInterval::around(x, radius), k, count);
        let ball: Vec<IntervalDual> = x.iter().enumerate().map(unknown).collect();
        let fixed = |x: &Exact| IntervalDual::constant(RealInterval::around(x, 0.0));
        self.of_all(&ball, fixed).into_iter().map(|residual| residual.gradient(count)).collect()
    }

    /// Computes the derivatives of all residuals in doubles.
    pub(super) fn middle(&self, x: &[Exact]) -> DMatrix<f64> {
        let rows = self.jacobian(x, 0.0);
        DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i][j].middle())
    }

    fn of_all<T: Scalar>(&self, x: &[T], fixed: impl Fn(&Exact) -> T) -> Vec<T> {
        // Structural zeros have no derivatives, which keeps sums short.
        let fixed = |x: &Exact| if num_traits::Zero::is_zero(x) { T::zero() } else { fixed(x) };
        let vector = |row: &Vec<Exact>| row.iter().map(fixed).collect::<Vec<T>>();
        let part = |x: &Butcher<Exact>| Butcher { a: x.a.iter().map(vector).collect(), b: vector(&x.b), c: Vec::new() };
        let mut tableau = Tableau { partitions: self.table.partitions.iter().map(part).collect() };
        for (places, value) in self.unknowns.iter().zip(x) {
            places.iter().for_each(|place| *place.entry_mut(&mut tableau) = value.clone());
        }
        self.equations.iter().map(|equation| equation.residual(&tableau, fixed)).collect()
    }
}

/// Returns the stages at which a partition is evaluated; the explicit first stage is one, even if all its coefficients vanish.
fn evaluated(specification: &ImplicitSpecification, table: &Tableau<Exact>, partition: usize) -> Vec<usize> {
    let mut stages = table.partitions[partition].evaluated_stages();
    let is_esdirk = specification.structure == DiagonalStructure::Esdirk
        && specification.implicit().any(|implicit| implicit == partition);
    if is_esdirk && stages.first() != Some(&0) {
        stages.insert(0, 0);
    }
    stages
}

/// Returns the partitions, followed by one without A for each set of embedded weights.
fn extended(method: &Method) -> Tableau<Exact> {
    let mut table = method.exact();
    for weights in method.partitions().iter().filter_map(|part| part.b_hat.as_ref()) {
        let b = weights.iter().map(|x| x.value().clone()).collect();
        table.partitions.push(Butcher { a: Vec::new(), b, c: Vec::new() });
    }
    table
}

/// Returns the embedded weights: one unknown for all partitions if they share them.
fn embedded_unknowns(specification: &ImplicitSpecification, evaluated: &[Vec<usize>]) -> Vec<Vec<CoefficientIndex>> {
    let (count, row) = (specification.partitions.len(), specification.stages());
    let place = |partition: usize, column: usize| CoefficientIndex { partition: count + partition, row, column };
    if specification.shared_weights {
        return (0..row).map(|column| (0..count).map(|partition| place(partition, column)).collect()).collect();
    }
    let of = |(partition, stages): (usize, &Vec<usize>)| {
        stages.iter().map(move |&column| vec![place(partition, column)]).collect::<Vec<_>>()
    };
    evaluated.iter().enumerate().flat_map(of).collect()
}

/// Returns the equations of embedded weights at infinity that hold.
fn embedded_limits(
    specification: &ImplicitSpecification,
    stages: &[usize],
    partition: usize,
    limit: Option<f64>,
) -> Vec<CertifiedEquation> {
    let Some(limit) = limit else { return Vec::new() };
    let (weights, row) = (specification.partitions.len() + partition, specification.stages());
    let is_explicit = specification.structure == DiagonalStructure::Esdirk;
    let (stages, mut all) = (stages.to_vec(), Vec::new());
    if is_explicit {
        let matrix = DampingMatrix { partition, weights: Some(weights), stages: stages.clone(), row };
        all.push(CertifiedEquation::Designed(PolishEquation::Damped(matrix)));
    }
    if limit < VANISHES {
        all.push(CertifiedEquation::EmbeddedLimit { partition, weights, stages, is_explicit });
    }
    all
}
