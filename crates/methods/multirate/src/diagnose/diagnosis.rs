//! Hypotheses, their fits and their ranking.

use hemiola_number::{Counter, Progress, parallel};
use hemiola_order::OrderError;
use hemiola_order::diagnose::{ErrorEffects, PLAUSIBLE, PossibleText, Slip, possible_texts};
use hemiola_tableau::{Claims, Coefficient};
use num_dual::Dual64;
use num_traits::Zero;

use crate::diagnose::place::{CouplingPlace, kinds};
use crate::diagnose::requirements::Requirements;
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::order::{MultirateReport, RowVerdicts};
use crate::stage::InfinitesimalStage;

/// Largest number of coefficients; the number of hypotheses grows with its square.
const MOST_COEFFICIENTS: usize = 1000;
/// Largest number of suggestions, and of texts tried for a free value.
const KEPT: usize = 10;
const MOST_TEXTS: usize = 12;
/// Order whose conditions are tried before all others.
const SIFTING_ORDER: usize = 2;
/// Largest number of Newton steps.
const MOST_STEPS: usize = 20;
/// Rounding error of a residual, relative to the sum of the moduli of its derivatives times the coefficients.
const ROUNDING: f64 = 1e-14;
/// Factor by which residuals of a fit may exceed their tolerances.
const LEFT: f64 = 100.0;

/// The result of a diagnosis of a multirate method.
#[derive(Clone, Debug)]
pub struct MultirateDiagnosis {
    /// The orders of the step and of the embedded row as stated, up to the claimed ones.
    pub orders: [Option<usize>; 2],
    /// The number of conditions.
    pub conditions: u64,
    /// The number of conditions that fail.
    pub failed: u64,
    /// Whether the method satisfies its claims.
    pub is_sound: bool,
    /// The number of hypotheses tried.
    pub tried: usize,
    /// Possible errors, those least likely to fit by chance first.
    pub suggestions: Vec<CouplingSuggestion>,
}

/// A reading of the coefficients that satisfies all conditions.
#[derive(Clone, Debug)]
pub struct CouplingSuggestion {
    /// The presumed slip.
    pub slip: Slip,
    /// The coefficients that change.
    pub changes: Vec<CouplingChange>,
    /// The decimal logarithm of the number of equally good fits expected by chance.
    pub log_accidental_fits: f64,
    /// The method as suggested.
    pub method: InfinitesimalMethod,
}

/// A coefficient with its printed and its suggested text.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplingChange {
    /// The place of the coefficient.
    pub place: CouplingPlace,
    /// The printed coefficient.
    pub old: Coefficient,
    /// The suggested coefficient.
    pub new: Coefficient,
    /// Whether the value was computed from the conditions.
    pub solved: bool,
}

impl CouplingSuggestion {
    /// Returns whether a fit this good is unlikely by chance.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.log_accidental_fits < PLAUSIBLE
    }
}

impl MultirateDiagnosis {
    /// Iterates over the suggestions that are better than chance.
    pub fn plausible(&self) -> impl Iterator<Item = &CouplingSuggestion> {
        self.suggestions.iter().filter(|suggestion| suggestion.is_plausible())
    }
}

