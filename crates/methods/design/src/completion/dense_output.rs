//! Dense output of any method: the polynomials that a design would choose, in exact form, or a proof that none exist.

use hemiola_tableau::Exact;
use num_traits::{One, Zero};

use crate::completion::elimination::Elimination;
use crate::completion::finding::PolynomialClass;
use crate::completion::proof::{AbsenceProof, EnclosedConditions};
use crate::completion::task::{PartitionTask, TaskOutcome, simple_steps};
use crate::error::DesignError;
use crate::weights::dense_output::PartitionPolynomials as Doubles;
use crate::weights::moments::{RangeNullSpace, WeightConditions};

/// The coefficients of θ, θ², …, each at the stages of the task.
type Powers = Vec<Vec<Exact>>;

impl PartitionTask<'_> {
    /// Finds polynomials of order `wanted` for all θ that equal the weights of the method at θ = 1.
    pub(crate) fn polynomials(&self, wanted: usize) -> Result<TaskOutcome<Powers>, DesignError> {
        if self.is_exact { self.polynomials_exactly(wanted) } else { self.polynomials_to_precision(wanted) }
    }

    fn polynomials_exactly(&self, wanted: usize) -> Result<TaskOutcome<Powers>, DesignError> {
        let WeightConditions { trees, rows } = WeightConditions::new(&self.tables.exact, &self.stages, wanted)?;
        let mut conditions = Elimination::new(self.stages.len());
        for (row, tree) in rows.into_iter().zip(&trees) {
            let right = (1..=wanted).map(|k| unit(k == tree.order())).collect();
            if let Err(found) = conditions.add(row, right) {
                return Ok(TaskOutcome::Impossible(AbsenceProof::contradiction(&found, &trees, self.partition)));
            }
        }
        let doubles = Doubles::new(&self.tables.exact, self.partition, wanted)?;
        let Some(wished) = doubles.start() else { return Ok(TaskOutcome::Undecided) };
        let sums: Vec<Vec<Exact>> =
            doubles.sums.row_iter().map(|row| row.iter().map(|x| Exact::from(*x as i32)).collect()).collect();
        let fitted = (1..=sums.len()).rev().find_map(|ends| self.ending(&conditions, wanted, &sums[..ends]));
        let Some((mut powers, ends)) = fitted else { return Ok(TaskOutcome::Undecided) };
        // The remaining freedom: null vectors of the end conditions times null vectors of the order conditions.
        let (across, at_powers) = (ends.null(), ends.free());
        let (null, at_stages) = (conditions.null(), conditions.free());
        let places: Vec<(usize, usize)> =
            (0..across.len()).flat_map(|j| (0..null.len()).map(move |k| (j, k))).collect();
        let from: Vec<Exact> = places.iter().map(|&(j, k)| powers[at_powers[j]][at_stages[k]].clone()).collect();
        let steps: Vec<f64> = places
            .iter()
            .zip(&from)
            .map(|(&(j, k), from)| wished[(at_powers[j], at_stages[k])] - from.to_f64())
            .collect();
        let size = steps.iter().fold(0.0f64, |size, step| size.max(step.abs()));
        for ((j, k), step) in places.iter().zip(simple_steps(&from, &steps, size)) {
            for (power, row) in powers.iter_mut().enumerate() {
                let by = step.clone() * across[*j][power].clone();
                row.iter_mut().zip(&null[*k]).for_each(|(d, n)| *d += by.clone() * n.clone());
            }
        }
        // Without null vectors, powers above the order vanish, whatever the degree.
        let is_smooth = ends.rank() > 1;
        let class = (!null.is_empty()).then_some(PolynomialClass { degree: doubles.degree, is_smooth });
        Ok(TaskOutcome::Found { value: powers, free: places.len(), class })
    }

    /// Returns a solution of the order conditions and the given end conditions, with the eliminated end conditions;
    /// `None` if they contradict each other.
    fn ending(&self, conditions: &Elimination, wanted: usize, sums: &[Vec<Exact>]) -> Option<(Powers, Elimination)> {
        let degree = sums[0].len();
        let b = &self.tables.exact.partitions[self.partition].b;
        let last = self.tables.exact.stages() - 1;
        // The end conditions are b(1) = b, b′(0) = e₁ and b′(1) = e_s.
        let values = |end: usize, i: usize| match end {
            0 => b[i].clone(),
            1 => unit(i == 0),
            _ => unit(i == last),
        };
        let mut powers: Powers = (0..degree)
            .map(|k| if k < wanted { conditions.solution(k) } else { vec![Exact::zero(); self.stages.len()] })
            .collect();
        let missing: Vec<Vec<Exact>> = (0..sums.len())
            .map(|end| {
                let sum = |(j, &i): (usize, &usize)| {
                    powers.iter().zip(&sums[end]).fold(values(end, i), |rest, (d, by)| rest - d[j].clone() * by.clone())
                };
                self.stages.iter().enumerate().map(sum).collect()
            })
            .collect();
        let (null, free) = (conditions.null(), conditions.free());
        // The residuals must be combinations of the null vectors; take their coordinates at the free unknowns.
        let right = |end: usize| free.iter().map(|&k| missing[end][k].clone()).collect::<Vec<Exact>>();
        let mut ends = Elimination::new(degree);
        for (end, sum) in sums.iter().enumerate() {
            ends.add(sum.clone(), right(end)).ok()?;
        }
        for (number, vector) in null.iter().enumerate() {
            for (row, by) in powers.iter_mut().zip(ends.solution(number)) {
                row.iter_mut().zip(vector).for_each(|(d, n)| *d += by.clone() * n.clone());
            }
        }
        let holds = (0..sums.len()).all(|end| {
            self.stages.iter().enumerate().all(|(j, &i)| {
                let terms = powers.iter().zip(&sums[end]);
                terms.fold(values(end, i), |rest, (d, by)| rest - d[j].clone() * by.clone()).is_zero()
            })
        });
        holds.then_some((powers, ends))
    }

    fn polynomials_to_precision(&self, wanted: usize) -> Result<TaskOutcome<Powers>, DesignError> {
        let cloud = EnclosedConditions::new(self.tables, &self.stages, wanted)?;
        if let Some(proof) = (1..=wanted).find_map(|k| cloud.contradiction(|order| order == k)) {
            return Ok(TaskOutcome::Impossible(proof));
        }
        let mut doubles = Doubles::new(&self.tables.exact, self.partition, wanted)?;
        // The finished method is checked against its precision, so accept any residual here.
        (doubles.moments.noise, doubles.moments.relative) = (cloud.noise(), f64::INFINITY);
        let refined = doubles.start().and_then(|start| doubles.refine(&start));
        let Some(powers) = refined else { return Ok(TaskOutcome::Undecided) };
        let value: Powers = powers.into_iter().map(|d| d.into_iter().map(Exact::from).collect()).collect();
        let Some(RangeNullSpace { null, .. }) = doubles.moments.split() else { return Ok(TaskOutcome::Undecided) };
        let (ends, degree) = (doubles.sums.nrows(), doubles.degree);
        let class = (null.ncols() > 0).then_some(PolynomialClass { degree, is_smooth: ends > 1 });
        Ok(TaskOutcome::Found { value, free: null.ncols() * degree.saturating_sub(ends), class })
    }
}

fn unit(is_one: bool) -> Exact {
    if is_one { Exact::one() } else { Exact::zero() }
}
