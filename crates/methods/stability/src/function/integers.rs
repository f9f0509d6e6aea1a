//! Moments, determinants and adjugates of integer tableaux: integers avoid the reduction of fractions at every
//! addition.

use dashu::base::{Abs, Gcd};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact};

use crate::function::characteristic::characteristic;

/// Tableau with integer entries.
pub(crate) struct IntegerTableau {
    /// Nonzero entries in the rows of A.
    rows: Vec<Vec<(usize, IBig)>>,
    b: Vec<IBig>,
}

impl IntegerTableau {
    /// Converts a tableau; returns `None` if an entry is not an integer.
    pub(crate) fn of(butcher: &Butcher<Exact>) -> Option<Self> {
        let row = |row: &Vec<Exact>| {
            let entries = row.iter().map(integer).collect::<Option<Vec<IBig>>>()?;
            Some(entries.into_iter().enumerate().filter(|(_, entry)| !entry.is_zero()).collect())
        };
        let rows = butcher.a.iter().map(row).collect::<Option<_>>()?;
        Some(Self { rows, b: butcher.b.iter().map(integer).collect::<Option<_>>()? })
    }

    /// Returns A − 𝟙bᵀ; its det(I − zA) is the numerator of R.
    pub(crate) fn without_weights(&self) -> Self {
        let row = |row: &Vec<(usize, IBig)>| {
            let mut entries: Vec<IBig> = self.b.iter().map(|b| -b).collect();
            row.iter().for_each(|(j, entry)| entries[*j] += entry);
            entries.into_iter().enumerate().filter(|(_, entry)| !entry.is_zero()).collect()
        };
        Self { rows: self.rows.iter().map(row).collect(), b: self.b.clone() }
    }

    /// Computes 1, bᵀ𝟙, bᵀA𝟙, …, bᵀAˢ⁻¹𝟙.
    pub(crate) fn moments(&self) -> Vec<Exact> {
        let mut moments = vec![IBig::ONE];
        let mut power = vec![IBig::ONE; self.b.len()];
        for k in 0..self.b.len() {
            if k > 0 {
                power = self.times(&power);
            }
            let terms = self.b.iter().zip(&power).filter(|(b, _)| !b.is_zero());
            moments.push(terms.fold(IBig::ZERO, |sum, (b, power)| sum + b * power));
        }
        moments.into_iter().map(exact).collect()
    }

    /// Computes the coefficients of det(I − zA) without leading zeros.
    pub(crate) fn denominator(&self) -> Vec<Exact> {
        let mut coefficients = vec![IBig::ONE];
        if self.is_lower_triangular() {
            for (i, row) in self.rows.iter().enumerate() {
                // Multiply by (1 − az) for each diagonal entry a.
                let Some((_, a)) = row.last().filter(|(j, _)| *j == i) else { continue };
                coefficients.push(IBig::ZERO);
                for k in (1..coefficients.len()).rev() {
                    let change = &coefficients[k - 1] * a;
                    coefficients[k] -= change;
                }
            }
        } else {
            coefficients = characteristic(&self.matrix());
            while coefficients.len() > 1 && coefficients.last().is_some_and(IBig::is_zero) {
                coefficients.pop();
            }
        }
        coefficients.into_iter().map(exact).collect()
    }

    /// Passes the columns of the matrices M_k of adj(I − zA) = Σ M_k zᵏ⁻¹, k = 1, …, s, to `take`.
    pub(crate) fn adjugates<T>(&self, mut take: impl FnMut(&[Vec<IBig>]) -> T) -> Vec<T> {
        let mut taken = Vec::with_capacity(self.b.len());
        self.faddeev_leverrier(|_, columns| taken.push(take(columns)));
        taken
    }

    /// Runs the algorithm as for [other numbers](crate::function::determinant); the divisions by k have no remainder.
    fn faddeev_leverrier(&self, mut take: impl FnMut(IBig, &[Vec<IBig>])) {
        let s = self.b.len();
        let unit = |i: usize| (0..s).map(|j| if i == j { IBig::ONE } else { IBig::ZERO }).collect::<Vec<IBig>>();
        let mut columns: Vec<Vec<IBig>> = (0..s).map(unit).collect();
        for k in 1..=s {
            let mut next: Vec<Vec<IBig>> = columns.iter().map(|column| self.times(column)).collect();
            let trace = (0..s).fold(IBig::ZERO, |sum, i| sum + &next[i][i]);
            let coefficient = -(trace / IBig::from(k));
            for (i, column) in next.iter_mut().enumerate() {
                column[i] += &coefficient;
            }
            take(coefficient, &columns);
            columns = next;
        }
    }

    /// Returns A with its zeros.
    fn matrix(&self) -> Vec<Vec<IBig>> {
        let mut matrix = vec![vec![IBig::ZERO; self.b.len()]; self.rows.len()];
        for (full, row) in matrix.iter_mut().zip(&self.rows) {
            row.iter().for_each(|(j, entry)| full[*j] = entry.clone());
        }
        matrix
    }

    fn times(&self, x: &[IBig]) -> Vec<IBig> {
        let product = |row: &Vec<(usize, IBig)>| row.iter().fold(IBig::ZERO, |sum, (j, entry)| sum + entry * &x[*j]);
        self.rows.iter().map(product).collect()
    }

    fn is_lower_triangular(&self) -> bool {
        self.rows.iter().enumerate().all(|(i, row)| row.last().is_none_or(|(j, _)| *j <= i))
    }
}

/// Computes Σ |xᵢ| yᵢ for y ≥ 0.
pub(crate) fn weighted_size<'a>(terms: impl Iterator<Item = (&'a IBig, &'a IBig)>) -> IBig {
    terms.fold(IBig::ZERO, |sum, (x, y)| sum + x.abs() * y)
}

/// Writes rational numbers as integers over their common denominator, and returns both.
pub(crate) fn whole_numbers(values: &[&RBig]) -> (Vec<IBig>, UBig) {
    let common = values.iter().fold(UBig::ONE, |common, x| &common / (&common).gcd(x.denominator()) * x.denominator());
    let whole = |x: &&RBig| x.numerator() * IBig::from(&common / x.denominator());
    (values.iter().map(whole).collect(), common)
}

fn integer(value: &Exact) -> Option<IBig> {
    value.as_rational().filter(|value| value.is_int()).map(|value| value.numerator().clone())
}

fn exact(value: IBig) -> Exact {
    Exact::from(RBig::from(value))
}
