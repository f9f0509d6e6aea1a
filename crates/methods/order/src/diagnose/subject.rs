//! The tableau that is searched for a misprint. Weights to which a claim refers are added as separate partitions.
//!
//! Embedded weights satisfy the order conditions with b̂ in place of b, and the coefficients of each power of θ
//! in a dense output satisfy them with other right-hand sides. As weights of further partitions with unused
//! stages, they take part in hypotheses like all other entries.

use hemiola_tableau::{Claims, Coefficient, Method, Partition};

use crate::diagnose::claim::{Claim, CoefficientArray};
use crate::diagnose::options::DiagnoseOptions;
use crate::diagnose::suspects::{SuspectExtent, suspects};
use crate::error::OrderError;
use crate::verdict::cell::{Cell, TableauPosition};

/// The weights by which a method is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FurtherWeights {
    None,
    Embedded,
    Dense,
}

/// A method with the weights to which a claim refers.
///
/// If the order fails and the method has embedded weights with an order of their own, the two sets of weights share the
/// stages, so the conditions of both confine A. The order of the embedded weights may be the lower or the higher one.
pub(super) struct ExtendedMethod<'a> {
    original: &'a Method,
    pub(super) claim: Claim,
    weights: FurtherWeights,
    /// The orders up to which the own and the further weights satisfy conditions.
    orders: [usize; 2],
    /// The method with further partitions.
    pub(super) method: Method,
    /// The number of partitions of the original.
    pub(super) partitions: usize,
}

impl<'a> ExtendedMethod<'a> {
    /// Extends a method by the weights of a claim. `with_embedded` also extends it by embedded weights if its order is
    /// diagnosed.
    ///
    /// # Errors
    /// Returns [`OrderError::NoWeights`] if the method lacks the weights of the claim, [`OrderError::TooManyWeights`]
    /// if there are too many of them.
    pub(super) fn new(
        original: &'a Method,
        options: &DiagnoseOptions,
        with_embedded: bool,
    ) -> Result<Self, OrderError> {
        let (claim, order, claims) = (options.claim, options.order, original.claims());
        let partitions = original.partitions().len();
        let (weights, orders) = match claim {
            Claim::Order if with_embedded => (FurtherWeights::Embedded, [order, claims.embedded_order.unwrap_or(0)]),
            Claim::Order | Claim::SeparableOrder => (FurtherWeights::None, [order, 0]),
            Claim::EmbeddedOrder => (FurtherWeights::Embedded, [claims.order.unwrap_or(order), order]),
            Claim::DenseOrder => (FurtherWeights::Dense, [0, order]),
        };
        let further = match weights {
            FurtherWeights::None => None,
            FurtherWeights::Embedded => Some(embedded(original)),
            FurtherWeights::Dense => Some(dense(original)),
        };
        let method = match further {
            None => original.clone(),
            Some(weights) => extended(original, weights.ok_or(OrderError::NoWeights { claim })?)?,
        };
        Ok(Self { original, claim, weights, orders, method, partitions })
    }

    /// Returns whether the order of a method can be diagnosed together with that of its embedded weights.
    pub(super) fn shares_stages(original: &Method, claim: Claim) -> bool {
        claim == Claim::Order && original.claims().embedded_order.is_some() && embedded(original).is_some()
    }

