//! Proofs that a residual vanishes, by residues modulo primes.
//!
//! Let D be a common denominator of all coefficients. Then α = γ Dⁿ(Φ − 1/γ) is an integer for a tree of order n.
//! If α vanishes modulo primes whose product exceeds |α|, it is zero.
//!
//! With square roots of integers, α is an algebraic integer. Modulo a prime p ≡ 3 (mod 4) for which all radicands are
//! squares, √d ↦ d^((p+1)/4) respects products. Hence α has a residue, and p divides the norm of α if this residue is
//! zero. The norm is the product of 2ᵏ conjugates, all bounded by the same sum of absolute values. Nested roots are
//! left to exact arithmetic: they may equal sums of other roots, and the residue would then depend on the choice of
//! root.

use hemiola_tableau::{Butcher, Exact, Tableau};

use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::UBig;
use dashu::rational::RBig;

use crate::engine::arithmetic::Arithmetic;

/// Maximum number of primes; beyond it exact arithmetic is faster.
pub(crate) const MOST_PRIMES: usize = 256;
/// Upper bound of the primes, which lie just below it. Products of residues fit into 128 bits, and a conversion to
/// doubles is harmless.
const BELOW: u64 = 1 << 62;

/// Arithmetic modulo a prime p ≡ 3 (mod 4), in which square roots are powers.
///
/// Residues are stored as x·2⁶⁴ mod p (Montgomery 1985), so that products need no division.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Modular {
    pub(crate) p: u64,
    /// −1/p modulo 2⁶⁴.
    minus_inverse: u64,
    /// 2¹²⁸ modulo p.
    square: u64,
}

impl Modular {
    fn new(p: u64) -> Self {
        // Newton's iteration doubles the correct bits of 1/p modulo a power of two; p itself has three.
        let inverse = (0..5).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))));
        let square = ((u128::MAX % u128::from(p) + 1) % u128::from(p)) as u64;
        Self { p, minus_inverse: inverse.wrapping_neg(), square }
    }

    /// Computes x·y/2⁶⁴ mod p.
    fn multiply(self, x: u64, y: u64) -> u64 {
        let product = u128::from(x) * u128::from(y);
        let m = (product as u64).wrapping_mul(self.minus_inverse);
        let reduced = ((product + u128::from(m) * u128::from(self.p)) >> 64) as u64;
        if reduced >= self.p { reduced - self.p } else { reduced }
    }

    /// Converts an integer below p to a residue.
    fn integer(self, x: u64) -> u64 {
        self.multiply(x, self.square)
    }

    fn add(self, x: u64, y: u64) -> u64 {
        let sum = x + y;
        if sum >= self.p { sum - self.p } else { sum }
    }

    fn negate(self, x: u64) -> u64 {
        if x == 0 { 0 } else { self.p - x }
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = self.integer(1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.multiply(power, base);
            }
            base = self.multiply(base, base);
            exponent >>= 1;
        }
        power
    }

    fn inverse(self, x: u64) -> Option<u64> {
        (x != 0).then(|| self.power(x, self.p - 2))
    }

    /// Computes a square root, if there is one.
    fn root(self, x: u64) -> Option<u64> {
        let root = self.power(x, self.p.div_ceil(4));
        (self.multiply(root, root) == x).then_some(root)
    }

    fn rational(self, x: &RBig) -> Option<u64> {
        let p = UBig::from(self.p);
        let residue = |n: UBig| u64::try_from(n % &p).ok().map(|n| self.integer(n));
        let numerator = residue(x.numerator().clone().unsigned_abs())?;
        let quotient = self.multiply(numerator, self.inverse(residue(x.denominator().clone())?)?);
        Some(if *x < RBig::ZERO { self.negate(quotient) } else { quotient })
    }

    /// Computes the residue of a number, with the same root for each occurrence of a radicand; `None` if p does
    /// not suit the number.
    fn residue(self, x: &Exact) -> Option<u64> {
        x.terms().iter().try_fold(0, |sum, (factor, radicands)| {
            let product = radicands.iter().try_fold(self.rational(factor)?, |product, radicand| {
                Some(self.multiply(product, self.root(self.residue(radicand)?)?))
            });
            Some(self.add(sum, product?))
        })
    }

    /// Reduces the tableau modulo p.
    pub(crate) fn tableau(self, tableau: &Tableau<Exact>) -> Option<Tableau<u64>> {
        let vector = |values: &[Exact]| values.iter().map(|x| self.residue(x)).collect::<Option<Vec<u64>>>();
        let butcher = |butcher: &Butcher<Exact>| {
            let a = butcher.a.iter().map(|row| vector(row)).collect::<Option<_>>()?;
            Some(Butcher { a, b: vector(&butcher.b)?, c: vector(&butcher.c)? })
        };
        let partitions = tableau.partitions.iter().map(butcher).collect::<Option<_>>()?;
        Some(Tableau { partitions })
    }
}

