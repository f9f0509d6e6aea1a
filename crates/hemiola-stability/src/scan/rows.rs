//! A row of grid points at a time, on whatever vector instructions the processor has.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::lanes::{Arithmetic, Complex, Fused, LANES, Plain, Real};
use super::ray::Ray;
use super::slice::Slice;
use super::spectrum::{Entries, is_stable, radius};
use super::stages::{Scratch, Stages, arguments};
use crate::matrix::{radius_of_pair, stability_matrix};

/// What to write for each point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Question {
    /// ρ(S).
    Radius,
    /// One where ρ(S) is at most one over this number, zero elsewhere.
    Stable(f64),
}

/// How S is evaluated.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    /// Explicit on a ray: a polynomial with matrix coefficients.
    Ray(Ray),
    /// Explicit or diagonally implicit: stage by stage.
    Stages(Stages, Slice),
    /// Otherwise the stage equations are solved point by point.
    Dense(Tableau<f64>, Slice),
}

impl Kernel {
    pub(super) fn new(tableau: &Tableau<f64>, slice: Slice) -> Self {
        if tableau.is_explicit() && slice.is_ray() {
            return Self::Ray(Ray::new(tableau, &slice));
        }
        match Stages::new(tableau) {
            Some(stages) => Self::Stages(stages, slice),
            None => Self::Dense(tableau.clone(), slice),
        }
    }

    /// The answers at the points x + iy. The vectors `x` and `out` are as long as each other and a multiple of [`LANES`].
    pub(super) fn row(&self, x: &[f64], y: f64, question: Question, out: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the features that the function is compiled for; it touches memory through
            // slices alone.
            return unsafe { avx2(self, x, y, question, out) };
        }
        self.portable::<Plain>(x, y, question, out);
    }

    #[inline(always)]
    pub(super) fn portable<A: Arithmetic>(&self, x: &[f64], y: f64, question: Question, out: &mut [f64]) {
        match self {
            Self::Ray(ray) => blocks::<A>(x, y, question, out, |xi| ray.entries::<A>(xi)),
            Self::Stages(stages, slice) => {
                let mut scratch = Scratch::default();
                blocks::<A>(x, y, question, out, |xi| stages.entries::<A>(arguments::<A>(slice, xi), &mut scratch));
            }
            Self::Dense(tableau, slice) => {
                for (&x, out) in x.iter().zip(out) {
                    *out = answer(radius_at(tableau, slice, Complex64::new(x, y)), question);
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(kernel: &Kernel, x: &[f64], y: f64, question: Question, out: &mut [f64]) {
    kernel.portable::<Fused>(x, y, question, out);
}

/// Eight points at a time.
#[inline(always)]
fn blocks<A: Arithmetic>(
    x: &[f64],
    y: f64,
    question: Question,
    out: &mut [f64],
    mut entries: impl FnMut(Complex) -> Entries,
) {
    let (x, _) = x.as_chunks::<LANES>();
    let (out, _) = out.as_chunks_mut::<LANES>();
    for (x, out) in x.iter().zip(out) {
        let s = entries(Complex { re: Real(*x), im: Real::all(y) });
        *out = match question {
            Question::Radius => radius::<A>(&s).0,
            Question::Stable(shrink) => is_stable::<A>(&s, shrink).0,
        };
    }
}

/// ρ(S) by the stage equations, infinite at a pole.
fn radius_at(tableau: &Tableau<f64>, slice: &Slice, xi: Complex64) -> f64 {
    let radius = stability_matrix(tableau, &slice.matrix(xi))
        .map_or(f64::INFINITY, |s| radius_of_pair([[s[0][0], s[0][1]], [s[1][0], s[1][1]]]));
    if radius < f64::INFINITY { radius } else { f64::INFINITY }
}

fn answer(radius: f64, question: Question) -> f64 {
    match question {
        Question::Radius => radius,
        Question::Stable(shrink) => f64::from(u8::from(radius * shrink <= 1.0)),
    }
}
