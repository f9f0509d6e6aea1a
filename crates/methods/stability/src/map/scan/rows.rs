//! Evaluation of one row of grid points.

use std::sync::Arc;

use hemiola_number::vector::{Registers, Task};
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::lanes::{Complex, LANES, Real};
use super::plane::{Kind, Plane};
use super::quantity::{Quantity, Question, balanced, error, growth};
use super::ray::Ray;
use super::slice::Slice;
use super::spectrum::{Entries, additive, is_stable, radius, smaller};
use super::stage_equations::{StageEquations, Systems, couplings};
use super::stages::{Scratch, Stages};
use crate::schemes::scheme::StabilityScheme;

/// Method of evaluating S on a plane.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    /// Explicit pair on a ray: a polynomial with matrix coefficients.
    Ray(Ray, Slice),
    /// Explicit or diagonally implicit pair: stage by stage.
    Stages(Stages, Plane),
    /// Other implicit pair: all stages at once.
    Equations(StageEquations, Plane),
    /// Scheme without a tableau: its matrix is evaluated point by point.
    Scheme(Arc<dyn StabilityScheme>, Plane),
}

impl Kernel {
    pub(super) fn new(tableau: &Tableau<f64>, plane: Plane) -> Self {
        match plane.0 {
            Kind::Slice(slice) if tableau.is_explicit() && slice.is_ray() => {
                Self::Ray(Ray::new(tableau, &slice), slice)
            }
            _ => match Stages::new(tableau) {
                Some(stages) => Self::Stages(stages, plane),
                None => Self::Equations(StageEquations::new(tableau), plane),
            },
        }
    }
}

/// Row of points x + iy with their answers. `x` and `out` have the same length, a multiple of [`LANES`].
pub(super) struct Row<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) question: Question,
    pub(super) x: &'a [f64],
    pub(super) y: f64,
    pub(super) out: &'a mut [f64],
}

/// Number of blocks of eight points in a group: intermediate results stay in the first-level cache.
const GROUP: usize = 8;

impl Task for Row<'_> {
    type Output = ();

    /// Computes S at all points of a group, then the answers.
    ///
    /// Separate loops for the kernels and the kinds of questions need little code, while a combined loop would run out
    /// of registers.
    #[inline(always)]
    fn run<R: Registers>(self) {
        let Self { kernel, question, y, .. } = self;
        let mut scratch = (Scratch::default(), Systems::default());
        let mut group = [[Complex::ZERO; 4]; GROUP];
        let (x, _) = self.x.as_chunks::<LANES>();
        let (out, _) = self.out.as_chunks_mut::<LANES>();
        for (x, out) in x.chunks(GROUP).zip(out.chunks_mut(GROUP)) {
            kernel.entries::<R>(x, y, &mut scratch, &mut group);
            match question {
                Question::Value(Quantity::Radius) => {
                    for (out, s) in out.iter_mut().zip(&group) {
                        *out = radius(s).0;
                    }
                }
                Question::Value(quantity) => {
                    for ((out, s), x) in out.iter_mut().zip(&group).zip(x) {
                        *out = kernel.value(quantity, s, Real(*x), y).0;
                    }
                }
                Question::Stable(shrink) => {
                    for (out, s) in out.iter_mut().zip(&group) {
                        *out = is_stable(s, shrink).0;
                    }
                }
            }
        }
    }
}

impl Kernel {
    /// Computes S at the points x + iy.
    #[inline(always)]
    fn entries<R: Registers>(
        &self,
        x: &[[f64; LANES]],
        y: f64,
        (scratch, systems): &mut (Scratch, Systems),
        entries: &mut [Entries],
    ) {
        match self {
            Self::Ray(ray, _) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    *s = ray.entries::<R>(Complex { re: Real(*x), im: Real::all(y) });
                }
            }
            Self::Stages(stages, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    *s = stages.entries(plane.arguments(Real(*x), y), scratch);
                }
            }
            Self::Equations(equations, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    let mut z = plane.points(Real(*x), y);
                    z[2] = couplings(&z[2]);
                    *s = equations.solved(z, systems).entries;
                }
            }
            Self::Scheme(scheme, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    *s = scheme_entries(scheme.as_ref(), plane, Real(*x), y);
                }
            }
        }
    }

    /// Computes a quantity of S at eight points.
    #[inline(always)]
    fn value(&self, quantity: Quantity, s: &Entries, x: Real, y: f64) -> Real {
        match quantity {
            Quantity::Radius => radius(s),
            Quantity::Smaller => smaller(s),
            Quantity::Additive => additive(s),
            Quantity::Growth => growth(radius(s), &self.arguments(x, y)),
            Quantity::Error => {
                let z = self.arguments(x, y);
                error(&balanced(*s, self.upper(x, y, &z), z[2]), &z)
            }
        }
    }

    /// Computes z_ss, z_ff and w.
    #[inline(always)]
    fn arguments(&self, x: Real, y: f64) -> [Complex; 3] {
        match self {
            Self::Ray(_, slice) => slice.arguments(Complex { re: x, im: Real::all(y) }),
            Self::Stages(_, plane) | Self::Equations(_, plane) | Self::Scheme(_, plane) => plane.arguments(x, y),
        }
    }

    /// Returns the z_sf with which the entries were computed, where z_sf z_fs = w.
    fn upper(&self, x: Real, y: f64, [_, _, product]: &[Complex; 3]) -> Complex {
        match self {
            Self::Ray(..) => Complex { re: x, im: Real::all(y) },
            Self::Stages(..) => Complex::all(Complex64::ONE),
            Self::Equations(..) | Self::Scheme(..) => couplings(product),
        }
    }
}

/// Computes a quantity of S with equal couplings at one point.
pub(super) fn value(quantity: Quantity, [[ss, sf], [fs, ff]]: [[Complex64; 2]; 2], z: [Complex64; 3]) -> f64 {
    let (s, z) = ([ss, sf, fs, ff].map(Complex::all), z.map(Complex::all));
    let values = match quantity {
        Quantity::Radius => radius(&s),
        Quantity::Smaller => smaller(&s),
        Quantity::Additive => additive(&s),
        Quantity::Growth => growth(radius(&s), &z),
        Quantity::Error => error(&s, &z),
    };
    values.0[0]
}

/// Computes S of any scheme with equal couplings at eight points; NaN where the scheme has no matrix.
fn scheme_entries(scheme: &dyn StabilityScheme, plane: &Plane, x: Real, y: f64) -> Entries {
    let mut entries = [Complex::ZERO; 4];
    for lane in 0..LANES {
        // Neighboring lanes are equal where points fill up the last block.
        let known = lane > 0 && x.0[lane].to_bits() == x.0[lane - 1].to_bits();
        let point = if known {
            entries.each_ref().map(|entry| entry.lane(lane - 1))
        } else {
            matrix(scheme, plane.at(x.0[lane], y))
        };
        for (entry, value) in entries.iter_mut().zip(point) {
            entry.set_lane(lane, value);
        }
    }
    entries
}

fn matrix(scheme: &dyn StabilityScheme, [slow, fast, product]: [Complex64; 3]) -> [Complex64; 4] {
    let coupling = product.sqrt();
    match scheme.matrix(&[vec![slow, coupling], vec![coupling, fast]]) {
        Ok(s) if s.len() == 2 => [s[0][0], s[0][1], s[1][0], s[1][1]],
        _ => [Complex64::new(f64::NAN, f64::NAN); 4],
    }
}
