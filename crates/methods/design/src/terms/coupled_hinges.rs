//! The coupled profile as inequalities: at every coupled step of the wanted boxes, both eigenvalues of S are within a
//! circle.
//!
//! With z_ss = X L_s u, z_ff = Y L_f u and z_sf z_fs = g z_ss z_ff, the step matrix S has its eigenvalues within the
//! circle of radius r if and only if the polynomial with the coefficients t = tr S/r and d = det S/r² satisfies
//! |t − t̄d| ≤ 1 − |d|² and |d| ≤ 1 (Schur 1918, Cohn 1922), for real S |t| ≤ 1 + d and |d| ≤ 1 (Jury 1964). Excesses of
//! these inequalities are smooth where eigenvalues meet, and Gauss–Newton steps need only their first derivatives.

use hemiola_number::vector::{Registers, Task, dispatch};
use num_complex::Complex64;

use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::{FAST, SLOW};
use crate::simd::lanes::WIDTH;

/// A coupled step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoupledStep {
    /// z_ss and z_ff.
    pub(crate) own: [Complex64; 2],
    /// z_sf z_fs.
    pub(crate) mixed: Complex64,
    /// The number of the cell of steps of which [`CoupledHinges::with_worst`] adds one.
    pub(crate) cell: usize,
}

/// Inequalities at coupled steps.
#[derive(Clone)]
pub(crate) struct CoupledHinges {
    steps: Vec<CoupledStep>,
    /// The radius of the circle.
    radius: f64,
    /// Whether S is real at every step.
    is_real: bool,
}

/// Eight numbers at a time: each lane belongs to one step.
type Lanes = [f64; WIDTH];

#[derive(Clone, Copy)]
struct ComplexLanes {
    re: Lanes,
    im: Lanes,
}

/// Two rows of complex numbers, slow then fast, for both unit vectors.
type LaneMatrix = [[ComplexLanes; 2]; 2];

const ZERO: ComplexLanes = ComplexLanes { re: [0.0; WIDTH], im: [0.0; WIDTH] };
const ONE: ComplexLanes = ComplexLanes { re: [1.0; WIDTH], im: [0.0; WIDTH] };

impl ComplexLanes {
    #[inline(always)]
    fn add_scaled(&mut self, factor: f64, other: &Self) {
        for l in 0..WIDTH {
            self.re[l] += factor * other.re[l];
            self.im[l] += factor * other.im[l];
        }
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let mut product = ZERO;
        for l in 0..WIDTH {
            product.re[l] = self.re[l] * other.re[l] - self.im[l] * other.im[l];
            product.im[l] = self.re[l] * other.im[l] + self.im[l] * other.re[l];
        }
        product
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        sum.add_scaled(1.0, other);
        sum
    }

    #[inline(always)]
    fn add_real_product(&self, other: &Self, sum: &mut Lanes) {
        for l in 0..WIDTH {
            sum[l] += self.re[l] * other.re[l] - self.im[l] * other.im[l];
        }
    }

    fn lane(&self, l: usize) -> Complex64 {
        Complex64::new(self.re[l], self.im[l])
    }

    fn set(&mut self, l: usize, z: Complex64) {
        (self.re[l], self.im[l]) = (z.re, z.im);
    }
}

/// Up to eight steps, with the last repeated.
struct PackedSteps {
    own: [ComplexLanes; 2],
    mixed: ComplexLanes,
}

impl PackedSteps {
    fn new(steps: &[CoupledStep]) -> Self {
        let mut packed = Self { own: [ZERO; 2], mixed: ZERO };
        for l in 0..WIDTH {
            let step = &steps[l.min(steps.len() - 1)];
            (0..2).for_each(|part| packed.own[part].set(l, step.own[part]));
            packed.mixed.set(l, step.mixed);
        }
        packed
    }

    /// Computes S, and the rates of every stage: slow ones times z_ss, with z_sf = 1.
    #[inline(always)]
    fn matrix(&self, at: &PairCoefficients, rates: &mut [LaneMatrix]) -> LaneMatrix {
        for i in 0..at.stages {
            let [slow, fast] = combined(at, i, rates);
            for column in 0..2 {
                rates[i][SLOW][column] = self.own[SLOW].times(&slow[column]).plus(&fast[column]);
                rates[i][FAST][column] = self.mixed.times(&slow[column]).plus(&self.own[FAST].times(&fast[column]));
            }
        }
        combined(at, at.stages, rates)
    }

