//! Dispersion and dissipation: phase and modulus of R along the imaginary axis compared with those of e^z.

use dashu::base::{DivRem, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::{RBig, Relaxed};
use hemiola_tableau::{Exact, Method, Scalar};
use num_complex::Complex64;
use num_traits::Zero;

use crate::error::StabilityError;
use crate::function::exact::ExactStability;
use crate::function::moments::ExactMoments;
use crate::function::nominal_function::NominalFunction;
use crate::function::rational::StabilityFunction;
use crate::function::sector::inverse_roots;

/// Number of terms of the phase series beyond the first one. The remainder is below rounding up to half the radius of
/// convergence.
const TERMS: usize = 60;

/// Number of error coefficients examined first: most methods have a lower order.
const FEW: usize = 8;

/// Leading term c y^{p+1} of an error that vanishes with y.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadingTerm {
    /// Order p.
    pub order: usize,
    /// Constant c.
    pub constant: Exact,
}

/// Phase and amplitude errors of oscillations y' = iωy with y = hω (van der Houwen & Sommeijer, SIAM J. Numer. Anal. 24
/// (1987) 595).
///
/// The phase error is φ(y) = y − arg R(iy), the dissipation 1 − |R(iy)|. Moments that agree with 1/k! to the precision
/// of the tableau are replaced by 1/k!. Coefficients of the errors that this precision explains are ignored.
///
/// ```
/// use hemiola_stability::Dispersion;
/// let rk4 = Dispersion::new(&hemiola_tableau::library::method("rk4").unwrap(), 0)?;
/// let leading = rk4.phase().unwrap();
/// assert_eq!((leading.order, leading.constant.to_string()), (4, "1/120".to_owned()));
/// let leading = rk4.amplitude().unwrap();
/// assert_eq!((leading.order, leading.constant.to_string()), (5, "1/144".to_owned()));
/// assert!((rk4.phase_error(1e-3) / (1e-15 / 120.0) - 1.0).abs() < 1e-5);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dispersion {
    phase: Option<LeadingTerm>,
    amplitude: Option<LeadingTerm>,
    function: StabilityFunction<f64>,
    /// |R|² − 1 as a function of y².
    excess: StabilityFunction<f64>,
    /// Coefficients of φ, constant term first; `series_end` is the end of the range in which they are used.
    series: Vec<f64>,
    series_end: f64,
    /// Reciprocals of the zeros; `poles` has those of the poles.
    zeros: Vec<Complex64>,
    poles: Vec<Complex64>,
}

