//! No tableau with one wrong digit at 1e-8 or above is accepted: every tableau of the library, printed with
//! sixteen digits, is changed in single digits. If the change moves a condition by more than last digits can, the
//! order must drop. Otherwise the tableau may only be accepted if a method of that order lies within errors of
//! last digits.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use crate::common::{Digits, is_short, methods, rewritten};
use hemiola_order::{CheckOptions, Grammar, OrderCheck, conditions, value_and_gradient};
use hemiola_tableau::{Coefficient, Method, Partition, Tableau};
use nalgebra::{DMatrix, DVector, SVD};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Iterates over A and b of all partitions in one sequence.
fn entries<T>(tableau: &Tableau<T>) -> impl Iterator<Item = &T> {
    tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b))
}

fn entries_mut(partitions: &mut [Partition]) -> impl Iterator<Item = &mut Coefficient> {
    partitions.iter_mut().flat_map(|partition| partition.a.iter_mut().flatten().chain(&mut partition.b))
}

/// The gradients of all conditions up to an order, in units of last digits, and the residuals.
struct Linearized {
    gradients: Vec<Vec<f64>>,
    residuals: Vec<f64>,
}

impl Linearized {
    fn new(method: &Method, order: usize) -> Self {
        let (nearest, slacks) = (method.to_f64(), method.slacks());
        let grammar = Grammar::partitioned(nearest.partitions.len());
        let all = conditions(method, &grammar, order, None).unwrap();
        let gradient = |tree| {
            let (_, gradient) = value_and_gradient(tree, &nearest);
            entries(&gradient).zip(entries(&slacks)).map(|(slope, slack)| slope * slack).collect()
        };
        Self {
            gradients: all.iter().map(|condition| gradient(&condition.tree)).collect(),
            residuals: all.iter().map(|condition| condition.residual).collect(),
        }
    }

    /// Returns the largest effect of a change by this many units, relative to the part that last digits explain
    /// of the same condition.
    fn effect(&self, place: usize, units: f64) -> f64 {
        let explained =
            |gradient: &Vec<f64>| gradient.iter().map(|slope| slope.abs()).sum::<f64>().max(f64::MIN_POSITIVE);
        let effects = self.gradients.iter().map(|gradient| (gradient[place] * units).abs() / explained(gradient));
        effects.fold(0.0, f64::max)
    }

    /// Returns the root mean square, in units of last digits, of the least-squares change that makes the
    /// conditions hold. It is a lower bound on the largest component of any such change.
    fn distance(&self) -> f64 {
        let (rows, columns) = (self.gradients.len(), self.gradients[0].len());
        let scale = |i: usize| self.gradients[i].iter().map(|slope| slope * slope).sum::<f64>().sqrt().recip();
        let matrix = DMatrix::from_fn(rows, columns, |i, k| self.gradients[i][k] * scale(i));
        let residuals = DVector::from_fn(rows, |i, _| self.residuals[i] * scale(i));
        let svd = SVD::new(matrix, true, true);
        let change = svd.solve(&residuals, 1e-9 * svd.singular_values.max()).unwrap();
        change.norm() / (columns as f64).sqrt()
    }
}

/// Changes one digit of a decimal, the k-th after the point; `None` if there is none.
fn with_another_digit(text: &str, k: usize, by: u8) -> Option<String> {
    let (point, mut bytes) = (text.find('.')?, text.as_bytes().to_vec());
    let digit = bytes.get_mut(point + k).filter(|byte| byte.is_ascii_digit())?;
    *digit = b'0' + (*digit - b'0' + by) % 10;
    Some(String::from_utf8(bytes).unwrap())
}

/// Counts of the outcomes of changes of single digits.
#[derive(Debug, Default)]
struct Counts {
    clear: usize,
    hidden: usize,
}

fn order(method: &Method, highest_order: usize) -> usize {
    OrderCheck::new(method, CheckOptions { highest_order, ..Default::default() }).unwrap().order()
}

fn changed(method: &Method, changes: usize) -> Counts {
    let claimed = method.claims().order.unwrap();
    let written = rewritten(method, None, |coefficient| Digits::Significant(16).write(coefficient));
    let right = Linearized::new(&written, claimed);
    let slacks = written.slacks();
    let mut random = ChaCha8Rng::seed_from_u64(method.stages() as u64);
    let mut counts = Counts::default();
    let places = entries(&slacks).count();
    for _ in 0..changes {
        let mut partitions = written.partitions().to_vec();
        let place = random.random_range(0..places);
        let cell = entries_mut(&mut partitions).nth(place).unwrap();
        let Some(text) = with_another_digit(cell.text(), random.random_range(3..=8), random.random_range(1..10)) else {
            continue;
        };
        let old = cell.value().to_f64();
        *cell = Coefficient::parse(&text).unwrap();
        let change = cell.value().to_f64() - old;
        let wrong =
            Method::new("wrong", "Wrong", partitions, written.claims(), None, written.source().clone()).unwrap();
        let (units, found) = (change / entries(&slacks).nth(place).unwrap(), order(&wrong, claimed));
        let effect = right.effect(place, units);
        // The factor of two covers the terms beyond the first order.
        if effect > 2.0 {
            counts.clear += 1;
            let id = method.id();
            assert!(found < claimed, "{id}: place {place} off by {change:e}, {effect} times what last digits explain");
        } else {
            counts.hidden += 1;
            let distance = Linearized::new(&wrong, claimed).distance();
            assert!(found < claimed || distance < 1.0, "{}: place {place} off by {change:e}: {distance}", method.id());
        }
    }
    counts
}

/// Iterates over the methods whose sixteen digits are known.
fn known() -> impl Iterator<Item = Method> {
    let is_known = |method: &Method| {
        let order = method.claims().order.unwrap_or(0);
        method.precision().is_none_or(|known| known.decimals >= 15) && (1..=9).contains(&order)
    };
    methods().into_iter().filter(is_known)
}

fn total(methods: &[Method], changes: usize) -> Counts {
    let add = |x: Counts, y: Counts| Counts { clear: x.clear + y.clear, hidden: x.hidden + y.hidden };
    methods.par_iter().map(|method| changed(method, changes)).reduce(Counts::default, add)
}

#[test]
fn a_wrong_digit_is_refused() {
    let methods: Vec<Method> = known().filter(is_short).collect();
    let counts = total(&methods, 20);
    assert!(counts.clear > 1000 && counts.hidden > 50, "{counts:?}");
}

#[test]
#[ignore = "two hundred changes of every table: minutes"]
fn a_wrong_digit_is_refused_everywhere() {
    let methods: Vec<Method> = known().collect();
    let counts = total(&methods, 200);
    assert!(counts.clear > 10_000 && counts.hidden > 500, "{counts:?}");
}
