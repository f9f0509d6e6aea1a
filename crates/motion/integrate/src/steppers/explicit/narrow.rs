//! Steps of systems with few variables in one partition, which store only the slopes.
//!
//! The sums agree with those of wider systems term by term, to the last bit. With a constant number of variables they
//! stay in registers.

use crate::error::StepError;
use crate::linear_algebra::sums::Sums;
use crate::problem::system::System;
use crate::steppers::explicit::prepared::{Explicit, is_finite};

impl Explicit {
    /// Takes a step with N variables in one partition.
    #[inline]
    pub(super) fn narrow_step<const N: usize, S: System + ?Sized>(
        &mut self,
        system: &S,
        t: f64,
        h: f64,
        y: &mut [f64],
    ) -> Result<(), StepError> {
        let Some(y) = y.first_chunk_mut::<N>() else { return Ok(()) };
        self.move_to_chunk(t, h, y);
        let begin = *y;
        let mut last = LastSlope { first: 0, value: chunk(&self.slopes, 0) };
        for stage in &self.stages {
            let argument = sum(&begin, h, &stage.sums, &self.slopes, &last);
            let evaluation = &stage.evaluations[0];
            let is_first = stage.number == 0;
            if is_first && self.known[0] {
                continue;
            }
            last.first = evaluation.first;
            system.rate(0, self.begin.t + evaluation.abscissa * h, &argument, &mut last.value);
            put(&mut self.slopes, evaluation.first, &last.value);
            self.known[0] |= is_first && evaluation.abscissa == 0.0;
        }
        let end = sum(&begin, h, &self.result, &self.slopes, &last);
        if !is_finite(&end) {
            self.end.t = f64::NAN;
            return Err(StepError::NotFinite { t, h });
        }
        *y = end;
        if self.same_as_last[0] {
            self.end.t = t + h;
            put(&mut self.end.y, 0, &end);
        }
        (self.h, self.is_made) = (h, true);
        Ok(())
    }

    /// Moves the beginning to (t, y), with any slopes known there.
    #[inline]
    fn move_to_chunk<const N: usize>(&mut self, t: f64, h: f64, y: &[f64; N]) {
        let is_there = chunk::<N>(&self.begin.y, 0) == *y && self.begin.is_at(t, h);
        self.is_made = false;
        if is_there {
            return;
        }
        let is_end = self.same_as_last[0] && self.end.is_at(t, h) && chunk::<N>(&self.end.y, 0) == *y;
        if is_end {
            let last = chunk::<N>(&self.slopes, self.slopes.len() - N);
            put(&mut self.slopes, 0, &last);
        }
        self.known[0] = is_end;
        self.begin.t = t;
        put(&mut self.begin.y, 0, y);
    }
}

/// The slope of the previous stage and its position. Data just written in parts can be read as a whole only after it
/// has reached the cache, which takes as long as all the arithmetic of a stage.
struct LastSlope<const N: usize> {
    first: usize,
    value: [f64; N],
}

/// Computes y + h Σ aⱼ kⱼ. The sum starts with its first term: adding it to zero would delay the next addition.
#[inline(always)]
fn sum<const N: usize>(y: &[f64; N], h: f64, sums: &Sums, slopes: &[f64], last: &LastSlope<N>) -> [f64; N] {
    let slope = |first: usize| if first == last.first { last.value } else { chunk(slopes, first) };
    let Some(((a, first), others)) = sums.terms().and_then(<[_]>::split_first) else { return *y };
    let mut sum = slope(*first);
    sum.iter_mut().for_each(|sum| *sum *= a);
    for (a, first) in others {
        for (sum, slope) in sum.iter_mut().zip(slope(*first)) {
            *sum += a * slope;
        }
    }
    for (sum, y) in sum.iter_mut().zip(y) {
        *sum = y + h * *sum;
    }
    sum
}

/// Reads N values from a position. The compiler turns the loop into one instruction, whereas copying a slice becomes a
/// call.
#[inline(always)]
fn chunk<const N: usize>(values: &[f64], first: usize) -> [f64; N] {
    let mut chunk = [0.0; N];
    for (value, from) in chunk.iter_mut().zip(&values[first..][..N]) {
        *value = *from;
    }
    chunk
}

