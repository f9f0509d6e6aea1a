//! Bounds on a polynomial and its first two derivatives over the uncertainty of its coefficients.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::{Scalar, Tableau};
use num_traits::{One, Zero};

use crate::engine::arithmetic::Arithmetic;

/// A majorant with its first two derivatives along a direction. All terms are nonnegative, so nothing cancels. For a
/// weight Φ it is Φ̂(|x| + tδ) at t = 1, where Φ̂ has the absolute values of Φ's terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The majorant.
    pub value: f64,
    /// Its first derivative.
    pub first: f64,
    /// Its second derivative.
    pub second: f64,
}

impl Jet {
    /// Creates the jet of a coefficient of size at most |x| with an uncertainty.
    #[must_use]
    pub fn new(size: f64, delta: f64) -> Self {
        Self { value: size + delta, first: delta, second: 0.0 }
    }

    /// Returns a bound on |Φ(x + e) − Φ(x) − ∇Φ(x)e| for |e| ≤ δ: the remainder of the Taylor series, whose
    /// derivatives grow with |x|.
    #[must_use]
    pub fn beyond_first_order(self) -> f64 {
        0.5 * self.second
    }
}

/// Converts every coefficient to a jet.
pub(crate) fn jets(sizes: &Tableau<f64>, deltas: &Tableau<f64>) -> Tableau<Jet> {
    let row = |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| Jet::new(x.abs(), *d)).collect::<Vec<Jet>>();
    let partitions = sizes.partitions.iter().zip(&deltas.partitions).map(|(x, d)| hemiola_tableau::Butcher {
        a: x.a.iter().zip(&d.a).map(|(x, d)| row(x, d)).collect(),
        b: row(&x.b, &d.b),
        c: row(&x.c, &d.c),
    });
    Tableau { partitions: partitions.collect() }
}

/// Arithmetic of majorants, in which residuals are sums of sizes.
pub(crate) struct Majorants;

impl Arithmetic for Majorants {
    type Number = Jet;

    fn zero(&self) -> Jet {
        Jet::zero()
    }

    fn one(&self) -> Jet {
        Jet::one()
    }

    fn reciprocal(&self, n: u64) -> Jet {
        Jet { value: 1.0 / n as f64, ..Jet::zero() }
    }

    fn negative(&self, x: &Jet) -> Jet {
        *x
    }

    fn product(&self, x: &Jet, y: &Jet) -> Jet {
        *x * *y
    }

    fn add_product(&self, sum: &mut Jet, x: &Jet, y: &Jet) {
        *sum += *x * *y;
    }
}

impl Zero for Jet {
    fn zero() -> Self {
        Self { value: 0.0, first: 0.0, second: 0.0 }
    }

    fn is_zero(&self) -> bool {
        self.value == 0.0
    }
}

impl One for Jet {
    fn one() -> Self {
        Self { value: 1.0, ..Self::zero() }
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, y: Self) -> Self {
        Self { value: self.value + y.value, first: self.first + y.first, second: self.second + y.second }
    }
}

impl AddAssign for Jet {
    fn add_assign(&mut self, y: Self) {
        *self = *self + y;
    }
}

impl Sub for Jet {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "a majorant of a difference is a sum")]
    fn sub(self, y: Self) -> Self {
        self + y
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        Self {
            value: self.value * y.value,
            first: self.first * y.value + self.value * y.first,
            second: self.second * y.value + 2.0 * self.first * y.first + self.value * y.second,
        }
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        self
    }
}

impl Scalar for Jet {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self { value: f64::ratio(numerator, denominator).abs(), ..Self::zero() }
    }
}
