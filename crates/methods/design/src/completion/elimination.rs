//! Linear equations in exact numbers, with a proof if they have no solution.

use hemiola_tableau::Exact;
use num_traits::{One, Zero};

/// A row with a leading one, and its representation as a combination of the given rows.
struct PivotRow {
    /// The index of the given row from which it was obtained.
    number: usize,
    column: usize,
    row: Vec<Exact>,
    right: Vec<Exact>,
    combination: Vec<(usize, Exact)>,
    /// The leading entry before it was scaled to one.
    value: Exact,
}

/// The equations Mx = r with several right-hand sides, added row by row.
pub(crate) struct Elimination {
    columns: usize,
    seen: usize,
    pivots: Vec<PivotRow>,
}

/// A combination of rows that vanishes on the left but not on the right.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction {
    /// The indices of the rows with their factors.
    pub(crate) combination: Vec<(usize, Exact)>,
    /// The combination of the right-hand sides, at least one of which does not vanish.
    pub(crate) right: Vec<Exact>,
}

impl Elimination {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, seen: 0, pivots: Vec::new() }
    }

    /// Adds the next row.
    ///
    /// # Errors
    /// Returns a [`Contradiction`] if the row depends on the rows before it only on the left.
    pub(crate) fn add(&mut self, mut row: Vec<Exact>, mut right: Vec<Exact>) -> Result<(), Contradiction> {
        let mut combination = vec![(self.seen, Exact::one())];
        self.seen += 1;
        for pivot in &self.pivots {
            let factor = -row[pivot.column].clone();
            if factor.is_zero() {
                continue;
            }
            add_multiple(&mut row, &factor, &pivot.row);
            add_multiple(&mut right, &factor, &pivot.right);
            add_combination(&mut combination, &factor, &pivot.combination);
        }
        let Some((column, value, inverse)) = leading(&row) else {
            combination.retain(|(_, factor)| !factor.is_zero());
            let agrees = right.iter().all(Zero::is_zero);
            return if agrees { Ok(()) } else { Err(Contradiction { combination, right }) };
        };
        let scale = |all: Vec<Exact>| all.into_iter().map(|x| x * inverse.clone()).collect::<Vec<Exact>>();
        let combination = combination.into_iter().map(|(number, by)| (number, by * inverse.clone())).collect();
        let pivot =
            PivotRow { number: self.seen - 1, column, row: scale(row), right: scale(right), combination, value };
        for other in &mut self.pivots {
            let factor = -other.row[column].clone();
            if !factor.is_zero() {
                add_multiple(&mut other.row, &factor, &pivot.row);
                add_multiple(&mut other.right, &factor, &pivot.right);
                add_combination(&mut other.combination, &factor, &pivot.combination);
            }
        }
        self.pivots.push(pivot);
        Ok(())
    }

    /// Returns the number of independent rows.
    pub(crate) fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Returns the free unknowns: the columns without a leading entry.
    pub(crate) fn free(&self) -> Vec<usize> {
        (0..self.columns).filter(|column| self.pivots.iter().all(|pivot| pivot.column != *column)).collect()
    }

    /// Returns a basis of the null space: for each free unknown a vector that is one there and zero at the other
    /// free unknowns.
    pub(crate) fn null(&self) -> Vec<Vec<Exact>> {
        let vector = |free: usize| {
            let mut x = vec![Exact::zero(); self.columns];
            x[free] = Exact::one();
            self.pivots.iter().for_each(|pivot| x[pivot.column] = -pivot.row[free].clone());
            x
        };
        self.free().into_iter().map(vector).collect()
    }

    /// Returns the solution for one of the right-hand sides with all free unknowns zero.
    pub(crate) fn solution(&self, number: usize) -> Vec<Exact> {
        let mut x = vec![Exact::zero(); self.columns];
        self.pivots.iter().for_each(|pivot| x[pivot.column] = pivot.right[number].clone());
        x
    }

    /// Returns independent rows and, if there is one for each column, the modulus of their determinant.
    pub(crate) fn independent(&self) -> (Vec<usize>, Exact) {
        let rows = self.pivots.iter().map(|pivot| pivot.number);
        let product = self.pivots.iter().fold(Exact::one(), |product, pivot| product * pivot.value.clone());
        (rows.collect(), product.abs())
    }
}

/// Returns the first nonzero entry, with its index and its inverse.
fn leading(row: &[Exact]) -> Option<(usize, Exact, Exact)> {
    row.iter().enumerate().find_map(|(column, x)| Some((column, x.clone(), x.reciprocal()?)))
}

fn add_multiple(sum: &mut [Exact], factor: &Exact, row: &[Exact]) {
    for (sum, x) in sum.iter_mut().zip(row) {
        if !x.is_zero() {
            *sum += factor.clone() * x.clone();
        }
    }
}

fn add_combination(sum: &mut Vec<(usize, Exact)>, factor: &Exact, other: &[(usize, Exact)]) {
    for (number, x) in other {
        let x = x.clone() * factor.clone();
        match sum.iter_mut().find(|(known, _)| known == number) {
            Some((_, sum)) => *sum += x,
            None => sum.push((*number, x)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(texts: &[&str]) -> Vec<Exact> {
        texts.iter().map(|text| hemiola_tableau::parse_number(text).unwrap()).collect()
    }

    #[test]
    fn solutions_null_vectors_and_contradictions() {
        let rows = [(["1", "2", "sqrt(2)"], "3"), (["2", "4", "1"], "1"), (["3", "6", "1+sqrt(2)"], "4")];
        let mut all = Elimination::new(3);
        for (row, right) in &rows {
            all.add(numbers(row), numbers(&[right])).unwrap();
        }
        let times =
            |x: &[Exact]| rows.iter().map(|(row, _)| hemiola_tableau::dot(&numbers(row), x)).collect::<Vec<Exact>>();
        assert_eq!(all.free(), [1]);
        assert_eq!(times(&all.solution(0)), numbers(&["3", "1", "4"]));
        assert!(times(&all.null()[0]).iter().all(Zero::is_zero) && all.null()[0][1] == Exact::one());
        // The left-hand side is the sum of the first two rows; the right-hand side exceeds their sum by one.
        let Contradiction { combination, right } =
            all.add(numbers(&["3", "6", "1+sqrt(2)"]), numbers(&["5"])).unwrap_err();
        assert!(!right[0].is_zero());
        let given =
            |number: usize| if number == 3 { numbers(&["3", "6", "1+sqrt(2)"]) } else { numbers(&rows[number].0) };
        for j in 0..3 {
            let sum = combination.iter().fold(Exact::zero(), |sum, (n, y)| sum + y.clone() * given(*n)[j].clone());
            assert!(sum.is_zero(), "{sum}");
        }
    }

    #[test]
    fn determinants_are_those_of_the_rows_named() {
        let mut all = Elimination::new(2);
        for row in [["0", "3"], ["0", "6"], ["5", "7"]] {
            all.add(numbers(&row), Vec::new()).unwrap();
        }
        assert_eq!(all.independent(), (vec![0, 2], Exact::from(15)));
    }
}
