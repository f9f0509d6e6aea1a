//! Greatest common divisors modulo primes, and their consequences for multiplicities of roots.
//!
//! The degree of a divisor modulo a prime is at least that of the true divisor, so a constant divisor proves that
//! there is no common root. Otherwise the divisor's residues modulo several primes are lifted to integers (Brown
//! 1971); if the result divides both polynomials, it is the divisor.

use dashu::base::{Gcd, Signed, UnsignedAbs};
use dashu::integer::{IBig, UBig};

use crate::signs::integer::{derivative, primitive, quotient};

/// Largest prime modulus, such that products of two residues fit into 64 bits.
const LARGEST_PRIME: u64 = (1 << 31) - 1;

/// Returns the product of the factors of odd multiplicity, each once, with the sign of p wherever it is not zero.
///
/// With p = Π fᵢⁱ and g = gcd(p, p′) = Π fᵢⁱ⁻¹, p/g contains each factor once, and the odd part of g contains the
/// factors to be removed.
pub(crate) fn odd_part(p: &[IBig]) -> Vec<IBig> {
    let repeated = common_divisor(p, &derivative(p));
    if repeated.len() < 2 {
        return p.to_vec();
    }
    let radical = quotient(p, &repeated).unwrap_or_else(|| p.to_vec());
    quotient(&radical, &odd_part(&repeated)).unwrap_or(radical)
}

/// Returns the product of all factors, each once, with the sign of the leading coefficient of p.
pub(crate) fn radical(p: &[IBig]) -> Vec<IBig> {
    quotient(p, &common_divisor(p, &derivative(p))).unwrap_or_else(|| p.to_vec())
}

/// Computes the primitive greatest common divisor with a positive leading coefficient; 1 if one of the two is
/// zero.
fn common_divisor(a: &[IBig], b: &[IBig]) -> Vec<IBig> {
    let one = vec![IBig::ONE];
    let (Some(lead_a), Some(lead_b)) = (a.last(), b.last()) else { return one };
    // A multiple of the divisor's leading coefficient, which fixes the scaling of the residues.
    let lead = lead_a.gcd(lead_b);
    let mut lifted = LiftedResidues::default();
    for prime in primes().filter(|prime| residue(lead_a, *prime) != 0 && residue(lead_b, *prime) != 0) {
        let divisor = divisor_modulo(residues(a, prime), residues(b, prime), prime);
        if divisor.len() < 2 {
            return one;
        }
        let scale = residue(&IBig::from(lead.clone()), prime);
        let divisor: Vec<u64> = divisor.iter().map(|c| c * scale % prime).collect();
        // A prime is unlucky if its divisor is longer than others; if it is shorter, all earlier primes were
        // unlucky.
        if lifted.residues.len() > divisor.len() {
            lifted = LiftedResidues::default();
        }
        if (lifted.residues.is_empty() || lifted.residues.len() == divisor.len()) && lifted.add(&divisor, prime) {
            let candidate = primitive(lifted.symmetric());
            if quotient(a, &candidate).is_some() && quotient(b, &candidate).is_some() {
                return candidate;
            }
        }
    }
    one
}

/// Integers known modulo the product of several primes.
#[derive(Default)]
struct LiftedResidues {
    residues: Vec<UBig>,
    modulus: UBig,
}

impl LiftedResidues {
    /// Adds the residues modulo one more prime. Returns `true` if no integer changes, so that they may be final.
    fn add(&mut self, residues: &[u64], prime: u64) -> bool {
        if self.residues.is_empty() {
            self.residues = residues.iter().map(|&r| UBig::from(r)).collect();
            self.modulus = UBig::from(prime);
            return false;
        }
        let inverse = inverse(&self.modulus % prime, prime);
        let before = self.symmetric();
        for (known, &residue) in self.residues.iter_mut().zip(residues) {
            let difference = residue + prime - &*known % prime;
            *known += &self.modulus * (difference % prime * inverse % prime);
        }
        self.modulus *= prime;
        before == self.symmetric()
    }

