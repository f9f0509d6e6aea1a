//! Least squares for the free value of a hypothesis, on conditions of increasing order.
//!
//! Nearly all hypotheses fail at low order, where an evaluation costs microseconds. The conditions that are
//! affine in the free value give a starting point without a guess.

use hemiola_tableau::{Exact, Method, Precision, Tableau};
use num_dual::Dual64;

use crate::diagnose::conditions::ClaimConditions;
use crate::diagnose::hypotheses::Hypothesis;
use crate::diagnose::options::DiagnoseOptions;
use crate::diagnose::ranking::ErrorEffects;
use crate::diagnose::subject::ExtendedMethod;
use crate::diagnose::suspects::map_tableau;
use crate::engine::forward::ForwardSweep;
use crate::error::OrderError;
use crate::verdict::cell::Cell;
use crate::verdict::uncertainty::Uncertainty;

/// Orders whose conditions screen hypotheses before all conditions are evaluated.
const SIFTING_ORDERS: [usize; 2] = [3, 5];
/// Maximum number of Newton steps; few are needed from an affine start.
const MOST_STEPS: usize = 12;
/// Factor on the tolerances of the printed tableau, which apply until those of the hypothesis itself are known.
const COARSE: f64 = 100.0;
/// Tolerance for conditions in which only rounding must be explained.
const ROUNDING: f64 = 1e-14;
/// Factor by which residuals of a least-squares fit may exceed their tolerances: the free value carries the
/// errors of all other entries.
const LEFT: f64 = 4.0;

/// A hypothesis whose free value satisfies all conditions in double precision.
#[derive(Clone, Debug)]
pub(super) struct HypothesisFit {
    pub(super) value: f64,
    /// Largest deviation from the value before a condition fails.
    pub(super) radius: f64,
    /// The tableau according to the hypothesis.
    pub(super) tableau: Tableau<f64>,
}

/// The printed tableau with the conditions on hypotheses.
pub(super) struct Fitter {
    printed: Tableau<f64>,
    deltas: Tableau<f64>,
    precision: Option<Precision>,
    /// Conditions up to low, increasing orders.
    sieves: Vec<Sieve>,
    /// All conditions.
    all: Sieve,
}

/// Conditions up to some order with coarse tolerances.
struct Sieve {
    conditions: ClaimConditions,
    coarse: Vec<f64>,
}

/// Residuals and their derivatives at some free value.
struct ResidualsAt {
    value: f64,
    residuals: Vec<Dual64>,
}

impl Fitter {
    pub(super) fn new(
        subject: &ExtendedMethod,
        options: &DiagnoseOptions,
        row_sums: &[(usize, usize)],
    ) -> Result<Self, OrderError> {
        let method = &subject.method;
        let (printed, deltas) = (method.to_f64(), deltas(method, row_sums));
        let uncertainty = Uncertainty::new(printed.clone(), deltas.clone());
        let precision = method.precision();
        let floor = precision.map_or(0.0, Precision::half_unit).max(ROUNDING);
        let sieve = |order| -> Result<Sieve, OrderError> {
            let conditions = ClaimConditions::new(subject, options, row_sums, order)?;
            // Use a floor, because the misprint may have removed terms that contribute to the tolerances.
            let tolerances = conditions.tolerances(&uncertainty).into_iter();
            Ok(Sieve { conditions, coarse: tolerances.map(|tolerance| COARSE * tolerance.max(floor)).collect() })
        };
        let highest = subject.highest_order();
        let lower = SIFTING_ORDERS.into_iter().filter(|order| *order < highest);
        let (sieves, all) = (lower.map(sieve).collect::<Result<_, _>>()?, sieve(highest)?);
        Ok(Self { printed, deltas, precision, sieves, all })
    }

    pub(super) fn printed(&self) -> &Tableau<f64> {
        &self.printed
    }

    /// Returns all conditions.
    pub(super) fn conditions(&self) -> &ClaimConditions {
        &self.all.conditions
    }

    /// Returns the effects of errors in these cells.
    pub(super) fn errors(&self, cells: &[Cell]) -> ErrorEffects {
        let tolerances: Vec<f64> = self.all.coarse.iter().map(|coarse| coarse / COARSE).collect();
        ErrorEffects::new(&self.all.conditions, &self.printed, &tolerances, cells)
    }