    /// Computes the derivatives with respect to the rates from those with respect to S, from the last stage on.
    #[inline(always)]
    fn adjoints(&self, at: &PairCoefficients, slope: &LaneMatrix, adjoints: &mut [LaneMatrix]) {
        let n = at.stages;
        for j in (0..n).rev() {
            let is_slow = at.occupied[SLOW].contains(&j);
            let mut own = [[ZERO; 2]; 2];
            for column in 0..2 {
                if is_slow {
                    own[SLOW][column].add_scaled(at.row(SLOW, n)[j], &slope[SLOW][column]);
                    for i in j + 1..n {
                        own[SLOW][column].add_scaled(at.row(SLOW, i)[j], &adjoints[i][SLOW][column]);
                    }
                }
                own[FAST][column].add_scaled(at.row(FAST, n)[j], &slope[FAST][column]);
                for i in j + 1..n {
                    own[FAST][column].add_scaled(at.row(FAST, i)[j], &adjoints[i][FAST][column]);
                }
                let [slow, fast] = [own[SLOW][column], own[FAST][column]];
                adjoints[j][SLOW][column] = self.own[SLOW].times(&slow).plus(&self.mixed.times(&fast));
                adjoints[j][FAST][column] = slow.plus(&self.own[FAST].times(&fast));
            }
        }
    }
}

/// Computes I + Σ a_j·rate_j for one row of both partitions; the row after the last is b.
#[inline(always)]
fn combined(at: &PairCoefficients, row: usize, rates: &[LaneMatrix]) -> LaneMatrix {
    let mut y = [[ONE, ZERO], [ZERO, ONE]];
    let (slow, fast) = (at.row(SLOW, row), at.row(FAST, row));
    for &j in at.occupied[SLOW].iter().take_while(|&&j| j < row) {
        (0..2).for_each(|column| y[SLOW][column].add_scaled(slow[j], &rates[j][SLOW][column]));
    }
    for j in 0..row {
        (0..2).for_each(|column| y[FAST][column].add_scaled(fast[j], &rates[j][FAST][column]));
    }
    y
}

/// The excess at one step, and its derivatives with respect to tr S and det S.
struct Excess {
    value: f64,
    trace: Complex64,
    determinant: Complex64,
}

impl Excess {
    fn new(s: &[[Complex64; 2]; 2], radius: f64, is_real: bool) -> Self {
        let t = (s[0][0] + s[1][1]) / radius;
        let d = (s[0][0] * s[1][1] - s[0][1] * s[1][0]) / (radius * radius);
        let unit = |z: Complex64| z.conj() / z.norm().max(1e-30);
        let outside = d.norm() - 1.0;
        let (value, of_t, of_d) = if is_real {
            let inside = t.re.abs() - 1.0 - d.re;
            if inside > outside {
                (inside, Complex64::from(t.re.signum()), -Complex64::ONE)
            } else {
                (outside, Complex64::ZERO, Complex64::from(d.re.signum()))
            }
        } else if outside > 0.0 {
            (outside, Complex64::ZERO, unit(d))
        } else {
            let a = t - t.conj() * d;
            let n = unit(a);
            (a.norm() - 1.0 + d.norm_sqr(), n - (n * d).conj(), 2.0 * d.conj() - n * t.conj())
        };
        // A logarithm limits the weight of steps far outside. What overflows counts as far outside.
        if value.is_nan() || value > 1e100 {
            return Self { value: 230.0, trace: Complex64::ZERO, determinant: Complex64::ZERO };
        }
        let slope = 1.0 / (1.0 + value.max(0.0));
        Self {
            value: value.max(0.0).ln_1p(),
            trace: of_t * slope / radius,
            determinant: of_d * slope / (radius * radius),
        }
    }
}

impl CoupledHinges {
    pub(crate) fn new(steps: Vec<CoupledStep>, radius: f64, is_real: bool) -> Self {
        Self { steps, radius, is_real }
    }

    pub(crate) fn count(&self) -> usize {
        self.steps.len()
    }

    /// Computes the excesses at all steps, zero where the inequality holds.
    pub(crate) fn values(&self, at: &PairCoefficients) -> Vec<f64> {
        dispatch(Values { hinges: self, at })
    }

