//! Characteristic polynomials of integer matrices by arithmetic modulo primes.
//!
//! The polynomial modulo a prime takes O(s³) operations by a Hessenberg form (Cohen 1993, Algorithm 2.2.9). Enough
//! primes determine the integer coefficients, which Hadamard's inequality bounds. The algorithm of Faddeev and LeVerrier
//! needs s⁴ products of long integers instead: for a hundred stages minutes in place of a fraction of a second.

use dashu::base::{BitTest, Sign};
use dashu::integer::{IBig, UBig};
use hemiola_number::parallel;

/// Largest modulus: sums of two remainders and the products of Montgomery's reduction fit into words.
const LARGEST: u64 = (1 << 62) - 1;
/// Bases for which Miller's test is a proof below 2⁶⁴ (Sorenson & Webster 2017).
const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Computes the coefficients of det(I − zA) for a square integer matrix, given by its rows: those of the
/// characteristic polynomial, with the leading one first.
pub(crate) fn characteristic(matrix: &[Vec<IBig>]) -> Vec<IBig> {
    let bits = coefficient_bits(matrix);
    let count = bits / (LARGEST.ilog2() as usize) + 1;
    let primes: Vec<Prime> = Prime::descending().take(count).collect();
    let remainders = parallel::map(count, |k| primes[k].characteristic(matrix));
    let mut found = vec![IBig::ZERO; matrix.len() + 1];
    let mut product = UBig::ONE;
    for (prime, remainders) in primes.iter().zip(&remainders) {
        let inverse = prime.inverse(prime.of_natural(&product));
        for (x, remainder) in found.iter_mut().zip(remainders) {
            // x + product·((r − x)/product mod p) has both remainders.
            let change = prime.times(prime.minus(*remainder, prime.of_integer(x)), inverse);
            *x += IBig::from(&product * prime.number(change));
        }
        product *= prime.p;
    }
    let half = IBig::from(&product >> 1);
    let product = IBig::from(product);
    found.into_iter().map(|x| if x > half { x - &product } else { x }).collect()
}

/// Bounds the number of bits of the coefficients and their sign: a coefficient is a sum of minors, and the sum of all
/// moduli is at most Π (1 + ‖row‖).
fn coefficient_bits(matrix: &[Vec<IBig>]) -> usize {
    let row = |row: &Vec<IBig>| {
        let square = row.iter().fold(IBig::ZERO, |sum, x| sum + x * x);
        square.bit_len().div_ceil(2) + 1
    };
    2 + matrix.iter().map(row).sum::<usize>()
}

/// A prime with Montgomery's representation of the remainders: a stands for a·2⁻⁶⁴.
struct Prime {
    p: u64,
    /// −1/p modulo 2⁶⁴.
    negative_inverse: u64,
    /// 2¹²⁸ modulo p.
    square: u64,
}

impl Prime {
    /// Iterates over primes from the largest modulus downwards.
    fn descending() -> impl Iterator<Item = Self> {
        (0..).map(|k| Self::modulus(LARGEST - 2 * k)).filter(Self::is_prime)
    }