    /// Fits the free value such that a hypothesis satisfies all conditions; `None` if there is no such value.
    pub(super) fn fit(&self, hypothesis: &Hypothesis) -> Option<HypothesisFit> {
        let tableau = hypothesis.apply(&self.printed);
        let mut value = *hypothesis.free.of(&self.printed);
        for sieve in &self.sieves {
            value = self.fit_to_sieve(hypothesis, sieve, &tableau, value)?.value;
        }
        self.fit_to_sieve(hypothesis, &self.all, &tableau, value)
    }

    fn fit_to_sieve(
        &self,
        hypothesis: &Hypothesis,
        sieve: &Sieve,
        tableau: &Tableau<f64>,
        value: f64,
    ) -> Option<HypothesisFit> {
        let search =
            FreeValueSearch { sieve, free: hypothesis.free, tableau: duals(tableau), weights: ForwardSweep::new() };
        let value = search.value_near(value)?;
        self.accept(hypothesis, &sieve.conditions, tableau, value)
    }

    /// Returns the fit if rounding and precision of this tableau explain every residual.
    fn accept(
        &self,
        hypothesis: &Hypothesis,
        conditions: &ClaimConditions,
        tableau: &Tableau<f64>,
        value: f64,
    ) -> Option<HypothesisFit> {
        let (mut nearest, mut deltas) = (tableau.clone(), hypothesis.apply(&self.deltas));
        *hypothesis.free.of_mut(&mut nearest) = value;
        *hypothesis.free.of_mut(&mut deltas) = match self.precision {
            Some(precision) => precision.half_unit(),
            None => 0.5 * f64::EPSILON * value.abs(),
        };
        let local = local(conditions, &mut ForwardSweep::new(), &mut duals(&nearest), hypothesis.free, value);
        let tolerances = conditions.tolerances(&Uncertainty::new(nearest.clone(), deltas));
        let within = |(residual, tolerance): (&Dual64, &f64)| residual.re.abs() <= LEFT * tolerance;
        if !local.residuals.iter().zip(&tolerances).all(within) {
            return None;
        }
        let radii = local.residuals.iter().zip(&tolerances).map(|(residual, tolerance)| tolerance / residual.eps.abs());
        Some(HypothesisFit { value, radius: radii.fold(f64::INFINITY, f64::min), tableau: nearest })
    }
}

/// The search for the free value in one tableau and under some of the conditions.
struct FreeValueSearch<'a> {
    sieve: &'a Sieve,
    free: Cell,
    tableau: Tableau<Dual64>,
    weights: ForwardSweep<Dual64>,
}

impl FreeValueSearch<'_> {
    /// Returns a value that satisfies the conditions coarsely. Affine conditions lead to it from any start; if they do
    /// not depend on the free value, the search starts from the printed value, its negative and zero.
    fn value_near(mut self, printed: f64) -> Option<f64> {
        let affine = self.sieve.conditions.affine_in(self.free);
        let start = self.local(printed);
        if self.sieve.conditions.is_affinity_certain(self.free) && refutes(&start, &self.sieve.coarse, &affine) {
            return None;
        }
        if let Some(step) = step(&start, &self.sieve.coarse, |k| affine[k]) {
            let first = self.local(printed + step);
            return self.descend(first);
        }
        let mut found = self.descend(start);
        for other in [-printed, 0.0] {
            found = found.or_else(|| {
                let start = self.local(other);
                self.descend(start)
            });
        }
        found
    }

    fn local(&mut self, value: f64) -> ResidualsAt {
        local(&self.sieve.conditions, &mut self.weights, &mut self.tableau, self.free, value)
    }

    /// Performs Gauss–Newton iterations until the steps no longer change the value.
    ///
    /// At a double root, where a condition is the square of another, steps shrink by a constant ratio; Aitken's
    /// extrapolation then reaches the limit in one step.
    fn descend(&mut self, mut at: ResidualsAt) -> Option<f64> {
        const LINEAR: std::ops::Range<f64> = 0.25..0.95;
        let mut last = 0.0;
        for _ in 0..MOST_STEPS {
            let Some(step) = step(&at, &self.sieve.coarse, |_| true) else { break };
            if step.abs() <= 4.0 * f64::EPSILON * at.value.abs() {
                break;
            }
            let ratio = step / last;
            let extrapolates = LINEAR.contains(&ratio);
            // After an extrapolation the next ratio would not be that of two plain steps.
            last = if extrapolates { 0.0 } else { step };
            at = self.local(at.value + if extrapolates { step / (1.0 - ratio) } else { step });
        }
        let within = |(residual, coarse): (&Dual64, &f64)| residual.re.abs() <= *coarse;
        at.residuals.iter().zip(&self.sieve.coarse).all(within).then_some(at.value)
    }
}

