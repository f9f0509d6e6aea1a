//! Dense output of a finished pair: weights bᵢ(θ) = Σₖ dᵢₖθᵏ that advance the solution by the fraction θ of the
//! step.
//!
//! For order q the coefficients of θᵏ satisfy Σᵢ dᵢₖγΨᵢ(t) = 1 for trees of k nodes and = 0 for all other trees of
//! up to q nodes (Hairer, Nørsett & Wanner 1993, Theorem II.6.1). This leaves the null vectors of the conditions
//! free for each k.
//!
//! The output also satisfies b(1) = b. If the last stage is the first of the next step, so that its derivative is
//! available, it also satisfies b′(0) = e₁ and b′(1) = e_s. It is then continuously differentiable, and these
//! conditions do not contradict the others. They require one power of θ without, three with first same as last.
//!
//! The remaining freedom minimizes the squares of the error coefficients of order q + 1, summed over all trees and over
//! θ in [0, 1]. The squares of those of order q + 2 are added, since they bound coefficients on which the conditions
//! hardly depend. The power θ^{q+1}, with which the errors grow, is included; without free parameters the degree is q.

use dashu::rational::RBig;
use hemiola_tableau::{Exact, Tableau};
use nalgebra::{DMatrix, DVector};

use crate::error::DesignError;
use crate::pair::decimals::{HALF_UNIT, from_doubles, moved, rational};
use crate::pair::first_same_as_last::{available, is_first_same_as_last};
use crate::pair::partitions::FAST;
use crate::weights::moments::{ErrorCoefficients, Moments, RangeNullSpace, scatter_to_stages, stack, to_f64};

/// Computes the coefficients dᵢₖ of a dense output of order `wanted`: for each partition and each stage the
/// coefficients of θ, θ², ….
///
/// # Errors
/// Returns [`DesignError::NoWeights`] if the conditions contradict each other at the stages of a partition.
pub(crate) fn dense(tableau: &Tableau<Exact>, wanted: usize) -> Result<Vec<Vec<Vec<Exact>>>, DesignError> {
    let solve = |partition| {
        let part = PartitionPolynomials::new(tableau, partition, wanted)?;
        let name = if partition == FAST { "fast" } else { "slow" };
        let missing = DesignError::NoWeights { part: name, what: "weights b(θ)", wanted };
        let powers = part.start().and_then(|start| part.refine(&start)).ok_or(missing)?;
        Ok(powers.iter().map(|d| scatter_to_stages(&part.stages, tableau.stages(), d)).collect::<Vec<_>>())
    };
    let powers = (0..tableau.partitions.len()).map(solve).collect::<Result<Vec<_>, DesignError>>()?;
    Ok(by_stage(powers))
}

/// Transposes coefficients of each power at all stages to polynomials of each stage.
///
/// Powers that vanish in all partitions are removed, so that the degree equals the order if there is no freedom.
pub(crate) fn by_stage(mut powers: Vec<Vec<Vec<Exact>>>) -> Vec<Vec<Vec<Exact>>> {
    let vanishes = |d: &Vec<Exact>| d.iter().all(|x| x.to_f64().abs() < HALF_UNIT);
    while powers.iter().all(|powers| powers.len() > 1 && powers.last().is_some_and(vanishes)) {
        powers.iter_mut().for_each(|powers| powers.truncate(powers.len() - 1));
    }
    let transposed = |powers: Vec<Vec<Exact>>| {
        let stages = powers.first().map_or(0, Vec::len);
        (0..stages).map(|i| powers.iter().map(|d| d[i].clone()).collect()).collect()
    };
    powers.into_iter().map(transposed).collect()
}

