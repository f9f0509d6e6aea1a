//! Real numbers with ninety digits after the point, each with a bound on its error. Nonzero residuals of published
//! coefficients are at least 1e-60.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Tableau};
use num_traits::Zero;

use crate::engine::arithmetic::Arithmetic;
use crate::engine::fixed_point::{BITS, Integer};

/// A number in `(middle ± radius)·2^−BITS`.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    middle: Integer,
    radius: f64,
    /// A bound on the size of all members: the sum of the sizes of all summands.
    size: f64,
}

impl Ball {
    fn new(value: &Exact) -> Self {
        let enclosure = value.enclose(BITS + 32);
        let low = scaled(enclosure.low());
        let radius = scaled(enclosure.high()) - &low;
        // The ends are rounded by at most half a unit each.
        let radius = radius.to_f64().value() + 1.0;
        let exactly_zero = value.is_zero();
        let size = upwards(value.to_f64().abs() + radius * unit());
        if exactly_zero { Balls.zero() } else { Self { middle: low.into(), radius, size } }
    }

    pub(crate) fn tableau(tableau: &Tableau<Exact>) -> Tableau<Self> {
        let vector = |values: &[Exact]| values.iter().map(Self::new).collect::<Vec<Self>>();
        let butcher = |butcher: &Butcher<Exact>| Butcher {
            a: butcher.a.iter().map(|row| vector(row)).collect(),
            b: vector(&butcher.b),
            c: vector(&butcher.c),
        };
        Tableau { partitions: tableau.partitions.iter().map(butcher).collect() }
    }

    /// Returns the middle as a double, and a bound on its distance from the number.
    pub(crate) fn to_f64(&self) -> (f64, f64) {
        // Both factors are exact up to one rounding, far from the ends of the range of doubles.
        let value = self.middle.to_long().to_f64().value() * unit();
        (value, upwards(self.radius * unit() + value.abs() * f64::EPSILON))
    }
}

fn unit() -> f64 {
    2f64.powi(-(BITS as i32))
}

/// Rounds upwards by enough to cover the rounding of a few operations on positive doubles.
fn upwards(x: f64) -> f64 {
    x * (1.0 + 8.0 * f64::EPSILON)
}

fn scaled(value: &RBig) -> IBig {
    (value * RBig::from(IBig::from(UBig::ONE << BITS))).round()
}

/// Ball arithmetic in fixed point.
pub(crate) struct Balls;

impl Arithmetic for Balls {
    type Number = Ball;

    fn zero(&self) -> Ball {
        Ball { middle: Integer::ZERO, radius: 0.0, size: 0.0 }
    }

    fn one(&self) -> Ball {
        Ball { middle: (IBig::ONE << BITS).into(), radius: 0.0, size: 1.0 }
    }

    fn reciprocal(&self, n: u64) -> Ball {
        let size = upwards(1.0 / n as f64 + unit());
        Ball { middle: ((IBig::ONE << BITS) / IBig::from(n)).into(), radius: 1.0, size }
    }

    fn negative(&self, x: &Ball) -> Ball {
        Ball { middle: x.middle.negative(), ..*x }
    }

    fn product(&self, x: &Ball, y: &Ball) -> Ball {
        let mut product = self.zero();
        self.add_product(&mut product, x, y);
        product
    }

    fn add_product(&self, sum: &mut Ball, x: &Ball, y: &Ball) {
        if x.size == 0.0 || y.size == 0.0 {
            return;
        }
        // xy − x̃ỹ| ≤ |x|δy + |ỹ|δx, and the shift drops less than a unit.
        sum.radius = upwards(sum.radius + x.size * y.radius + y.size * x.radius + 1.0);
        sum.size = upwards(sum.size + x.size * y.size + unit());
        sum.middle.add_shifted_product(&x.middle, &y.middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::parse_number;

    #[test]
    fn balls_hold_what_they_stand_for() {
        let (x, y) = (parse_number("-7/11").unwrap(), parse_number("sqrt(2)*1e20").unwrap());
        let mut sum = Balls.product(&Ball::new(&x), &Ball::new(&y));
        Balls.add_product(&mut sum, &Balls.reciprocal(3), &Balls.negative(&Ball::new(&y)));
        let exact = x * y.clone() - y * Exact::from_ratio(1, 3);
        let distance = exact.clone() - Exact::from(RBig::from_parts(sum.middle.to_long(), UBig::ONE << BITS));
        assert!(distance.abs().to_f64() <= sum.radius * unit());
        assert!(sum.radius * unit() < 1e-70 && (sum.to_f64().0 / exact.to_f64() - 1.0).abs() < 1e-15);
    }
}