    /// Returns the method without further weights.
    pub(super) fn original(&self) -> &'a Method {
        self.original
    }

    /// Returns whether the embedded weights must keep their order although another claim is diagnosed.
    pub(super) fn keeps_embedded_order(&self) -> bool {
        self.claim == Claim::Order && self.weights == FurtherWeights::Embedded
    }

    /// Returns the highest order of a condition.
    pub(super) fn highest_order(&self) -> usize {
        self.orders[0].max(self.orders[1])
    }

    /// Returns whether the method's own weights satisfy the conditions of an order.
    pub(super) fn has_own_order(&self, order: usize) -> bool {
        order <= self.orders[0]
    }

    /// Returns whether the further weights satisfy the conditions of an order.
    pub(super) fn has_further_order(&self, order: usize) -> bool {
        order <= self.orders[1]
    }

    /// Returns the number of kinds of further weights: one for embedded weights, one for each power of θ.
    pub(super) fn kinds(&self) -> usize {
        self.method.partitions().len() / self.partitions - 1
    }

    /// Returns the index of the further partition with weights of one kind.
    pub(super) fn further(&self, kind: usize, partition: usize) -> usize {
        self.partitions * (kind + 1) + partition
    }

    /// Returns the cells that may be in error. Entries that belong to other claims count as correct unless they are
    /// part of this claim.
    pub(super) fn suspects(&self, options: &DiagnoseOptions, extent: SuspectExtent) -> Vec<Cell> {
        let is_open = |cell: &Cell| {
            let is_weight = matches!(cell.place, TableauPosition::Weight { .. });
            let is_further = cell.partition >= self.partitions;
            let is_given = options.given.contains(&(cell.partition % self.partitions));
            !is_given
                && match self.claim {
                    Claim::Order | Claim::SeparableOrder => !is_further,
                    Claim::EmbeddedOrder => is_further == is_weight,
                    Claim::DenseOrder => is_further && is_weight,
                }
        };
        suspects(&self.method, extent).into_iter().filter(is_open).collect()
    }

    /// Returns the original with the coefficients of another method of the extended shape; `None` if that is not
    /// a valid method.
    pub(super) fn restored(&self, changed: &Method) -> Option<Method> {
        if self.kinds() == 0 {
            return Some(changed.clone());
        }
        let restored = |(r, original): (usize, &Partition)| {
            let own = &changed.partitions()[r];
            let weights = |kind: usize| changed.partitions()[self.further(kind, r)].b.clone();
            let mut partition = Partition { a: own.a.clone(), b: own.b.clone(), ..original.clone() };
            if self.weights == FurtherWeights::Embedded {
                partition.b_hat = Some(weights(0));
            } else {
                let columns: Vec<Vec<Coefficient>> = (0..self.kinds()).map(weights).collect();
                let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
                partition.dense = Some((0..own.b.len()).map(row).collect());
            }
            partition
        };
        let partitions = self.original.partitions().iter().enumerate().map(restored).collect();
        let (claims, precision, source) =
            (self.original.claims(), self.original.precision(), self.original.source().clone());
        Method::new(self.original.id(), self.original.name(), partitions, claims, precision, source).ok()
    }

    /// Returns the position of a cell in the original.
    pub(super) fn entry(&self, cell: Cell) -> (Cell, CoefficientArray) {
        let array = match (cell.partition / self.partitions, self.weights) {
            (0, _) => CoefficientArray::Tableau,
            (_, FurtherWeights::Embedded) => CoefficientArray::Embedded,
            (power, _) => CoefficientArray::Dense { power },
        };
        (Cell { partition: cell.partition % self.partitions, ..cell }, array)
    }

    /// Returns the pairs of rows that may be exchanged, each as pairs of cells: two rows of A, the last row of A and b,
    /// or b and b̂, the latter in one partition or in all of them.
    pub(super) fn row_pairs(&self, options: &DiagnoseOptions) -> Vec<Vec<(Cell, Cell)>> {
        let s = self.method.stages();
        let open = |partition: &usize| !options.given.contains(partition);
        let parts: Vec<usize> = (0..self.partitions).filter(open).collect();
        let row = |partition: usize, row: usize| -> Vec<Cell> {
            let place = |column| match row < s {
                true => TableauPosition::Matrix { row, column },
                false => TableauPosition::Weight { column },
            };
            (0..s).map(|column| Cell { partition, place: place(column) }).collect()
        };
        let pair = |one: Vec<Cell>, other: Vec<Cell>| one.into_iter().zip(other).collect::<Vec<_>>();
        let mut pairs = Vec::new();
        if matches!(self.claim, Claim::Order | Claim::SeparableOrder) {
            // Row s stands for b.
            let rows = (0..=s).flat_map(|i| (i + 1..=s).map(move |k| (i, k)));
            let of = |&p: &usize| rows.clone().map(move |(i, k)| (p, i, k));
            pairs.extend(parts.iter().flat_map(of).map(|(p, i, k)| pair(row(p, i), row(p, k))));
        }
        if self.weights == FurtherWeights::Embedded {
            let weights = |&p: &usize| pair(row(p, s), row(self.further(0, p), s));
            pairs.extend(parts.iter().map(weights));
            if parts.len() > 1 {
                pairs.push(parts.iter().flat_map(weights).collect());
            }
        }
        pairs
    }
}

/// Returns the embedded weights of all partitions.
fn embedded(method: &Method) -> Option<Vec<Vec<Coefficient>>> {
    method.partitions().iter().map(|partition| partition.b_hat.clone()).collect()
}

/// Returns the coefficients of each power of θ, for all partitions in sequence.
fn dense(method: &Method) -> Option<Vec<Vec<Coefficient>>> {
    let all: Vec<_> = method.partitions().iter().map(|partition| partition.dense.as_ref()).collect::<Option<_>>()?;
    let powers = 0..all.first()?.first()?.len();
    let column = |rows: &Vec<Vec<Coefficient>>, k: usize| rows.iter().map(|row| row[k].clone()).collect();
    Some(powers.flat_map(|k| all.iter().map(move |rows| column(rows, k))).collect())
}

/// Appends partitions that have these weights and evaluate nothing.
fn extended(original: &Method, weights: Vec<Vec<Coefficient>>) -> Result<Method, OrderError> {
    let too_many = OrderError::TooManyWeights { weights: weights.len() };
    let Ok(zero) = Coefficient::parse("0") else { return Err(too_many) };
    let own = original.partitions().iter().map(|x| Partition { b_hat: None, dense: None, ..x.clone() });
    let s = original.stages();
    let further = weights.into_iter().enumerate().map(|(k, b)| Partition {
        name: format!("weights {k}"),
        a: vec![vec![zero.clone(); s]; s],
        b,
        c: None,
        b_hat: None,
        dense: None,
    });
    let partitions: Vec<Partition> = own.chain(further).collect();
    let claims = Claims { order: original.claims().order, ..Default::default() };
    let source = original.source().clone();
    Method::new(original.id(), original.name(), partitions, claims, original.precision(), source).map_err(|_| too_many)
}
