//! The program in coordinates along its constraints, for solvers of argmin.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};
use nalgebra::{DMatrix, DVector};

use crate::conditions::equations::Equations;
use crate::optimize::inequalities::{BOUND_WEIGHT, margin_excess, penalty_gradient};
use crate::optimize::model::FeasiblePoint;
use crate::optimize::null_space::NullSpace;
use crate::optimize::problem::Problem;
use crate::optimize::restore::restore_nearby;
use crate::simd::columns::PaddedColumns;

/// Largest difference between the coordinates of a point and the requested ones; restorations end within 1e-14.
const SAME: f64 = 1e-9;

/// The program of a design in coordinates along its constraints.
///
/// Let x₀ satisfy all conditions, and let the columns of N be an orthonormal basis of the null space of their Jacobian
/// there. The point with coordinates y is the solution x of the conditions near x₀ + Ny with Nᵀ(x − x₀) = y. The
/// objective at x is an unconstrained function of y, which any solver of argmin can minimize. A reference to the chart
/// implements [`CostFunction`], [`Gradient`] and [`Hessian`]. If the objective consists of errors alone, it also
/// provides their residuals ([`Operator`]) and [`Jacobian`]. Inequalities act as penalties. Where there is no solution
/// nearby, the cost is infinite and derivatives return errors.
///
/// [`Search::chart`](crate::Search::chart) returns one.
pub struct DesignChart<'a> {
    problem: Problem<'a>,
    origin: DVector<f64>,
    null_space: NullSpace,
    basis: DMatrix<f64>,
    best: RefCell<FeasiblePoint>,
}

/// A failure of an evaluation, which argmin reports.
#[derive(Debug, thiserror::Error)]
enum ChartError {
    #[error("no solution of the conditions has these coordinates")]
    Outside,
    #[error("an objective with terms other than errors is not a sum of squares; expected an objective of errors alone")]
    OtherTerms,
}

/// A point of the chart with its tangent space.
struct Tangents {
    x: DVector<f64>,
    null_space: NullSpace,
    /// The derivatives of x with respect to the coordinates.
    slopes: DMatrix<f64>,
}

impl<'a> DesignChart<'a> {
    /// Creates a chart around a point that satisfies all conditions.
    pub(crate) fn new(problem: Problem<'a>, origin: DVector<f64>) -> Self {
        let null_space = NullSpace::new(problem.equations.linearization(origin.as_slice()).gradients);
        let basis = null_space.basis().matrix();
        let best = RefCell::new(FeasiblePoint::new(&problem, origin.clone()));
        Self { problem, origin, null_space, basis, best }
    }

    /// Returns the number of coordinates.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.basis.ncols()
    }

    /// Returns the best point whose cost was computed.
    pub(crate) fn into_best(self) -> FeasiblePoint {
        self.best.into_inner()
    }

    fn point(&self, y: &DVector<f64>) -> Option<DVector<f64>> {
        let aim = &self.origin + &self.basis * y;
        let x = restore_nearby(&self.problem.equations, &self.null_space, aim)?;
        // A restoration with new Jacobians leaves the normal space of the origin.
        let moved = self.basis.tr_mul(&(&x - &self.origin)) - y;
        (moved.amax() <= SAME).then_some(x)
    }

    /// Returns the cost of a point, and stores the point if it is the best so far.
    fn valued(&self, x: DVector<f64>) -> f64 {
        let found = FeasiblePoint::new(&self.problem, x);
        let value = found.value;
        let mut best = self.best.borrow_mut();
        if value < best.value {
            *best = found;
        }
        value
    }

    fn tangents(&self, y: &DVector<f64>) -> Result<Tangents, ChartError> {
        let x = self.point(y).ok_or(ChartError::Outside)?;
        let null_space = NullSpace::new(self.problem.equations.linearization(x.as_slice()).gradients);
        let directions = null_space.basis().matrix();
        // Coordinates are projections to the null space at the origin; those of a direction Mv are NᵀMv.
        let coordinates = self.basis.tr_mul(&directions);
        // Where conditions become dependent, there are more directions, and the chart is no longer valid.
        let inverse =
            coordinates.is_square().then(|| coordinates.try_inverse()).flatten().ok_or(ChartError::Outside)?;
        Ok(Tangents { slopes: directions * inverse, x, null_space })
    }

    fn full_gradient(&self, x: &DVector<f64>) -> DVector<f64> {
        self.problem.objective_gradient(x.as_slice()) + penalty_gradient(x, self.problem.unknowns().inequalities())
    }
}

impl CostFunction for &DesignChart<'_> {
    type Param = DVector<f64>;
    type Output = f64;

    fn cost(&self, y: &DVector<f64>) -> Result<f64, Error> {
        Ok(self.point(y).map_or(f64::INFINITY, |x| self.valued(x)))
    }
}

impl Gradient for &DesignChart<'_> {
    type Param = DVector<f64>;
    type Gradient = DVector<f64>;

    fn gradient(&self, y: &DVector<f64>) -> Result<DVector<f64>, Error> {
        let Tangents { x, slopes, .. } = self.tangents(y)?;
        Ok(slopes.tr_mul(&self.full_gradient(&x)))
    }
}