impl Arithmetic for Modular {
    type Number = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn one(&self) -> u64 {
        self.integer(1)
    }

    fn reciprocal(&self, n: u64) -> u64 {
        // A product of numbers up to the order has no factor p.
        self.inverse(self.integer(n % self.p)).unwrap_or(0)
    }

    fn negative(&self, x: &u64) -> u64 {
        self.negate(*x)
    }

    fn product(&self, x: &u64, y: &u64) -> u64 {
        self.multiply(*x, *y)
    }

    fn add_product(&self, sum: &mut u64, x: &u64, y: &u64) {
        *sum = self.add(*sum, self.multiply(*x, *y));
    }
}

/// Largest k for fields of degree 2ᵏ; proofs by primes are too long in larger fields.
const HIGHEST_RANK: usize = 5;

/// The quantities that bound the size of α.
pub(crate) struct NormBound {
    /// log₂ D.
    bits: f64,
    /// The number of conjugates.
    conjugates: f64,
}

impl NormBound {
    /// Computes the common denominator of a tableau; `None` if roots are nested, or if there are too many
    /// conjugates for proofs by primes to be worthwhile.
    pub(crate) fn new(tableau: &Tableau<Exact>) -> Option<Self> {
        let mut common = UBig::ONE;
        let mut radicands: Vec<Exact> = Vec::new();
        for butcher in &tableau.partitions {
            for x in butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c) {
                for (factor, roots) in x.terms() {
                    let divisor = (&common).gcd(factor.denominator());
                    common = common / divisor * factor.denominator();
                    roots.iter().try_for_each(|root| note_radicand(root, &mut radicands))?;
                }
            }
        }
        let rank = rank(tableau, &radicands);
        // One bit more than the length makes rounding irrelevant.
        let bits = (dashu::base::BitTest::bit_len(&common) + 1) as f64;
        (rank <= HIGHEST_RANK).then(|| Self { bits, conjugates: f64::from(1u32 << rank) })
    }

    /// Returns a bound on log₂ of the norm of α for a tree of order n and density γ, where `size` bounds Σ|terms
    /// of Φ| + 1/γ for all conjugates.
    pub(crate) fn norm_bits(&self, order: usize, density: u64, size: f64) -> f64 {
        // Two bits cover the rounding of the size and of this sum.
        let bits = order as f64 * self.bits + (density as f64).log2() + size.max(f64::MIN_POSITIVE).log2();
        self.conjugates * (bits.max(0.0) + 2.0)
    }
}

/// Returns k for a field of degree 2ᵏ that contains the coefficients: the rank, over the field of two elements,
/// of the products of roots that occur in them. √21 = √3√7 alone has two conjugates, not four.
fn rank(tableau: &Tableau<Exact>, radicands: &[Exact]) -> usize {
    let mut basis: Vec<u64> = Vec::new();
    for butcher in &tableau.partitions {
        for x in butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c) {
            for (_, roots) in x.terms() {
                let bit = |root: &Exact| radicands.iter().position(|radicand| radicand == root).map_or(0, |k| 1 << k);
                let vector = roots.iter().map(bit).fold(0u64, |vector, bit| vector ^ bit);
                let reduced = basis.iter().fold(vector, |vector, member| vector.min(vector ^ member));
                if reduced != 0 {
                    basis.push(reduced);
                    basis.sort_by(|a, b| b.cmp(a));
                }
            }
        }
    }
    basis.len()
}