/// Searches for the coefficient that makes a multirate method fail the claimed orders of its step and its embedded row.
///
/// ```
/// use hemiola_multirate::{InfinitesimalMethod, diagnose::diagnose, library};
/// let right = library::method("mis-kw3")?;
/// let wrong = right.to_json().replacen("\"-51/80\"", "\"51/80\"", 1);
/// let method = InfinitesimalMethod::from_json(wrong.as_bytes(), "wrong.json")?;
/// let found = diagnose(&method, method.claims(), &())?;
/// let best = &found.suggestions[0];
/// assert!(best.is_plausible() && best.changes[0].new.text() == "-51/80");
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
///
/// # Errors
/// Returns a [`MultirateError`] if there are too many conditions or coefficients, or if `progress` stops the search.
pub fn diagnose(
    method: &InfinitesimalMethod,
    claims: Claims,
    progress: &dyn Progress,
) -> Result<MultirateDiagnosis, MultirateError> {
    let orders = orders(method, claims);
    let report = MultirateReport::new(method, Some(orders[0].max(orders[1]).max(1)))?;
    let rows = [Some(&report.step), report.embedded.as_ref().filter(|_| orders[1] > 0)];
    let reached = |k: usize| rows[k].map(|row| row.order_as_stated().min(orders[k]));
    let summaries = |k: usize| rows[k].into_iter().flat_map(RowVerdicts::orders).take(orders[k]);
    let all = || summaries(0).chain(summaries(1));
    let mut diagnosis = MultirateDiagnosis {
        orders: [reached(0), reached(1)],
        conditions: all().map(|summary| summary.conditions).sum(),
        failed: all().map(|summary| summary.failed() + summary.numerically).sum(),
        is_sound: has_orders(&report, orders),
        tried: 0,
        suggestions: Vec::new(),
    };
    if diagnosis.is_sound {
        return Ok(diagnosis);
    }
    let search = CouplingSearch::new(method, orders)?;
    diagnosis.tried = search.hypotheses.len();
    let counter = Counter::new(progress, "hypotheses", Some(search.hypotheses.len()));
    let found = parallel::map(search.hypotheses.len(), |k| counter.run(|| search.suggestion(&search.hypotheses[k])));
    if counter.is_stopped() {
        return Err(OrderError::Interrupted.into());
    }
    let mut all: Vec<CouplingSuggestion> = found.into_iter().flatten().flatten().collect();
    all.sort_by(|x, y| x.log_accidental_fits.total_cmp(&y.log_accidental_fits));
    for suggestion in all {
        let is_needless = diagnosis.suggestions.iter().any(|other| {
            other.changes.iter().all(|change| suggestion.changes.iter().any(|more| more.place == change.place))
        });
        if !is_needless && diagnosis.suggestions.len() < KEPT {
            diagnosis.suggestions.push(suggestion);
        }
    }
    Ok(diagnosis)
}

/// Returns the claimed orders of the step and of the embedded row; zero without a claim.
fn orders(method: &InfinitesimalMethod, claims: Claims) -> [usize; 2] {
    let embedded = claims.embedded_order.filter(|_| method.embedded().is_some());
    [claims.order.unwrap_or(0), embedded.unwrap_or(0)]
}

fn has_orders(report: &MultirateReport, orders: [usize; 2]) -> bool {
    let embedded = report.embedded.as_ref().map_or(0, RowVerdicts::order_as_stated);
    report.step.order_as_stated() >= orders[0] && embedded >= orders[1]
}

/// A hypothesis: one coefficient is free, and another one may be printed in its place.
struct CouplingHypothesis {
    free: usize,
    /// The coefficient with which it is exchanged.
    exchanged: Option<usize>,
}

/// The hypotheses about a method with the data to test them.
struct CouplingSearch<'a> {
    method: &'a InfinitesimalMethod,
    orders: [usize; 2],
    places: Vec<CouplingPlace>,
    printed: Vec<Coefficient>,
    values: Vec<f64>,
    sieve: Requirements,
    all: Requirements,
    tolerances: [Vec<f64>; 2],
    effects: ErrorEffects,
    hypotheses: Vec<CouplingHypothesis>,
    /// The number of decimals, in a table of decimals.
    decimals: Option<usize>,
}

