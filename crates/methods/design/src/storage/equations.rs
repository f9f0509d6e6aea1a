//! The equations of a low-storage design: order conditions and coefficients of the stability polynomial.

use dashu::rational::RBig;
use hemiola_order::{OrderError, Tree, value_and_gradient};
use hemiola_tableau::{Exact, Scalar, Tableau};
use nalgebra::{DMatrix, DVector};

use crate::conditions::equations::row_scale;
use crate::proof::trees::{chain, trees, weight};
use crate::storage::coordinates::{StorageCoordinates, lower};

/// An elementary weight with its value: Φ(t) = v for b or the embedded weights.
#[derive(Clone, Debug)]
pub(crate) struct WeightEquation {
    /// The index of the tableau: 0 for b, 1 for embedded weights.
    tableau: usize,
    tree: Tree,
    value: RBig,
    /// The value in doubles, and the factor of the residual.
    expected: f64,
    factor: f64,
}

/// All equations of a design.
#[derive(Clone, Debug)]
pub(crate) struct StorageEquations {
    pub(crate) coordinates: StorageCoordinates,
    equations: Vec<WeightEquation>,
    /// The number of order conditions, which come first.
    conditions: usize,
}

impl StorageEquations {
    /// Sets up the order conditions of the method and its embedded weights, and the coefficients of the polynomial
    /// beyond the order, if they are prescribed.
    pub(crate) fn new(
        coordinates: StorageCoordinates,
        order: usize,
        embedded: Option<usize>,
        polynomial: &[RBig],
    ) -> Result<Self, OrderError> {
        let mut equations = Vec::new();
        for (tableau, order) in [Some(order), embedded].into_iter().enumerate() {
            let all = order.map_or(Ok(Vec::new()), |order| trees(1, order))?;
            equations.extend(all.into_iter().map(|tree| {
                let value = RBig::ONE / RBig::from(tree.density());
                WeightEquation::new(tableau, tree, value)
            }));
        }
        let conditions = equations.len();
        let beyond = polynomial.iter().enumerate().skip(order + 1);
        equations.extend(beyond.map(|(power, beta)| WeightEquation::new(0, chain(0, power), beta.clone())));
        Ok(Self { coordinates, equations, conditions })
    }

    /// Returns the number of equations.
    pub(crate) fn count(&self) -> usize {
        self.equations.len()
    }

    /// Returns the order conditions alone.
    pub(crate) fn without_polynomial(&self) -> Self {
        Self { equations: self.equations[..self.conditions].to_vec(), ..self.clone() }
    }

    /// Computes the coefficients of the polynomial that are prescribed.
    pub(crate) fn polynomial(&self, x: &[f64]) -> Vec<f64> {
        self.weights(x).split_off(self.conditions)
    }

    /// Returns the equations for a polynomial between the given one, t = 0, and the prescribed one, t = 1. Where the
    /// signs agree, it uses means of the arithmetic and harmonic interpolants, because the coefficients may differ by
    /// orders of magnitude.
    pub(crate) fn on_the_way(&self, begin: &[f64], t: f64) -> Self {
        let mut between = self.clone();
        for (equation, begin) in between.equations[self.conditions..].iter_mut().zip(begin) {
            let end = equation.expected;
            let arithmetic = begin + t * (end - begin);
            let value = if begin * end > 0.0 {
                // Nearly a geometric mean, by correctly rounded operations only.
                let harmonic = 1.0 / ((1.0 - t) / begin + t / end);
                (arithmetic * harmonic).sqrt().copysign(end)
            } else {
                arithmetic
            };
            *equation = WeightEquation { expected: value, factor: row_scale(value), ..equation.clone() };
        }
        between
    }

    /// Computes the weighted residuals in doubles.
    pub(crate) fn residuals(&self, x: &[f64]) -> DVector<f64> {
        let tableaus = self.coordinates.tableaus(x);
        let residual = |equation: &WeightEquation| {
            equation.factor * (weight(&equation.tree, &tableaus[equation.tableau]) - equation.expected)
        };
        DVector::from_iterator(self.equations.len(), self.equations.iter().map(residual))
    }

    /// Computes the weighted residuals and their derivatives; `slopes` are those of the entries.
    pub(crate) fn linearized(&self, tableaus: &[Tableau<f64>], slopes: &[Vec<f64>]) -> (DVector<f64>, DMatrix<f64>) {
        let mut values = DVector::zeros(self.equations.len());
        let mut jacobian = DMatrix::zeros(self.equations.len(), slopes.len());
        for (row, equation) in self.equations.iter().enumerate() {
            let (value, gradient) = tree_gradient(&equation.tree, tableaus, equation.tableau);
            values[row] = equation.factor * (value - equation.expected);
            for (column, slope) in slopes.iter().enumerate() {
                jacobian[(row, column)] = equation.factor * dot(&gradient, slope);
            }
        }
        (values, jacobian)
    }

    /// Computes the residuals exactly, without weights.
    pub(crate) fn exact_residuals(&self, x: &[RBig]) -> Vec<Exact> {
        let x: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
        let tableaus = self.coordinates.tableaus(&x);
        let residual = |equation: &WeightEquation| {
            weight(&equation.tree, &tableaus[equation.tableau]) - Exact::from(equation.value.clone())
        };
        self.equations.iter().map(residual).collect()
    }

    /// Computes the elementary weights in any arithmetic.
    pub(crate) fn weights<T: Scalar>(&self, x: &[T]) -> Vec<T> {
        let tableaus = self.coordinates.tableaus(x);
        self.equations.iter().map(|equation| weight(&equation.tree, &tableaus[equation.tableau])).collect()
    }

    /// Returns the weights of the residuals.
    pub(crate) fn factors(&self) -> impl Iterator<Item = f64> {
        self.equations.iter().map(|equation| equation.factor)
    }
}

impl WeightEquation {
    fn new(tableau: usize, tree: Tree, value: RBig) -> Self {
        let expected = value.to_f64().value();
        Self { tableau, tree, value, expected, factor: row_scale(expected) }
    }
}

/// Computes an elementary weight of a tableau and its derivatives with respect to the entries of all tableaus.
pub(crate) fn tree_gradient(tree: &Tree, tableaus: &[Tableau<f64>], number: usize) -> (f64, Vec<f64>) {
    let (value, gradient) = value_and_gradient(tree, &tableaus[number]);
    let part = &gradient.partitions[0];
    let s = part.b.len();
    let mut slopes: Vec<f64> = lower(&part.a).copied().collect();
    slopes.resize(slopes.len() + number * s, 0.0);
    slopes.extend(&part.b);
    slopes.resize(s * (s - 1) / 2 + tableaus.len() * s, 0.0);
    (value, slopes)
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
