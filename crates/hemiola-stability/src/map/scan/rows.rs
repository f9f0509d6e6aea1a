//! A row of grid points at a time.

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
use super::stages::{Scratch, Stages};
use crate::schemes::scheme::StabilityScheme;

/// How S is evaluated on a plane.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    /// Explicit on a ray: a polynomial with matrix coefficients.
    Ray(Ray, Slice),
    /// Explicit or diagonally implicit: stage by stage.
    Stages(Stages, Plane),
    /// Otherwise the scheme is asked for its matrix, point by point.
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
                None => Self::Scheme(Arc::new(tableau.clone()), plane),
            },
        }
    }
}

/// The answers at the points x + iy. The vectors `x` and `out` are as long as each other and a multiple of [`LANES`].
pub(super) struct Row<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) question: Question,
    pub(super) x: &'a [f64],
    pub(super) y: f64,
    pub(super) out: &'a mut [f64],
}

impl Task for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        match self.kernel {
            Kernel::Ray(ray, slice) => self.blocks::<R>(&mut OnRay { ray, slice }),
            Kernel::Stages(stages, plane) => {
                self.blocks::<R>(&mut ByStages { stages, plane, scratch: Scratch::default() });
            }
            Kernel::Scheme(scheme, plane) => self.blocks::<R>(&mut ByPoints { scheme: scheme.as_ref(), plane }),
        }
    }
}

impl Row<'_> {
    /// Eight points at a time, in a loop for each kind of question: registers are short where one loop answers all.
    #[inline(always)]
    fn blocks<R: Registers>(self, source: &mut impl Source) {
        match self.question {
            Question::Value(Quantity::Radius) => self.answered::<R>(source, &Radius),
            Question::Value(quantity) => self.answered::<R>(source, &quantity),
            Question::Stable(shrink) => self.answered::<R>(source, &Stable { shrink }),
        }
    }

    #[inline(always)]
    fn answered<R: Registers>(self, source: &mut impl Source, answer: &impl Answer) {
        let (x, _) = self.x.as_chunks::<LANES>();
        let (out, _) = self.out.as_chunks_mut::<LANES>();
        for (x, out) in x.iter().zip(out) {
            let x = Real(*x);
            let s = source.entries::<R>(x, self.y);
            *out = answer.of(s, source, x, self.y).0;
        }
    }
}

/// What is made of S at eight points.
trait Answer {
    fn of(&self, s: Entries, source: &impl Source, x: Real, y: f64) -> Real;
}

struct Radius;

struct Stable {
    shrink: f64,
}

impl Answer for Radius {
    #[inline(always)]
    fn of(&self, s: Entries, _: &impl Source, _: Real, _: f64) -> Real {
        radius(&s)
    }
}

impl Answer for Stable {
    #[inline(always)]
    fn of(&self, s: Entries, _: &impl Source, _: Real, _: f64) -> Real {
        is_stable(&s, self.shrink)
    }
}

/// A quantity of S with equal couplings at one point.
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

impl Answer for Quantity {
    #[inline(always)]
    fn of(&self, s: Entries, source: &impl Source, x: Real, y: f64) -> Real {
        match self {
            Self::Radius => radius(&s),
            Self::Smaller => smaller(&s),
            Self::Additive => additive(&s),
            Self::Growth => growth(radius(&s), &source.arguments(x, y)),
            Self::Error => {
                let z = source.arguments(x, y);
                error(&balanced(s, source.upper(x, y, &z), z[2]), &z)
            }
        }
    }
}

/// Where S at eight points of a row comes from. These are no closures, since what is not inlined is not compiled for the
/// processor's instructions, and closures cannot be told to be.
trait Source {
    /// z_ss, z_ff and w.
    fn arguments(&self, x: Real, y: f64) -> [Complex; 3];

    fn entries<R: Registers>(&mut self, x: Real, y: f64) -> Entries;

    /// z_sf of these entries, where z_sf z_fs = w.
    fn upper(&self, x: Real, y: f64, z: &[Complex; 3]) -> Complex;
}

struct OnRay<'a> {
    ray: &'a Ray,
    slice: &'a Slice,
}

impl Source for OnRay<'_> {
    #[inline(always)]
    fn arguments(&self, x: Real, y: f64) -> [Complex; 3] {
        self.slice.arguments(Complex { re: x, im: Real::all(y) })
    }

    #[inline(always)]
    fn entries<R: Registers>(&mut self, x: Real, y: f64) -> Entries {
        self.ray.entries::<R>(Complex { re: x, im: Real::all(y) })
    }

    fn upper(&self, x: Real, y: f64, _: &[Complex; 3]) -> Complex {
        Complex { re: x, im: Real::all(y) }
    }
}

struct ByStages<'a> {
    stages: &'a Stages,
    plane: &'a Plane,
    scratch: Scratch,
}

impl Source for ByStages<'_> {
    #[inline(always)]
    fn arguments(&self, x: Real, y: f64) -> [Complex; 3] {
        self.plane.arguments(x, y)
    }

    #[inline(always)]
    fn entries<R: Registers>(&mut self, x: Real, y: f64) -> Entries {
        let z = self.plane.arguments(x, y);
        self.stages.entries(z, &mut self.scratch)
    }

    fn upper(&self, _: Real, _: f64, _: &[Complex; 3]) -> Complex {
        Complex::all(Complex64::ONE)
    }
}

struct ByPoints<'a> {
    scheme: &'a dyn StabilityScheme,
    plane: &'a Plane,
}

impl Source for ByPoints<'_> {
    #[inline(always)]
    fn arguments(&self, x: Real, y: f64) -> [Complex; 3] {
        self.plane.arguments(x, y)
    }

    #[inline(always)]
    fn entries<R: Registers>(&mut self, x: Real, y: f64) -> Entries {
        point_by_point(self.scheme, self.plane, x, y)
    }

    fn upper(&self, _: Real, _: f64, [_, _, product]: &[Complex; 3]) -> Complex {
        let mut upper = *product;
        for lane in 0..LANES {
            upper.set_lane(lane, product.lane(lane).sqrt());
        }
        upper
    }
}

/// S of any scheme, with equal couplings; not a number where it has none.
fn point_by_point(scheme: &dyn StabilityScheme, plane: &Plane, x: Real, y: f64) -> Entries {
    let mut entries = [Complex::all(Complex64::new(f64::NAN, f64::NAN)); 4];
    for lane in 0..LANES {
        // Neighbors are equal where points fill up the last block.
        if lane > 0 && x.0[lane].to_bits() == x.0[lane - 1].to_bits() {
            for entry in &mut entries {
                entry.set_lane(lane, entry.lane(lane - 1));
            }
            continue;
        }
        let [slow, fast, product] = plane.at(x.0[lane], y);
        let coupling = product.sqrt();
        if let Ok(s) = scheme.matrix(&[vec![slow, coupling], vec![coupling, fast]])
            && s.len() == 2
        {
            for (entry, value) in entries.iter_mut().zip(s.iter().flatten()) {
                entry.set_lane(lane, *value);
            }
        }
    }
    entries
}