impl<'a> CouplingSearch<'a> {
    fn new(method: &'a InfinitesimalMethod, orders: [usize; 2]) -> Result<Self, MultirateError> {
        let rows: Vec<&InfinitesimalStage<Coefficient>> = method.rows().collect();
        let of_row = |(row, stage): (usize, &&InfinitesimalStage<Coefficient>)| {
            kinds(stage).into_iter().map(move |kind| CouplingPlace { row, kind }).collect::<Vec<_>>()
        };
        let places: Vec<CouplingPlace> = rows.iter().enumerate().flat_map(of_row).collect();
        if places.len() > MOST_COEFFICIENTS {
            let (entries, limit) = (places.len(), MOST_COEFFICIENTS);
            return Err(OrderError::TooManyEntries { entries, limit }.into());
        }
        let printed: Vec<Coefficient> = rows.iter().flat_map(|row| row.coefficients().cloned()).collect();
        let values: Vec<f64> = printed.iter().map(|x| x.value().to_f64()).collect();
        let (sieve, all) = (
            Requirements::new(method, orders.map(|order| order.min(SIFTING_ORDER)))?,
            Requirements::new(method, orders)?,
        );
        // Without a claim, nothing depends on the embedded row.
        let is_open = |k: &usize| places[*k].row < method.stages().len() || orders[1] > 0;
        let open: Vec<usize> = (0..places.len()).filter(is_open).collect();
        let one = open.iter().map(|&free| CouplingHypothesis { free, exchanged: None });
        let pairs = open.iter().flat_map(|&i| open.iter().filter(move |&&j| j > i).map(move |&j| (i, j)));
        let differ = |&(i, j): &(usize, usize)| places[i].may_be_exchanged(&places[j]) && values[i] != values[j];
        let exchanges = pairs.filter(differ).map(|(free, other)| CouplingHypothesis { free, exchanged: Some(other) });
        let hypotheses = one.chain(exchanges).collect();
        let written = printed.iter().filter_map(|x| x.text().split_once('.').map(|(_, digits)| digits.len()));
        let decimals = method.precision().map(|precision| precision.decimals as usize).or(written.max());
        let effects = ErrorEffects::of(&[], &[], &[]);
        let mut search = Self {
            method,
            orders,
            places,
            printed,
            values,
            sieve,
            all,
            tolerances: [Vec::new(), Vec::new()],
            effects,
            hypotheses,
            decimals,
        };
        let rounding = method.rounding();
        let deltas: Vec<f64> = search.printed.iter().map(|x| rounding.of(x)).collect();
        let (_, coarse) = search.slopes(&search.sieve, &deltas);
        let (slopes, fine) = search.slopes(&search.all, &deltas);
        let residuals: Vec<f64> = search.residuals(&search.all, &search.values, 0).iter().map(|r| r.re).collect();
        search.effects = ErrorEffects::of(&residuals, &slopes, &fine);
        search.tolerances = [coarse, fine];
        Ok(search)
    }

    /// Returns the derivatives of the residuals with respect to all coefficients, and the tolerances of the residuals.
    fn slopes(&self, requirements: &Requirements, deltas: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let columns: Vec<Vec<Dual64>> =
            parallel::map(self.values.len(), |free| self.residuals(requirements, &self.values, free));
        let count = columns.first().map_or(0, Vec::len);
        let slopes: Vec<Vec<f64>> = (0..count).map(|k| columns.iter().map(|column| column[k].eps).collect()).collect();
        let tolerance = |row: &Vec<f64>| {
            let terms = row.iter().zip(&self.values).zip(deltas);
            terms.fold(ROUNDING, |sum, ((slope, x), delta)| sum + slope.abs() * (delta + ROUNDING * x.abs()))
        };
        let tolerances = slopes.iter().map(tolerance).collect();
        (slopes, tolerances)
    }

    /// Computes residuals with their derivatives with respect to one coefficient.
    fn residuals(&self, requirements: &Requirements, values: &[f64], free: usize) -> Vec<Dual64> {
        let mut index = 0;
        let mut next = |_: &Coefficient| {
            let value = match (index == free, values[index]) {
                // Sums skip terms with a zero factor, and their derivatives with them.
                (true, 0.0) => Dual64::new(f64::MIN_POSITIVE, 1.0),
                (true, value) => Dual64::new(value, 1.0),
                (false, value) => Dual64::from_re(value),
            };
            index += 1;
            value
        };
        let rows: Vec<InfinitesimalStage<Dual64>> = self.method.rows().map(|row| row.map(&mut next)).collect();
        requirements.residuals(&rows)
    }

