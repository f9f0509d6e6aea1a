//! Coefficients as numbers of one type, and their structure.

use std::ops::Range;

use hemiola_number::{Scalar, dot};

/// The Butcher tableaus of all partitions over the same s stages, as numbers of type `T`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau<T> {
    /// One tableau for each partition, at least one.
    pub partitions: Vec<Butcher<T>>,
}

/// One Butcher tableau: A (s×s), b (s) and c (s).
#[derive(Clone, Debug, PartialEq)]
pub struct Butcher<T> {
    /// The matrix A, row by row.
    pub a: Vec<Vec<T>>,
    /// The weights.
    pub b: Vec<T>,
    /// The abscissae: as given, otherwise the row sums of A.
    pub c: Vec<T>,
}

impl<T: Scalar> Tableau<T> {
    /// Creates tableaus from A, b and, if they differ from the row sums, c of each partition.
    ///
    /// ```
    /// use hemiola_tableau::Tableau;
    /// let heun = Tableau::new(vec![(vec![vec![0.0, 0.0], vec![1.0, 0.0]], vec![0.5, 0.5], None)]);
    /// assert_eq!(heun.partitions[0].c, [0.0, 1.0]);
    /// assert!(heun.is_explicit());
    /// ```
    #[must_use]
    #[expect(clippy::type_complexity, reason = "the triple is (A, b, c) as in the literature")]
    pub fn new(partitions: Vec<(Vec<Vec<T>>, Vec<T>, Option<Vec<T>>)>) -> Self {
        let butcher = |(a, b, c): (Vec<Vec<T>>, Vec<T>, Option<Vec<T>>)| {
            let c = c.unwrap_or_else(|| row_sums(&a));
            Butcher { a, b, c }
        };
        Self { partitions: partitions.into_iter().map(butcher).collect() }
    }

    /// Returns the number of stages s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.partitions.first().map_or(0, Butcher::stages)
    }

    /// Returns whether every partition is explicit: each stage uses earlier stages only.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        self.partitions.iter().all(Butcher::is_explicit)
    }
}

impl<T: Scalar> Butcher<T> {
    /// Returns the number of stages s.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// Returns Σⱼ aᵢⱼ for each stage i.
    #[must_use]
    pub fn row_sums(&self) -> Vec<T> {
        row_sums(&self.a)
    }

    /// Computes A x for a vector of s numbers.
    #[must_use]
    pub fn times(&self, x: &[T]) -> Vec<T> {
        self.a.iter().map(|row| dot(row, x)).collect()
    }

    /// Returns whether A is strictly lower triangular.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        self.vanishes(|row| row..self.stages())
    }

    /// Returns whether A is lower triangular with a nonzero entry on its diagonal (DIRK).
    #[must_use]
    pub fn is_diagonally_implicit(&self) -> bool {
        self.vanishes(|row| row + 1..self.stages()) && !self.is_explicit()
    }

    fn vanishes(&self, columns: impl Fn(usize) -> Range<usize>) -> bool {
        self.a.iter().enumerate().all(|(i, row)| row[columns(i)].iter().all(T::is_zero))
    }

    /// Returns the stages at which the right-hand side is evaluated: those whose column of (A, b) is not zero.
    ///
    /// Derivatives at the other stages are never computed, which is what makes a partition slow.
    #[must_use]
    pub fn evaluated_stages(&self) -> Vec<usize> {
        (0..self.stages()).filter(|&j| !self.b[j].is_zero() || self.a.iter().any(|row| !row[j].is_zero())).collect()
    }

    /// Returns whether the last stage is the step's result (aₛⱼ = bⱼ), so that an explicit first stage of the
    /// next step can reuse its derivative (first same as last).
    #[must_use]
    pub fn is_stiffly_accurate(&self) -> bool
    where
        T: PartialEq,
    {
        self.a.last().is_some_and(|row| row == &self.b)
    }

    /// Returns whether the last evaluation of a step serves as the first of the next: the tableau is [stiffly
    /// accurate](Self::is_stiffly_accurate) and has an explicit first stage at the beginning of the step, and
    /// more than one stage.
    #[must_use]
    pub fn is_first_same_as_last(&self) -> bool
    where
        T: PartialEq,
    {
        self.stages() > 1 && self.a[0].iter().all(T::is_zero) && self.is_stiffly_accurate()
    }

    /// Returns whether the abscissae are the row sums of A, so that autonomous and non-autonomous problems are
    /// equivalent.
    #[must_use]
    pub fn abscissae_are_row_sums(&self) -> bool
    where
        T: PartialEq,
    {
        self.c == self.row_sums()
    }
}

/// Returns the stages on which the step depends through any of the partitions.
#[must_use]
pub fn influential_stages<T: Scalar>(partitions: &[Butcher<T>]) -> Vec<usize> {
    let s = partitions.first().map_or(0, Butcher::stages);
    let mut is_used: Vec<bool> = (0..s).map(|j| partitions.iter().any(|p| !p.b[j].is_zero())).collect();
    let mut waiting: Vec<usize> = (0..s).filter(|&j| is_used[j]).collect();
    while let Some(i) = waiting.pop() {
        for j in 0..s {
            if !is_used[j] && partitions.iter().any(|p| !p.a[i][j].is_zero()) {
                is_used[j] = true;
                waiting.push(j);
            }
        }
    }
    (0..s).filter(|&j| is_used[j]).collect()
}

fn row_sums<T: Scalar>(a: &[Vec<T>]) -> Vec<T> {
    a.iter()
        .map(|row| {
            row.iter().fold(T::zero(), |mut sum, entry| {
                sum += entry.clone();
                sum
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::library;

    #[test]
    fn structure_of_known_methods() {
        let rk4 = library::method("rk4").unwrap().exact();
        assert!(rk4.is_explicit() && !rk4.partitions[0].is_diagonally_implicit());
        assert_eq!(rk4.partitions[0].evaluated_stages(), [0, 1, 2, 3]);
        assert!(!rk4.partitions[0].is_first_same_as_last());
        let dp5 = library::method("dormand-prince-5").unwrap().exact();
        assert!(dp5.partitions[0].is_first_same_as_last());
        let gauss = library::method("gauss-2").unwrap().exact();
        assert!(!gauss.is_explicit() && !gauss.partitions[0].is_diagonally_implicit());
        assert!(gauss.partitions[0].abscissae_are_row_sums());
        let euler = library::method("implicit-euler").unwrap().exact();
        assert!(euler.partitions[0].is_diagonally_implicit());
        assert!(euler.partitions[0].is_stiffly_accurate() && !euler.partitions[0].is_first_same_as_last());
    }

    #[test]
    fn dual_rate_evaluations() {
        let pair = library::method("shome-haug-jay-2-5").unwrap().exact();
        assert_eq!(pair.partitions[0].evaluated_stages(), [1, 3]);
        assert_eq!(pair.partitions[1].evaluated_stages(), [0, 1, 2, 3, 4]);
    }
}