impl Dispersion {
    /// Computes the errors of one partition.
    ///
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] if there is no such partition, [`StabilityError::NoConvergence`] if the
    /// zeros or poles of R cannot be found.
    pub fn new(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let exact = method.exact();
        let butcher = exact.partitions.get(partition);
        let found = partition + 1;
        let butcher = butcher.ok_or(StabilityError::WrongSize { found, expected: exact.partitions.len() })?;
        Self::of(&NominalFunction::new(method, partition, &ExactMoments::new(butcher))?)
    }

    fn of(nominal: &NominalFunction) -> Result<Self, StabilityError> {
        let StabilityFunction { numerator, denominator } = &nominal.function;
        let (amplitude, excess) = amplitude(nominal);
        let (phase, series) = phase(nominal);
        let function = StabilityFunction { numerator: doubles(numerator), denominator: doubles(denominator) };
        let (zeros, poles) = (inverse_roots(&function.numerator)?, inverse_roots(&function.denominator)?);
        let nearest = zeros.iter().chain(&poles).fold(0.0, |largest: f64, inverse| largest.max(inverse.norm()));
        Ok(Self { phase, amplitude, function, excess, series, series_end: 0.5 / nearest, zeros, poles })
    }

    /// Computes the errors of a partition whose stability function is known.
    ///
    /// ```
    /// use hemiola_stability::{Dispersion, ExactStability};
    /// let rk4 = hemiola_tableau::library::method("rk4")?;
    /// let dispersion = Dispersion::with(&ExactStability::new(&rk4, 0)?, &rk4, 0)?;
    /// assert_eq!(dispersion.phase(), Dispersion::new(&rk4, 0)?.phase());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn with(stability: &ExactStability, method: &Method, partition: usize) -> Result<Self, StabilityError> {
        Self::of(&NominalFunction::new(method, partition, stability.elements())?)
    }

    /// Returns the leading term of the phase error; `None` if the precision of the tableau explains all of it.
    #[must_use]
    pub fn phase(&self) -> Option<&LeadingTerm> {
        self.phase.as_ref()
    }

    /// Returns the leading term of the dissipation; `None` if |R(iy)| = 1.
    #[must_use]
    pub fn amplitude(&self) -> Option<&LeadingTerm> {
        self.amplitude.as_ref()
    }

    /// Computes φ(y) = y − arg R(iy), positive if the numerical solution lags behind.
    ///
    /// The argument is continuous in y, except where R vanishes.
    #[must_use]
    pub fn phase_error(&self, y: f64) -> f64 {
        if y.abs() <= self.series_end {
            return self.series.iter().rev().fold(0.0, |sum, coefficient| sum * y + coefficient);
        }
        let z = Complex64::new(0.0, y);
        let principal = -(self.function.at(z) * (-z).exp()).arg();
        // A factor 1 − iy/r never crosses the cut of the argument: the sum over zeros and poles is continuous.
        let sum = |inverses: &[Complex64]| inverses.iter().map(|inverse| (1.0 - z * inverse).arg()).sum::<f64>();
        let continuous = y - sum(&self.zeros) + sum(&self.poles);
        principal + std::f64::consts::TAU * ((continuous - principal) / std::f64::consts::TAU).round()
    }

    /// Computes 1 − |R(iy)|, negative if the numerical solution grows.
    #[must_use]
    pub fn dissipation(&self, y: f64) -> f64 {
        let excess = self.excess.at(Complex64::from(y * y)).re;
        -excess / (1.0 + (1.0 + excess).max(0.0).sqrt())
    }
}

/// Computes the first term of 1 − |R|, and |R|² − 1 = E/|D|² in y². To first order 1 − |R| = −E/2.
fn amplitude(nominal: &NominalFunction) -> (Option<LeadingTerm>, StabilityFunction<f64>) {
    let [mut excess, denominator] = nominal.function.on_imaginary_axis();
    let leading = first(&excess, LazyUncertainties::new(|length| nominal.excess_uncertainty(Complex64::I, length)));
    excess.iter_mut().take(leading.unwrap_or(usize::MAX)).for_each(|coefficient| *coefficient = Exact::zero());
    let constant = |k: usize| -(excess[k].clone() * Exact::from_ratio(1, 2));
    let leading = leading.map(|k| LeadingTerm { order: k - 1, constant: constant(k) });
    let even = |p: &[Exact]| p.iter().step_by(2).map(Exact::to_f64).collect::<Vec<f64>>();
    (leading, StabilityFunction { numerator: even(&excess), denominator: even(&denominator) })
}

/// Computes the first term of φ and its series: with log R(z) − z = Σ eₖzᵏ, φ(y) = Σ (−1)^{(k+1)/2} eₖyᵏ over odd k.
///
/// R(z)/R(−z) is a quotient of polynomials of degree m = deg N + deg D and agrees with e^{2z} at most to order 2m: the
/// first nonzero odd coefficient is at most e_{2m+1}.
fn phase(nominal: &NominalFunction) -> (Option<LeadingTerm>, Vec<f64>) {
    let StabilityFunction { numerator, denominator } = &nominal.function;
    let length = 2 * (numerator.len() + denominator.len() - 2) + 2;
    let mut explained = LazyUncertainties::new(|length| nominal.logarithm_uncertainty(length));
    let mut differs = |k: usize, value: f64| k % 2 == 1 && value.abs() > explained.at(k);
    let found = match IntegerLogarithms::new(nominal) {
        Some(logarithms) => logarithms.first_difference(length, &mut differs),
        None => first_difference(nominal, length, &mut differs),
    };
    let Some((order, value, [mut above, mut below])) = found else { return (None, Vec::new()) };
    let sign = |k: usize| if k % 4 == 1 { -1.0 } else { 1.0 };
    let constant = if sign(order + 1) < 0.0 { -value } else { value };
    let mut series = vec![0.0; order + 2];
    series[order + 1] = constant.to_f64();
    for k in order + 2..order + 2 + TERMS {
        let value = above.next() - below.next();
        series.push(if k % 2 == 1 { sign(k) * value } else { 0.0 });
    }
    (Some(LeadingTerm { order, constant }), series)
}

