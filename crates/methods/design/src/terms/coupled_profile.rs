//! The coupled profile as a term of the objective: the excess of |λ| over one at the requested coupled steps.
//!
//! With z_ss = X L_s u, z_ff = Y L_f u and z_sf z_fs = g z_ss z_ff, the profile is the smallest max(X, Y) of all
//! unstable points with 0 ≤ g ≤ γ² and κ between κ*/10 and 10κ*. It is not smooth. This term is smooth up to the
//! kinks of squares: the sum of the squared excesses of |λ|² over one, on a grid of the square whose side is the
//! requested profile.

use num_complex::Complex64;

use crate::error::DesignError;
use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::specification::definition::Specification;
use crate::specification::objective::Coupling;
use crate::specification::stability::taylor;
use crate::terms::stability_limit::first_exit;
use crate::terms::term::Term;

/// Number of grid points along X and along Y.
const STEPS: usize = 48;
/// Largest frequency ratio κ/κ* in the grid, and the inverse of the smallest.
const FARTHEST: f64 = 10.0;
/// Amount by which |λ|² should stay below one. Growth by 1e-3 in a step still counts as stable; together these margins
/// cover resonances between two grid points.
const MARGIN: f64 = 0.002;
/// Smallest accepted limit: near the origin, rounding hides the growth of an unstable polynomial, of order t^{p+1}.
const SHORTEST: f64 = 0.1;

/// A 2×2 matrix by rows, slow then fast.
type Matrix = [[Complex64; 2]; 2];

/// The excesses of the eigenvalues over one at many steps.
pub(crate) struct CoupledProfileTerm {
    points: Vec<CoupledGridStep>,
    /// The square of the weight, divided by the number of grid lines.
    factor: f64,
}

/// One step of a coupled problem.
#[derive(Clone, Copy)]
struct CoupledGridStep {
    /// The matrix Z with z_sf = z_fs, without loss of generality.
    z: Matrix,
    margin: f64,
}

impl CoupledProfileTerm {
    /// Creates the term.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] if a partition has no stability polynomial, or no limit to compare
    /// coupled steps with.
    pub(crate) fn new(wish: &Coupling, specification: &Specification) -> Result<Self, DesignError> {
        let u = Complex64::new(-wish.damping, (1.0 - wish.damping * wish.damping).sqrt());
        let [slow, fast] = limits(specification, u)?;
        let mut points = Vec::new();
        for (gamma, part) in wish.gammas.iter().zip(&wish.profile) {
            let square = (1..=STEPS).flat_map(|i| (1..=STEPS).map(move |j| [i, j].map(|k| k as f64 / STEPS as f64)));
            let is_counted = |[x, y]: &[f64; 2]| *y <= FARTHEST * x && *x <= FARTHEST * y;
            points.extend(square.filter(is_counted).map(|[x, y]| {
                let [slow, fast] = [part * x * slow, part * y * fast];
                let mixed = gamma * (slow * fast).sqrt() * u;
                // Short steps are damped only as much as the problem is.
                let margin = MARGIN.min(wish.damping * slow.min(fast) / 2.0);
                CoupledGridStep { z: [[slow * u, mixed], [mixed, fast * u]], margin }
            }));
        }
        // Each line of the grid has the weight of one point.
        Ok(Self { points, factor: wish.weight * wish.weight / STEPS as f64 })
    }
}

impl Term for CoupledProfileTerm {
    fn value(&self, at: &PairCoefficients) -> f64 {
        let mut stages = LinearStages::new(at.stages);
        let excess = |point: &CoupledGridStep| {
            let matrix = stages.matrix(at, &point.z);
            if point.is_inside(&matrix, 0.0) {
                return 0.0;
            }
            eigenvalues(&matrix).map(|lambda| point.excess(lambda).powi(2)).iter().sum::<f64>()
        };
        self.points.iter().map(excess).sum::<f64>() * self.factor / 2.0
    }