/// The equations for the polynomials of one partition.
pub(crate) struct PartitionPolynomials {
    pub(crate) stages: Vec<usize>,
    pub(crate) degree: usize,
    pub(crate) moments: Moments,
    /// The error coefficients of orders q + 1 and q + 2.
    errors: [ErrorCoefficients; 2],
    /// The prescribed sums over the powers of θ.
    pub(crate) sums: DMatrix<f64>,
    /// The values of these sums at the stages.
    values: Vec<Vec<RBig>>,
}

impl PartitionPolynomials {
    pub(crate) fn new(tableau: &Tableau<Exact>, partition: usize, order: usize) -> Result<Self, DesignError> {
        let stages = available(tableau, partition);
        let (first, last) = (stages.first() == Some(&0), stages.last() == Some(&(tableau.stages() - 1)));
        let b = &tableau.partitions[partition].b;
        let unit = |stage: usize| stages.iter().map(|&i| RBig::from(u8::from(i == stage))).collect::<Vec<RBig>>();
        let smooth = is_first_same_as_last(tableau) && first && last;
        // The conditions at both ends require three powers.
        let degree = if is_first_same_as_last(tableau) { (order + 1).max(3) } else { order + 1 };
        let mut sums = vec![(1..=degree).map(|_| 1.0).collect::<Vec<f64>>()];
        let mut values = vec![stages.iter().map(|&i| rational(&b[i])).collect()];
        if smooth {
            sums.push((1..=degree).map(|k| f64::from(u8::from(k == 1))).collect());
            sums.push((1..=degree).map(|k| k as f64).collect());
            values.push(unit(0));
            values.push(unit(tableau.stages() - 1));
        }
        let doubles = to_f64(tableau);
        let errors = |n| ErrorCoefficients::new(&doubles, &stages, n);
        Ok(Self {
            moments: Moments::new(tableau, &stages, order)?,
            errors: [errors(order + 1)?, errors(order + 2)?],
            sums: DMatrix::from_fn(sums.len(), degree, |i, k| sums[i][k]),
            stages,
            degree,
            values,
        })
    }

    /// Computes the polynomials in doubles, a row for each power of θ.
    ///
    /// A solution of the conditions is corrected by null vectors to satisfy the end conditions. Null vectors that
    /// change neither then minimize the errors.
    pub(crate) fn start(&self) -> Option<DMatrix<f64>> {
        let RangeNullSpace { inverse, null } = self.moments.split()?;
        let ends = RangeNullSpace::new(&self.sums)?;
        let conditions = DMatrix::from_fn(self.moments.orders.len(), self.degree, |t, k| {
            f64::from(u8::from(self.moments.orders[t] == k + 1))
        });
        let mut d = (&inverse * conditions).transpose();
        let missing = self.doubles_of_values() - &self.sums * &d;
        d += &ends.inverse * (missing * &null) * null.transpose();
        if null.ncols() > 0 && ends.null.ncols() > 0 {
            let powers = powers(self.degree);
            let [next, after] = self.errors.each_ref().map(|errors| errors.along(&powers, &d));
            let [next_slopes, after_slopes] = self.errors.each_ref().map(|errors| &errors.matrix * &null);
            let (errors, slopes) = (stack(&next, &after), stack(&next_slopes, &after_slopes));
            // ‖YWX + R‖ is minimized by W = −Y⁺RX⁺.
            let across = (&powers * &ends.null).transpose();
            let [left, right] = [slopes, across].map(|x| RangeNullSpace::new(&x).map(|split| split.inverse));
            d -= &ends.null * (left? * errors * right?).transpose() * null.transpose();
        }
        Some(d)
    }