/// Order and value of the first nonzero coefficient of log R(z) − z, and both logarithms up to there.
type Difference = (usize, Exact, [Logarithm<f64>; 2]);

fn first_difference(
    nominal: &NominalFunction,
    length: usize,
    differs: &mut dyn FnMut(usize, f64) -> bool,
) -> Option<Difference> {
    let StabilityFunction { numerator, denominator } = &nominal.function;
    let (mut above, mut below) = (Logarithm::new(numerator), Logarithm::new(denominator));
    for k in 1..length {
        let mut value = above.next() - below.next();
        if k == 1 {
            value = value - Exact::from(1);
        }
        if !value.is_zero() && differs(k, value.to_f64()) {
            return Some((k - 1, value, [above.to_f64(), below.to_f64()]));
        }
    }
    None
}

/// Returns the index of the first coefficient that its uncertainty does not explain; `None` if it is the constant term.
fn first(coefficients: &[Exact], mut explained: LazyUncertainties<impl Fn(usize) -> Vec<f64>>) -> Option<usize> {
    let mut differs = |k: usize| !coefficients[k].is_zero() && coefficients[k].to_f64().abs() > explained.at(k);
    (0..coefficients.len()).find(|&k| differs(k)).filter(|&k| k > 0)
}

/// Uncertainties of coefficients, computed on demand; each is independent of the number computed.
struct LazyUncertainties<F> {
    of: F,
    known: Vec<f64>,
}

impl<F: Fn(usize) -> Vec<f64>> LazyUncertainties<F> {
    fn new(of: F) -> Self {
        Self { of, known: Vec::new() }
    }

    fn at(&mut self, k: usize) -> f64 {
        if k >= self.known.len() {
            self.known = (self.of)((2 * k).max(FEW));
        }
        self.known[k]
    }
}

fn doubles(p: &[Exact]) -> Vec<f64> {
    p.iter().map(Exact::to_f64).collect()
}

/// Coefficients lₖ of log p for p(0) = 1, computed one after the other: k pₖ = Σ_{j=1}^{k} j lⱼ p_{k−j}.
struct Logarithm<T> {
    p: Vec<T>,
    /// Terms k lₖ.
    terms: Vec<T>,
}

impl<T: Scalar> Logarithm<T> {
    fn new(p: &[T]) -> Self {
        Self { p: p.to_vec(), terms: vec![T::zero()] }
    }

    fn next(&mut self) -> T {
        let k = self.terms.len();
        let lowest = (k + 1).saturating_sub(self.p.len()).max(1);
        let first = self.p.get(k).map_or_else(T::zero, |p| p.clone() * T::ratio(k as i64, 1));
        let term = (lowest..k).fold(first, |sum, j| sum - self.terms[j].clone() * self.p[k - j].clone());
        self.terms.push(term.clone());
        term * T::ratio(1, k as u64)
    }
}

impl Logarithm<Exact> {
    fn to_f64(&self) -> Logarithm<f64> {
        Logarithm { p: doubles(&self.p), terms: doubles(&self.terms) }
    }
}

