//! Double-double arithmetic, which decides nearly all conditions that doubles do not.

use hemiola_number::DoubleDouble;
use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_tableau::{Butcher, Exact, Tableau};

use crate::engine::arithmetic::Arithmetic;
use crate::engine::kernel::CHUNK;

/// Bound on the error of a sum or product relative to the sizes of its operands: eight units of the last of 106
/// bits, more than the proved bounds (Joldes, Muller & Popescu 2017).
pub(crate) const ROUNDING: f64 = 8.0 * 0.25 * f64::EPSILON * f64::EPSILON;

/// The arithmetic of double-double numbers.
pub(crate) struct DoubleDoubles;

impl Arithmetic for DoubleDoubles {
    type Number = DoubleDouble;

    fn zero(&self) -> DoubleDouble {
        DoubleDouble::ZERO
    }

    fn one(&self) -> DoubleDouble {
        DoubleDouble::ONE
    }

    fn reciprocal(&self, n: u64) -> DoubleDouble {
        let nearest = n as f64;
        let rest = (i128::from(n) - nearest as i128) as f64;
        DoubleDouble::ONE / DoubleDouble(nearest, rest)
    }

    fn negative(&self, x: &DoubleDouble) -> DoubleDouble {
        -*x
    }

    fn product(&self, x: &DoubleDouble, y: &DoubleDouble) -> DoubleDouble {
        *x * *y
    }

    fn add_product(&self, sum: &mut DoubleDouble, x: &DoubleDouble, y: &DoubleDouble) {
        if x.0 != 0.0 && y.0 != 0.0 {
            *sum += *x * *y;
        }
    }
}

/// Returns the nearest double and the remainder.
fn doubled(x: &Exact) -> DoubleDouble {
    let nearest = x.to_f64();
    let rest = Exact::from_f64(nearest).map_or(0.0, |nearest| (x.clone() - nearest).to_f64());
    DoubleDouble(nearest, rest)
}

/// Converts the coefficients of a tableau.
pub(crate) fn tableau(tableau: &Tableau<Exact>) -> Tableau<DoubleDouble> {
    let vector = |values: &[Exact]| values.iter().map(doubled).collect::<Vec<DoubleDouble>>();
    let butcher = |butcher: &Butcher<Exact>| Butcher {
        a: butcher.a.iter().map(|row| vector(row)).collect(),
        b: vector(&butcher.b),
        c: vector(&butcher.c),
    };
    Tableau { partitions: tableau.partitions.iter().map(butcher).collect() }
}

/// Rows of numbers with separate high and low parts, padded for the inner loop.
pub(crate) struct SplitRows(Vec<[Vec<f64>; 2]>);

impl SplitRows {
    pub(crate) fn new(rows: &[Vec<DoubleDouble>]) -> Self {
        let half = |row: &Vec<DoubleDouble>, of: fn(&DoubleDouble) -> f64| {
            let mut half: Vec<f64> = row.iter().map(of).collect();
            half.resize(row.len().next_multiple_of(CHUNK), 0.0);
            half
        };
        Self(rows.iter().map(|row| [half(row, |x| x.0), half(row, |x| x.1)]).collect())
    }

    /// Computes out_f = Σᵢ uᵢ rowsᵢ[f] for the chunk of values that begins at `start`, rounded to doubles at the
    /// end.
    ///
    /// The algorithm is that of Ogita, Rump & Oishi (2005, Algorithm 5.3) for factors of two parts. For n terms
    /// the error is at most half a unit plus 2n [`ROUNDING`] times the sum of the moduli.
    pub(crate) fn combine(&self, u: &[DoubleDouble], start: usize) -> [f64; CHUNK] {
        dispatch(Combine { u, rows: &self.0, start })
    }
}

struct Combine<'a> {
    u: &'a [DoubleDouble],
    rows: &'a [[Vec<f64>; 2]],
    start: usize,
}

impl Task for Combine<'_> {
    type Output = [f64; CHUNK];

    #[inline(always)]
    fn run<R: Registers>(self) -> [f64; CHUNK] {
        let Self { u, rows, start } = self;
        let (mut sums, mut rests) = ([0.0; CHUNK], [0.0; CHUNK]);
        for (&DoubleDouble(u, below), [row, rest]) in u.iter().zip(rows) {
            if u == 0.0 {
                continue;
            }
            let (row, rest) = (&row[start..start + CHUNK], &rest[start..start + CHUNK]);
            for l in 0..CHUNK {
                let product = u * row[l];
                let lost = u.mul_add(row[l], -product);
                let sum = sums[l] + product;
                // Knuth's sum, in any order of size.
                let virtual_product = sum - sums[l];
                let dropped = (sums[l] - (sum - virtual_product)) + (product - virtual_product);
                sums[l] = sum;
                rests[l] += u.mul_add(rest[l], below.mul_add(row[l], lost + dropped));
            }
        }
        std::array::from_fn(|l| sums[l] + rests[l])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::parse_number;

    #[test]
    fn sums_that_cancel_keep_half_of_the_digits() {
        let text = ["1/3", "-sqrt(2)*1e6", "1/7", "sqrt(2)*1e6", "0"];
        let factors: Vec<Exact> = text.iter().map(|text| parse_number(text).unwrap()).collect();
        let values: Vec<Exact> =
            ["3/7", "1/3", "-1", "1/3+1e-20", "5"].iter().map(|text| parse_number(text).unwrap()).collect();
        let exact = hemiola_tableau::dot(&factors, &values).to_f64();
        let (u, x): (Vec<DoubleDouble>, Vec<DoubleDouble>) =
            (factors.iter().map(doubled).collect(), values.iter().map(doubled).collect());
        let rows = SplitRows::new(&x.iter().map(|x| vec![DoubleDouble::ONE, *x]).collect::<Vec<_>>());
        let found = rows.combine(&u, 0)[1];
        let size: f64 = u.iter().zip(&x).map(|(u, x)| (u.0 * x.0).abs()).sum();
        assert!((found - exact).abs() <= 10.0 * ROUNDING * size + f64::EPSILON * exact.abs(), "{found} for {exact}");
        // Doubles would lose all digits.
        assert!(exact.abs() < f64::EPSILON * size && exact != 0.0);
        let mut sum = DoubleDoubles.zero();
        u.iter().zip(&x).for_each(|(u, x)| DoubleDoubles.add_product(&mut sum, u, x));
        assert!((sum.0 - exact).abs() <= 10.0 * ROUNDING * size + f64::EPSILON * exact.abs());
    }

    #[test]
    fn reciprocals_of_large_products() {
        let n = (1..=20).product::<u64>();
        let one = DoubleDoubles.product(&DoubleDoubles.reciprocal(n), &doubled(&Exact::from_ratio(n as i64, 1)));
        assert!((one.0 - 1.0).abs() + one.1.abs() <= 4.0 * ROUNDING);
    }
}
