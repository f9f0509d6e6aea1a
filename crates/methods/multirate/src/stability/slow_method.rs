//! The slow partitions alone: an ordinary Runge–Kutta method.

use hemiola_tableau::{Claims, Method, Partition, Scalar};
use num_traits::Zero;

use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::realization::{CoefficientWriter, Uncertain};
use crate::stage::InfinitesimalStage;

impl InfinitesimalMethod {
    /// Returns the Runge–Kutta method that the slow partitions form if the fast part vanishes. Its row i is the row of
    /// the stage from which Y_i starts, plus Σ_k γ_ijk/(k+1) + Γ_ij; a start and a drift add the rows of their stages.
    ///
    /// ```
    /// // The slow part of KW3 is the method of Knoth and Wolke with the abscissae 0, 1/3, 3/4.
    /// let slow = hemiola_multirate::library::method("mis-kw3")?.slow_method()?;
    /// let weights: Vec<&str> = slow.partitions()[0].b.iter().map(|weight| weight.text()).collect();
    /// assert_eq!(weights, ["1/6", "3/10", "8/15"]);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Method`] if a coefficient is too long.
    pub fn slow_method(&self) -> Result<Method, MultirateError> {
        let count = self.stages.len();
        let rounding = self.rounding();
        let exact: Vec<InfinitesimalStage<Uncertain>> =
            self.rows().map(|row| row.map(|coefficient| Uncertain::new(coefficient, rounding))).collect();
        let tableaus: Vec<Vec<Vec<Uncertain>>> =
            (0..self.partitions.len() - 1).map(|slow| slow_tableau(&exact[..count], slow)).collect();
        let writer = CoefficientWriter::new(tableaus.iter().flatten().flatten());
        // The result is a stage only if it is implicit.
        let is_last_used = tableaus.iter().any(|rows| !rows[count][count].is_zero());
        let stages = if is_last_used { count + 1 } else { count };
        let made = |(name, rows): (&String, &Vec<Vec<Uncertain>>)| -> Result<Partition, MultirateError> {
            let row = |row: &Vec<Uncertain>| {
                row[..stages].iter().map(|x| writer.coefficient(x)).collect::<Result<Vec<_>, _>>()
            };
            let a = rows[..stages].iter().map(row).collect::<Result<_, _>>()?;
            Ok(Partition { name: name.clone(), a, b: row(&rows[count])?, c: None, b_hat: None, dense: None })
        };
        let partitions = self.partitions[1..].iter().zip(&tableaus).map(made).collect::<Result<_, _>>()?;
        let (id, name) = (format!("{}-slow", self.id), format!("{}, slow part alone", self.name));
        Ok(Method::new(&id, &name, partitions, Claims::default(), writer.precision(), self.source.clone())?)
    }
}

/// Computes the Runge–Kutta matrix of a slow partition if the fast part vanishes, with a row for each of Y₁, Y₂, …; the last
/// one is the weights.
///
/// Row i is the row of the stage from which Y_i starts, plus Σ_k γ_ijk/(k+1) + Γ_ij; a start and a drift add the rows of
/// their stages.
///
/// ```
/// let kw3 = hemiola_multirate::library::method("mis-kw3")?;
/// let rows = hemiola_multirate::slow_tableau(&kw3.exact_rows(), 0);
/// assert_eq!(rows[3][0].to_f64(), 1.0 / 6.0);
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
#[must_use]
pub fn slow_tableau<T: Scalar>(stages: &[InfinitesimalStage<T>], slow: usize) -> Vec<Vec<T>> {
    let mut rows = vec![vec![T::zero(); stages.len() + 1]];
    for stage in stages {
        let mut row = rows[stage.from - 1].clone();
        for (j, coefficient) in stage.combined() {
            add_times(&mut row, &rows[j], coefficient);
        }
        for (k, columns) in stage.forcing[slow].iter().enumerate() {
            add_times(&mut row, columns, &T::ratio(1, k as u64 + 1));
        }
        add_times(&mut row, &stage.correction[slow], &T::one());
        rows.push(row);
    }
    rows
}

fn add_times<T: Scalar>(row: &mut [T], columns: &[T], factor: &T) {
    for (entry, coefficient) in row.iter_mut().zip(columns) {
        *entry += coefficient.clone() * factor.clone();
    }
}