fn local(
    conditions: &ClaimConditions,
    weights: &mut ForwardSweep<Dual64>,
    tableau: &mut Tableau<Dual64>,
    free: Cell,
    value: f64,
) -> ResidualsAt {
    // Sums skip terms with a zero factor, and their derivatives with them.
    let near = if value == 0.0 { f64::MIN_POSITIVE } else { value };
    *free.of_mut(tableau) = Dual64::new(near, 1.0);
    let residuals = conditions.residuals_in(weights, tableau, |value: &Exact| Dual64::from_re(value.to_f64()));
    ResidualsAt { value, residuals }
}

/// Returns whether no value at all satisfies the conditions coarsely: the affine conditions confine the value to
/// an interval in which another condition remains too large. This saves the iterations of hypotheses that cannot
/// change the value.
fn refutes(at: &ResidualsAt, tolerances: &[f64], affine: &[bool]) -> bool {
    // Rounding is a hundredth of a coarse tolerance.
    const WIDER: f64 = 2.0;
    // Farther away, the rounding of slopes matters.
    const NEAR: f64 = 1e3;
    // Largest step relative to the value that counts as small.
    const SMALL: f64 = 1e-3;
    // Terms may be larger than in the printed tableau, which determines the tolerances.
    const GROWN: f64 = 1e3;
    let each = || at.residuals.iter().zip(tolerances).zip(affine);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for ((residual, tolerance), _) in each().filter(|(_, affine)| **affine) {
        let (r, slope, wide) = (residual.re, residual.eps, WIDER * tolerance);
        if slope == 0.0 {
            if r.abs() > wide {
                return true;
            }
        } else {
            let ends = [(-r - wide) / slope, (-r + wide) / slope];
            low = low.max(ends[0].min(ends[1]));
            high = high.min(ends[0].max(ends[1]));
        }
    }
    let step = low.abs().max(high.abs());
    if low > high && step <= NEAR {
        return true;
    }
    let part = step / at.value.abs();
    // Comparisons with NaN are false and refute nothing.
    low <= high
        && part <= SMALL
        && each().any(|((residual, tolerance), _)| {
            // A tolerance is at least the rounding of the sum of the moduli of all terms, which have at most
            // twenty factors.
            let size = GROWN * tolerance / (COARSE * f64::EPSILON);
            let change = residual.eps.abs() * step + size * (20.0 * part).powi(2);
            residual.re.abs() > WIDER * tolerance + change
        })
}

/// Computes −Σ r r′/Σ r′² over some of the conditions, each in units of its tolerance; `None` if they do not
/// depend on the value.
fn step(at: &ResidualsAt, tolerances: &[f64], uses: impl Fn(usize) -> bool) -> Option<f64> {
    let used = at.residuals.iter().zip(tolerances).enumerate().filter(|(k, _)| uses(*k));
    let (mut slopes, mut products, mut largest) = (0.0, 0.0, 0.0f64);
    for (_, (residual, tolerance)) in used {
        let (r, slope) = (residual.re / tolerance, residual.eps / tolerance);
        slopes += slope * slope;
        products += r * slope;
        largest = largest.max(residual.eps.abs());
    }
    // Slopes that ought to cancel leave rounding errors.
    let step = -products / slopes;
    (largest > 1e-12 && step.is_finite()).then_some(step)
}

fn duals(tableau: &Tableau<f64>) -> Tableau<Dual64> {
    map_tableau(tableau, Dual64::from_re)
}

/// Returns the uncertainties of the coefficients. Abscissae are uncertain only where they give row sums; all
/// others follow from A.
fn deltas(method: &Method, row_sums: &[(usize, usize)]) -> Tableau<f64> {
    let mut deltas = method.uncertainties();
    for (partition, butcher) in deltas.partitions.iter_mut().enumerate() {
        if !row_sums.iter().any(|(told, _)| *told == partition) {
            butcher.c.fill(0.0);
        }
    }
    deltas
}