    /// Refines by Newton steps with exact residuals.
    ///
    /// Returns `None` if the residual exceeds the part that the precision of the stages explains.
    pub(crate) fn refine(&self, start: &DMatrix<f64>) -> Option<Vec<Vec<RBig>>> {
        // Each step gains fifteen digits, but only about five if the stages are nearly dependent.
        const STEPS: usize = 24;
        let (inverse, ends) = (self.moments.split()?.inverse, RangeNullSpace::new(&self.sums)?.inverse);
        let mut d: Vec<Vec<RBig>> = start.row_iter().map(|row| from_doubles(row.iter().copied())).collect();
        let mut worst = self.worst(&d);
        for _ in 0..STEPS {
            let step = |(k, d): (usize, &Vec<RBig>)| moved(d, (&inverse * self.residual(k, d)).iter());
            let on_conditions: Vec<Vec<RBig>> = d.iter().enumerate().map(step).collect();
            let step = &ends * self.missing(&on_conditions);
            let trial: Vec<Vec<RBig>> =
                on_conditions.iter().zip(step.row_iter()).map(|(d, step)| moved(d, step.iter())).collect();
            let next = self.worst(&trial);
            if next >= worst {
                break;
            }
            (d, worst) = (trial, next);
        }
        let explained = d.iter().map(|d| self.moments.explainable_residual(d)).fold(0.0, f64::max);
        (worst <= explained).then_some(d)
    }

    /// Computes the residuals of the conditions on the coefficients of θᵏ⁺¹.
    fn residual(&self, k: usize, d: &[RBig]) -> DVector<f64> {
        self.moments.residual(d, |order| i8::from(order == k + 1))
    }

    /// Computes the residuals of the end conditions, a row for each.
    fn missing(&self, d: &[Vec<RBig>]) -> DMatrix<f64> {
        DMatrix::from_fn(self.values.len(), self.stages.len(), |i, j| {
            let terms =
                d.iter().enumerate().map(|(k, d)| RBig::try_from(self.sums[(i, k)]).unwrap_or_default() * &d[j]);
            terms.fold(self.values[i][j].clone(), |rest, term| rest - term).to_f64().value()
        })
    }

    fn worst(&self, d: &[Vec<RBig>]) -> f64 {
        let conditions = d.iter().enumerate().map(|(k, d)| self.residual(k, d).amax());
        conditions.fold(self.missing(d).amax(), f64::max)
    }

    fn doubles_of_values(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.values.len(), self.stages.len(), |i, j| self.values[i][j].to_f64().value())
    }
}

impl ErrorCoefficients {
    /// Computes the error coefficients of polynomials, a row for each tree and a column for each point θ.
    fn along(&self, powers: &DMatrix<f64>, d: &DMatrix<f64>) -> DMatrix<f64> {
        let exact = DVector::from_fn(NODES, |n, _| node(n).powi(self.order as i32));
        &self.matrix * (powers * d).transpose() - &self.expected * exact.transpose()
    }
}

/// Returns θ, θ², … at the points where errors are evaluated.
fn powers(degree: usize) -> DMatrix<f64> {
    DMatrix::from_fn(NODES, degree, |n, k| node(n).powi(k as i32 + 1))
}

/// Number of points of [0, 1], more than the degree, so that no polynomial vanishes at all of them.
const NODES: usize = 16;