    fn suggestion(&self, hypothesis: &CouplingHypothesis) -> Option<CouplingSuggestion> {
        let &CouplingHypothesis { free, exchanged } = hypothesis;
        let mut values = self.values.clone();
        if let Some(other) = exchanged {
            values[other] = self.values[free];
        }
        let starts = match exchanged {
            // The other coefficient belongs here, so no search is needed.
            Some(other) => vec![self.values[other]],
            None => vec![self.values[free], -self.values[free], 0.5],
        };
        let fit = |start: f64| {
            let near = self.fitted(&self.sieve, &self.tolerances[0], &mut values.clone(), free, start)?.0;
            self.fitted(&self.all, &self.tolerances[1], &mut values.clone(), free, near)
        };
        let (value, radius) = starts.into_iter().find_map(fit)?;
        let texts = match exchanged {
            Some(other) => self.exchanged(other, value, radius).into_iter().collect(),
            None => {
                let is_decimal = self.printed[free].text().contains('.') || self.values[free] == 0.0;
                possible_texts(&self.printed[free], value, radius, self.decimals.filter(|_| is_decimal))
            }
        };
        let tried = match exchanged {
            Some(_) => self.hypotheses.len(),
            None => self.hypotheses.iter().filter(|hypothesis| hypothesis.exchanged.is_none()).count(),
        };
        let chance_of_fit = (tried as f64).log10() + self.effects.log_chance_of_fit(Some(free));
        texts.into_iter().take(MOST_TEXTS).find_map(|PossibleText { slip, coefficient, chance }| {
            let solved = matches!(slip, Slip::Lost | Slip::Wrong);
            let mut changes = vec![self.change(free, coefficient, solved)];
            changes.extend(exchanged.map(|other| self.change(other, self.printed[free].clone(), false)));
            let method = self.changed(&changes)?;
            let log_accidental_fits = chance_of_fit + chance.clamp(f64::MIN_POSITIVE, 1.0).log10();
            Some(CouplingSuggestion { slip, changes, log_accidental_fits, method })
        })
    }

    /// Returns the text of another coefficient if its value is the fitted one.
    fn exchanged(&self, other: usize, value: f64, radius: f64) -> Option<PossibleText> {
        let distance = (self.values[other] - value).abs();
        let chance = 2.0 * radius / self.values[other].abs().max(value.abs());
        let coefficient = self.printed[other].clone();
        let slip = if coefficient.value().is_zero() { Slip::Moved } else { Slip::Exchanged };
        (distance <= radius).then_some(PossibleText { slip, coefficient, chance })
    }

    /// Finds a value of the free coefficient that satisfies the equations, and its error bound, by Gauss–Newton steps in
    /// units of the tolerances.
    fn fitted(
        &self,
        requirements: &Requirements,
        tolerances: &[f64],
        values: &mut [f64],
        free: usize,
        start: f64,
    ) -> Option<(f64, f64)> {
        values[free] = start;
        for _ in 0..MOST_STEPS {
            let residuals = self.residuals(requirements, values, free);
            let scaled = residuals.iter().zip(tolerances).map(|(r, tolerance)| (r.re / tolerance, r.eps / tolerance));
            let (product, square) =
                scaled.fold((0.0, 0.0), |(product, square), (r, slope)| (product + r * slope, square + slope * slope));
            let step = -product / square;
            if !step.is_finite() {
                return None;
            }
            if step.abs() <= 4.0 * f64::EPSILON * values[free].abs().max(f64::EPSILON) {
                break;
            }
            values[free] += step;
        }
        let residuals = self.residuals(requirements, values, free);
        let within = |(r, tolerance): (&Dual64, &f64)| r.re.abs() <= LEFT * tolerance;
        if !residuals.iter().zip(tolerances).all(within) {
            return None;
        }
        let radii = residuals.iter().zip(tolerances).map(|(r, tolerance)| LEFT * tolerance / r.eps.abs());
        Some((values[free], radii.fold(f64::INFINITY, f64::min)))
    }

    fn change(&self, index: usize, new: Coefficient, solved: bool) -> CouplingChange {
        CouplingChange { place: self.places[index], old: self.printed[index].clone(), new, solved }
    }

    /// Returns the method with changes; `None` if it is invalid or does not satisfy the claims.
    fn changed(&self, changes: &[CouplingChange]) -> Option<InfinitesimalMethod> {
        let mut places = self.places.iter();
        let mut new = |old: &Coefficient| {
            let place = places.next();
            let change = changes.iter().find(|change| Some(&change.place) == place);
            change.map_or_else(|| old.clone(), |change| change.new.clone())
        };
        let mut rows: Vec<InfinitesimalStage<Coefficient>> = self.method.rows().map(|row| row.map(&mut new)).collect();
        let embedded = self.method.embedded().is_some().then(|| rows.pop()).flatten();
        let InfinitesimalMethod { id, name, partitions, claims, precision, source, .. } = self.method;
        let method = InfinitesimalMethod::new(id, name, partitions.clone(), rows, embedded).ok()?;
        let method = method.described(*claims, *precision, source.clone()).ok()?;
        let report = MultirateReport::new(&method, Some(self.orders[0].max(self.orders[1]).max(1))).ok()?;
        has_orders(&report, self.orders).then_some(method)
    }
}