/// Logarithms of N and D over powers of a number C for which all coefficients pₖCᵏ are integers.
///
/// Then all k lₖCᵏ are also integers, which avoids the reduction of fractions at every addition.
struct IntegerLogarithms<'a> {
    function: &'a StabilityFunction<Exact>,
    scale: UBig,
    /// Coefficients pₖCᵏ of N and D; `terms` has k lₖCᵏ.
    coefficients: [Vec<IBig>; 2],
    terms: [Vec<IBig>; 2],
}

impl<'a> IntegerLogarithms<'a> {
    /// Prepares the integers; returns `None` if the denominators of coefficients are not covered by that of the tableau
    /// and factorials.
    fn new(nominal: &'a NominalFunction) -> Option<Self> {
        // Least common multiple of 1 to 20: known moments are reciprocals of factorials up to 20!.
        const FACTORS: u64 = 232_792_560;
        let scale = nominal.scale.numerator().clone().unsigned_abs() * UBig::from(FACTORS);
        let whole = |p: &[Exact]| -> Option<Vec<IBig>> {
            let powers = std::iter::successors(Some(UBig::ONE), |power| Some(power * &scale));
            let whole = |(p, power): (&Exact, UBig)| {
                let (quotient, rest) = power.div_rem(p.as_rational()?.denominator());
                rest.is_zero().then_some(p.as_rational()?.numerator() * IBig::from(quotient))
            };
            p.iter().zip(powers).map(whole).collect()
        };
        let function = &nominal.function;
        let coefficients = [whole(&function.numerator)?, whole(&function.denominator)?];
        Some(Self { function, scale, coefficients, terms: [0, 1].map(|_| vec![IBig::ZERO]) })
    }

    /// Finds the first difference like the function [`first_difference`] for fractions.
    fn first_difference(mut self, length: usize, differs: &mut dyn FnMut(usize, f64) -> bool) -> Option<Difference> {
        let mut power = UBig::ONE;
        for k in 1..length {
            power *= &self.scale;
            let [above, below] = [0, 1].map(|which| self.next(which));
            let mut value = above - below;
            if k == 1 {
                value -= IBig::from(power.clone());
            }
            let denominator = || &power * UBig::from(k);
            if !value.is_zero() && differs(k, Relaxed::from_parts(value.clone(), denominator()).to_f64().value()) {
                let logarithms = [0, 1].map(|which| self.to_f64(which));
                return Some((k - 1, Exact::from(RBig::from_parts(value, denominator())), logarithms));
            }
        }
        None
    }

    fn next(&mut self, which: usize) -> IBig {
        let (p, terms) = (&self.coefficients[which], &mut self.terms[which]);
        let k = terms.len();
        let lowest = (k + 1).saturating_sub(p.len()).max(1);
        let first = p.get(k).map_or(IBig::ZERO, |p| p * IBig::from(k));
        let term = (lowest..k).fold(first, |sum, j| sum - &terms[j] * &p[k - j]);
        terms.push(term.clone());
        term
    }

