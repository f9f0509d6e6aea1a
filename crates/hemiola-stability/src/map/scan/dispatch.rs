//! One source compiled for several sets of vector instructions; the processor chooses when the program runs.
//!
//! With AVX-512 the eight numbers of a block are one register, and twice as many registers hold them. On a processor with full
//! 512-bit units maps along rays then took 1/2.6 of the time that they take with AVX2, explicit pairs stage by stage 1/1.2, and
//! diagonally implicit ones, which divide, 1/1.1.

use super::lanes::{Arithmetic, Fused, Plain, Wide};

/// Work that can be compiled for any instructions. Whatever `run` calls must be inlined into it, or it stays portable.
pub(crate) trait Task {
    type Output;

    fn run<A: Arithmetic>(self) -> Self::Output;
}

/// Sets of vector instructions, the widest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other processors take the portable path"))]
pub(crate) enum Instructions {
    Avx512,
    Avx2,
    Portable,
}

impl Instructions {
    pub(crate) const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// Whether this processor has them.
    pub(crate) fn are_available(self) -> bool {
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

    /// Does the task with these instructions, or with portable ones where the processor lacks them.
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if self.are_available() {
            match self {
                // SAFETY: the processor has the features that the function is compiled for; it is safe otherwise.
                Self::Avx512 => return unsafe { avx512(task) },
                // SAFETY: as above.
                Self::Avx2 => return unsafe { avx2(task) },
                Self::Portable => {}
            }
        }
        task.run::<Plain>()
    }
}

/// Does the task with the widest instructions of this processor.
pub(crate) fn dispatch<T: Task>(task: T) -> T::Output {
    let best = Instructions::ALL.into_iter().find(|instructions| instructions.are_available());
    best.unwrap_or(Instructions::Portable).run(task)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,fma")]
fn avx512<T: Task>(task: T) -> T::Output {
    task.run::<Wide>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<T: Task>(task: T) -> T::Output {
    task.run::<Fused>()
}
