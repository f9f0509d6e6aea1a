//! The unknowns of a table: its decimals, where equal decimals are one unknown.

use dashu::base::Abs;
use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Coefficient, Exact, Method, Scalar, Tableau};

use crate::pair::place::CoefficientIndex;

/// Smallest ratio of a number to its last unit at which equal decimals count as one number; shorter ones agree by
/// chance.
const FEWEST_DIGITS: f64 = 1e3;

/// An unknown: its value with all its positions, and a flag for the opposite sign at each.
pub(crate) struct DecimalUnknown {
    pub(crate) printed: RBig,
    /// One unit of the last decimal.
    pub(crate) unit: f64,
    pub(crate) places: Vec<(CoefficientIndex, bool)>,
}

/// The unknowns and the fixed entries of a table.
pub(crate) struct DecimalUnknowns {
    pub(crate) unknowns: Vec<DecimalUnknown>,
    /// The partitions, followed by one without A for each set of embedded weights.
    exact: Tableau<Exact>,
}

impl DecimalUnknowns {
    /// Collects the unknowns. If `ties` is set, positions with the same digits hold the same number.
    pub(crate) fn new(method: &Method, ties: bool) -> Self {
        let (exact, rounding) = (extended(method), method.rounding());
        let mut unknowns: Vec<DecimalUnknown> = Vec::new();
        for (place, coefficient) in places(method) {
            let Some(unit) = rounding.unit(coefficient) else { continue };
            let Some(value) = coefficient.value().as_rational() else { continue };
            let (size, is_negative) = (value.clone().abs(), *value < RBig::ZERO);
            let has_digits = size.to_f64().value() >= FEWEST_DIGITS * unit;
            let known = unknowns.iter_mut().find(|other| ties && has_digits && other.printed == size);
            match known {
                Some(other) => {
                    other.places.push((place, is_negative));
                    other.unit = other.unit.min(unit);
                }
                None => unknowns.push(DecimalUnknown { printed: size, unit, places: vec![(place, is_negative)] }),
            }
        }
        Self { unknowns, exact }
    }

    pub(crate) fn printed(&self) -> Vec<RBig> {
        self.unknowns.iter().map(|unknown| unknown.printed.clone()).collect()
    }

    /// Returns the table for given values of the unknowns.
    pub(crate) fn tableau(&self, x: &[RBig]) -> Tableau<Exact> {
        self.filled(&self.exact, |k| Exact::from(x[k].clone()))
    }

    /// Returns the table in another number type; `fixed` converts the fixed entries.
    pub(crate) fn converted<T: Scalar>(&self, fixed: impl Fn(&Exact) -> T, unknown: impl Fn(usize) -> T) -> Tableau<T> {
        let vector = |row: &Vec<Exact>| row.iter().map(&fixed).collect::<Vec<T>>();
        let part = |x: &Butcher<Exact>| Butcher { a: x.a.iter().map(vector).collect(), b: vector(&x.b), c: Vec::new() };
        let base = Tableau { partitions: self.exact.partitions.iter().map(part).collect() };
        self.filled(&base, unknown)
    }

    fn filled<T: Scalar>(&self, base: &Tableau<T>, unknown: impl Fn(usize) -> T) -> Tableau<T> {
        let mut tableau = base.clone();
        for (k, DecimalUnknown { places, .. }) in self.unknowns.iter().enumerate() {
            for (place, is_negative) in places {
                let value = unknown(k);
                *place.entry_mut(&mut tableau) = if *is_negative { -value } else { value };
            }
        }
        tableau
    }

    /// Converts derivatives with respect to the entries to derivatives with respect to the unknowns.
    pub(crate) fn slopes<T: Scalar>(&self, gradient: &Tableau<T>) -> Vec<T> {
        let slope = |unknown: &DecimalUnknown| {
            unknown.places.iter().fold(T::zero(), |sum, (place, is_negative)| {
                let entry = place.entry(gradient).clone();
                if *is_negative { sum - entry } else { sum + entry }
            })
        };
        self.unknowns.iter().map(slope).collect()
    }
}

/// Returns the partitions, followed by one for the embedded weights of each partition.
fn extended(method: &Method) -> Tableau<Exact> {
    let mut tableau = method.exact();
    let values = |row: &Vec<Coefficient>| row.iter().map(|x| x.value().clone()).collect::<Vec<Exact>>();
    for weights in method.partitions().iter().filter_map(|partition| partition.b_hat.as_ref()) {
        tableau.partitions.push(Butcher { a: Vec::new(), b: values(weights), c: Vec::new() });
    }
    tableau
}

/// Returns all coefficients of A, b and b̂ with their positions.
fn places(method: &Method) -> Vec<(CoefficientIndex, &Coefficient)> {
    let (count, s) = (method.partitions().len(), method.stages());
    let mut all = Vec::new();
    for (partition, part) in method.partitions().iter().enumerate() {
        let rows = part.a.iter().chain([&part.b]).enumerate();
        all.extend(rows.flat_map(|(row, entries)| {
            entries.iter().enumerate().map(move |(column, x)| (CoefficientIndex { partition, row, column }, x))
        }));
    }
    for (number, weights) in method.partitions().iter().filter_map(|part| part.b_hat.as_ref()).enumerate() {
        let place = |column| CoefficientIndex { partition: count + number, row: s, column };
        all.extend(weights.iter().enumerate().map(|(column, x)| (place(column), x)));
    }
    all
}