    fn add_gradient(&self, at: &PairCoefficients, gradient: &mut PairCoefficients) {
        let mut stages = LinearStages::new(at.stages);
        for point in &self.points {
            let matrix = stages.matrix(at, &point.z);
            if point.is_inside(&matrix, 0.0) {
                continue;
            }
            let mut slope = Matrix::default();
            for lambda in eigenvalues(&matrix) {
                let excess = point.excess(lambda);
                if excess > 0.0 {
                    // d|λ|² = Re(2λ̄ dλ).
                    add_eigenvalue_slope(&matrix, lambda, 2.0 * self.factor * excess * lambda.conj(), &mut slope);
                }
            }
            if slope != Matrix::default() {
                stages.add_gradient(at, &point.z, &slope, gradient);
            }
        }
    }

    /// Omits points at which |λ| is so far below one that the displacements of difference quotients cannot make it
    /// exceed one.
    fn localized(&self, at: &PairCoefficients) -> Box<dyn Term> {
        const REACH: f64 = 1e-3;
        let mut stages = LinearStages::new(at.stages);
        let may_count = |point: &&CoupledGridStep| {
            let matrix = stages.matrix(at, &point.z);
            let reaches = |lambda: &Complex64| lambda.norm_sqr() - 1.0 + point.margin > -REACH;
            !point.is_inside(&matrix, REACH) && eigenvalues(&matrix).iter().any(reaches)
        };
        let points = self.points.iter().filter(may_count).copied().collect();
        Box::new(Self { points, factor: self.factor })
    }
}

impl CoupledGridStep {
    /// Returns whether the Frobenius norm shows that no eigenvalue has an excess, with a margin of `spare`.
    fn is_inside(&self, matrix: &Matrix, spare: f64) -> bool {
        matrix.iter().flatten().map(Complex64::norm_sqr).sum::<f64>() < 1.0 - self.margin - spare
    }

    fn excess(&self, lambda: Complex64) -> f64 {
        (lambda.norm_sqr() - 1.0 + self.margin).max(0.0)
    }
}

/// The stages of a linear step from both unit vectors.
struct LinearStages {
    /// h·f of every stage for the slow and the fast partition, starting from each unit vector.
    rates: Vec<Matrix>,
}

impl LinearStages {
    fn new(stages: usize) -> Self {
        Self { rates: vec![Matrix::default(); stages] }
    }

    /// Computes the stability matrix S(Z).
    fn matrix(&mut self, at: &PairCoefficients, z: &Matrix) -> Matrix {
        for i in 0..at.stages {
            let y = self.combined([at.row(SLOW, i), at.row(FAST, i)], i);
            self.rates[i] = product(z, &y);
        }
        self.combined([at.row(SLOW, at.stages), at.row(FAST, at.stages)], at.stages)
    }

    /// Computes I + Σ a_j·rate_j, with one row for the slow and one for the fast component.
    fn combined(&self, rows: [&[f64]; 2], count: usize) -> Matrix {
        let mut y = [[Complex64::ONE, Complex64::ZERO], [Complex64::ZERO, Complex64::ONE]];
        for (j, rate) in self.rates[..count].iter().enumerate() {
            for part in [SLOW, FAST] {
                for column in 0..2 {
                    y[part][column] += rate[part][column] * rows[part][j];
                }
            }
        }
        y
    }

    /// Adds the derivatives of a real function with dF = Re Σ slope·dS, at the stages of the last matrix.
    fn add_gradient(&self, at: &PairCoefficients, z: &Matrix, slope: &Matrix, gradient: &mut PairCoefficients) {
        let s = at.stages;
        let mut adjoints = vec![Matrix::default(); s];
        self.pass(at, s, slope, &mut adjoints, gradient);
        for i in (0..s).rev() {
            let below = transposed_product(z, &adjoints[i]);
            self.pass(at, i, &below, &mut adjoints, gradient);
        }
    }

