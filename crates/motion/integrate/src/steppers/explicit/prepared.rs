//! An explicit method prepared for systems with given partitions.

use std::ops::Range;

use hemiola_tableau::{Butcher, Method, Tableau};

use crate::error::MethodMismatch;
use crate::linear_algebra::sums::Sums;
use crate::problem::system::{System, ranges};
use crate::stages::partition_tableaus::{Extras, PartitionTableau, partition_tableaus};
use crate::steppers::state_point::StatePoint;

/// An explicit method, with one tableau for all partitions of the system or one for each.
///
/// k_jʳ = fʳ(t + c_jʳ h, Y_j) with Y_jʳ = yʳ + h Σ a_jiʳ k_iʳ. Unused slopes are not evaluated, so that a slow
/// partition has fewer evaluations. Slopes at the beginning of a step are remembered. They are reused if the step is
/// repeated with another h, and if the last stage equals the step's result (first same as last). They are identified by
/// time and state only, so a stepper must be used with one system.
///
/// ```
/// use hemiola_integrate::{Explicit, Stepper, System};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let mut stepper = Explicit::new(&rk4, &Decay)?;
/// let mut y = [1.0];
/// stepper.step(&Decay, 0.0, 0.1, &mut y)?;
/// assert!((y[0] - f64::exp(-0.1)).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explicit {
    pub(super) stages: Vec<Stage>,
    /// The increment of the state, divided by h.
    pub(super) result: Sums,
    pub(super) estimate: Option<Sums>,
    /// The coefficients dᵢₖ of each partition.
    pub(super) dense: Option<Vec<Vec<Vec<f64>>>>,
    /// The range of the variables of each partition.
    pub(super) places: Vec<Range<usize>>,
    /// The slopes k_j of all partitions, stage after stage.
    pub(super) slopes: Vec<f64>,
    /// The stage argument Y_j.
    pub(super) argument: Vec<f64>,
    pub(super) begin: StatePoint,
    pub(super) end: StatePoint,
    /// The size of the last step.
    pub(super) h: f64,
    /// Whether the slopes belong to a completed step from `begin`.
    pub(super) is_made: bool,
    /// Whether the first stage holds the slopes at `begin`, for each partition.
    pub(super) known: Vec<bool>,
    /// Whether the last slope is the slope at `end`, for each partition.
    pub(super) same_as_last: Vec<bool>,
    /// Whether the rates of a partition have changed since the last step.
    pub(super) changed: Vec<bool>,
    /// The number of variables, if there are few in one partition.
    pub(super) narrow: Option<usize>,
}

/// A stage with at least one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) number: usize,
    pub(super) sums: Sums,
    pub(super) evaluations: Vec<Evaluation>,
}

#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) partition: usize,
    /// The abscissa c_jʳ.
    pub(super) abscissa: f64,
    /// The index of the slope.
    pub(super) first: usize,
    pub(super) size: usize,
}

impl Explicit {
    /// Prepares a method for systems with the same partitions as `system`.
    ///
    /// # Errors
    /// [`MethodMismatch`] if the method is implicit, or has neither one partition nor the number of the system.
    pub fn new<S: System + ?Sized>(method: &Method, system: &S) -> Result<Self, MethodMismatch> {
        Self::with(method, system, Extras::default())
    }

    /// Prepares a method with an error estimate or dense output.
    ///
    /// # Errors
    /// See [`new`](Self::new); also if the method lacks a required extra.
    pub fn with<S: System + ?Sized>(method: &Method, system: &S, extras: Extras) -> Result<Self, MethodMismatch> {
        let parts = partition_tableaus(method, system.sizes().len())?;
        if parts.iter().any(|part| !part.butcher.is_explicit()) {
            return Err(MethodMismatch::Implicit { method: method.id().to_owned() });
        }
        extras.expect(method, &parts)?;
        Ok(Self::prepare(&parts, system.sizes(), extras))
    }

    /// Prepares tableaus in doubles, such as those of a search, for a system with the same number of partitions.
    ///
    /// ```
    /// use hemiola_integrate::{Explicit, Stepper, System};
    /// # struct Decay;
    /// # impl System for Decay {
    /// #     fn sizes(&self) -> &[usize] { &[1] }
    /// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
    /// # }
    /// let heun = hemiola_tableau::Tableau::new(vec![(vec![vec![0.0; 2], vec![1.0, 0.0]], vec![0.5, 0.5], None)]);
    /// let mut y = [1.0];
    /// Explicit::of_tableau(&heun, &Decay)?.step(&Decay, 0.0, 0.1, &mut y)?;
    /// assert!((y[0] - 0.905).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MethodMismatch`] if a tableau is implicit, or their number differs from the system's number of partitions.
    pub fn of_tableau<S: System + ?Sized>(tableau: &Tableau<f64>, system: &S) -> Result<Self, MethodMismatch> {
        let (method, found, expected) = ("a tableau".to_owned(), tableau.partitions.len(), system.sizes().len());
        if found != expected {
            return Err(MethodMismatch::Partitions { method, found, expected });
        }
        if !tableau.is_explicit() {
            return Err(MethodMismatch::Implicit { method });
        }
        let part =
            |butcher: &Butcher<f64>| PartitionTableau { butcher: butcher.clone(), difference: None, dense: None };
        let parts: Vec<PartitionTableau> = tableau.partitions.iter().map(part).collect();
        Ok(Self::prepare(&parts, system.sizes(), Extras::default()))
    }