    /// Adds the worst violated steps of other inequalities, one of each cell, at most a number.
    pub(crate) fn with_worst(&mut self, others: &Self, at: &PairCoefficients, most: usize) {
        let values = others.values(at);
        let mut violated: Vec<usize> = (0..values.len()).filter(|&k| values[k] > 0.0).collect();
        violated.sort_by(|&i, &j| values[j].total_cmp(&values[i]).then(i.cmp(&j)));
        let mut seen = std::collections::HashSet::new();
        let worst = violated.into_iter().filter(|&k| seen.insert(others.steps[k].cell)).take(most);
        self.steps.extend(worst.map(|k| others.steps[k]));
    }

    /// Calls `row` with the excess at each of some steps and its derivatives with respect to all coefficients.
    pub(crate) fn gradients(&self, at: &PairCoefficients, which: &[usize], row: impl FnMut(f64, &PairCoefficients)) {
        dispatch(Gradients { hinges: self, at, which, row });
    }
}

struct Values<'a> {
    hinges: &'a CoupledHinges,
    at: &'a PairCoefficients,
}

impl Task for Values<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<R: Registers>(self) -> Vec<f64> {
        let Self { hinges: CoupledHinges { steps, radius, is_real }, at } = self;
        let mut rates = vec![[[ZERO; 2]; 2]; at.stages];
        let mut values = Vec::with_capacity(steps.len());
        for steps in steps.chunks(WIDTH) {
            let s = PackedSteps::new(steps).matrix(at, &mut rates);
            values.extend((0..steps.len()).map(|l| {
                let s = s.map(|row| row.map(|entry| entry.lane(l)));
                Excess::new(&s, *radius, *is_real).value
            }));
        }
        values
    }
}

struct Gradients<'a, F> {
    hinges: &'a CoupledHinges,
    at: &'a PairCoefficients,
    which: &'a [usize],
    row: F,
}

