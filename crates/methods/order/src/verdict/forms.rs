//! A method's coefficients in every number type that verdicts need: doubles with bounds, balls, exact numbers,
//! residues.

use std::sync::OnceLock;

use hemiola_tableau::{Butcher, Coefficient, Exact, Method, Tableau};

use crate::engine::arithmetic::BoundedF64;
use crate::engine::ball::Ball;
use crate::engine::modular::{MOST_PRIMES, Modular, conjugate_bound, primes_below};
use crate::verdict::uncertainty::Uncertainties;

/// A method's coefficients in every number type that verdicts need.
pub(crate) struct CoefficientForms {
    pub(crate) exact: Tableau<Exact>,
    pub(crate) balls: Tableau<Ball>,
    pub(crate) doubles: Tableau<BoundedF64>,
    pub(crate) uncertainties: Uncertainties,
    /// Primes that suit the coefficients, with the coefficients modulo each.
    residues: Vec<OnceLock<(Modular, Tableau<u64>)>>,
}

impl CoefficientForms {
    pub(crate) fn new(method: &Method) -> Self {
        let rounding = method.rounding();
        let sized = |coefficient: &Coefficient| {
            let value = coefficient.value();
            let change = rounding.of(coefficient);
            // The size covers all conjugates, which proofs need, and the changed number.
            BoundedF64 { value: value.to_f64(), size: conjugate_bound(value) + change, change }
        };
        let doubles = method.partitions().iter().map(|partition| {
            let vector = |row: &[Coefficient]| row.iter().map(sized).collect::<Vec<BoundedF64>>();
            let a: Vec<Vec<BoundedF64>> = partition.a.iter().map(|row| vector(row)).collect();
            let sum = |row: &Vec<BoundedF64>| row.iter().fold(BoundedF64::default(), |sum, x| sum.plus(*x));
            let c = partition.c.as_ref().map_or_else(|| a.iter().map(sum).collect(), |c| vector(c));
            Butcher { a, b: vector(&partition.b), c }
        });
        let exact = method.exact();
        Self {
            balls: Ball::tableau(&exact),
            exact,
            doubles: Tableau { partitions: doubles.collect() },
            uncertainties: Uncertainties::of(method),
            residues: (0..MOST_PRIMES).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the coefficients modulo the k-th prime that suits them.
    pub(crate) fn residue_tableau(&self, k: usize) -> Option<&(Modular, Tableau<u64>)> {
        // One in 2ᵏ primes suits k radicands, and hardly any prime divides a denominator.
        const TRIED: usize = 1000;
        let known = self.residues.get(k)?;
        if known.get().is_none() {
            let last = match k.checked_sub(1) {
                Some(k) => Some(self.residue_tableau(k)?.0.p),
                None => None,
            };
            let suited = |field: Modular| Some((field, field.tableau(&self.exact)?));
            let found = primes_below(last).take(TRIED).find_map(suited)?;
            let _ = known.set(found);
        }
        known.get()
    }
}
