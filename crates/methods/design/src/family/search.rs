//! The search for the parameters of a tail with small errors and long steps of all levels.

use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::neldermead::NelderMead;
use hemiola_number::{Counter, Progress};
use hemiola_order::{Grammar, StageSolution, TreeId, Trees, Weights};
use hemiola_tableau::Tableau;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::DesignError;
use crate::family::level::{OptimalLevel, remainder};
use crate::family::shared_stages::{Tail, TailForm};
use crate::family::windows::RemainderWindows;

/// Number of iterations of a simplex search.
const ITERATIONS: u64 = 700;
/// Successive weights of the penalty for values outside the windows: the first favors small errors, the last enforces
/// the windows.
const PRICES: [f64; 5] = [1e-6, 1e-4, 1e-2, 1.0, 100.0];
/// Denominator to which parameters are rounded.
pub(crate) const UNITS: u32 = 1_000_000;
/// Smallest distance of two abscissae of a quadrature.
const APART: f64 = 0.03;
/// Weight of exceeding the bounds on coefficients.
const BOUNDS: f64 = 1000.0;
/// Largest modulus of a coefficient of the tail.
const LARGEST: f64 = 1.5;

/// The search for a tail; levels are sorted from few evaluations to many.
pub(crate) struct TailSearch<'a> {
    shape: TailForm,
    levels: &'a [OptimalLevel],
    trees: Trees,
    ids: Vec<TreeId>,
    /// The windows for the values that the shared stages impose on the polynomials of the levels, if they impose
    /// any.
    windows: Option<&'a RemainderWindows>,
}

impl<'a> TailSearch<'a> {
    pub(crate) fn new(
        shape: TailForm,
        levels: &'a [OptimalLevel],
        windows: Option<&'a RemainderWindows>,
    ) -> Result<Self, DesignError> {
        let trees = Trees::new(&Grammar::partitioned(2), shape.order() + 1)?;
        let ids = trees.of_order(shape.order() + 1);
        Ok(Self { shape, levels, trees, ids, windows })
    }

    /// Returns the best parameters from `starts` seeded starts, as numerators over [`UNITS`]. Ends early if
    /// `progress` stops it.
    pub(crate) fn run(&self, seed: u64, starts: usize, progress: &dyn Progress) -> Vec<i32> {
        let n = self.shape.parameters();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut best = (f64::INFINITY, Vec::new());
        let counter = Counter::new(progress, "starts", Some(starts));
        for _ in 0..if n == 0 { 0 } else { starts } {
            let mut x: Vec<f64> = (0..n).map(|_| random.random_range(0.1..0.95)).collect();
            let prices = if self.windows.is_some() { &PRICES[..] } else { &PRICES[..1] };
            for &price in prices {
                x = self.descended(x, price);
            }
            let cost = self.cost(&x, PRICES[PRICES.len() - 1]);
            if cost < best.0 {
                best = (cost, x);
            }
            if counter.advance(1).is_break() {
                break;
            }
        }
        best.1.iter().map(|x| (x * f64::from(UNITS)).round() as i32).collect()
    }

    /// Descends by the simplex method of Nelder & Mead (1965), repeated once with a fresh simplex.
    fn descended(&self, start: Vec<f64>, price: f64) -> Vec<f64> {
        let mut x = start;
        for size in [0.15, 0.02] {
            let corner = |k: usize| {
                let mut corner = x.clone();
                corner[k] += if corner[k] < 0.5 { size } else { -size };
                corner
            };
            let corners = std::iter::once(x.clone()).chain((0..x.len()).map(corner)).collect();
            let Ok(simplex) = NelderMead::new(corners).with_sd_tolerance(1e-13) else { return x };
            let cost = TailCost { search: self, price };
            let run = Executor::new(cost, simplex).configure(|state| state.max_iters(ITERATIONS)).run();
            if let Some(best) = run.ok().and_then(|result| result.state.best_param) {
                x = best;
            }
        }
        x
    }

    /// Computes the squared error norm of the two extreme levels plus penalties for violated requirements.
    fn cost(&self, x: &[f64], price: f64) -> f64 {
        let tail = Tail::new(self.shape, x);
        let excess = tail.excess(LARGEST) + outside(x) + too_near(&tail.c);
        if excess > 1.0 || !excess.is_finite() {
            return 1e3 + excess.min(1e6);
        }
        let [known, factor] = tail.polynomials();
        let order = self.shape.order();
        let slope = factor[order - 2];
        // The coefficient β_{p+1} of a level without stages before the tail.
        let own = beta(&known, &factor, tail.c[1], order + 1);
        let lean = |level: &OptimalLevel| {
            if level.evaluations == self.shape.stages() { 0.0 } else { (level.polynomial[order + 1] - own) / slope }
        };
        let (Some(few), Some(many)) = (self.levels.first(), self.levels.last()) else { return f64::INFINITY };
        let mut cost = self.error(&tail, [lean(few), lean(many)]) + BOUNDS * excess;
        if let Some(windows) = self.windows {
            // Polynomials of the order agree up to z^{p+1}. All levels have the value of A at the zero of B.
            let z = -slope / factor[order - 1];
            cost += price * windows.penalty(z, remainder(&known, z, order));
        }
        if cost.is_finite() { cost } else { 1e9 }
    }

    /// Computes the squared principal error norm of two levels, given α c of row j.
    fn error(&self, tail: &Tail<f64>, leans: [f64; 2]) -> f64 {
        let s = tail.c.len() + 1;
        let level = |lean: f64| {
            let mut a = vec![vec![0.0; s]; s];
            a[1][0] = 1.0;
            for i in 1..s - 1 {
                a[i + 1][0] = tail.a[i][0];
                a[i + 1][2..=i].copy_from_slice(&tail.a[i][1..i]);
            }
            a[2][0] = tail.c[1] - lean;
            a[2][1] = lean;
            let b = [tail.b[0], 0.0].into_iter().chain(tail.b[1..].iter().copied()).collect();
            (a, b, None)
        };
        let tableau = Tableau::new(leans.map(level).into());
        let mut weights = Weights::new(&self.trees, &tableau, StageSolution::Solved);
        let square = |&tree: &TreeId| (weights.residual(tree) / self.trees.symmetry(tree) as f64).powi(2);
        self.ids.iter().map(square).sum()
    }
}

/// Computes β_k of R with κ_j = z + c_j z².
fn beta(known: &[f64], factor: &[f64], c: f64, k: usize) -> f64 {
    let at = |values: &[f64], k: usize| values.get(k).copied().unwrap_or_default();
    at(known, k) + at(factor, k - 1) + c * at(factor, k - 2)
}

/// Penalizes parameters outside their range. They are abscissae, except for a₄₃ in the last form: from near zero,
/// where closed forms divide, to one.
fn outside(x: &[f64]) -> f64 {
    const LEAST: f64 = 0.02;
    x.iter().take(4).map(|&x| (LEAST - x).max(x - 1.0).max(0.0).powi(2)).sum()
}

/// Penalizes abscissae beyond the second that are closer to each other than [`APART`], where weights grow without
/// bound.
fn too_near(c: &[f64]) -> f64 {
    let pairs = (2..c.len()).flat_map(|i| (i + 1..c.len()).map(move |j| (c[i] - c[j]).abs()));
    pairs.map(|distance| (APART - distance).max(0.0).powi(2)).sum()
}

struct TailCost<'a> {
    search: &'a TailSearch<'a>,
    price: f64,
}

impl CostFunction for TailCost<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.search.cost(x, self.price))
    }
}