fn node(n: usize) -> f64 {
    (n as f64 + 0.5) / NODES as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::first_same_as_last::with_last_stage;
    use hemiola_tableau::{library, parse_number};

    fn doubled(id: &str) -> Tableau<Exact> {
        let plain = library::method(id).unwrap().exact().partitions[0].clone();
        Tableau { partitions: vec![plain.clone(), plain] }
    }

    /// Returns the minimized function: the sum of squared errors over trees and points.
    fn errors(part: &PartitionPolynomials, d: &DMatrix<f64>) -> f64 {
        part.errors.iter().map(|errors| errors.along(&powers(part.degree), d).norm_squared()).sum()
    }

    fn doubles(part: &PartitionPolynomials, polynomials: &[Vec<Exact>]) -> DMatrix<f64> {
        let entry = |k: usize, j: usize| polynomials[part.stages[j]].get(k).map_or(0.0, Exact::to_f64);
        DMatrix::from_fn(part.degree, part.stages.len(), entry)
    }

    #[test]
    fn the_polynomials_of_the_classical_method_are_unique() {
        // Hairer, Nørsett & Wanner 1993, §II.6: θ − 3θ²/2 + 2θ³/3, twice θ² − 2θ³/3, −θ²/2 + 2θ³/3.
        let expected = [["1", "-3/2", "2/3"], ["0", "1", "-2/3"], ["0", "1", "-2/3"], ["0", "-1/2", "2/3"]];
        for found in dense(&doubled("rk4"), 3).unwrap() {
            for (row, expected) in found.iter().zip(expected) {
                assert_eq!(row.len(), 3);
                for (d, expected) in row.iter().zip(expected) {
                    let difference = (d.clone() - parse_number(expected).unwrap()).to_f64();
                    assert!(difference.abs() < 1e-54, "{difference:e} beside {expected}");
                }
            }
        }
    }

    #[test]
    fn smooth_output_of_order_three_is_the_cubic_of_hermite() {
        // u = y₀ + hθ f₀ + …: b(θ) = b (3θ² − 2θ³) + e₁ θ(θ − 1)² + e_s θ²(θ − 1).
        let tableau = doubled("bogacki-shampine-3");
        for (found, butcher) in dense(&tableau, 2).unwrap().iter().zip(&tableau.partitions) {
            for (i, row) in found.iter().enumerate() {
                let (b, first, last) =
                    (butcher.b[i].to_f64(), f64::from(u8::from(i == 0)), f64::from(u8::from(i == 3)));
                let hermite = [first, 3.0 * b - 2.0 * first - last, -2.0 * b + first + last];
                assert!(row.iter().zip(hermite).all(|(d, expected)| (d.to_f64() - expected).abs() < 1e-15), "{i}");
            }
        }
    }

    #[test]
    fn published_output_lies_in_the_space_that_is_searched() {
        // Dormand & Prince's method with the polynomials of Shampine (Math. Comp. 46, 1986, 135–150).
        let published = library::method("dormand-prince-5").unwrap().partitions()[0].dense.clone().unwrap();
        let published: Vec<Vec<Exact>> =
            published.iter().map(|row| row.iter().map(|d| d.value().clone()).collect()).collect();
        let tableau = doubled("dormand-prince-5");
        let part = PartitionPolynomials::new(&tableau, FAST, 4).unwrap();
        let rational =
            |i: usize, k: usize| published[i].get(k).and_then(|d| d.as_rational()).cloned().unwrap_or_default();
        let powers: Vec<Vec<RBig>> =
            (0..part.degree).map(|k| part.stages.iter().map(|&i| rational(i, k)).collect()).collect();
        assert_eq!(part.worst(&powers), 0.0);
        // Our polynomials satisfy the same equations and have smaller errors, because they contain one more power of θ.
        let found = &dense(&tableau, 4).unwrap()[FAST];
        let (ours, theirs) = (errors(&part, &doubles(&part, found)), errors(&part, &doubles(&part, &published)));
        assert!(ours < theirs && ours > 0.1 * theirs, "{ours:e}, {theirs:e}");
    }

    #[test]
    fn no_null_vector_makes_the_errors_smaller() {
        let tableau = with_last_stage(&doubled("rk4"));
        let part = PartitionPolynomials::new(&tableau, FAST, 3).unwrap();
        let best = part.start().unwrap();
        let null = RangeNullSpace::new(&part.moments.matrix).unwrap().null;
        let powers = RangeNullSpace::new(&part.sums).unwrap().null;
        assert!(null.ncols() > 0 && powers.ncols() > 0);
        for (k, j) in (0..powers.ncols()).flat_map(|k| (0..null.ncols()).map(move |j| (k, j))) {
            let along = powers.column(k) * null.column(j).transpose();
            for step in [-1e-3, 1e-3] {
                assert!(errors(&part, &(&best + &along * step)) > errors(&part, &best));
            }
        }
    }
}
