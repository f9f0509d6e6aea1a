//! The ordinary pair for one M, and the stages that must be solved together.

use hemiola_tableau::{Exact, Method, Partition, Scalar, Source, Tableau};
use num_traits::Zero;

use super::method::{MicroStepMethod, MicroStepTableau};
use crate::error::MultirateError;
use crate::realization::{MOST_COMPOUND_STAGES, coefficient};

/// A stage of the compound tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompoundStage {
    /// A slow stage, from 0.
    Slow(usize),
    /// A micro-step and a stage in it, both from 0.
    Fast(usize, usize),
}

impl MicroStepMethod {
    /// Returns the ordinary pair with M = `ratio` micro-steps: the slow partition and the fast one.
    ///
    /// The stages are ordered such that each uses only earlier ones, if possible.
    ///
    /// ```
    /// // Table 3 of the source, with three micro-steps.
    /// let pair = hemiola_multirate::microsteps::library::method("shome-haug-jay-euler")?.at(3)?;
    /// let fast = &pair.partitions()[1];
    /// assert_eq!(fast.b.iter().map(|weight| weight.text()).collect::<Vec<_>>(), ["0", "1/3", "1/3", "1/3"]);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Substeps`] for no micro-steps or too many, [`MultirateError::LeastRatio`] for fewer
    /// than the method has.
    pub fn at(&self, ratio: usize) -> Result<Method, MultirateError> {
        let tableau = self.tableau_at(ratio)?;
        let partition = |(name, butcher): (&str, &hemiola_tableau::Butcher<Exact>)| {
            let row = |row: &Vec<Exact>| row.iter().map(coefficient).collect::<Result<Vec<_>, _>>();
            let a = butcher.a.iter().map(row).collect::<Result<_, _>>()?;
            Ok(Partition { name: name.to_owned(), a, b: row(&butcher.b)?, c: None, b_hat: None, dense: None })
        };
        let partitions = ["slow", "fast"].into_iter().zip(&tableau.partitions).map(partition);
        let partitions = partitions.collect::<Result<Vec<_>, MultirateError>>()?;
        let note = Some(format!("{} with {ratio} micro-steps.", self.id));
        let source = Source { note, ..self.source.clone() };
        let (id, name) = (format!("{}-{ratio}", self.id), format!("{}, M = {ratio}", self.name));
        Ok(Method::new(&id, &name, partitions, self.claims, None, source)?)
    }

    /// Returns the exact tableaus of the pair.
    pub(super) fn tableau_at(&self, ratio: usize) -> Result<Tableau<Exact>, MultirateError> {
        let [slow, fast] = self.stages();
        let count = ratio.saturating_mul(fast).saturating_add(slow);
        if ratio == 0 || count > MOST_COMPOUND_STAGES {
            return Err(MultirateError::Substeps { substeps: ratio, stages: count, most: MOST_COMPOUND_STAGES });
        }
        if ratio < self.least_ratio {
            return Err(MultirateError::LeastRatio { id: self.id.clone(), ratio, least: self.least_ratio });
        }
        let stages = self.order_of_stages(ratio);
        let matrix = |of: &dyn Fn(CompoundStage, CompoundStage) -> Exact| {
            stages.iter().map(|row| stages.iter().map(|column| of(*row, *column)).collect()).collect::<Vec<Vec<_>>>()
        };
        let weight = |column: &CompoundStage, is_fast: bool| match column {
            CompoundStage::Slow(j) if !is_fast => self.slow.b[*j].value().clone(),
            CompoundStage::Fast(_, j) if is_fast => self.fast.b[*j].value().clone() * Exact::ratio(1, ratio as u64),
            _ => Exact::zero(),
        };
        let part = |is_fast: bool| {
            let entry = |row, column| {
                let belongs = matches!(column, CompoundStage::Fast(..)) == is_fast;
                if belongs { self.entry(ratio, row, column) } else { Exact::zero() }
            };
            let b = stages.iter().map(|column| weight(column, is_fast)).collect();
            (matrix(&entry), b, None)
        };
        Ok(Tableau::new(vec![part(false), part(true)]))
    }

