//! Bounds of R(iy, −x) and of its derivatives for all y and 0 ≤ x ≤ X, and of its distance from almost periodic functions.
//!
//! At the time c_i at which stage i ends, e^{−ic_iy} Y_i varies slowly where x is small. Along a stage of length Δ from
//! stage r the value Y_j enters with ∫ γ_j(τ) e^{iy(c_j − c_r − Δτ)} dτ, a function of y whose derivatives are bounded by
//! the moments of |γ_j|, and which is at most (|γ_j(0)| + |γ_j(1)| + ∫|γ_j'|)/(Δy) by partial integration.

use num_complex::Complex64;

use super::moduli::Moduli;
use crate::stability::rows::{FlowRow, FlowRows};

/// Cells of τ in the bounds of ∫|γ|.
const CELLS: usize = 64;

/// A stage with the coefficients of one slow partition.
#[derive(Clone, Debug)]
struct StageBounds {
    from: usize,
    length: f64,
    /// The time at which it starts.
    begin: f64,
    /// The coefficients of τᵏ at `[j][k]`, if the length is positive.
    forcing: Vec<Vec<f64>>,
    /// The weights of Y_j at the end of the stage, Γ_j; those of a stage of length zero include its forcing.
    fixed: Vec<f64>,
    /// The weight of the stage itself.
    own: f64,
    start: Vec<f64>,
    drift: Vec<f64>,
}

/// All stages of a method, with one of its slow partitions.
#[derive(Clone, Debug)]
pub(super) struct UndampedBounds {
    stages: Vec<StageBounds>,
    /// The times of all stages, from the first.
    times: Vec<f64>,
}

impl UndampedBounds {
    pub(super) fn new(rows: &FlowRows<Complex64>, slow: usize) -> Self {
        let mut times = vec![0.0];
        let mut stages = Vec::new();
        for row in &rows.rows {
            let (length, is_zero) = &rows.intervals[row.interval];
            let begin = times[row.from];
            times.push(begin + length.re);
            stages.push(StageBounds::new(row, slow, length.re, *is_zero, begin));
        }
        Self { stages, times }
    }

    /// Returns whether the fast part alone is solved exactly.
    pub(super) fn is_exact(&self) -> bool {
        self.stages.iter().all(|stage| stage.start.iter().chain(&stage.drift).all(|x| *x == 0.0))
    }

    /// Bounds R and its derivatives by y for 0 ≤ x ≤ `most`; with `limit` those of its limit for large y.
    pub(super) fn along_frequency(&self, most: f64, limit: bool) -> Moduli {
        let mut values = vec![Moduli::constant(1.0)];
        for stage in &self.stages {
            let combined = stage.combined(&values, &self.times, limit);
            let forced: Moduli =
                values.iter().enumerate().map(|(j, y)| stage.weight(j, self.times[j], limit) * *y).sum();
            values.push((values[stage.from] + combined + forced.scaled(most)).scaled(stage.largest_quotient(most)));
        }
        values[values.len() - 1]
    }

    /// Bounds R and its derivatives by x for 0 ≤ x ≤ `most` and all y.
    pub(super) fn along_slow(&self, most: f64) -> Moduli {
        let x = Moduli { value: most, first: 1.0, second: 0.0 };
        let mut values = vec![Moduli::constant(1.0)];
        for stage in &self.stages {
            let plain = |weight: Moduli| Moduli::constant(weight.value);
            let combined = stage.combined_constants(&values);
            let forced: Moduli =
                values.iter().enumerate().map(|(j, y)| plain(stage.weight(j, self.times[j], false)) * *y).sum();
            // 1/(1 + x a) with its derivatives.
            let (q, a) = (stage.largest_quotient(most), stage.own.abs());
            let quotient = Moduli { value: q, first: a * q * q, second: 2.0 * a * a * q * q * q };
            values.push((values[stage.from] + combined + x * forced) * quotient);
        }
        values[values.len() - 1]
    }

