//! The design of a family from its specification.

use std::ops::ControlFlow;

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_number::{Progress, Update, parallel};
use hemiola_order::principal_error;
use hemiola_polynomial::Spectrum;
use hemiola_stability::{BlockSystem, spectral_amplification};
use hemiola_tableau::{Butcher, Method};
use num_complex::Complex64;

use crate::error::{DesignError, require};
use crate::family::coupling::{LeastRatio, coupled_step};
use crate::family::level::{ChainLevel, LevelBuilder, OptimalLevel, SpectrumBoundary};
use crate::family::method::method;
use crate::family::search::{TailSearch, UNITS};
use crate::family::shared_stages::{Tail, TailForm};
use crate::family::specification::FamilySpecification;
use crate::family::windows::RemainderWindows;

/// A finished family.
#[derive(Clone, Debug)]
pub struct Family {
    /// The method: a partition for each level, from few evaluations to many. Its coefficients are exact as written.
    pub method: Method,
    /// The properties of each level, from few evaluations to many.
    pub levels: Vec<FamilyLevel>,
    /// The principal error norm of all levels together.
    pub error_norm: f64,
    /// The largest principal error norm of two levels, and the evaluations of these levels.
    pub worst_pair: (f64, [usize; 2]),
    /// The smallest coupled step on each system of the specification.
    pub coupled: Vec<LeastRatio>,
    /// The largest modulus of a coefficient.
    pub largest_coefficient: f64,
    /// Whether every stage uses only the first and the previous stage.
    pub is_chain: bool,
}

/// The properties of one level of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyLevel {
    /// The number of evaluations in a step.
    pub evaluations: usize,
    /// The coefficients β_0 … β_E of its stability polynomial.
    pub polynomial: Vec<f64>,
    /// The largest stable multiple of the spectrum.
    pub limit: f64,
    /// The limit of the optimal polynomial with the same number of evaluations and the same order.
    pub optimum: f64,
    /// The largest internal amplification on the spectrum within the limit.
    pub amplification: f64,
}

impl FamilyLevel {
    /// Returns the limit relative to that of the optimal polynomial.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.limit / self.optimum
    }
}

/// Designs a family: shared stages in closed form with small errors, then for each level the polynomial with the
/// longest step that these allow, realized by a chain of stages.
///
/// `systems` are the systems named in the specification. If there are any, the parameters of the shared stages and the
/// step sizes of the levels are then changed one at a time, until the coupled step of any levels is at least the
/// smallest limit of the decoupled parts.
///
/// `progress` receives the completed thousandths at every start of a search for shared stages and after every such
/// change. If it stops the search, the best family so far is returned.
///
/// ```
/// use hemiola_design::{FamilySpecification, design_family};
/// let specification = FamilySpecification::new(vec![8, 4, 2], 2, "disk".parse()?);
/// let family = design_family(&specification, &[], &())?;
/// assert_eq!(family.method.partitions().len(), 3);
/// assert!(family.levels.iter().all(|level| level.share() > 0.949));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns a [`DesignError`] if the specification is contradictory or its polynomials do not exist.
pub fn design_family(
    specification: &FamilySpecification,
    systems: &[BlockSystem],
    progress: &dyn Progress,
) -> Result<Family, DesignError> {
    specification.validate()?;
    let most = specification.levels.first().copied().unwrap_or_default();
    let boundary = SpectrumBoundary::new(&specification.spectrum, most)?.damped(specification.damping);
    let optimum = |level: &usize| boundary.optimum(*level, specification.order);
    let optima: Vec<OptimalLevel> = specification.levels.iter().rev().map(optimum).collect::<Result<_, _>>()?;
    let makes = FamilyBuilder { specification, systems, boundary: &boundary, optima: &optima };
    let shapes: Vec<TailForm> = shapes(specification).collect();
    let searches = if systems.is_empty() { 1.0 } else { SEARCHES };
    let total = (shapes.len() + 1) as f64;
    let search_progress = |done: usize| move |_: Update<'_>| report(progress, searches * done as f64 / total);
    // The windows take seconds, so compute them only if they are needed.
    let windows = if shapes.iter().any(|shape| shape.conditions() > 0) {
        RemainderWindows::new(&boundary, &optima, specification.order, specification.share, &search_progress(0))?
    } else {
        None
    };
    let mut best: Option<FamilyCandidate> = None;
    for (done, shape) in shapes.into_iter().enumerate() {
        let allowed = windows.as_ref().filter(|_| shape.conditions() > 0);
        let progress = search_progress(done + 1);
        if shape.conditions() > 0 && allowed.is_none() || progress.report(Update::default()).is_break() {
            break;
        }
        let search = TailSearch::new(shape, &optima, allowed)?;
        let parameters = search.run(specification.seed, specification.starts, &progress);
        let shares = vec![specification.share; optima.len()];
        if let Some(found) = makes.found(shape, parameters, shares)?
            && best.as_ref().is_none_or(|best| found.is_better(best))
        {
            best = Some(found);
        }
    }
    if let Some(found) = best.as_mut().filter(|_| !systems.is_empty()) {
        makes.improve_coupling(found, progress)?;
    }
    best.map(|found| found.family).ok_or(DesignError::NotFound {
        starts: specification.starts,
        seed: specification.seed,
        solved: 0,
    })
}