    /// Returns the representatives between minus and plus half of the modulus.
    fn symmetric(&self) -> Vec<IBig> {
        let half = &self.modulus / 2u8;
        let signed = |r: &UBig| if *r > half { IBig::from(r.clone()) - &self.modulus } else { IBig::from(r.clone()) };
        self.residues.iter().map(signed).collect()
    }
}

/// Computes the monic greatest common divisor of polynomials modulo a prime by Euclid's algorithm.
fn divisor_modulo(mut a: Vec<u64>, mut b: Vec<u64>, prime: u64) -> Vec<u64> {
    while let Some(&lead) = b.last() {
        let inverse = inverse(lead, prime);
        b.iter_mut().for_each(|c| *c = *c * inverse % prime);
        while a.len() >= b.len() {
            let top = a.pop().unwrap_or_default();
            let shift = a.len() + 1 - b.len();
            for (c, factor) in a[shift..].iter_mut().zip(&b) {
                *c = (*c + (prime - top) * factor) % prime;
            }
        }
        while a.last() == Some(&0) {
            a.pop();
        }
        (a, b) = (b, a);
    }
    a
}

fn residues(p: &[IBig], prime: u64) -> Vec<u64> {
    let mut residues: Vec<u64> = p.iter().map(|c| residue(c, prime)).collect();
    while residues.last() == Some(&0) {
        residues.pop();
    }
    residues
}

fn residue(c: &IBig, prime: u64) -> u64 {
    let magnitude = c.unsigned_abs() % prime;
    if c.is_negative() && magnitude > 0 { prime - magnitude } else { magnitude }
}

/// Computes x⁻¹ = xᵖ⁻² (Fermat).
fn inverse(x: u64, prime: u64) -> u64 {
    let (mut inverse, mut power, mut exponent) = (1, x % prime, prime - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            inverse = inverse * power % prime;
        }
        power = power * power % prime;
        exponent >>= 1;
    }
    inverse
}

/// Iterates over the primes from 2³¹ − 1 downwards.
fn primes() -> impl Iterator<Item = u64> {
    let is_prime = |n: &u64| (3..).step_by(2).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    (3..=LARGEST_PRIME).rev().step_by(2).filter(is_prime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(p: &[IBig], q: &[IBig]) -> Vec<IBig> {
        let mut product = vec![IBig::ZERO; p.len() + q.len() - 1];
        for (j, a) in p.iter().enumerate() {
            for (k, b) in q.iter().enumerate() {
                product[j + k] += a * b;
            }
        }
        product
    }

    #[test]
    fn multiplicities_are_told_apart() {
        let long = IBig::from(3) << 200;
        let factor = |a: &IBig, b: i64| vec![a.clone(), IBig::from(b)];
        let (f, g, h) = (factor(&long, 7), factor(&IBig::from(-5), 2), factor(&IBig::ONE, -1));
        // f²g³h.
        let p = [&f, &f, &g, &g, &g, &h].into_iter().fold(vec![IBig::ONE], |p, factor| product(&p, factor));
        assert_eq!(odd_part(&p), product(&g, &h));
        assert_eq!(radical(&p), product(&product(&f, &g), &h));
        assert_eq!(odd_part(&g), g);
        assert_eq!(odd_part(&[IBig::NEG_ONE]), [IBig::NEG_ONE]);
    }

    #[test]
    fn unlucky_primes_do_no_harm() {
        // Modulo the first prime, the first two polynomials are equal, and the leading coefficient of c vanishes.
        let prime = IBig::from(LARGEST_PRIME);
        let (a, b) = (vec![IBig::from(1), IBig::from(1)], vec![&prime + IBig::ONE, IBig::ONE]);
        assert_eq!(common_divisor(&a, &b), [IBig::ONE]);
        let c = vec![IBig::from(2), prime];
        assert_eq!(common_divisor(&product(&a, &c), &product(&b, &c)), c);
    }
}