    /// Bounds the derivatives of the growth g(y) of a method with an exact fast part.
    pub(super) fn growth(&self) -> Moduli {
        let mut slopes = vec![Moduli::ZERO];
        for stage in &self.stages {
            let forced: Moduli = (0..slopes.len()).map(|j| stage.weight(j, self.times[j], false)).sum();
            slopes.push(slopes[stage.from] + forced + Moduli::constant(stage.own));
        }
        slopes[slopes.len() - 1]
    }

    /// Returns C such that g(y) differs from its almost periodic limit by at most C/y.
    pub(super) fn growth_remainder(&self) -> f64 {
        let mut remainders = vec![0.0];
        for stage in &self.stages {
            let forced: f64 = (0..remainders.len()).map(|j| stage.decaying(j)).sum();
            remainders.push(remainders[stage.from] + forced);
        }
        remainders[remainders.len() - 1]
    }

    /// Bounds |R(iy, −x)| for all y ≥ 1/w and low ≤ x ≤ high if the fast part is exact, by moduli of the stages.
    pub(super) fn far_modulus(&self, [low, high]: [f64; 2], w: f64) -> f64 {
        let mut values = vec![1.0];
        for stage in &self.stages {
            let forced: f64 =
                values.iter().enumerate().map(|(j, y)| (stage.fixed(j) + stage.decaying(j) * w) * y).sum();
            let quotient = if stage.own >= 0.0 { 1.0 / (1.0 + low * stage.own) } else { stage.largest_quotient(high) };
            values.push((values[stage.from] + high * forced) * quotient);
        }
        values[values.len() - 1]
    }

    /// Bounds |R(iy, −x) − R∞| for all y ≥ 1/w and 0 ≤ x ≤ `most`, where R∞ is the limit for large y with x in place of z_S
    /// (`limit_slow`) or with z_S = 0.
    pub(super) fn far_distance(&self, most: f64, w: f64, limit_slow: bool) -> f64 {
        let (mut sizes, mut distances) = (vec![1.0], vec![0.0]);
        for stage in &self.stages {
            let (mut size, mut distance) = (sizes[stage.from], distances[stage.from]);
            for (j, weight) in stage.start.iter().enumerate().skip(1) {
                size += weight.abs() * (sizes[j] + 1.0);
                distance += weight.abs() * distances[j];
            }
            for (j, weight) in stage.drift.iter().enumerate().skip(1) {
                // φ₁ is one on a stage of length zero, and at most 2/(Δy) elsewhere.
                if stage.length > 0.0 {
                    distance += weight.abs() * 2.0 * w / stage.length * (sizes[j] + distances[j] + 1.0);
                } else {
                    size += weight.abs() * (sizes[j] + 1.0);
                    distance += weight.abs() * distances[j];
                }
            }
            let quotient = stage.largest_quotient(most);
            for j in 0..sizes.len() {
                let (fixed, decaying) = (stage.fixed(j), stage.decaying(j) * w);
                distance += most * decaying * (sizes[j] + distances[j]);
                if limit_slow {
                    distance += most * fixed * distances[j];
                    size += most * fixed * sizes[j];
                } else {
                    distance += most * fixed * (sizes[j] + distances[j]);
                }
            }
            let implicit = if limit_slow { 0.0 } else { most * stage.own.abs() * size };
            distances.push((distance + implicit) * quotient);
            sizes.push(if limit_slow { size * quotient } else { size });
        }
        distances[distances.len() - 1]
    }

    /// Bounds the rounding error of |R|² or g at y in doubles.
    ///
    /// The argument of e^{iΔy} is rounded twice, which turns it by up to 2⁻⁵² y; every sum has at most as many terms as
    /// there are stages and powers.
    pub(super) fn rounding(&self, y: f64, size: f64) -> f64 {
        16.0 * f64::EPSILON * (self.stages.len() as f64 + y) * size
    }
}

