//! Sums, products and quotients of exact numbers, reduced to their common form.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use dashu::rational::RBig;
use num_traits::{One, Zero};

use super::{Exact, Form, Surd, compare_radicands, surd};

impl From<RBig> for Exact {
    fn from(value: RBig) -> Self {
        Self(Form::Rational(value))
    }
}

impl From<i32> for Exact {
    fn from(value: i32) -> Self {
        RBig::from(value).into()
    }
}

impl Zero for Exact {
    fn zero() -> Self {
        RBig::ZERO.into()
    }

    fn is_zero(&self) -> bool {
        matches!(&self.0, Form::Rational(value) if value.is_zero())
    }
}

impl One for Exact {
    fn one() -> Self {
        RBig::ONE.into()
    }
}

impl Neg for Exact {
    type Output = Self;

    fn neg(self) -> Self {
        match self.0 {
            Form::Rational(value) => (-value).into(),
            Form::Surd(s) => surd(-s.x.clone(), -s.y.clone(), s.d.clone()),
        }
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        match (&self.0, &other.0) {
            // Accumulated sums start with zero, which would otherwise be reduced against the first term.
            (Form::Rational(a), _) if a.is_zero() => other,
            (_, Form::Rational(b)) if b.is_zero() => self,
            (Form::Rational(a), Form::Rational(b)) => (a + b).into(),
            (Form::Surd(s), Form::Rational(_)) => surd(s.x.clone() + other, s.y.clone(), s.d.clone()),
            (Form::Rational(_), Form::Surd(t)) => surd(t.x.clone() + self, t.y.clone(), t.d.clone()),
            (Form::Surd(s), Form::Surd(t)) => match compare_radicands(&s.d, &t.d) {
                Ordering::Equal => surd(s.x.clone() + t.x.clone(), s.y.clone() + t.y.clone(), s.d.clone()),
                Ordering::Greater => surd(s.x.clone() + other, s.y.clone(), s.d.clone()),
                Ordering::Less => surd(t.x.clone() + self, t.y.clone(), t.d.clone()),
            },
        }
    }
}

impl Sub for Exact {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Exact {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        match (&self.0, &other.0) {
            (Form::Rational(a), _) | (_, Form::Rational(a)) if a.is_zero() => Self::zero(),
            (Form::Rational(a), _) if a.is_one() => other,
            (_, Form::Rational(b)) if b.is_one() => self,
            (Form::Rational(a), Form::Rational(b)) => (a * b).into(),
            (Form::Surd(s), Form::Rational(_)) => scale(s, &other),
            (Form::Rational(_), Form::Surd(t)) => scale(t, &self),
            (Form::Surd(s), Form::Surd(t)) => match compare_radicands(&s.d, &t.d) {
                Ordering::Equal => multiply_alike(s, t),
                Ordering::Greater => scale(s, &other),
                Ordering::Less => scale(t, &self),
            },
        }
    }
}

/// Returns `(x + y√d)·factor` for a factor without √d.
fn scale(s: &Surd, factor: &Exact) -> Exact {
    surd(s.x.clone() * factor.clone(), s.y.clone() * factor.clone(), s.d.clone())
}

/// Returns `(x + y√d)(u + v√d)`.
fn multiply_alike(s: &Surd, t: &Surd) -> Exact {
    let x = s.x.clone() * t.x.clone() + s.y.clone() * t.y.clone() * s.d.clone();
    let y = s.x.clone() * t.y.clone() + s.y.clone() * t.x.clone();
    // A nested radicand that is a multiple of a smaller radical may bring √d back into x; addition restores the
    // order.
    x + surd(Exact::zero(), y, s.d.clone())
}

impl Div for Exact {
    type Output = Option<Self>;

    /// Returns the quotient, or `None` if the divisor is zero.
    fn div(self, other: Self) -> Option<Self> {
        other.reciprocal().map(|inverse| self * inverse)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        *self = std::mem::replace(self, Self::zero()) + other;
    }
}
