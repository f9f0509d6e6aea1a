//! One source compiled for several vector instruction sets; the processor chooses at run time.
//!
//! A [`Task`] is written with arrays of constant length, which the compiler turns into the vectors of the
//! surrounding function's instruction set. [`dispatch`] runs it with the widest instructions that the processor
//! has.
//!
//! **Fused multiplications.** A product and a sum are fused only where the source calls [`f64::mul_add`]; the
//! compiler contracts nothing. IEEE 754 defines the result, so all instruction sets round identically and a task
//! gives the same bits on every processor. Processors without the instruction take longer. Code that also draws
//! in a browser calls [`times_plus`] instead.
//!
//! ```
//! use hemiola_number::vector::{Instructions, Registers, Task, dispatch};
//!
//! struct Horner<'a>(&'a [f64], [f64; 8]);
//!
//! impl Task for Horner<'_> {
//!     type Output = [f64; 8];
//!
//!     fn run<R: Registers>(self) -> [f64; 8] {
//!         let Self(coefficients, x) = self;
//!         coefficients.iter().rfold([0.0; 8], |sum, &c| std::array::from_fn(|l| sum[l].mul_add(x[l], c)))
//!     }
//! }
//!
//! let x = std::array::from_fn(|l| 0.1 * l as f64);
//! let expected = dispatch(Horner(&[1.0, 1.0, 0.5], x));
//! assert!(Instructions::all().all(|instructions| instructions.run(Horner(&[1.0, 1.0, 0.5], x)) == expected));
//! ```

/// A computation that can be compiled for any instruction set. Functions called by `run` must be inlined into it
/// to benefit.
pub trait Task {
    /// The result.
    type Output;

    /// Does the work.
    fn run<R: Registers>(self) -> Self::Output;
}

/// Properties of the registers for which a task is compiled.
pub trait Registers {
    /// Whether there are 32 registers of eight doubles each, enough for many independent sums. A task with fewer
    /// sums would wait for the latency of additions.
    const ARE_WIDE: bool;
}

/// Registers of eight doubles (AVX-512).
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other processors take the portable path"))]
struct Wide;

/// Registers of up to four doubles.
struct Narrow;

impl Registers for Wide {
    const ARE_WIDE: bool = true;
}

impl Registers for Narrow {
    const ARE_WIDE: bool = false;
}

/// A vector instruction set that this processor has.
///
/// A value is a witness: none exists for an instruction set that the processor lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(InstructionSet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other processors take the portable path"))]
enum InstructionSet {
    Avx512,
    Avx2,
    Portable,
}

impl InstructionSet {
    fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            match self {
                Self::Avx512 => {
                    let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
                    wide && is_x86_feature_detected!("avx512vl") && avx2
                }
                Self::Avx2 => avx2,
                Self::Portable => true,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Self::Portable
        }
    }
}

impl Instructions {
    /// The baseline instruction set of the target.
    pub const PORTABLE: Self = Self(InstructionSet::Portable);

    /// Iterates over the instruction sets of this processor, the widest first.
    pub fn all() -> impl Iterator<Item = Self> {
        [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable]
            .into_iter()
            .filter(|set| set.is_available())
            .map(Self)
    }

    /// Returns the widest instruction set of this processor.
    #[inline]
    #[must_use]
    pub fn widest() -> Self {
        Self::all().next().unwrap_or(Self::PORTABLE)
    }

    /// Runs the task with these instructions.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            // SAFETY: `all` yields this set only if the processor has the features for which the function is
            // compiled; the function is otherwise safe.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2(task) },
            _ => task.run::<Narrow>(),
        }
    }
}

/// Runs the task with the widest instructions of this processor.
#[inline]
pub fn dispatch<T: Task>(task: T) -> T::Output {
    Instructions::widest().run(task)
}

/// Runs the task with the baseline instructions of the target, with bitwise identical results.
#[inline]
pub fn plain<T: Task>(task: T) -> T::Output {
    task.run::<Narrow>()
}

/// Computes x · y + z, rounded once.
///
/// WebAssembly has no such instruction, and its library call would take most of the time of a map that is redrawn
/// interactively. There the result is rounded twice; the bounds on the rounding cover both cases (ADR 010).
///
/// ```
/// use hemiola_number::vector::times_plus;
/// let x = 1.0 + f64::EPSILON;
/// assert_eq!(times_plus(x, x, -1.0 - 2.0 * f64::EPSILON), f64::EPSILON * f64::EPSILON);
/// ```
#[inline(always)]
#[must_use]
pub fn times_plus(x: f64, y: f64, z: f64) -> f64 {
    if cfg!(target_arch = "wasm32") { x * y + z } else { x.mul_add(y, z) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,fma")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run::<Wide>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run::<Narrow>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ aᵢ xᵢ by fused multiplications, and a flag for wide registers.
    struct Dot<'a>([&'a [f64; 64]; 2]);

    impl Task for Dot<'_> {
        type Output = ([f64; 8], bool);

        fn run<R: Registers>(self) -> Self::Output {
            let Self([a, x]) = self;
            let mut sums = [0.0; 8];
            for (a, x) in a.chunks_exact(8).zip(x.chunks_exact(8)) {
                for l in 0..8 {
                    sums[l] = a[l].mul_add(x[l], sums[l]);
                }
            }
            (sums, R::ARE_WIDE)
        }
    }

    #[test]
    fn all_instructions_round_alike() {
        let numbers = |scale: f64| std::array::from_fn::<f64, 64, _>(|k| (scale * k as f64).sin());
        let (a, x) = (numbers(1.7), numbers(0.3));
        let (expected, _) = Instructions::PORTABLE.run(Dot([&a, &x]));
        for instructions in Instructions::all() {
            let (found, is_wide) = instructions.run(Dot([&a, &x]));
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{instructions:?}");
            assert_eq!(is_wide, instructions.0 == InstructionSet::Avx512);
        }
        assert_eq!(plain(Dot([&a, &x])).0, expected);
        assert_eq!(Instructions::all().last(), Some(Instructions::PORTABLE));
    }
}