    /// Propagates derivatives with respect to the sums of one row to its coefficients and the earlier stages.
    fn pass(
        &self,
        at: &PairCoefficients,
        row: usize,
        slope: &Matrix,
        adjoints: &mut [Matrix],
        gradient: &mut PairCoefficients,
    ) {
        for part in [SLOW, FAST] {
            let coefficients = at.row(part, row);
            let start = gradient.row_offset(part, row);
            for j in 0..row {
                let rate = &self.rates[j][part];
                gradient.entries[start + j] += (slope[part][0] * rate[0] + slope[part][1] * rate[1]).re;
                for column in 0..2 {
                    adjoints[j][part][column] += slope[part][column] * coefficients[j];
                }
            }
        }
    }
}

fn product(x: &Matrix, y: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| x[i][0] * y[0][j] + x[i][1] * y[1][j];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

fn transposed_product(x: &Matrix, y: &Matrix) -> Matrix {
    product(&[[x[0][0], x[1][0]], [x[0][1], x[1][1]]], y)
}

/// Computes both roots of λ² − λ tr S + det S.
fn eigenvalues(s: &Matrix) -> [Complex64; 2] {
    let (mean, half) = ((s[0][0] + s[1][1]) / 2.0, (s[0][0] - s[1][1]) / 2.0);
    let root = square_root(half * half + s[0][1] * s[1][0]);
    [mean + root, mean - root]
}

/// Computes √z without the argument of z, which would dominate the run time.
fn square_root(z: Complex64) -> Complex64 {
    let larger = ((z.norm_sqr().sqrt() + z.re.abs()) / 2.0).sqrt();
    if larger == 0.0 {
        return Complex64::ZERO;
    }
    let smaller = z.im / (2.0 * larger);
    if z.re >= 0.0 { Complex64::new(larger, smaller) } else { Complex64::new(smaller.abs(), larger.copysign(z.im)) }
}

/// Adds factor·dλ/dS; nothing at a double eigenvalue, which is not differentiable.
fn add_eigenvalue_slope(s: &Matrix, lambda: Complex64, factor: Complex64, slope: &mut Matrix) {
    // (2λ − tr S) dλ = λ d tr S − d det S.
    let difference = 2.0 * lambda - s[0][0] - s[1][1];
    if difference.norm() < 1e-8 {
        return;
    }
    let factor = factor / difference;
    slope[0][0] += factor * (lambda - s[1][1]);
    slope[1][1] += factor * (lambda - s[0][0]);
    slope[0][1] += factor * s[1][0];
    slope[1][0] += factor * s[0][1];
}

/// Computes L_s and L_f along t·u.
fn limits(specification: &Specification, u: Complex64) -> Result<[f64; 2], DesignError> {
    let polynomials = specification.polynomials()?;
    let mut limits = [0.0; 2];
    for (part, polynomial) in polynomials.into_iter().enumerate() {
        let evaluations = [specification.slow, specification.fast][part];
        // If the number of evaluations equals the order, the polynomial is determined.
        let taylor = (evaluations == specification.order).then(|| taylor(specification.order));
        let Some(polynomial) = polynomial.or(taylor) else {
            return Err(DesignError::OutOfRange {
                name: "the stability polynomial of a partition",
                found: "free".to_owned(),
                expected: "an optimal or a given polynomial, to whose limit coupled steps can be compared",
            });
        };
        let coefficients: Vec<f64> = polynomial.iter().map(|beta| beta.to_f64().value()).collect();
        limits[part] = first_exit(&coefficients, u, 1e-12);
        if limits[part] < SHORTEST {
            return Err(DesignError::OutOfRange {
                name: "the limit of a partition along the damped ray",
                found: limits[part].to_string(),
                expected: "at least 0.1; increase the damping of the profile",
            });
        }
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::stability::Stability;
    use crate::specification::structure::Structure;
    use crate::terms::objective::further_terms;
    use crate::unknowns::free_entries::Unknowns;
    use hemiola_polynomial::Axis;

    fn specification() -> Specification {
        let mut specification = Specification::new(3, 6, None).unwrap();
        specification.stability[FAST] = Stability::Optimal { axis: Axis::Imaginary, damping: 0.05, band: 0.5 };
        specification.objective.coupling =
            Some(Coupling { damping: 0.05, gammas: vec![0.2, 0.4], profile: vec![1.0, 0.9], weight: 1.0 });
        specification.objective.internal = Some(0.3);
        specification
    }

    #[test]
    fn slopes_agree_with_differences() {
        let specification = specification();
        let unknowns = Unknowns::new(6, &[0, 2, 5], &Structure::default());
        let terms = further_terms(&specification).unwrap();
        let x: Vec<f64> = (0..unknowns.places().len()).map(|i| 0.2 + 0.15 * (i as f64).sin()).collect();
        for term in &terms {
            let value = |x: &[f64]| term.value(&unknowns.coefficients(x));
            let at = unknowns.coefficients(&x);
            let (mut gradient, mut nearby) = (PairCoefficients::zero(6), PairCoefficients::zero(6));
            term.add_gradient(&at, &mut gradient);
            term.localized(&at).add_gradient(&at, &mut nearby);
            assert_eq!(gradient.entries, nearby.entries);
            let slopes = unknowns.restrict(&gradient);
            let size = slopes.iter().map(|x| x.abs()).fold(0.0, f64::max);
            assert!(size > 1e-3);
            for (j, slope) in slopes.iter().enumerate() {
                let step = 1e-6;
                let moved = |sign: f64| {
                    let mut x = x.clone();
                    x[j] += sign * step;
                    value(&x)
                };
                let difference = (moved(1.0) - moved(-1.0)) / (2.0 * step);
                // The second derivative of a squared excess jumps at zero excess.
                assert!((difference - slope).abs() < 1e-5 * size, "{j}: {slope} {difference}");
            }
        }
    }

    #[test]
    fn matrices_are_those_of_the_stability_crate() {
        let unknowns = Unknowns::new(6, &[0, 2, 5], &Structure::default());
        let x: Vec<f64> = (0..unknowns.places().len()).map(|i| 0.2 + 0.15 * (i as f64).sin()).collect();
        let mixed = Complex64::new(0.3, -0.2);
        let z = [[Complex64::new(-0.1, 0.7), mixed], [mixed, Complex64::new(-0.4, 2.1)]];
        let own = LinearStages::new(6).matrix(&unknowns.coefficients(&x), &z);
        let expected =
            hemiola_stability::stability_matrix(&unknowns.tableau(&x), &[z[0].to_vec(), z[1].to_vec()]).unwrap();
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert!((own[i][j] - expected[i][j]).norm() < 1e-13);
        }
    }

    #[test]
    fn square_roots_are_those_of_the_library() {
        for (re, im) in [(1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0), (0.0, -3.0), (-4.0, 0.0), (0.0, 0.0)] {
            let z = Complex64::new(re, im);
            assert!((square_root(z) - z.sqrt()).norm() < 1e-15, "{z}");
        }
    }

    #[test]
    fn limits_are_those_of_the_profile() {
        let specification = specification();
        let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
        let [slow, _] = limits(&specification, u).unwrap();
        assert!((slow - 1.988).abs() < 2e-3);
    }

    #[test]
    fn an_undamped_part_that_grows_from_the_origin_has_no_limit() {
        // For the slow partition of order two |R(it)|² = 1 + t⁴/4, which is below 1 + 1e-12 up to t = 1.4e-3.
        let specification = Specification::new(2, 5, None).unwrap();
        assert!(limits(&specification, Complex64::I).unwrap_err().to_string().contains("increase the damping"));
        // With damping there are limits, where |1 + z + z²/2| and |1 + z + z²/2 + 3z³/16 + z⁴/32 + z⁵/128| exceed
        // one on the ray. The search stops at the last multiple of 1e-3 before that.
        let damped = limits(&specification, Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt())).unwrap();
        for (limit, exit) in damped.into_iter().zip([0.8, 4.040_123_211_902]) {
            assert!((-1e-12..1e-3).contains(&(exit - limit)), "{limit} for {exit}");
        }
    }
}
