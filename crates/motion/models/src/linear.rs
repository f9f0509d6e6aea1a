//! Linear systems given by their Jacobians.

use crate::equations::{Equations, Number};
use crate::error::ModelError;
use crate::model::{Model, ModelParts, Variable};

/// Default duration, in reciprocals of the smallest norm of a row.
const TIMES: f64 = 10.0;

/// Creates the model y' = Jy. `slow` lists the slow variables, numbered from 1; all others are fast. The model orders
/// slow variables first, and all variables start from one.
///
/// The default duration is ten times the reciprocal of the smallest sum of moduli in a nonzero row.
///
/// ```
/// use hemiola_integrate::System;
/// // Two oscillators, the second, of 50 1/s, listed first.
/// let jacobian = [[0.0, 50.0, 0.0, 0.1], [-50.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.2, 0.0, -1.0, 0.0]];
/// let model = hemiola_models::linear(&jacobian.map(Vec::from), &[3, 4])?;
/// assert_eq!((model.sizes(), model.variables[0].name.as_str()), (&[2, 2][..], "variable 3"));
/// assert_eq!(model.jacobian_at(0.0, &model.initial)[3], [0.0, 0.0, -50.0, -1.0]);
/// # Ok::<(), hemiola_models::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError::Jacobian`] if J is not square or not finite, if no variable is slow, or if a slow variable does not
/// exist.
pub fn linear(jacobian: &[Vec<f64>], slow: &[usize]) -> Result<Model, ModelError> {
    let n = jacobian.len();
    let refused = |problem: String| ModelError::Jacobian { rows: n, problem };
    if let Some(i) = (0..n).find(|&i| jacobian[i].len() != n || jacobian[i].iter().any(|entry| !entry.is_finite())) {
        return Err(refused(format!("row {} does not have {n} finite numbers", i + 1)));
    }
    if let Some(variable) = slow.iter().find(|variable| !(1..=n).contains(*variable)) {
        return Err(refused(format!("no slow variable {variable}; expected numbers from 1 to {n}")));
    }
    let is_slow = |i: &usize| slow.contains(&(i + 1));
    let order: Vec<usize> = (0..n).filter(is_slow).chain((0..n).filter(|i| !is_slow(i))).collect();
    let count = order.iter().filter(|i| is_slow(i)).count();
    if n == 0 || count == 0 {
        return Err(refused("no variable is slow; expected at least one".to_owned()));
    }
    let rows: Vec<Vec<f64>> = order.iter().map(|&i| order.iter().map(|&j| jacobian[i][j]).collect()).collect();
    let norms = rows.iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>()).filter(|norm| *norm > 0.0);
    let slowest = norms.fold(f64::INFINITY, f64::min);
    let name = |i: &usize| Variable { name: format!("variable {}", i + 1), unit: "" };
    let built = ModelParts {
        variables: order.iter().map(name).collect(),
        sizes: if count == n { vec![n] } else { vec![count, n - count] },
        initial: vec![1.0; n],
        duration: if slowest.is_finite() { TIMES / slowest } else { 1.0 },
        drawn: (0..count.min(3)).collect(),
        dynamics: std::sync::Arc::new(Linear { rows, slow: count }),
    };
    Ok(Model::of_parts("linear", "linear system with a given Jacobian", Vec::new(), built))
}

struct Linear {
    /// The matrix J, slow rows and columns first.
    rows: Vec<Vec<f64>>,
    slow: usize,
}

impl Equations for Linear {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let first = if partition == 0 { 0 } else { self.slow };
        for (rate, row) in rate.iter_mut().zip(self.rows.iter().skip(first)) {
            *rate = row.iter().zip(y).fold(N::zero(), |sum, (entry, y)| sum + *y * *entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use hemiola_integrate::System;

    use super::*;

    #[test]
    fn rates_are_those_of_the_matrix_in_its_own_order() {
        let jacobian = vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0], vec![7.0, 8.0, 9.0]];
        let model = linear(&jacobian, &[2]).unwrap();
        // State (x2, x1, x3) for (x1, x2, x3) = (10, 1, 100).
        let y = [1.0, 10.0, 100.0];
        let (mut slow, mut fast) = ([0.0], [0.0; 2]);
        model.rate(0, 0.0, &y, &mut slow);
        model.rate(1, 0.0, &y, &mut fast);
        assert_eq!((slow, fast), ([645.0], [312.0, 978.0]));
        assert_eq!(linear(&jacobian, &[1, 2, 3]).unwrap().sizes(), [3]);
    }

    #[test]
    fn what_is_no_system_is_refused() {
        let complaint = |jacobian: &[Vec<f64>], slow: &[usize]| linear(jacobian, slow).err().map(|e| e.to_string());
        let square = vec![vec![0.0, 1.0], vec![-1.0, 0.0]];
        assert!(complaint(&square, &[3]).is_some_and(|text| text.contains("no slow variable 3")));
        assert!(complaint(&square, &[]).is_some_and(|text| text.contains("no variable is slow")));
        assert!(complaint(&[vec![0.0, 1.0], vec![1.0]], &[1]).is_some_and(|text| text.contains("row 2")));
        assert!(complaint(&[vec![f64::NAN]], &[1]).is_some_and(|text| text.contains("row 1")));
        assert!(complaint(&[], &[]).is_some());
    }
}
