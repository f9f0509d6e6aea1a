//! Evaluation of one row of grid points.

use std::sync::Arc;

use hemiola_number::vector::{Registers, Task};
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::plane::{Kind, Plane};
use super::quantity::{MapQuery, Quantity, balanced, error, growth};
use super::ray::RayCoefficients;
use super::slice::Slice;
use super::spectrum::{Entries, additive, is_stable, smaller, spectral_radius};
use super::stage_equations::{StageEquations, Systems, couplings};
use super::stages::{Scratch, StageRecursion};
use crate::lanes::{ComplexLanes, LANES, RealLanes};
use crate::schemes::scheme::StabilityScheme;

/// Method of evaluating S on a plane.
#[derive(Clone, Debug)]
pub(super) enum PlaneKernel {
    /// Explicit pair on a ray: a polynomial with matrix coefficients.
    Ray(RayCoefficients, Slice),
    /// Explicit or diagonally implicit pair: stage by stage.
    Stages(StageRecursion, Plane),
    /// Other implicit pair: all stages at once.
    Equations(StageEquations, Plane),
    /// Scheme without a tableau: its matrix is evaluated point by point.
    Scheme(Arc<dyn StabilityScheme>, Plane),
}

impl PlaneKernel {
    pub(super) fn new(tableau: &Tableau<f64>, plane: Plane) -> Self {
        match plane.0 {
            Kind::Slice(slice) if tableau.is_explicit() && slice.is_ray() => {
                Self::Ray(RayCoefficients::new(tableau, &slice), slice)
            }
            _ => match StageRecursion::new(tableau) {
                Some(stages) => Self::Stages(stages, plane),
                None => Self::Equations(StageEquations::new(tableau), plane),
            },
        }
    }
}

/// Row of points x + iy with their answers. `x` and `out` have the same length, a multiple of [`LANES`].
pub(super) struct RowTask<'a> {
    pub(super) kernel: &'a PlaneKernel,
    pub(super) question: MapQuery,
    pub(super) x: &'a [f64],
    pub(super) y: f64,
    pub(super) out: &'a mut [f64],
}

/// Number of blocks of eight points in a group: intermediate results stay in the first-level cache.
const GROUP: usize = 8;

impl Task for RowTask<'_> {
    type Output = ();

    /// Computes S at all points of a group, then the results of the query.
    ///
    /// Separate loops for the kernels and the kinds of queries need little code, and a combined loop would run out of
    /// registers.
    #[inline(always)]
    fn run<R: Registers>(self) {
        let Self { kernel, question, y, .. } = self;
        let mut scratch = (Scratch::default(), Systems::default());
        let mut group = [[ComplexLanes::ZERO; 4]; GROUP];
        let (x, _) = self.x.as_chunks::<LANES>();
        let (out, _) = self.out.as_chunks_mut::<LANES>();
        for (x, out) in x.chunks(GROUP).zip(out.chunks_mut(GROUP)) {
            kernel.entries::<R>(x, y, &mut scratch, &mut group);
            match question {
                MapQuery::Value(Quantity::Radius) => {
                    for (out, s) in out.iter_mut().zip(&group) {
                        *out = spectral_radius(s).0;
                    }
                }
                MapQuery::Value(quantity) => {
                    for ((out, s), x) in out.iter_mut().zip(&group).zip(x) {
                        *out = kernel.value(quantity, s, RealLanes(*x), y).0;
                    }
                }
                MapQuery::Stable(shrink) => {
                    for (out, s) in out.iter_mut().zip(&group) {
                        *out = is_stable(s, shrink).0;
                    }
                }
            }
        }
    }
}

impl PlaneKernel {
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
                    *s = ray.entries::<R>(ComplexLanes { re: RealLanes(*x), im: RealLanes::all(y) });
                }
            }
            Self::Stages(stages, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    *s = stages.entries(plane.arguments(RealLanes(*x), y), scratch);
                }
            }
            Self::Equations(equations, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    let mut z = plane.points(RealLanes(*x), y);
                    z[2] = couplings(&z[2]);
                    *s = equations.solved(z, systems).entries;
                }
            }
            Self::Scheme(scheme, plane) => {
                for (s, x) in entries.iter_mut().zip(x) {
                    *s = scheme_entries(scheme.as_ref(), plane, RealLanes(*x), y);
                }
            }
        }
    }

    /// Computes a quantity of S at eight points.
    #[inline(always)]
    fn value(&self, quantity: Quantity, s: &Entries, x: RealLanes, y: f64) -> RealLanes {
        match quantity {
            Quantity::Radius => spectral_radius(s),
            Quantity::Smaller => smaller(s),
            Quantity::Additive => additive(s),
            Quantity::Growth => growth(spectral_radius(s), &self.arguments(x, y)),
            Quantity::Error => {
                let z = self.arguments(x, y);
                error(&balanced(*s, self.upper(x, y, &z), z[2]), &z)
            }
        }
    }

    /// Computes z_ss, z_ff and w.
    #[inline(always)]
    fn arguments(&self, x: RealLanes, y: f64) -> [ComplexLanes; 3] {
        match self {
            Self::Ray(_, slice) => slice.arguments(ComplexLanes { re: x, im: RealLanes::all(y) }),
            Self::Stages(_, plane) | Self::Equations(_, plane) | Self::Scheme(_, plane) => plane.arguments(x, y),
        }
    }

    /// Returns the z_sf with which the entries were computed, where z_sf z_fs = w.
    fn upper(&self, x: RealLanes, y: f64, [_, _, product]: &[ComplexLanes; 3]) -> ComplexLanes {
        match self {
            Self::Ray(..) => ComplexLanes { re: x, im: RealLanes::all(y) },
            Self::Stages(..) => ComplexLanes::all(Complex64::ONE),
            Self::Equations(..) | Self::Scheme(..) => couplings(product),
        }
    }
}

/// Computes a quantity of S with equal couplings at one point.
pub(super) fn value(quantity: Quantity, [[ss, sf], [fs, ff]]: [[Complex64; 2]; 2], z: [Complex64; 3]) -> f64 {
    let (s, z) = ([ss, sf, fs, ff].map(ComplexLanes::all), z.map(ComplexLanes::all));
    let values = match quantity {
        Quantity::Radius => spectral_radius(&s),
        Quantity::Smaller => smaller(&s),
        Quantity::Additive => additive(&s),
        Quantity::Growth => growth(spectral_radius(&s), &z),
        Quantity::Error => error(&s, &z),
    };
    values.0[0]
}

/// Computes S of any scheme with equal couplings at eight points; NaN where the scheme has no matrix.
fn scheme_entries(scheme: &dyn StabilityScheme, plane: &Plane, x: RealLanes, y: f64) -> Entries {
    let mut entries = [ComplexLanes::ZERO; 4];
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
