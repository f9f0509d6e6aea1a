//! The stability polynomial of one level, and the stages before the tail that realize it.

use hemiola_polynomial::{LinearCondition, Problem, Spectrum};
use num_complex::Complex64;

use crate::error::DesignError;
use crate::family::shared_stages::{Tail, TailForm};

/// Largest excess of |R| over one, the tolerance of the conic solver.
const MARGIN: f64 = 1e-9;
/// Number of bisections for a scale, to a millionth, and for a coefficient.
const BISECTIONS: usize = 20;

/// The spectrum of a family as a list of points on its boundary.
#[derive(Clone, Debug)]
pub(crate) struct SpectrumBoundary {
    /// The eigenvalues to which polynomials are fitted; shapes are sampled.
    pub(crate) spectrum: Spectrum,
    /// The points at which polynomials are checked; for shapes a much finer sampling.
    pub(crate) places: Vec<Complex64>,
    /// The damping with which polynomials are fitted.
    damping: f64,
    /// The relative reduction of the scale that allows for excesses between the samples of a shape.
    room: f64,
}

impl SpectrumBoundary {
    pub(crate) fn new(spectrum: &Spectrum, degree: usize) -> Result<Self, DesignError> {
        const FITTED: usize = 8;
        const JUDGED: usize = 40;
        let places = spectrum.sample_points(JUDGED * degree)?;
        if matches!(spectrum, Spectrum::Eigenvalues(_)) {
            return Ok(Self { spectrum: spectrum.clone(), places, damping: 0.0, room: 0.0 });
        }
        let spectrum = Spectrum::Eigenvalues(spectrum.sample_points(FITTED * degree)?);
        Ok(Self { spectrum, places, damping: 0.0, room: 0.005 })
    }

    /// Sets the damping with which polynomials are fitted.
    pub(crate) fn damped(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// Returns the problem of a level.
    pub(crate) fn problem(&self, evaluations: usize, order: usize) -> Problem {
        Problem::new(self.spectrum.clone(), evaluations, order).damping(self.damping)
    }

    /// Computes the optimal polynomial of a degree and an order without damping, with its limit.
    pub(crate) fn optimum(&self, evaluations: usize, order: usize) -> Result<OptimalLevel, DesignError> {
        let optimum = Problem::new(self.spectrum.clone(), evaluations, order).solve()?;
        Ok(OptimalLevel { evaluations, polynomial: optimum.polynomial(8)?.to_f64(), limit: optimum.limit() })
    }

    /// Returns the first scale up to `farthest` at which a polynomial becomes unstable.
    pub(crate) fn limit(&self, r: &[f64], farthest: f64) -> f64 {
        const SAMPLES: usize = 500;
        let is_stable = |h: f64| self.places.iter().all(|place| horner(r, place * h).norm() <= 1.0 + MARGIN);
        let at = |k: usize| farthest * k as f64 / SAMPLES as f64;
        let Some(exit) = (1..=SAMPLES).find(|&k| !is_stable(at(k))) else { return farthest };
        let (mut low, mut high) = (at(exit - 1), at(exit));
        for _ in 0..2 * BISECTIONS {
            let middle = f64::midpoint(low, high);
            if is_stable(middle) { low = middle } else { high = middle }
        }
        low
    }
}

pub(crate) fn horner(coefficients: &[f64], z: Complex64) -> Complex64 {
    coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * z + c)
}

/// Computes (R(z) − Σ_{k≤p} zᵏ/k!)/(z^{p+1}/(p + 1)!) at a real z, which is near one for the exponential function
/// near the origin.
pub(crate) fn remainder(r: &[f64], z: f64, order: usize) -> f64 {
    let (mut term, mut taylor) = (1.0, 0.0);
    for k in 0..=order {
        taylor += term;
        term *= z / (k + 1) as f64;
    }
    (horner(r, z.into()).re - taylor) / term
}

/// The optimal polynomial of a level.
#[derive(Clone, Debug)]
pub(crate) struct OptimalLevel {
    pub(crate) evaluations: usize,
    pub(crate) polynomial: Vec<f64>,
    pub(crate) limit: f64,
}

/// A level: its own stages and its optimum.
#[derive(Clone, Debug)]
pub(crate) struct ChainLevel {
    pub(crate) evaluations: usize,
    /// The coefficients α of row j and of the stages before it, last stage first: row i is c_i k₁ + α_i (k_{i−1} −
    /// k₁).
    pub(crate) leans: Vec<f64>,
    /// The limit of the optimal polynomial.
    pub(crate) optimum: f64,
}

/// The choice of the polynomials of a family.
#[derive(Clone, Debug)]
pub(crate) struct LevelBuilder<'a> {
    pub(crate) boundary: &'a SpectrumBoundary,
    pub(crate) shape: TailForm,
    pub(crate) tail: &'a Tail<f64>,
    /// The share of the optimum that must be kept while errors are reduced.
    pub(crate) share: f64,
}

