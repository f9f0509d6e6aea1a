//! The rows of a multirate method in doubles, as a stepper uses them.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::{Exact, Scalar};
use num_traits::Zero;

/// A coefficient of a slow slope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// The slow partition, from 0.
    pub(super) partition: usize,
    /// The stage Y_{j+1} of the slope, as j.
    pub(super) stage: usize,
    /// The power of τ.
    pub(super) power: usize,
    pub(super) coefficient: f64,
}

/// One row: the start of its stage, its interval and its slow terms.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The stage it starts from, from 0.
    pub(super) from: usize,
    /// The times of its beginning and its end, as fractions of the step.
    pub(super) start: f64,
    pub(super) end: f64,
    /// Δ; the fast system is solved if it is not zero.
    pub(super) interval: f64,
    /// The coefficients α of Y_{j+1} − Y₁ in the value at the beginning, with j.
    pub(super) offsets: Vec<(usize, f64)>,
    /// The coefficients γ of Y_{j+1} − Y₁ in dv/dτ, with j.
    pub(super) drift: Vec<(usize, f64)>,
    /// The slow rates during the interval, by powers of τ: γ/Δ.
    pub(super) forcing: Vec<Term>,
    /// The terms added at the end, in units of H. Without an interval, they include ∫γ dτ.
    pub(super) correction: Vec<Term>,
    /// The coefficient of the stage's own slope, for each slow partition.
    pub(super) own: Vec<f64>,
}

/// All rows of a method.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The rows of Y₂ … Y_{s+1}.
    pub(super) rows: Vec<Row>,
    pub(super) embedded: Option<Row>,
    /// Whether the slope of a slow partition at Y_{j+1} is needed, at `[j][partition]`.
    pub(super) is_needed: Vec<Vec<bool>>,
    /// The number of powers of τ.
    pub(super) powers: usize,
    /// Whether the fast rates in all intervals are those of the system, without a drift.
    pub(super) is_simple: bool,
}

impl Row {
    fn new(stage: &InfinitesimalStage<Exact>, own: usize, abscissae: &[Exact]) -> Self {
        // Time changes like a variable with slope one.
        let moved = |weights: &[Exact]| -> Exact {
            let terms = weights.iter().zip(abscissae).map(|(weight, c)| weight.clone() * c.clone());
            terms.fold(Exact::zero(), |sum, term| sum + term)
        };
        let start = abscissae[stage.from - 1].clone() + moved(&stage.start);
        let has_interval = !stage.interval.is_zero();
        let end = start.clone() + stage.interval.clone() + moved(&stage.drift);
        let mut row = Self {
            from: stage.from - 1,
            start: start.to_f64(),
            end: end.to_f64(),
            interval: stage.interval.to_f64(),
            offsets: nonzero(&stage.start),
            drift: nonzero(&stage.drift),
            forcing: Vec::new(),
            correction: Vec::new(),
            own: vec![0.0; stage.forcing.len()],
        };
        let mut correction: Vec<Vec<Exact>> = vec![vec![Exact::zero(); own + 1]; stage.forcing.len()];
        for (partition, powers) in stage.forcing.iter().enumerate() {
            for (power, columns) in powers.iter().enumerate() {
                for (column, value) in columns.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
                    if has_interval {
                        let coefficient = value.to_f64() / stage.interval.to_f64();
                        row.forcing.push(Term { partition, stage: column, power, coefficient });
                    } else {
                        correction[partition][column] += value.clone() * Exact::ratio(1, power as u64 + 1);
                    }
                }
            }
        }
        for (sums, columns) in correction.iter_mut().zip(&stage.correction) {
            sums.iter_mut().zip(columns).for_each(|(sum, value)| *sum += value.clone());
        }
        for (partition, sums) in correction.iter().enumerate() {
            row.own[partition] = sums[own].to_f64();
            let explicit = sums[..own].iter().enumerate().filter(|(_, value)| !value.is_zero());
            let term =
                |(stage, value): (usize, &Exact)| Term { partition, stage, power: 0, coefficient: value.to_f64() };
            row.correction.extend(explicit.map(term));
        }
        row
    }

    /// Returns whether the stage is implicit in a slow partition.
    pub(super) fn is_implicit(&self) -> bool {
        self.own.iter().any(|own| *own != 0.0)
    }

    fn terms(&self) -> impl Iterator<Item = &Term> {
        self.forcing.iter().chain(&self.correction)
    }
}

impl Plan {
    /// Converts a method, with its embedded row if an error estimate is required. No stage may be coupled.
    pub(super) fn new(method: &InfinitesimalMethod, estimate: bool) -> Self {
        let (exact, abscissae, count) = (method.exact_rows(), method.abscissae(), method.stages().len());
        let rows: Vec<Row> =
            exact[..count].iter().enumerate().map(|(e, stage)| Row::new(stage, e + 1, &abscissae)).collect();
        let embedded = exact.get(count).filter(|_| estimate).map(|stage| Row::new(stage, count, &abscissae));
        let mut is_needed = vec![vec![false; method.partitions().len() - 1]; count + 1];
        let mut powers = 1;
        for term in rows.iter().chain(&embedded).flat_map(Row::terms) {
            is_needed[term.stage][term.partition] = true;
            powers = powers.max(term.power + 1);
        }
        let is_simple = exact.iter().all(InfinitesimalStage::is_simple);
        Self { rows, embedded, is_needed, powers, is_simple }
    }
}

/// Returns the entries that differ from zero, with their indices.
fn nonzero(row: &[Exact]) -> Vec<(usize, f64)> {
    row.iter().enumerate().filter(|(_, value)| !value.is_zero()).map(|(j, value)| (j, value.to_f64())).collect()
}