#[inline(always)]
fn put<const N: usize>(values: &mut [f64], first: usize, chunk: &[f64; N]) {
    for (value, from) in values[first..][..N].iter_mut().zip(chunk) {
        *value = *from;
    }
}

#[cfg(test)]
mod tests {
    use hemiola_tableau::library;

    use super::*;
    use crate::stages::partition_tableaus::Extras;
    use crate::steppers::explicit::prepared::WIDEST;
    use crate::steppers::stepper::Stepper;

    /// Van der Pol oscillators with the same drive.
    struct Oscillators([usize; 1]);

    impl System for Oscillators {
        fn sizes(&self) -> &[usize] {
            &self.0
        }

        fn rate(&self, _: usize, t: f64, y: &[f64], rate: &mut [f64]) {
            for (i, rate) in rate.iter_mut().enumerate() {
                let [x, v] = [i - i % 2, i - i % 2 + 1].map(|place| y[place]);
                *rate = if i % 2 == 0 { v } else { (1.0 - x * x) * v - x + t.sin() };
            }
        }
    }

    #[test]
    fn steps_are_those_of_wide_systems() {
        for id in [
            "explicit-euler",
            "heun-2",
            "rk4",
            "dormand-prince-5",
            "bogacki-shampine-3",
            "ssp-rk-4-3",
            "verner-efficient-6",
        ] {
            let method = library::method(id).unwrap();
            let extras = Extras { estimate: method.partitions()[0].b_hat.is_some(), dense: false };
            for n in [2, 4] {
                let (few, many) = (Oscillators([n]), Oscillators([2 * n]));
                let mut narrow = Explicit::with(&method, &few, extras).unwrap();
                let mut wide = Explicit::with(&method, &many, extras).unwrap();
                assert_eq!((narrow.narrow, wide.narrow), (Some(n), Some(2 * n).filter(|n| *n <= WIDEST)));
                wide.narrow = None;
                let start: Vec<f64> = (0..n).map(|i| (i as f64 + 0.3).sin()).collect();
                let (mut y, mut z) = (start.clone(), [&start[..], &start[..]].concat());
                let (mut error, mut errors) = (vec![0.0; n], vec![0.0; 2 * n]);
                let mut t = 0.0;
                for k in 0..200 {
                    // Steps of different sizes, some of them repeated.
                    let h = 0.01 * (1.0 + (k % 7) as f64);
                    if k % 5 == 0 {
                        let (mut again, mut both) = (y.clone(), z.clone());
                        narrow.step(&few, t, 2.0 * h, &mut again).unwrap();
                        wide.step(&many, t, 2.0 * h, &mut both).unwrap();
                        assert_eq!(again, both[..n]);
                    }
                    narrow.step(&few, t, h, &mut y).unwrap();
                    wide.step(&many, t, h, &mut z).unwrap();
                    assert_eq!((&y[..], &y[..]), z.split_at(n), "{id}, {n} variables, step {k}");
                    let estimate = <Explicit as Stepper<Oscillators>>::estimate;
                    assert_eq!(estimate(&narrow, &mut error), estimate(&wide, &mut errors));
                    assert_eq!(error, errors[..n]);
                    t += h;
                }
            }
        }
    }

    #[test]
    fn a_step_that_overflows_leaves_the_state() {
        struct Explosion;
        impl System for Explosion {
            fn sizes(&self) -> &[usize] {
                &[3]
            }

            fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) {
                for (rate, y) in rate.iter_mut().zip(y) {
                    *rate = y * y;
                }
            }
        }
        let mut stepper = Explicit::new(&library::method("dormand-prince-5").unwrap(), &Explosion).unwrap();
        let mut y = [1.0, 1e200, 2.0];
        assert_eq!(stepper.step(&Explosion, 0.0, 0.1, &mut y), Err(StepError::NotFinite { t: 0.0, h: 0.1 }));
        assert_eq!(y, [1.0, 1e200, 2.0]);
        let mut calm = [1.0, 0.5, 0.0];
        stepper.step(&Explosion, 0.0, 0.1, &mut calm).unwrap();
        assert!((calm[0] - 1.0 / 0.9).abs() < 1e-6 && calm[2] == 0.0);
    }
}