    /// Returns the coefficient of the slope at one stage in the value of another.
    fn entry(&self, ratio: usize, row: CompoundStage, column: CompoundStage) -> Exact {
        let over = || Exact::ratio(1, ratio as u64);
        let value = |part: &MicroStepTableau, i: usize, j: usize| part.a[i][j].value().clone();
        let (count, step) = (ratio as u64, |lambda: usize| lambda as u64 + 1);
        match (row, column) {
            (CompoundStage::Slow(i), CompoundStage::Slow(j)) => value(&self.slow, i, j),
            (CompoundStage::Fast(lambda, i), CompoundStage::Slow(j)) => self.fast_slow.at([i, j], step(lambda), count),
            (CompoundStage::Slow(i), CompoundStage::Fast(lambda, j)) => {
                self.slow_fast.at([i, j], step(lambda), count) * over()
            }
            (CompoundStage::Fast(lambda, i), CompoundStage::Fast(mu, j)) if lambda == mu => {
                value(&self.fast, i, j) * over()
            }
            (CompoundStage::Fast(lambda, _), CompoundStage::Fast(mu, j)) if mu < lambda => {
                self.fast.b[j].value().clone() * over()
            }
            _ => Exact::zero(),
        }
    }

    /// Sorts the stages such that each uses only earlier ones as far as possible, with slow stages as early as
    /// possible.
    fn order_of_stages(&self, ratio: usize) -> Vec<CompoundStage> {
        let [slow, fast] = self.stages();
        let micro = (0..ratio).flat_map(|lambda| (0..fast).map(move |i| CompoundStage::Fast(lambda, i)));
        let stages: Vec<CompoundStage> = (0..slow).map(CompoundStage::Slow).chain(micro).collect();
        let waits = |stage: &CompoundStage| {
            let waits_for = |other: &CompoundStage| other != stage && !self.entry(ratio, *stage, *other).is_zero();
            stages.iter().map(waits_for).collect::<Vec<bool>>()
        };
        let waits: Vec<Vec<bool>> = stages.iter().map(waits).collect();
        let mut open: Vec<usize> = (0..stages.len()).collect();
        let mut sorted = Vec::with_capacity(open.len());
        while !open.is_empty() {
            let is_ready = |stage: &usize| !open.iter().any(|other| waits[*stage][*other]);
            // Mutually dependent stages retain their order.
            let next = open.iter().position(is_ready).unwrap_or(0);
            sorted.push(stages[open.remove(next)]);
        }
        sorted
    }

    /// Returns the groups of stages that must be solved together with M = `ratio`. Each implicit stage belongs to one
    /// group; an explicit method has none. If every group consists of slow or of fast stages alone, the method is
    /// decoupled; groups with both kinds of stages make it a compound method.
    ///
    /// ```
    /// let method = hemiola_multirate::microsteps::library::method("multirate-midpoint")?;
    /// assert!(method.coupled_stages(4)?.is_empty());
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`MultirateError::Substeps`] for no micro-steps or too many, [`MultirateError::LeastRatio`] for fewer
    /// than the method has.
    pub fn coupled_stages(&self, ratio: usize) -> Result<Vec<Vec<CompoundStage>>, MultirateError> {
        let tableau = self.tableau_at(ratio)?;
        let stages = self.order_of_stages(ratio);
        let uses = |i: usize, j: usize| tableau.partitions.iter().any(|part| !part.a[i][j].is_zero());
        let uses: Vec<Vec<usize>> =
            (0..stages.len()).map(|i| (0..stages.len()).filter(|j| uses(i, *j)).collect()).collect();
        let reached: Vec<Vec<bool>> = (0..stages.len()).map(|i| reached(&uses, i)).collect();
        let mut groups = Vec::new();
        let mut is_grouped = vec![false; stages.len()];
        for i in 0..stages.len() {
            if reached[i][i] && !is_grouped[i] {
                let group: Vec<usize> = (i..stages.len()).filter(|j| reached[i][*j] && reached[*j][i]).collect();
                group.iter().for_each(|j| is_grouped[*j] = true);
                groups.push(group.into_iter().map(|j| stages[j]).collect());
            }
        }
        Ok(groups)
    }
}

/// Returns the stages on which a stage depends, directly or through others.
fn reached(uses: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut reached = vec![false; uses.len()];
    let mut open = vec![start];
    while let Some(stage) = open.pop() {
        for &next in &uses[stage] {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}