/// The second derivatives, exact at the origin and at stationary points, where the gradient of the Lagrangian vanishes;
/// elsewhere they lack its product with the curvature of the chart.
impl Hessian for &DesignChart<'_> {
    type Param = DVector<f64>;
    type Hessian = DMatrix<f64>;

    fn hessian(&self, y: &DVector<f64>) -> Result<DMatrix<f64>, Error> {
        let Tangents { x, null_space, slopes } = self.tangents(y)?;
        let multipliers = null_space.multipliers(&self.full_gradient(&x));
        let along = PaddedColumns::unit(x.len(), 0..x.len()).times_matrix(&slopes);
        let curvature = self.problem.curvature(x.as_slice(), &multipliers, &along).matrix();
        let mut hessian = slopes.tr_mul(&curvature);
        for form in self.problem.unknowns().inequalities().iter().filter(|form| margin_excess(form, &x) > 0.0) {
            let mut normal = DVector::zeros(x.len());
            form.terms.iter().for_each(|&(j, factor)| normal[j] = BOUND_WEIGHT * factor);
            let normal = slopes.tr_mul(&normal);
            hessian += &normal * normal.transpose();
        }
        Ok((&hessian + hessian.transpose()) / 2.0)
    }
}

impl Operator for &DesignChart<'_> {
    type Param = DVector<f64>;
    type Output = DVector<f64>;

    fn apply(&self, y: &DVector<f64>) -> Result<DVector<f64>, Error> {
        // A line search shortens steps that leave the chart.
        let Some(x) = self.point(y) else { return Ok(DVector::from_element(1, f64::INFINITY)) };
        let errors = self.problem.error_coefficients(x.as_slice()).ok_or(ChartError::OtherTerms)?;
        let forms = self.problem.unknowns().inequalities().iter();
        let penalties = forms.map(|form| BOUND_WEIGHT * margin_excess(form, &x));
        let all = DVector::from_vec(errors.iter().copied().chain(penalties).collect());
        self.valued(x);
        Ok(all)
    }
}

impl Jacobian for &DesignChart<'_> {
    type Param = DVector<f64>;
    type Jacobian = DMatrix<f64>;

    fn jacobian(&self, y: &DVector<f64>) -> Result<DMatrix<f64>, Error> {
        let Tangents { x, slopes, .. } = self.tangents(y)?;
        let errors = self.problem.error_slopes(x.as_slice()).ok_or(ChartError::OtherTerms)?;
        let forms = self.problem.unknowns().inequalities();
        let count = errors.residual.len();
        let mut rows = DMatrix::zeros(count + forms.len(), x.len());
        rows.rows_mut(0, count).copy_from(&errors.jacobian());
        for (k, form) in forms.iter().enumerate().filter(|(_, form)| margin_excess(form, &x) > 0.0) {
            form.terms.iter().for_each(|&(j, factor)| rows[(count + k, j)] = BOUND_WEIGHT * factor);
        }
        Ok(rows * slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, Specification, Start};

    #[test]
    fn derivatives_are_those_of_differences() {
        let mut specification = Specification { starts: 4, ..Specification::new(3, 6, None).unwrap() };
        specification.structure.largest_coefficient = 0.9;
        specification.objective.internal = Some(0.0);
        let search = Search::new(&specification, Vec::new()).unwrap();
        let start = (0..4).map(|number| search.start(number)).find(|start| start.solution.is_some()).unwrap();
        // Random starts are often so close to a singular point that a chart around them is tiny.
        let near = Start { solution: search.descent(&start, 40, 1e-3).map(|minimum| minimum.x), ..start };
        let chart = &search.chart(&near).unwrap();
        let n = chart.dimension();
        assert!(n > 2);
        let y = DVector::from_fn(n, |i, _| 1e-3 * (1.0 + i as f64).sin());
        let (gradient, hessian) = (chart.gradient(&y).unwrap(), chart.hessian(&DVector::zeros(n)).unwrap());
        let (residuals, jacobian) = (chart.apply(&y).unwrap(), chart.jacobian(&y).unwrap());
        assert!((residuals.norm_squared() / 2.0 - chart.cost(&y).unwrap()).abs() < 1e-14);
        assert!((jacobian.tr_mul(&residuals) - &gradient).amax() < 1e-11 * (1.0 + gradient.amax()));
        // Differences of values are off by their curvature, step² times a third derivative, and by rounding, 1e-16 / step.
        let step = 1e-5;
        for j in 0..n {
            let along = DVector::from_fn(n, |i, _| if i == j { step } else { 0.0 });
            let slope = (chart.cost(&(&y + &along)).unwrap() - chart.cost(&(&y - &along)).unwrap()) / (2.0 * step);
            assert!((slope - gradient[j]).abs() < 1e-11, "{slope} {}", gradient[j]);
            let column = (chart.gradient(&along).unwrap() - chart.gradient(&-along).unwrap()) / (2.0 * step);
            assert!((&column - hessian.column(j)).amax() < 1e-8, "{column} {}", hessian.column(j));
        }
        assert!(gradient.amax() > 1e-5 && hessian.amax() > 1e-3);
        assert_eq!(chart.cost(&DVector::from_element(n, 1e6)).unwrap(), f64::INFINITY);
    }
}