impl LevelBuilder<'_> {
    /// Computes the level with the given number of evaluations, which is at least the number of stages of the tail,
    /// and the given optimum.
    ///
    /// `None` if the tail allows no stable step of useful length.
    pub(crate) fn level(&self, evaluations: usize, optimum: f64) -> Result<Option<ChainLevel>, DesignError> {
        let [known, factor] = self.tail.polynomials();
        let before = evaluations - self.shape.stages();
        let kappa = if before == 0 {
            vec![0.0, 1.0, self.tail.c[1]]
        } else {
            match self.kappa(evaluations, optimum, &known, &factor)? {
                Some(kappa) => kappa,
                None => return Ok(None),
            }
        };
        Ok(Some(ChainLevel { evaluations, leans: leans(&kappa, before), optimum }))
    }

    /// Computes κ_j of the best polynomial that the tail allows.
    fn kappa(
        &self,
        degree: usize,
        optimum: f64,
        known: &[f64],
        factor: &[f64],
    ) -> Result<Option<Vec<f64>>, DesignError> {
        let order = self.shape.order();
        let lowest = order - 2;
        let mut conditions = Vec::new();
        let zero = (self.shape.conditions() > 0).then(|| -factor[lowest] / factor[lowest + 1]);
        if let Some(z) = zero {
            conditions.push(LinearCondition::Value { z, value: horner(known, z.into()).re });
        }
        let problem = self.boundary.problem(degree, order);
        let Some((r, h)) = self.best(&problem, optimum, &conditions)? else { return Ok(None) };
        // Solve (R − A)/z^{p−2} = (B₀ + B₁z) κ from the end at which rounding errors decay.
        let n = degree - lowest;
        let quotient = |k: usize| r[k + lowest] - known.get(k + lowest).copied().unwrap_or_default();
        let mut kappa = vec![0.0; n + 1];
        let radius = h * self.boundary.places.iter().map(|place| place.norm()).fold(0.0, f64::max);
        match zero {
            Some(z) if z.abs() < radius => {
                for k in (0..n).rev() {
                    kappa[k] = quotient(k + 1) / factor[lowest + 1] + z * kappa[k + 1];
                }
            }
            zero => {
                for k in 1..=n {
                    kappa[k] = quotient(k) / factor[lowest] + zero.map_or(0.0, |z| kappa[k - 1] / z);
                }
                if zero.is_some() {
                    kappa[n] = 0.0;
                }
            }
        }
        kappa[0] = 0.0;
        kappa[1] = 1.0;
        kappa[2] = self.tail.c[1];
        Ok(Some(kappa))
    }

    /// Returns R and its scale: the polynomial with the largest scale under the conditions or, as far as the share
    /// allows, one with an error coefficient closer to zero.
    fn best(
        &self,
        problem: &Problem,
        optimum: f64,
        conditions: &[LinearCondition],
    ) -> Result<Option<Scaled>, DesignError> {
        let power = self.shape.order() + 1;
        let under = |beta: Option<f64>| -> Vec<LinearCondition> {
            let extra = beta.map(|value| LinearCondition::Coefficient { power, value });
            conditions.iter().copied().chain(extra).collect()
        };
        let stable = |h: f64, beta: Option<f64>| -> Result<Option<Vec<f64>>, DesignError> {
            let found = problem.at_scale(h, &under(beta))?;
            Ok(found.filter(|found| found.level <= 0.1 * MARGIN).map(|found| found.coefficients))
        };
        let floor = (self.share * optimum / (1.0 - self.boundary.room)).min(optimum);
        let Some((r, h)) = largest(0.2 * optimum, optimum, |h| stable(h, None))? else { return Ok(None) };
        let target = (1..=power).fold(1.0, |product, k| product / k as f64);
        let ideal = |x: f64| Some(r[power] + x * (target - r[power]));
        let (beta, found) = if h <= floor {
            (None, Some((r.clone(), h)))
        } else if stable(floor, ideal(1.0))?.is_some() {
            (ideal(1.0), largest(floor, h, |h| stable(h, ideal(1.0)))?)
        } else {
            let found = largest(0.0, 1.0, |x| stable(floor, ideal(x)))?;
            (found.as_ref().and_then(|(_, x)| ideal(*x)), found.map(|(r, _)| (r, floor)))
        };
        let Some((r, h)) = found.or(Some((r, h))) else { return Ok(None) };
        if self.boundary.room == 0.0 {
            return Ok(Some((r, h)));
        }
        // At a scale slightly below the largest, the minimax polynomial has a margin below one.
        let h = h * (1.0 - self.boundary.room);
        Ok(problem.at_scale(h, &under(beta))?.map(|found| (found.coefficients, h)))
    }
}

/// R with a scale at which it is stable.
type Scaled = (Vec<f64>, f64);

/// Finds the largest number in an interval for which `answer` returns coefficients, to 2⁻²⁰ of the interval's length,
/// and returns both.
fn largest(
    mut low: f64,
    mut high: f64,
    mut answer: impl FnMut(f64) -> Result<Option<Vec<f64>>, DesignError>,
) -> Result<Option<Scaled>, DesignError> {
    if let Some(all) = answer(high)? {
        return Ok(Some((all, high)));
    }
    let mut best = None;
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        match answer(middle)? {
            Some(found) => {
                best = Some((found, middle));
                low = middle;
            }
            None => high = middle,
        }
    }
    Ok(best)
}

/// Computes α of row j and of the `before` stages in front of it, all with abscissa one: α_i = κ_i[3]/c_{i−1}, and
/// κ_{i−1}[k] = κ_i[k + 1]/α_i.
fn leans(kappa: &[f64], before: usize) -> Vec<f64> {
    let mut g = kappa.to_vec();
    let mut leans = Vec::with_capacity(before);
    for _ in 0..before {
        let alpha = g.get(3).copied().unwrap_or_default();
        leans.push(alpha);
        g = std::iter::once(0.0).chain([1.0]).chain(g.iter().skip(3).map(|value| value / alpha)).collect();
    }
    leans
}
