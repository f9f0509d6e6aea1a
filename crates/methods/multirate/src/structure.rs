//! Abscissae, internal consistency, and the stages that are implicit.

use hemiola_order::{Allowance, Verdict};
use hemiola_tableau::{Coefficient, Exact, Rounding};
use num_traits::Zero;

use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// The kind of equations of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageCoupling {
    /// The stage depends on earlier ones only.
    Explicit,
    /// The stage is implicit in a slow partition, and its fast system is solved beforehand or not at all.
    Decoupled,
    /// The fast solution and an implicit slow evaluation depend on each other.
    Coupled,
}

/// A sum of slow coefficients that differs from its value in an internally consistent method.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconsistency {
    /// The number of the stage, from 2.
    pub stage: usize,
    /// The power of τ.
    pub power: usize,
    /// The sum of the coefficients of τᵏ, for k = 0 with the corrections.
    pub found: Exact,
    /// The length of the stage for k = 0, otherwise zero.
    pub expected: Exact,
    /// The verdict on the difference: the precision of the coefficients may explain it.
    pub verdict: Verdict,
}

impl InfinitesimalMethod {
    /// Returns the abscissae c₁ … c_{s+1}: c₁ = 0 and cᵢ = c_r + Δᵢ, with Σ_j (αᵢⱼ + γᵢⱼ) c_j of a start and a drift.
    ///
    /// ```
    /// let method = hemiola_multirate::library::method("mis-kw3")?;
    /// let abscissae: Vec<String> = method.abscissae().iter().map(ToString::to_string).collect();
    /// assert_eq!(abscissae, ["0", "1/3", "3/4", "1"]);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    #[must_use]
    pub fn abscissae(&self) -> Vec<Exact> {
        let mut abscissae = vec![Exact::zero()];
        for stage in &self.stages {
            let plain = abscissae[stage.from - 1].clone() + stage.interval.value().clone();
            let term = |(j, coefficient): (usize, &Coefficient)| coefficient.value().clone() * abscissae[j].clone();
            abscissae.push(stage.combined().map(term).fold(plain, |sum, term| sum + term));
        }
        abscissae
    }

    /// Returns the sums that violate internal consistency of a slow partition in exact arithmetic: Σ_j γ⁰ᵢⱼ + Γᵢⱼ = Δᵢ,
    /// and Σ_j γᵏᵢⱼ = 0 for k ≥ 1. Partitions count from 0. Partition 0 is the fast one, which has no such sums.
    #[must_use]
    pub fn inconsistencies(&self, partition: usize) -> Vec<Inconsistency> {
        let (mut found, rounding) = (Vec::new(), self.rounding());
        if (1..self.partitions.len()).contains(&partition) {
            for (e, stage) in self.stages.iter().enumerate() {
                inconsistencies_of_stage(stage, e + 2, partition - 1, &rounding, &mut found);
            }
        }
        found
    }

    /// Returns whether every slow partition advances time in each stage as far as the fast one, up to differences that
    /// the precision or the last digits of the coefficients explain.
    #[must_use]
    pub fn is_internally_consistent(&self) -> bool {
        let mut found = (1..self.partitions.len()).flat_map(|partition| self.inconsistencies(partition));
        found.all(|sum| sum.verdict.holds())
    }

    /// Returns the couplings of the stages Y₂ … Y_{s+1}.
    #[must_use]
    pub fn couplings(&self) -> Vec<StageCoupling> {
        self.stages.iter().enumerate().map(|(e, stage)| coupling(stage, e + 1)).collect()
    }

    /// Returns the stages Y_j, as j − 1, at which a slow partition is evaluated: those with a coefficient in a row
    /// other than the embedded one. Partitions count from 0. Partition 0 is the fast one, whose evaluations are not
    /// prescribed.
    ///
    /// ```
    /// let method = hemiola_multirate::library::method("mri-gark-erk45a")?;
    /// assert_eq!(method.evaluated_stages(1), [0, 1, 2, 3, 4]);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    #[must_use]
    pub fn evaluated_stages(&self, partition: usize) -> Vec<usize> {
        let Some(slow) = partition.checked_sub(1).filter(|slow| slow + 1 < self.partitions.len()) else {
            return Vec::new();
        };
        let is_used = |column: &usize| {
            let rows = self.stages.iter();
            rows.into_iter().any(|row| is_forced_by(row, slow, *column) || is_nonzero(&row.correction[slow], *column))
        };
        (0..=self.stages.len()).filter(is_used).collect()
    }

    /// Checks that the fast and slow parts of each stage can be solved one after the other.
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] with the first coupled stage of the method or its embedded method.
    pub fn require_decoupled(&self) -> Result<(), MultirateError> {
        for (e, stage) in self.rows().enumerate() {
            let own = (e + 1).min(self.stages.len());
            if coupling(stage, own) == StageCoupling::Coupled {
                let partition = (0..self.partitions.len() - 1).find(|&slow| is_forced_by(stage, slow, own));
                return Err(MultirateError::Coupled {
                    id: self.id.clone(),
                    stage: own + 1,
                    partition: self.partitions[partition.unwrap_or(0) + 1].clone(),
                    interval: stage.interval.text().to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn inconsistencies_of_stage(
    stage: &InfinitesimalStage<Coefficient>,
    number: usize,
    slow: usize,
    rounding: &Rounding,
    inconsistencies: &mut Vec<Inconsistency>,
) {
    let powers = &stage.forcing[slow];
    for power in 0..powers.len().max(1) {
        let forcing = powers.get(power).into_iter().flatten();
        let others: &[Coefficient] = if power == 0 { &stage.correction[slow] } else { &[] };
        let terms: Vec<&Coefficient> = forcing.chain(others).collect();
        let found = terms.iter().fold(Exact::zero(), |sum, term| sum + term.value().clone());
        let interval = (power == 0).then_some(&stage.interval);
        let expected = interval.map_or_else(Exact::zero, |interval| interval.value().clone());
        if found != expected {
            let all = || terms.iter().copied().chain(interval);
            let size = all().map(|term| term.value().to_f64().abs()).sum();
            let to_precision = all().map(|term| rounding.of(term)).sum();
            let allowance = Allowance::new(to_precision, all().map(|term| rounding.slack(term)).sum(), size);
            let verdict = Verdict::on((found.clone() - expected.clone()).to_f64(), allowance);
            inconsistencies.push(Inconsistency { stage: number, power, found, expected, verdict });
        }
    }
}

/// Returns the coupling of a stage whose own column is `own`.
fn coupling(stage: &InfinitesimalStage<Coefficient>, own: usize) -> StageCoupling {
    let slow = 0..stage.forcing.len();
    let is_forced = slow.clone().any(|slow| is_forced_by(stage, slow, own));
    let is_corrected = slow.clone().any(|slow| is_nonzero(&stage.correction[slow], own));
    match (is_forced, is_corrected, stage.interval.value().is_zero()) {
        (true, _, false) => StageCoupling::Coupled,
        (false, false, _) => StageCoupling::Explicit,
        _ => StageCoupling::Decoupled,
    }
}

fn is_forced_by(stage: &InfinitesimalStage<Coefficient>, slow: usize, column: usize) -> bool {
    stage.forcing[slow].iter().any(|row| is_nonzero(row, column))
}

fn is_nonzero(row: &[Coefficient], column: usize) -> bool {
    row.get(column).is_some_and(|coefficient| !coefficient.value().is_zero())
}