    fn to_f64(&self, which: usize) -> Logarithm<f64> {
        let p = [&self.function.numerator, &self.function.denominator][which];
        let powers = std::iter::successors(Some(UBig::ONE), |power| Some(power * &self.scale));
        let double = |(term, power): (&IBig, UBig)| Relaxed::from_parts(term.clone(), power).to_f64().value();
        Logarithm { p: doubles(p), terms: self.terms[which].iter().zip(powers).map(double).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn dispersion(id: &str, partition: usize) -> Dispersion {
        Dispersion::new(&library::method(id).unwrap(), partition).unwrap()
    }

    fn orders(id: &str) -> (Option<usize>, Option<usize>) {
        let found = dispersion(id, 0);
        (found.phase().map(|leading| leading.order), found.amplitude().map(|leading| leading.order))
    }

    #[test]
    fn orders_and_constants() {
        for (id, phase, amplitude) in [
            ("explicit-euler", (2, "1/3"), (1, "-1/2")),
            ("heun-2", (2, "-1/6"), (3, "-1/8")),
            ("kutta-3", (4, "-1/30"), (3, "1/24")),
            ("rk4", (4, "1/120"), (5, "1/144")),
            ("implicit-euler", (2, "1/3"), (1, "1/2")),
            ("radau-iia-2", (4, "1/270"), (3, "1/72")),
        ] {
            let found = dispersion(id, 0);
            let text = |leading: &LeadingTerm| (leading.order, leading.constant.to_string());
            assert_eq!(found.phase().map(text), Some((phase.0, phase.1.to_owned())), "{id}");
            assert_eq!(found.amplitude().map(text), Some((amplitude.0, amplitude.1.to_owned())), "{id}");
        }
        // Methods with |R(iy)| = 1 only shift phases; Padé approximants do so with order 2s.
        for s in 1..=4 {
            assert_eq!(orders(&format!("gauss-{s}")), (Some(2 * s), None));
        }
        // A tableau of 8 decimals, intended to have order 2.
        assert_eq!(orders("shome-haug-jay-2-5").0, Some(2));
    }

    #[test]
    fn integers_give_what_fractions_give() {
        for id in
            ["rk4", "gauss-3", "radau-iia-3", "shome-haug-jay-2-5", "verner-7-6", "sdirk-2", "hairer-wanner-sdirk-4"]
        {
            let method = library::method(id).unwrap();
            let nominal = NominalFunction::new(&method, 0, &ExactMoments::new(&method.exact().partitions[0])).unwrap();
            let mut from_seven = |k: usize, value: f64| k >= 7 && value != 0.0;
            let shown = |found: Option<Difference>| {
                let (order, value, [above, below]) = found.unwrap();
                (order, value.to_string(), above.terms, below.terms)
            };
            // A tableau with a surd has no integers.
            let Some(integers) = IntegerLogarithms::new(&nominal) else {
                assert_eq!(id, "sdirk-2");
                continue;
            };
            let fractions = shown(first_difference(&nominal, 12, &mut from_seven));
            assert_eq!(shown(integers.first_difference(12, &mut from_seven)), fractions, "{id}");
        }
    }

    #[test]
    fn curves_agree_with_the_definition() {
        for (id, partition, end) in
            [("rk4", 0, 2.6), ("perk-4-9-5", 1, 6.0), ("gauss-3", 0, 50.0), ("radau-iia-3", 0, 50.0)]
        {
            let found = dispersion(id, partition);
            let function = StabilityFunction::new(&library::method(id).unwrap().to_f64().partitions[partition]);
            let mut unwrapped = 0.0;
            for k in 1..=5000 {
                let y = end * f64::from(k) / 5000.0;
                let r = function.at(Complex64::new(0.0, y));
                let expected = y - r.arg();
                // Compare with the direct formula modulo 2π, and exclude jumps between neighboring points.
                let turns = (found.phase_error(y) - expected) / std::f64::consts::TAU;
                assert!((turns - turns.round()).abs() < 1e-11, "{id} at {y}: {turns}");
                assert!((found.phase_error(y) - unwrapped).abs() < 0.2, "{id} at {y}");
                unwrapped = found.phase_error(y);
                assert!((found.dissipation(y) - (1.0 - r.norm())).abs() < 1e-11, "{id} at {y}");
            }
        }
    }

    #[test]
    fn small_errors_have_all_digits() {
        // Reference values from 40 digits.
        let rk4 = dispersion("rk4", 0);
        for (y, phase, dissipation) in REFERENCE {
            assert!((rk4.phase_error(y) / phase - 1.0).abs() < 1e-13, "{y}: {:e}", rk4.phase_error(y));
            assert!((rk4.dissipation(y) / dissipation - 1.0).abs() < 1e-13, "{y}: {:e}", rk4.dissipation(y));
        }
    }

    const REFERENCE: [(f64, f64, f64); 3] = [
        (0.01, 8.333_035_716_214_78e-13, 6.944_357_638_888_914e-15),
        (0.5, 2.3756435504182634e-4, 1.0512162770886164e-4),
        (1.0, 5.578893796287061e-3, 6.094963176953096e-3),
    ];
}
