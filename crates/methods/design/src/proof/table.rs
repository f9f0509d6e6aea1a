//! A pair with its embedded weights and its dense output, in the form required by the equations of a proof.

use std::ops::Range;

use hemiola_tableau::{Butcher, Exact, Method, Tableau};
use num_traits::Zero;

use crate::pair::partitions::{FAST, LABELS, SLOW};
use crate::pair::place::CoefficientIndex;
use crate::proof::free_coefficients::FreeCoefficients;

/// A pair by itself, and extended by further weights: embedded weights, and the coefficients of the powers of θ.
pub(crate) struct Table {
    /// The pair without last stages that only further weights use. Such stages do not affect its conditions.
    pub(crate) pair: Tableau<Exact>,
    /// The pair with all its stages. Its two partitions are followed by a slow and a fast partition without A for
    /// each vector of further weights.
    pub(crate) extended: Tableau<Exact>,
    /// The index of the vector b̂.
    pub(crate) embedded: Option<usize>,
    /// The indices of the vectors of θ, θ², ….
    pub(crate) powers: Range<usize>,
}

impl Table {
    /// Builds the table of a method. Further weights are omitted if they use a last stage whose rows are not the
    /// weights b.
    pub(crate) fn new(method: &Method) -> Self {
        let whole = method.exact();
        let pair = needed(whole.clone());
        let mut table = Self { extended: pair.clone(), pair, embedded: None, powers: 0..0 };
        let is_copy = |stage: usize| whole.partitions.iter().all(|butcher| butcher.a[stage] == butcher.b);
        if (table.pair.stages()..whole.stages()).all(is_copy) {
            table.extended = whole;
            table.push_further(method);
        }
        table
    }

    fn push_further(&mut self, method: &Method) {
        let parts = method.partitions();
        let value = |x: &hemiola_tableau::Coefficient| x.value().clone();
        if let Some(b_hat) = parts.iter().map(|part| part.b_hat.as_ref()).collect::<Option<Vec<_>>>() {
            b_hat.into_iter().for_each(|weights| self.push(weights.iter().map(value).collect()));
            self.embedded = Some(0);
        }
        let first = usize::from(self.embedded.is_some());
        let degree = parts.iter().map(|part| part.dense.as_ref().map_or(0, |rows| rows[0].len())).min().unwrap_or(0);
        for power in 0..degree {
            let column = |rows: &Vec<Vec<_>>| rows.iter().map(|row| value(&row[power])).collect();
            parts.iter().filter_map(|part| part.dense.as_ref()).for_each(|rows| self.push(column(rows)));
        }
        self.powers = first..first + degree;
    }

    fn push(&mut self, b: Vec<Exact>) {
        let (s, zero) = (self.extended.stages(), Exact::zero());
        self.extended.partitions.push(Butcher { a: vec![vec![zero.clone(); s]; s], b, c: vec![zero; s] });
    }

    /// Returns the stages whose rows are the weights b.
    pub(crate) fn copies(&self) -> Range<usize> {
        self.pair.stages()..self.extended.stages()
    }

    /// Returns the weights for roots of a color in a vector of further weights.
    pub(crate) fn weights<T>(tableau: &Tableau<T>, vector: usize, color: usize) -> &[T] {
        &tableau.partitions[partition(vector, color)].b
    }

    /// Returns the unknowns of a proof: the free coefficients of the pair and the nonzero further weights.
    ///
    /// The last power of θ makes the output end in b. It has unknowns at all stages at which b or another power has a
    /// coefficient.
    pub(crate) fn unknowns(&self) -> FreeCoefficients {
        let s = self.extended.stages();
        let is_zero = |vector: usize, color: usize, j: usize| Self::weights(&self.extended, vector, color)[j].is_zero();
        let last = self.powers.clone().next_back();
        let is_free = |vector: usize, color: usize, j: usize| {
            let is_used = || {
                !self.extended.partitions[color].b[j].is_zero() || self.powers.clone().any(|k| !is_zero(k, color, j))
            };
            if Some(vector) == last { is_used() } else { !is_zero(vector, color, j) }
        };
        let mut unknowns = FreeCoefficients::new(&self.pair);
        unknowns.copies = self.copies();
        // Weights are the row after the last stage, and there may be more stages here.
        let of_pair = self.pair.stages();
        unknowns.places.iter_mut().filter(|place| place.row == of_pair).for_each(|place| place.row = s);
        let vectors = 0..self.extended.partitions.len() / LABELS.len() - 1;
        let all = vectors.flat_map(|vector| [SLOW, FAST].map(|color| (vector, color)));
        let further = all.flat_map(|(vector, color)| {
            let place = move |column: usize| CoefficientIndex { partition: partition(vector, color), row: s, column };
            (0..s).filter(move |&j| is_free(vector, color, j)).map(place).collect::<Vec<_>>()
        });
        unknowns.places.extend(further.collect::<Vec<_>>());
        unknowns
    }

    /// Returns, for each color and stage with a coefficient, the position of b and those of the powers of θ that
    /// add up to it.
    pub(crate) fn ends(&self) -> Vec<(CoefficientIndex, Vec<CoefficientIndex>)> {
        let Some(last) = self.powers.clone().next_back() else { return Vec::new() };
        let of_last =
            |place: &CoefficientIndex| (0..LABELS.len()).find(|&color| place.partition == partition(last, color));
        let end = |place: &CoefficientIndex| {
            let at = |partition: usize| CoefficientIndex { partition, ..*place };
            let color = of_last(place)?;
            Some((at(color), self.powers.clone().map(|power| at(partition(power, color))).collect()))
        };
        self.unknowns().places.iter().filter_map(end).collect()
    }
}

/// Returns the partition of a vector of further weights.
pub(crate) fn partition(vector: usize, color: usize) -> usize {
    LABELS.len() * (vector + 1) + color
}

/// Removes last stages that no other stage and no weight uses.
fn needed(mut tableau: Tableau<Exact>) -> Tableau<Exact> {
    let is_unused =
        |butcher: &Butcher<Exact>, j: usize| butcher.b[j].is_zero() && butcher.a.iter().all(|row| row[j].is_zero());
    while tableau.stages() > 1 && tableau.partitions.iter().all(|butcher| is_unused(butcher, butcher.b.len() - 1)) {
        for butcher in &mut tableau.partitions {
            butcher.a.pop();
            butcher.a.iter_mut().for_each(|row| row.truncate(row.len() - 1));
            butcher.b.pop();
            butcher.c.pop();
        }
    }
    tableau
}