impl StageBounds {
    fn new(row: &FlowRow<Complex64>, slow: usize, length: f64, is_zero: bool, begin: f64) -> Self {
        let real = |columns: &[Complex64]| columns.iter().map(|x| x.re).collect::<Vec<f64>>();
        let integrated = row.columns(slow, |k| Complex64::from(1.0 / (k + 1) as f64));
        let moving = if is_zero { vec![Complex64::ZERO; integrated.len()] } else { integrated.clone() };
        let mut fixed: Vec<f64> =
            real(&row.corrected(slow, integrated)).iter().zip(&moving).map(|(x, y)| x - y.re).collect();
        let own = fixed.pop().unwrap_or_default() + moving.last().map_or(0.0, |x| x.re);
        let column = |j: usize| row.forcing[slow].iter().map(|power| power.get(j).map_or(0.0, |x| x.re)).collect();
        let forcing = if is_zero { Vec::new() } else { (0..row.own).map(column).collect() };
        Self { from: row.from, length, begin, forcing, fixed, own, start: real(&row.start), drift: real(&row.drift) }
    }

    /// Bounds the factor of z_S Y_j at the end of the stage, in the frames of both, where Y_j is at the time `time`.
    fn weight(&self, j: usize, time: f64, limit: bool) -> Moduli {
        let end = self.begin + self.length;
        let fixed = Moduli::oscillation(time - end).scaled(self.fixed(j));
        let Some(powers) = self.forcing.get(j).filter(|_| !limit) else { return fixed };
        let slope: f64 = powers.iter().enumerate().map(|(k, x)| k as f64 * x.abs()).sum();
        let cell = |cell: usize| {
            let (low, high) = (cell as f64 / CELLS as f64, (cell + 1) as f64 / CELLS as f64);
            let middle = polynomial(powers, f64::midpoint(low, high)).abs() + 0.5 * slope / CELLS as f64;
            let ends = [low, high].map(|tau| (time - self.begin - self.length * tau).abs());
            Moduli::oscillation(ends[0].max(ends[1])).scaled(middle / CELLS as f64)
        };
        (0..CELLS).map(cell).fold(fixed, |sum, term| sum + term)
    }

    /// Returns |Γ_j|.
    fn fixed(&self, j: usize) -> f64 {
        self.fixed.get(j).map_or(0.0, |x| x.abs())
    }

    /// Bounds y |∫ γ_j e^{iΔy(1−τ)} dτ|.
    fn decaying(&self, j: usize) -> f64 {
        self.forcing.get(j).map_or(0.0, |powers| {
            let slope: f64 = powers.iter().skip(1).map(|x| x.abs()).sum();
            (polynomial(powers, 0.0).abs() + polynomial(powers, 1.0).abs() + slope) / self.length
        })
    }

    /// Bounds the start and the drift in the frame of the stage.
    fn combined(&self, values: &[Moduli], times: &[f64], limit: bool) -> Moduli {
        let starts = self.start.iter().enumerate().skip(1).map(|(j, weight)| {
            (Moduli::oscillation(times[j] - self.begin) * values[j] + Moduli::oscillation(self.begin)).scaled(*weight)
        });
        let farthest = |time: f64| (time - self.begin).abs().max((time - self.begin - self.length).abs());
        let is_gone = limit && self.length > 0.0;
        let drifts = self.drift.iter().enumerate().skip(1).filter(|_| !is_gone).map(|(j, weight)| {
            let (value, one) = (Moduli::oscillation(farthest(times[j])), Moduli::oscillation(farthest(0.0)));
            (value * values[j] + one).scaled(*weight)
        });
        starts.chain(drifts).sum()
    }

    /// Bounds the start and the drift as functions of x.
    fn combined_constants(&self, values: &[Moduli]) -> Moduli {
        let columns = [&self.start, &self.drift].into_iter();
        let terms = columns.flat_map(|columns| columns.iter().enumerate().skip(1));
        terms.map(|(j, weight)| (values[j] + Moduli::constant(1.0)).scaled(*weight)).sum()
    }

    /// Returns the largest 1/|1 + x a| for 0 ≤ x ≤ `most`, where a is the weight of the stage itself.
    fn largest_quotient(&self, most: f64) -> f64 {
        let rest = if self.own >= 0.0 { 1.0 } else { 1.0 + most * self.own };
        if rest > 0.0 { rest.recip() } else { f64::INFINITY }
    }
}

fn polynomial(powers: &[f64], tau: f64) -> f64 {
    powers.iter().rev().fold(0.0, |sum, x| sum * tau + x)
}