/// Reports the completed fraction of a design.
fn report(progress: &dyn Progress, fraction: f64) -> ControlFlow<()> {
    let done = (1000.0 * fraction).round() as usize;
    progress.report(Update { phase: "thousandths", done, total: Some(1000), values: &[] })
}

/// Fraction of the run time for the searches, if there are changes for systems.
const SEARCHES: f64 = 0.3;

/// Tolerance of shares, for errors of bisection and rounding.
const ROOM: f64 = 1e-5;

fn shapes(specification: &FamilySpecification) -> impl Iterator<Item = TailForm> {
    let (order, fewest, chain) = (specification.order, specification.fewest(), specification.chain);
    [TailForm::Two, TailForm::Three, TailForm::ThreeOnFour, TailForm::Four, TailForm::Chain, TailForm::Full]
        .into_iter()
        .filter(move |shape| shape.order() == order && shape.stages() <= fewest)
        .filter(move |shape| shape.is_chain() || !chain)
}

/// A family with its parameters, and the criteria that compare it with another.
struct FamilyCandidate {
    shape: TailForm,
    /// The parameters as numerators over [`UNITS`].
    parameters: Vec<i32>,
    /// The share of each level that must be kept while errors are reduced.
    shares: Vec<f64>,
    family: Family,
    /// The smallest ratio of a level's share to the requested one, at most one.
    least_share: f64,
}

impl FamilyCandidate {
    /// Compares shares first, then coupled steps up to those of the decoupled parts, then errors.
    fn is_better(&self, other: &Self) -> bool {
        let meets = |found: &Self| found.least_share >= 1.0 - ROOM;
        match (meets(self), meets(other)) {
            (true, true) => {
                let (mine, its) = (self.coupled().min(1.0), other.coupled().min(1.0));
                mine > its || mine == its && self.family.worst_pair.0 < other.family.worst_pair.0
            }
            (false, false) => self.least_share > other.least_share,
            (meets, _) => meets,
        }
    }

    /// Returns the smallest coupled step over all systems.
    fn coupled(&self) -> f64 {
        self.family.coupled.iter().map(|step| step.ratio).fold(f64::INFINITY, f64::min)
    }
}

/// Builds families from shared stages and shares.
struct FamilyBuilder<'a> {
    specification: &'a FamilySpecification,
    systems: &'a [BlockSystem],
    boundary: &'a SpectrumBoundary,
    optima: &'a [OptimalLevel],
}