    /// Prepares the arithmetic modulo an odd number.
    fn modulus(p: u64) -> Self {
        // Each of Newton's iterations doubles the number of correct bits, of which p itself has three.
        let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))));
        let power = (u128::MAX % u128::from(p) + 1) % u128::from(p);
        Self { p, negative_inverse: inverse.wrapping_neg(), square: power as u64 }
    }

    /// Returns whether an odd modulus is a prime, by Miller's test.
    fn is_prime(&self) -> bool {
        let (one, minus_one) = (self.of(1), self.of(self.p - 1));
        let twos = (self.p - 1).trailing_zeros();
        WITNESSES.iter().all(|&base| {
            let mut x = self.power(self.of(base), (self.p - 1) >> twos);
            x == one
                || x == minus_one
                || (1..twos).any(|_| {
                    x = self.times(x, x);
                    x == minus_one
                })
        })
    }

    fn times(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let factor = (product as u64).wrapping_mul(self.negative_inverse);
        let reduced = ((product + u128::from(factor) * u128::from(self.p)) >> 64) as u64;
        if reduced >= self.p { reduced - self.p } else { reduced }
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    fn minus(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    fn power(&self, base: u64, mut exponent: u64) -> u64 {
        let (mut power, mut square) = (self.of(1), base);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.times(power, square);
            }
            square = self.times(square, square);
            exponent >>= 1;
        }
        power
    }

    /// Computes 1/a by Fermat's theorem.
    fn inverse(&self, a: u64) -> u64 {
        self.power(a, self.p - 2)
    }

    /// Converts a number to its representation, and back.
    fn of(&self, number: u64) -> u64 {
        self.times(number % self.p, self.square)
    }

    fn number(&self, a: u64) -> u64 {
        self.times(a, 1)
    }

    fn of_natural(&self, number: &UBig) -> u64 {
        self.of(number % self.p)
    }

    fn of_integer(&self, number: &IBig) -> u64 {
        let (sign, size) = number.clone().into_parts();
        let remainder = self.of_natural(&size);
        if sign == Sign::Negative { self.minus(0, remainder) } else { remainder }
    }

    /// Computes the characteristic polynomial of a matrix, with the leading coefficient first.
    fn characteristic(&self, matrix: &[Vec<IBig>]) -> Vec<u64> {
        let convert = |row: &Vec<IBig>| row.iter().map(|x| self.of_integer(x)).collect::<Vec<u64>>();
        let mut h: Vec<Vec<u64>> = matrix.iter().map(convert).collect();
        self.to_hessenberg(&mut h);
        let n = h.len();
        // The polynomials of the leading submatrices, with the constant term first: p_k = (λ − h_kk) p_{k−1} −
        // Σ_j h_jk (Π of the subdiagonal below row j) p_{j−1}.
        let mut all: Vec<Vec<u64>> = vec![vec![self.of(1)]];
        for k in 0..n {
            let mut next = vec![0; k + 2];
            next[1..].copy_from_slice(&all[k]);
            let mut product = self.of(1);
            for j in (0..=k).rev() {
                let factor = self.times(h[j][k], product);
                if factor != 0 {
                    next.iter_mut().zip(&all[j]).for_each(|(x, y)| *x = self.minus(*x, self.times(factor, *y)));
                }
                if j > 0 {
                    product = self.times(product, h[j][j - 1]);
                }
            }
            all.push(next);
        }
        all.pop().unwrap_or_default().into_iter().rev().collect()
    }

    /// Transforms a matrix into a similar one without entries below the subdiagonal.
    fn to_hessenberg(&self, h: &mut [Vec<u64>]) {
        let n = h.len();
        for k in 1..n.saturating_sub(1) {
            let Some(pivot) = (k..n).find(|&i| h[i][k - 1] != 0) else { continue };
            h.swap(k, pivot);
            h.iter_mut().for_each(|row| row.swap(k, pivot));
            let inverse = self.inverse(h[k][k - 1]);
            let (upper, lower) = h.split_at_mut(k + 1);
            let mut factors = vec![0; n];
            for (i, row) in lower.iter_mut().enumerate() {
                let factor = self.times(row[k - 1], inverse);
                factors[k + 1 + i] = factor;
                if factor != 0 {
                    let pairs = row[k - 1..].iter_mut().zip(&upper[k][k - 1..]);
                    pairs.for_each(|(x, y)| *x = self.minus(*x, self.times(factor, *y)));
                }
            }
            for row in h.iter_mut() {
                let terms = factors[k + 1..].iter().zip(&row[k + 1..]);
                let sum = terms.fold(0, |sum, (factor, x)| self.plus(sum, self.times(*factor, *x)));
                row[k] = self.plus(row[k], sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::Butcher;

    #[test]
    fn the_first_primes_below_two_to_the_62() {
        let first: Vec<u64> = Prime::descending().take(3).map(|prime| prime.p).collect();
        let distances: Vec<u64> = first.iter().map(|p| (1 << 62) - p).collect();
        // The largest primes below 2⁶² are 2⁶² − 57, − 87 and − 117.
        assert_eq!(distances, [57, 87, 117]);
        let small: Vec<u64> = (3..100).step_by(2).filter(|&p| Prime::modulus(p).is_prime()).collect();
        // The bases themselves are divisible by small primes, which Miller's test does not expect.
        assert!(small.iter().all(|p| (3..*p).all(|d| p % d != 0)), "{small:?}");
    }

    #[test]
    fn the_polynomial_is_that_of_faddeev_and_leverrier() {
        let entry = |i: usize, j: usize, n: usize| (((i * 7 + j * 13 + 5 * i * j) % 19) as i64 - 9) * (n as i64).pow(9);
        for n in 1..9 {
            let rows: Vec<Vec<i64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j, n)).collect()).collect();
            let integers: Vec<Vec<IBig>> =
                rows.iter().map(|row| row.iter().map(|&x| IBig::from(x)).collect()).collect();
            let exact = |x: &i64| hemiola_tableau::Exact::from_ratio(*x, 1);
            let a = rows.iter().map(|row| row.iter().map(exact).collect()).collect();
            let butcher = Butcher { a, b: vec![exact(&0); n], c: vec![exact(&0); n] };
            let expected = crate::function::determinant::characteristic(&butcher);
            let found: Vec<hemiola_tableau::Exact> = characteristic(&integers)
                .into_iter()
                .map(|x| hemiola_tableau::Exact::from(dashu::rational::RBig::from(x)))
                .collect();
            assert!(found == expected, "{n}");
        }
        // Permutations, zeros and a nilpotent matrix have pivots that vanish.
        let of = |rows: &[&[i32]]| {
            let rows: Vec<Vec<IBig>> = rows.iter().map(|row| row.iter().map(|&x| IBig::from(x)).collect()).collect();
            characteristic(&rows).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(&[&[0, 1, 0], &[0, 0, 1], &[1, 0, 0]]), "1 0 0 -1");
        assert_eq!(of(&[&[0, 1, 0], &[0, 0, 1], &[0, 0, 0]]), "1 0 0 0");
        assert_eq!(of(&[&[0, 0], &[0, 0]]), "1 0 0");
        assert_eq!(of(&[]), "1");
    }
}