/// Records a radicand; `None` if it is itself written with roots.
fn note_radicand(radicand: &Exact, found: &mut Vec<Exact>) -> Option<()> {
    radicand.as_rational()?;
    if !found.contains(radicand) {
        found.push(radicand.clone());
    }
    Some(())
}

/// Returns a bound on the number and on all its conjugates: Σ |q| Π √|d|.
pub(crate) fn conjugate_bound(x: &Exact) -> f64 {
    let term = |(factor, radicands): &(RBig, Vec<Exact>)| {
        let roots: f64 = radicands.iter().map(|radicand| conjugate_bound(radicand).sqrt()).product();
        factor.to_f64().value().abs() * roots
    };
    // Each operation rounds by half a unit; a few units upwards cover this.
    x.terms().iter().map(term).sum::<f64>() * (1.0 + 16.0 * f64::EPSILON)
}

/// Iterates over the primes p ≡ 3 (mod 4) below a prime from this sequence, or without a bound below 2⁶², from
/// the largest downwards.
pub(crate) fn primes_below(bound: Option<u64>) -> impl Iterator<Item = Modular> {
    // Both 2⁶² − 1 and every such prime are 3 modulo 4.
    let first = bound.map_or(BELOW - 1, |bound| bound - 4);
    (0..).map(move |k| first - 4 * k).filter(|&p| is_prime(p)).map(Modular::new)
}

/// Tests for primality by Miller and Rabin with the bases that decide all 64-bit numbers (Sinclair 2011).
fn is_prime(n: u64) -> bool {
    if (2..200).any(|small| n.is_multiple_of(small)) {
        return false;
    }
    let field = Modular::new(n);
    let (one, twos) = (field.integer(1), (n - 1).trailing_zeros());
    [2, 325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022].into_iter().all(|base| {
        let mut x = field.power(field.integer(base % n), (n - 1) >> twos);
        let mut passes = x == one || x == field.negate(one);
        for _ in 1..twos {
            x = field.multiply(x, x);
            passes |= x == field.negate(one);
        }
        passes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_a_homomorphism() {
        let number = |text: &str| hemiola_tableau::parse_number(text).unwrap();
        // The last two roots are products of the preceding ones, and their residues must agree with that.
        let (x, y) = (number("(3-sqrt(3))/6-sqrt(6)"), number("7/11+sqrt(2)*sqrt(1009)-sqrt(1022117)+sqrt(1013)"));
        let mut suited = 0;
        for field in primes_below(None).take(60) {
            let residue = |number: &Exact| field.residue(number);
            let Some((rx, ry)) = residue(&x).zip(residue(&y)) else { continue };
            suited += 1;
            assert_eq!(residue(&(x.clone() * y.clone())), Some(field.multiply(rx, ry)));
            assert_eq!(residue(&(x.clone() + y.clone())), Some(field.add(rx, ry)));
            let product = number("sqrt(1009)*sqrt(1013)-sqrt(1022117)");
            assert_eq!(residue(&product).unwrap_or(0), 0);
        }
        assert!(suited > 0);
    }

    #[test]
    fn primes_are_prime_and_three_modulo_four() {
        let first: Vec<u64> = primes_below(None).take(3).map(|field| field.p).collect();
        assert!(first.iter().all(|p| p % 4 == 3 && *p < BELOW));
        // 2⁶² − 57 is the largest prime below 2⁶².
        assert!(is_prime((1 << 62) - 57) && !is_prime((1 << 62) - 55));
    }
}