    fn prepare(parts: &[PartitionTableau], sizes: &[usize], extras: Extras) -> Self {
        let (s, n) = (parts[0].butcher.stages(), sizes.iter().sum::<usize>());
        let needed = needed(parts, extras);
        let places = ranges(sizes);
        let sums = |rows: &dyn Fn(&PartitionTableau) -> Vec<f64>| {
            Sums::new(parts.iter().map(rows).zip(places.iter().cloned()), n)
        };
        let stage = |j: usize| {
            let evaluations = (0..parts.len()).filter(|&r| needed[r][j]).map(|r| Evaluation {
                partition: r,
                abscissa: parts[r].butcher.c[j],
                first: j * n + places[r].start,
                size: sizes[r],
            });
            Stage { number: j, sums: sums(&|part| part.butcher.a[j].clone()), evaluations: evaluations.collect() }
        };
        let ends = |part: &PartitionTableau| part.butcher.a[s - 1] == part.butcher.b;
        let is_result = s > 1 && parts.iter().all(ends);
        let same_as_last = |r: usize| {
            let c = &parts[r].butcher.c;
            is_result && needed[r][0] && needed[r][s - 1] && c[0] == 0.0 && c[s - 1] == 1.0
        };
        let point = || StatePoint::nowhere(n);
        let stages = skip_repeated_sums((0..s).map(stage).filter(|stage| !stage.evaluations.is_empty()));
        Self {
            narrow: narrow(&stages, sizes),
            stages,
            result: sums(&|part| part.butcher.b.clone()),
            estimate: extras.estimate.then(|| sums(&|part| part.difference.clone().unwrap_or_default())),
            dense: extras.dense.then(|| parts.iter().map(|part| part.dense.clone().unwrap_or_default()).collect()),
            places: places.clone(),
            slopes: vec![0.0; s * n],
            argument: vec![0.0; n],
            begin: point(),
            end: point(),
            h: 0.0,
            is_made: false,
            known: vec![false; parts.len()],
            same_as_last: (0..parts.len()).map(same_as_last).collect(),
            changed: vec![false; parts.len()],
        }
    }

    /// Discards the slopes of a partition, because its rates become those of another system.
    pub(crate) fn forget(&mut self, partition: usize) {
        self.known[partition] = false;
        self.changed[partition] = true;
    }

    /// Moves the beginning to (t, y), with any slopes known there.
    pub(super) fn move_to(&mut self, t: f64, h: f64, y: &[f64]) {
        if self.begin.matches(t, h, y) {
            return;
        }
        self.is_made = false;
        let is_end = self.same_as_last.contains(&true) && self.end.matches(t, h, y);
        let last = self.slopes.len() - y.len();
        for (r, place) in self.places.iter().enumerate() {
            self.known[r] = is_end && self.same_as_last[r] && !self.changed[r];
            if self.known[r] {
                self.slopes.copy_within(last + place.start..last + place.end, place.start);
            }
        }
        self.begin.set(t, y);
    }
}

/// Largest number of variables for which narrow steps are faster.
pub(super) const WIDEST: usize = 4;

/// Returns the number of variables if there are few in one partition.
fn narrow(stages: &[Stage], sizes: &[usize]) -> Option<usize> {
    let [n] = *sizes else { return None };
    let is_plain = |stage: &Stage| stage.evaluations.len() == 1;
    ((1..=WIDEST).contains(&n) && stages.iter().all(is_plain)).then_some(n)
}

/// Lets each stage reuse the sums that the previous stage has already written.
fn skip_repeated_sums(stages: impl Iterator<Item = Stage>) -> Vec<Stage> {
    let mut before: Option<Sums> = None;
    let stage = |mut stage: Stage| {
        // A stage without sums uses the state at the beginning directly and writes no argument.
        if !stage.sums.is_empty()
            && let Some(before) = before.replace(stage.sums.clone())
        {
            stage.sums = stage.sums.without_repeats_of(&before);
        }
        stage
    };
    stages.map(stage).collect()
}

/// Marks the evaluations that the result and the required extras depend on, by partition and stage.
fn needed(parts: &[PartitionTableau], extras: Extras) -> Vec<Vec<bool>> {
    let s = parts[0].butcher.stages();
    let has = |weights: &Option<Vec<f64>>, j: usize| weights.as_ref().is_some_and(|weights| weights[j] != 0.0);
    let used_at_the_end = |part: &PartitionTableau, j: usize| {
        let dense = part.dense.as_ref().is_some_and(|rows| rows[j].iter().any(|&d| d != 0.0));
        part.butcher.b[j] != 0.0 || extras.estimate && has(&part.difference, j) || extras.dense && dense
    };
    let mut needed = vec![vec![false; s]; parts.len()];
    // Stages depend on earlier ones only.
    for j in (0..s).rev() {
        let is_formed = |i: usize, needed: &[Vec<bool>]| needed.iter().any(|stages| stages[i]);
        for (r, part) in parts.iter().enumerate() {
            let later = (j + 1..s).any(|i| part.butcher.a[i][j] != 0.0 && is_formed(i, &needed));
            needed[r][j] = later || used_at_the_end(part, j);
        }
    }
    needed
}

/// Returns whether all numbers are finite. Checking all of them without early exit allows vector instructions.
#[inline]
pub(super) fn is_finite(y: &[f64]) -> bool {
    y.iter().fold(true, |finite, value| finite & value.is_finite())
}
