//! Integers of 384 bits that overflow into long ones, for fixed-point numbers.
//!
//! As long as numbers fit, there are no allocations and no length checks. A multiplication is then four to five times
//! as fast as for integers of arbitrary length.

use dashu::base::Sign;
use dashu::integer::{IBig, UBig};

/// Number of words of 64 bits, the lowest first, in two's complement.
const WORDS: usize = 6;
/// Number of words that are shifted out of a product.
const SHIFT: usize = 5;
/// Number of bits after the point of the fixed-point numbers.
pub(super) const BITS: usize = 64 * SHIFT;

/// An integer of any size.
#[derive(Clone, Debug)]
pub(super) enum Integer {
    Short([u64; WORDS]),
    Long(IBig),
}

impl Integer {
    pub(super) const ZERO: Self = Self::Short([0; WORDS]);

    /// Computes self += ⌊xy/2^BITS⌋.
    pub(super) fn add_shifted_product(&mut self, x: &Self, y: &Self) {
        if let (Self::Short(sum), Self::Short(x), Self::Short(y)) = (&*self, x, y)
            && let Some(sum) = shifted_product(x, y).and_then(|product| plus(sum, &product))
        {
            *self = Self::Short(sum);
            return;
        }
        *self = (self.to_long() + ((x.to_long() * y.to_long()) >> BITS)).into();
    }

    pub(super) fn negative(&self) -> Self {
        match self {
            Self::Short(words) if *words != least() => Self::Short(negated(words)),
            _ => (-self.to_long()).into(),
        }
    }

    pub(super) fn to_long(&self) -> IBig {
        let Self::Short(words) = self else {
            let Self::Long(long) = self else { return IBig::ZERO };
            return long.clone();
        };
        let (sign, size) = sign_and_size(words);
        IBig::from_parts(sign, UBig::from_le_bytes(size.map(u64::to_le_bytes).as_flattened()))
    }
}

impl From<IBig> for Integer {
    fn from(long: IBig) -> Self {
        let (sign, size) = long.clone().into_parts();
        let bytes = size.to_le_bytes();
        // One bit is for the sign.
        if bytes.len() > 8 * WORDS || bytes.len() == 8 * WORDS && bytes[8 * WORDS - 1] >= 0x80 {
            return Self::Long(long);
        }
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut full = [0; 8];
            full[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(full);
        }
        Self::Short(if sign == Sign::Negative { negated(&words) } else { words })
    }
}

/// Returns −2³⁸³, whose negative does not fit.
fn least() -> [u64; WORDS] {
    let mut least = [0; WORDS];
    least[WORDS - 1] = 1 << 63;
    least
}

fn is_negative(words: &[u64; WORDS]) -> bool {
    words[WORDS - 1] >> 63 == 1
}

fn negated(words: &[u64; WORDS]) -> [u64; WORDS] {
    let mut carry = true;
    words.map(|word| {
        let (negated, next) = (!word).overflowing_add(u64::from(carry));
        carry = next;
        negated
    })
}

fn sign_and_size(words: &[u64; WORDS]) -> (Sign, [u64; WORDS]) {
    // As an unsigned number, the negative of −2³⁸³ is also correct.
    if is_negative(words) { (Sign::Negative, negated(words)) } else { (Sign::Positive, *words) }
}

/// Returns x + y, if it fits.
#[inline]
fn plus(x: &[u64; WORDS], y: &[u64; WORDS]) -> Option<[u64; WORDS]> {
    let mut sum = [0; WORDS];
    let mut carry = 0;
    for i in 0..WORDS {
        let wide = u128::from(x[i]) + u128::from(y[i]) + carry;
        sum[i] = wide as u64;
        carry = wide >> 64;
    }
    // The sum overflows only if both terms have one sign and the sum has the other.
    let fits = is_negative(x) != is_negative(y) || is_negative(&sum) == is_negative(x);
    fits.then_some(sum)
}

/// Returns ⌊xy/2^BITS⌋, if it fits.
#[inline]
fn shifted_product(x: &[u64; WORDS], y: &[u64; WORDS]) -> Option<[u64; WORDS]> {
    let mut product = [0u64; 2 * WORDS];
    for i in 0..WORDS {
        let mut carry = 0u128;
        for j in 0..WORDS {
            let wide = u128::from(x[i]) * u128::from(y[j]) + u128::from(product[i + j]) + carry;
            product[i + j] = wide as u64;
            carry = wide >> 64;
        }
        product[i + WORDS] = carry as u64;
    }
    // As unsigned numbers, negative ones are too large by 2³⁸⁴: the other factor is subtracted from the upper
    // half.
    for (negative, other) in [(is_negative(x), y), (is_negative(y), x)] {
        if negative {
            let mut borrow = false;
            for i in 0..WORDS {
                let (less, first) = product[WORDS + i].overflowing_sub(other[i]);
                let (less, second) = less.overflowing_sub(u64::from(borrow));
                product[WORDS + i] = less;
                borrow = first | second;
            }
        }
    }
    // Dropping low words of two's complement rounds downward. The words above must repeat the sign.
    let mut words = [0; WORDS];
    words.copy_from_slice(&product[SHIFT..SHIFT + WORDS]);
    let extension = if is_negative(&words) { u64::MAX } else { 0 };
    product[SHIFT + WORDS..].iter().all(|word| *word == extension).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn long(words: [u64; 7], length: usize, negative: bool) -> IBig {
        let size = UBig::from_le_bytes(words.map(u64::to_le_bytes).as_flattened()) >> (64 * 7 - length);
        IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, size)
    }

    prop_compose! {
        /// Generates integers of up to 448 bits, some of which do not fit.
        fn integers()(words in any::<[u64; 7]>(), length in 0usize..448, negative in any::<bool>()) -> IBig {
            long(words, length, negative)
        }
    }

    proptest! {
        #[test]
        fn short_and_long_agree(sum in integers(), x in integers(), y in integers()) {
            let [short_x, short_y] = [&x, &y].map(|number| Integer::from(number.clone()));
            let mut short = Integer::from(sum.clone());
            short.add_shifted_product(&short_x, &short_y);
            prop_assert_eq!(short.to_long(), sum.clone() + ((&x * &y) >> BITS));
            prop_assert_eq!(short_x.negative().to_long(), -x);
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        let least = -(IBig::ONE << 383);
        for number in [least.clone(), -least.clone(), -least.clone() - IBig::ONE, least.clone() - IBig::ONE, IBig::ZERO]
        {
            let short = Integer::from(number.clone());
            assert_eq!(short.to_long(), number);
            assert_eq!(short.negative().to_long(), -number.clone());
            let mut sum = short.clone();
            let one = Integer::from(IBig::ONE << BITS);
            sum.add_shifted_product(&one, &short);
            assert_eq!(sum.to_long(), number * IBig::from(2));
            sum.add_shifted_product(&one.negative(), &sum.clone());
            assert_eq!(sum.to_long(), IBig::ZERO);
        }
    }
}
