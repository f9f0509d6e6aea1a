//! The unknowns of a diagonally implicit design: entries of the tableau that are free, with their ties.

use hemiola_tableau::{Butcher, Exact, Scalar, Tableau};

use crate::implicit::specification::{DiagonalStructure, ImplicitSpecification, Role};
use crate::pair::place::CoefficientIndex;

/// Reciprocal of the fixed embedded weight, which differs from useful diagonal entries.
const LAST_EMBEDDED: u64 = 32;

/// The unknowns, each with all its positions, and the fixed entries.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) unknowns: Vec<Vec<CoefficientIndex>>,
    /// The unknown on the diagonal, if all its entries are equal and not fixed.
    pub(crate) gamma: Option<usize>,
    /// The stages at which each partition is evaluated.
    pub(crate) evaluated: Vec<Vec<usize>>,
    base: Tableau<Exact>,
}

impl Layout {
    /// Lists the unknowns for a choice of evaluated stages, including embedded weights on request.
    pub(crate) fn new(specification: &ImplicitSpecification, evaluated: Vec<Vec<usize>>, has_embedded: bool) -> Self {
        let s = specification.stages();
        let zeros = || vec![Exact::from(0); s];
        let empty = Butcher { a: vec![zeros(); s], b: zeros(), c: Vec::new() };
        let sets = if has_embedded { 2 } else { 1 };
        let base = Tableau { partitions: vec![empty; sets * evaluated.len()] };
        let mut layout = Self { unknowns: Vec::new(), gamma: None, evaluated, base };
        // Weights that equal a diagonal entry are tied first, then those that are shared with them.
        let mut partitions: Vec<usize> = (0..layout.evaluated.len()).collect();
        partitions.sort_by_key(|&partition| specification.partitions[partition].role == Role::Explicit);
        for &partition in &partitions {
            let shared = (specification.shared_weights && partition != partitions[0]).then_some(partitions[0]);
            layout.push_partition(specification, partition, shared);
            if has_embedded {
                layout.push_embedded(partition, shared);
            }
        }
        layout
    }

    /// Adds the unknowns of a partition, whose weights may be those of another one.
    fn push_partition(&mut self, specification: &ImplicitSpecification, partition: usize, shared: Option<usize>) {
        let s = specification.stages();
        let own = self.evaluated[partition].clone();
        let is_implicit = specification.partitions[partition].role == Role::Implicit;
        let is_copied = is_implicit && specification.stiffly_accurate;
        let place = |row: usize, column: usize| CoefficientIndex { partition, row, column };
        for row in (0..s).filter(|&row| !(is_copied && row + 1 == s)) {
            self.unknowns.extend(own.iter().filter(|&&column| column < row).map(|&column| vec![place(row, column)]));
        }
        if is_implicit {
            self.push_diagonal(specification, partition);
        }
        for &column in &own {
            let weight = place(s, column);
            match shared {
                Some(shared) => self.tie(weight, CoefficientIndex { partition: shared, ..weight }),
                None if is_copied && column + 1 == s => self.tie(weight, place(column, column)),
                None if is_copied => self.unknowns.push(vec![weight, place(s - 1, column)]),
                None => self.unknowns.push(vec![weight]),
            }
        }
    }

    /// Adds embedded weights, in a partition of their own after all others.
    ///
    /// Their last entry is fixed, because weights with another last entry lie on the line through them and the weights
    /// b.
    fn push_embedded(&mut self, partition: usize, shared: Option<usize>) {
        let (count, row) = (self.evaluated.len(), self.base.stages());
        let own = self.evaluated[partition].clone();
        let place = |partition: usize, column: usize| CoefficientIndex { partition: count + partition, row, column };
        for (k, &column) in own.iter().enumerate() {
            match shared {
                Some(shared) => self.tie(place(partition, column), place(shared, column)),
                None if k + 1 == own.len() => {
                    *place(partition, column).entry_mut(&mut self.base) = Exact::from_ratio(1, LAST_EMBEDDED);
                }
                None => self.unknowns.push(vec![place(partition, column)]),
            }
        }
    }

    /// Adds the diagonal of an implicit partition: one unknown or one for each stage, or a fixed number.
    fn push_diagonal(&mut self, specification: &ImplicitSpecification, partition: usize) {
        let first = usize::from(specification.structure == DiagonalStructure::Esdirk);
        let diagonal = self.evaluated[partition].iter().skip(first);
        let places: Vec<_> = diagonal.map(|&stage| CoefficientIndex { partition, row: stage, column: stage }).collect();
        match (specification.gamma.value(), specification.structure) {
            (Some(gamma), _) => {
                for place in places {
                    *place.entry_mut(&mut self.base) = Exact::from(gamma.clone());
                }
            }
            (None, DiagonalStructure::Dirk) => self.unknowns.extend(places.into_iter().map(|place| vec![place])),
            (None, _) => {
                // Several implicit partitions have their own diagonals.
                self.gamma = self.gamma.or(Some(self.unknowns.len()));
                self.unknowns.push(places);
            }
        }
    }

    /// Makes an entry equal to another one, which may be an unknown or fixed.
    fn tie(&mut self, entry: CoefficientIndex, to: CoefficientIndex) {
        match self.unknowns.iter().position(|places| places.contains(&to)) {
            Some(known) => self.unknowns[known].push(entry),
            None => *entry.entry_mut(&mut self.base) = to.entry(&self.base).clone(),
        }
    }

    /// Returns the table for given values of the unknowns; `fixed` converts the fixed entries.
    pub(crate) fn tableau<T: Scalar>(&self, x: &[T], fixed: impl Fn(&Exact) -> T) -> Tableau<T> {
        let vector = |row: &Vec<Exact>| row.iter().map(&fixed).collect::<Vec<T>>();
        let part = |x: &Butcher<Exact>| Butcher { a: x.a.iter().map(vector).collect(), b: vector(&x.b), c: Vec::new() };
        let mut tableau = Tableau { partitions: self.base.partitions.iter().map(part).collect() };
        for (places, value) in self.unknowns.iter().zip(x) {
            for place in places {
                *place.entry_mut(&mut tableau) = value.clone();
            }
        }
        tableau
    }

    /// Returns the table in doubles.
    pub(crate) fn doubles(&self, x: &[f64]) -> Tableau<f64> {
        self.tableau(x, Exact::to_f64)
    }

    /// Converts derivatives with respect to the entries to derivatives with respect to the unknowns.
    pub(crate) fn slopes(&self, gradient: &Tableau<f64>) -> Vec<f64> {
        let slope = |places: &Vec<CoefficientIndex>| places.iter().map(|place| *place.entry(gradient)).sum();
        self.unknowns.iter().map(slope).collect()
    }

    /// Returns the means of the entries of another table at the positions of each unknown.
    pub(crate) fn values(&self, tableau: &Tableau<f64>) -> Vec<f64> {
        let mean = |places: &Vec<CoefficientIndex>| {
            // Embedded weights start from the weights b.
            let entry = |place: &CoefficientIndex| {
                let partition = place.partition % self.evaluated.len();
                *CoefficientIndex { partition, ..*place }.entry(tableau)
            };
            places.iter().map(entry).sum::<f64>() / places.len() as f64
        };
        self.unknowns.iter().map(mean).collect()
    }
}