impl<F: FnMut(f64, &PairCoefficients)> Task for Gradients<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(mut self) {
        let Self { hinges, at, which, row } = &mut self;
        let n = at.stages;
        let (mut rates, mut adjoints) = (vec![[[ZERO; 2]; 2]; n], vec![[[ZERO; 2]; 2]; n]);
        let mut gradient = PairCoefficients::zero(n);
        let mut lanes = vec![[0.0; WIDTH]; gradient.entries.len()];
        for which in which.chunks(WIDTH) {
            let steps: Vec<CoupledStep> = which.iter().map(|&k| hinges.steps[k]).collect();
            let packed = PackedSteps::new(&steps);
            let matrix = packed.matrix(at, &mut rates);
            let (mut slope, mut values) = ([[ZERO; 2]; 2], [0.0; WIDTH]);
            for l in 0..which.len() {
                let s = matrix.map(|row| row.map(|entry| entry.lane(l)));
                let Excess { value, trace, determinant } = Excess::new(&s, hinges.radius, hinges.is_real);
                values[l] = value;
                slope[0][0].set(l, trace + determinant * s[1][1]);
                slope[1][1].set(l, trace + determinant * s[0][0]);
                slope[0][1].set(l, -determinant * s[1][0]);
                slope[1][0].set(l, -determinant * s[0][1]);
            }
            packed.adjoints(at, &slope, &mut adjoints);
            for i in 0..=n {
                for part in [SLOW, FAST] {
                    let above = if i == n { &slope[part] } else { &adjoints[i][part] };
                    let offset = gradient.row_offset(part, i);
                    for j in 0..i {
                        let sum = &mut lanes[offset + j];
                        *sum = [0.0; WIDTH];
                        (0..2).for_each(|column| above[column].add_real_product(&rates[j][part][column], sum));
                    }
                }
            }
            for (l, value) in values.iter().enumerate().take(which.len()) {
                for (slope, lanes) in gradient.entries.iter_mut().zip(&lanes) {
                    *slope = lanes[l];
                }
                row(*value, &gradient);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_number::vector::Instructions;

    fn pair() -> PairCoefficients {
        let mut at = PairCoefficients::zero(5);
        at.occupied[SLOW] = vec![0, 2, 3];
        for part in [SLOW, FAST] {
            for i in 0..=5 {
                let offset = at.row_offset(part, i);
                for j in (0..i).filter(|j| part == FAST || [0, 2, 3].contains(j)) {
                    at.entries[offset + j] = 0.3 * ((1 + part + 2 * i + 5 * j) as f64).sin();
                }
            }
        }
        at
    }

    fn hinges(is_real: bool) -> CoupledHinges {
        let u = if is_real { -Complex64::ONE } else { Complex64::new(-0.05, 0.99) };
        let step = |k: usize| {
            let [x, y] = [1.0 + 0.1 * k as f64, 3.0 - 0.2 * k as f64];
            CoupledStep { own: [u * x, u * y], mixed: 0.1 * x * y * u * u, cell: k / 4 }
        };
        CoupledHinges::new((0..11).map(step).collect(), 0.5, is_real)
    }

    #[test]
    fn matrices_are_those_of_the_stability_crate() {
        let (at, hinges) = (pair(), hinges(false));
        let rows = |part: usize| -> (Vec<Vec<f64>>, Vec<f64>) {
            ((0..5).map(|i| at.row(part, i).to_vec()).collect(), at.row(part, 5).to_vec())
        };
        let parts = [SLOW, FAST].map(rows).map(|(a, b)| (a, b, None)).to_vec();
        let tableau = hemiola_tableau::Tableau::new(parts);
        let mut rates = vec![[[ZERO; 2]; 2]; 5];
        let s = PackedSteps::new(&hinges.steps[..8]).matrix(&at, &mut rates);
        for l in 0..8 {
            let step = hinges.steps[l];
            let z = [vec![step.own[0], Complex64::ONE], vec![step.mixed, step.own[1]]];
            let expected = hemiola_stability::stability_matrix(&tableau, &z).unwrap();
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                assert!((s[i][j].lane(l) - expected[i][j]).norm() < 1e-13);
            }
        }
    }

    #[test]
    fn slopes_agree_with_differences() {
        for is_real in [false, true] {
            let (at, hinges) = (pair(), hinges(is_real));
            let all: Vec<usize> = (0..hinges.count()).collect();
            let values = hinges.values(&at);
            assert!(values.iter().any(|value| *value > 0.0));
            let mut rows = Vec::new();
            hinges.gradients(&at, &all, |value, gradient| rows.push((value, gradient.clone())));
            for part in [SLOW, FAST] {
                for i in 0..=5 {
                    for j in (0..i).filter(|j| part == FAST || [0, 2, 3].contains(j)) {
                        let moved = |step: f64| {
                            let mut at = at.clone();
                            let offset = at.row_offset(part, i) + j;
                            at.entries[offset] += step;
                            hinges.values(&at)
                        };
                        let (after, before) = (moved(1e-6), moved(-1e-6));
                        for k in (0..values.len()).filter(|&k| values[k] > 1e-3) {
                            let slope = rows[k].1.row(part, i)[j];
                            let difference = (after[k] - before[k]) / 2e-6;
                            assert_eq!(rows[k].0, values[k]);
                            assert!((slope - difference).abs() < 1e-7 * (1.0 + slope.abs()), "{slope} {difference}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn inequalities_hold_within_the_circle_alone() {
        for (lambda, mu) in [(0.4, -0.3), (0.49, 0.2), (0.6, 0.1), (0.51, 0.52), (-0.51, -0.2)] {
            let s = [[Complex64::from(lambda), Complex64::ONE], [Complex64::ZERO, Complex64::from(mu)]];
            for is_real in [true, false] {
                let is_outside = lambda.abs().max(f64::abs(mu)) > 0.5;
                assert_eq!(Excess::new(&s, 0.5, is_real).value > 0.0, is_outside, "{lambda} {mu}");
            }
        }
    }

    #[test]
    fn all_instructions_round_alike() {
        let (at, hinges) = (pair(), hinges(false));
        let expected = Instructions::PORTABLE.run(Values { hinges: &hinges, at: &at });
        assert!(Instructions::all().all(|set| set.run(Values { hinges: &hinges, at: &at }) == expected));
    }

    #[test]
    fn the_worst_of_each_cell_is_added_once() {
        let (at, all) = (pair(), hinges(false));
        let mut few = CoupledHinges::new(Vec::new(), 0.5, false);
        few.with_worst(&all, &at, 100);
        let cells: Vec<usize> = few.steps.iter().map(|step| step.cell).collect();
        let mut distinct = cells.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(!cells.is_empty() && distinct.len() == cells.len());
    }
}