impl FamilyBuilder<'_> {
    fn found(
        &self,
        shape: TailForm,
        parameters: Vec<i32>,
        shares: Vec<f64>,
    ) -> Result<Option<FamilyCandidate>, DesignError> {
        let rational = |n: &i32| RBig::from_parts(IBig::from(*n), UNITS.into());
        let exact: Vec<RBig> = parameters.iter().map(rational).collect();
        let values: Vec<f64> = parameters.iter().map(|n| f64::from(*n) / f64::from(UNITS)).collect();
        let doubles = Tail::<f64>::new(shape, &values);
        // The closed forms contain divisions; possibly no start led to parameters for which they are finite.
        if parameters.len() < shape.parameters() || !doubles.excess(f64::MAX).is_finite() || !doubles.is_within() {
            return Ok(None);
        }
        let tail = Tail::new(shape, &exact);
        let level = |k: usize| {
            let chooser = LevelBuilder { boundary: self.boundary, shape, tail: &doubles, share: shares[k] };
            chooser.level(self.optima[k].evaluations, self.optima[k].limit)
        };
        let levels: Result<Option<Vec<ChainLevel>>, DesignError> =
            parallel::map(self.optima.len(), level).into_iter().collect();
        let Some(levels) = levels? else { return Ok(None) };
        let method = method(self.specification, shape, &tail, &levels)?;
        let coupled = self.systems.iter().map(|system| coupled_step(&method, system)).collect::<Result<_, _>>()?;
        let family = Family { coupled, ..facts(self.specification, self.boundary, shape, method, &levels)? };
        let share = |level: &FamilyLevel| (level.share() / self.specification.share).min(1.0);
        let least_share = family.levels.iter().map(share).fold(1.0, f64::min);
        Ok(Some(FamilyCandidate { shape, parameters, shares, family, least_share }))
    }

    /// Changes the parameters and shares one at a time, in decreasing amounts, and keeps improvements.
    fn improve_coupling(&self, found: &mut FamilyCandidate, progress: &dyn Progress) -> Result<(), DesignError> {
        let count = found.parameters.len() + found.shares.len();
        let total = (2 * count * CHANGES.len()) as f64;
        for (round, change) in CHANGES.into_iter().enumerate() {
            for (k, sign) in (0..count).flat_map(|k| [(k, 1.0), (k, -1.0)]) {
                let changed = found.changed(k, sign * change, self.specification.share);
                if let Some((parameters, shares)) = changed
                    && let Some(other) = self.found(found.shape, parameters, shares)?
                    && other.is_better(found)
                {
                    *found = other;
                }
                let done = 2 * (round * count + k) + usize::from(sign < 0.0) + 1;
                if report(progress, SEARCHES + (1.0 - SEARCHES) * done as f64 / total).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Changes of the parameters in successive rounds; shares change by a third of these.
const CHANGES: [f64; 4] = [0.06, 0.03, 0.015, 0.0075];

impl FamilyCandidate {
    /// Returns parameters and shares with one of them changed; `None` if it cannot change within its range.
    fn changed(&self, k: usize, change: f64, least: f64) -> Option<(Vec<i32>, Vec<f64>)> {
        let (mut parameters, mut shares) = (self.parameters.clone(), self.shares.clone());
        if let Some(parameter) = parameters.get_mut(k) {
            *parameter += (change * f64::from(UNITS)).round() as i32;
        } else {
            let share = shares.get_mut(k - self.parameters.len())?;
            let changed = (*share + change / 3.0).clamp(least, 1.0);
            if changed == *share {
                return None;
            }
            *share = changed;
        }
        Some((parameters, shares))
    }
}

fn facts(
    specification: &FamilySpecification,
    boundary: &SpectrumBoundary,
    shape: TailForm,
    method: Method,
    levels: &[ChainLevel],
) -> Result<Family, DesignError> {
    let order = specification.order;
    let facts: Vec<FamilyLevel> =
        (0..levels.len()).map(|partition| measured(&method, partition, boundary, levels[partition].optimum)).collect();
    let mut worst_pair = (0.0, [0, 0]);
    for low in 0..levels.len() {
        for high in low + 1..levels.len() {
            let Some(pair) = method.pair([low, high]) else { continue };
            let norm = principal_error(&pair.exact(), order)?.total.two;
            if norm > worst_pair.0 {
                worst_pair = (norm, [levels[low].evaluations, levels[high].evaluations]);
            }
        }
    }
    let tableau = method.to_f64();
    let entries = tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b));
    let largest_coefficient = entries.map(|entry| entry.abs()).fold(0.0, f64::max);
    let error_norm = principal_error(&method.exact(), order)?.total.two;
    let (coupled, is_chain) = (Vec::new(), shape.is_chain());
    Ok(Family { method, levels: facts, error_norm, worst_pair, coupled, largest_coefficient, is_chain })
}

/// Evaluates a partition of a method on a spectrum and compares it with the optimal polynomial of the same number
/// of evaluations and the given order.
///
/// ```
/// use hemiola_design::level_on;
/// // P-ERK4 (Doehring et al. 2024) was made for other spectra; its five evaluations share three rows with the nine.
/// let perk = hemiola_tableau::library::method("perk-4-9-5")?;
/// let slow = level_on(&perk, 0, 4, &"dg:3".parse()?)?;
/// assert!(slow.evaluations == 5 && slow.share() < 0.7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`DesignError::OutOfRange`] if there is no such partition or it is implicit, and
/// [`DesignError::Polynomial`] if there is no optimum.
pub fn level_on(
    method: &Method,
    partition: usize,
    order: usize,
    spectrum: &Spectrum,
) -> Result<FamilyLevel, DesignError> {
    let tableau = method.to_f64();
    let is_explicit = tableau.partitions.get(partition).is_some_and(Butcher::is_explicit);
    require(is_explicit, "the partition", &partition, "an explicit one of the method, counted from zero")?;
    let evaluations = tableau.partitions[partition].evaluated_stages().len();
    let boundary = SpectrumBoundary::new(spectrum, evaluations)?;
    let optimum = boundary.optimum(evaluations, order)?.limit;
    Ok(measured(method, partition, &boundary, optimum))
}

fn measured(method: &Method, partition: usize, boundary: &SpectrumBoundary, optimum: f64) -> FamilyLevel {
    let butcher = &method.to_f64().partitions[partition];
    let evaluations = butcher.evaluated_stages().len();
    // β_k = bᵀAᵏ⁻¹1.
    let mut vector = vec![1.0; butcher.stages()];
    let mut polynomial = vec![1.0];
    for _ in 0..evaluations {
        polynomial.push(butcher.b.iter().zip(&vector).map(|(b, x)| b * x).sum());
        vector = butcher.times(&vector);
    }
    let limit = boundary.limit(&polynomial, FARTHEST * optimum);
    let scaled: Vec<Complex64> = boundary.places.iter().map(|place| place * limit).collect();
    let amplification = spectral_amplification(method, partition, &scaled);
    FamilyLevel { evaluations, polynomial, limit, optimum, amplification }
}

/// Largest scale searched for the limit of a polynomial, relative to the optimum.
const FARTHEST: f64 = 1.25;
