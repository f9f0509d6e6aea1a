//! Solution of all stage equations at once, for pairs with mutually dependent stages, at eight points at a time.
//!
//! Each lane eliminates its own system with its own pivots and rounds like
//! [`stability_matrix`](crate::stability_matrix): every product and every sum separately, in the same order. The result
//! is therefore the same to the last bit, whether points are processed alone or together.

use hemiola_tableau::Tableau;

use super::spectrum::Entries;
use crate::eigenvalues::pair::square_root;
use crate::lanes::{ComplexLanes, LANES, RealLanes};

/// Coefficients of a pair.
#[derive(Clone, Debug)]
pub(crate) struct StageEquations {
    stages: usize,
    /// A^s and A^f, row by row.
    a: [Vec<f64>; 2],
    b: [Vec<f64>; 2],
}

/// Memory for the systems of one block of points, row by row with their right-hand sides; reused for the next block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Systems {
    rows: Vec<ComplexLanes>,
}

/// Solution at eight points.
pub(crate) struct Solution {
    /// Entries of S; NaN if the equations are singular or overflow.
    pub(crate) entries: Entries,
    /// Determinant of the stage equations.
    pub(crate) determinant: ComplexLanes,
}

/// Number of right-hand sides.
const SIDES: usize = 2;

impl StageEquations {
    pub(crate) fn new(tableau: &Tableau<f64>) -> Self {
        let parts = [0, 1].map(|r| &tableau.partitions[r]);
        Self { stages: tableau.stages(), a: parts.map(|part| part.a.concat()), b: parts.map(|part| part.b.clone()) }
    }

    /// Computes S at eight points, with couplings z_sf = z_fs.
    #[inline(always)]
    pub(crate) fn solved(&self, [slow, fast, coupling]: [ComplexLanes; 3], systems: &mut Systems) -> Solution {
        let n = 2 * self.stages;
        let width = n + SIDES;
        systems.rows.resize(n * width, ComplexLanes::ZERO);
        let rows = &mut systems.rows[..];
        self.assemble([[slow, coupling], [coupling, fast]], rows);
        let determinant = eliminate(rows, n);
        substitute(rows, n);
        let one = ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO };
        let mut entries = [one, ComplexLanes::ZERO, ComplexLanes::ZERO, one];
        let mut overflow = RealLanes::ZERO;
        for (k, row) in rows.chunks_exact(width).enumerate() {
            let (r, i) = (k / self.stages, k % self.stages);
            for q in 0..SIDES {
                let slope = row[n + q];
                overflow = overflow.plus(slope.re.times(RealLanes::ZERO)).plus(slope.im.times(RealLanes::ZERO));
                entries[2 * r + q] = entries[2 * r + q].plus(slope.scaled(RealLanes::all(self.b[r][i])));
            }
        }
        // `overflow` is zero if all slopes are finite.
        for entry in &mut entries {
            entry.re = entry.re.plus(overflow);
        }
        Solution { entries, determinant }
    }

    /// Assembles I − [z_rq A^q] and [z_rq 𝟙].
    #[inline(always)]
    fn assemble(&self, z: [[ComplexLanes; 2]; 2], rows: &mut [ComplexLanes]) {
        let s = self.stages;
        for (k, row) in rows.chunks_exact_mut(2 * s + SIDES).enumerate() {
            let (r, i) = (k / s, k % s);
            for q in 0..2 {
                let weights = &self.a[q][i * s..(i + 1) * s];
                for (j, (entry, &a)) in row[q * s..(q + 1) * s].iter_mut().zip(weights).enumerate() {
                    let identity = if k == q * s + j { 1.0 } else { 0.0 };
                    let product = z[r][q].scaled(RealLanes::all(a));
                    *entry = ComplexLanes { re: product.re.map(|x| identity - x), im: product.im.map(|x| 0.0 - x) };
                }
                row[2 * s + q] = z[r][q];
            }
        }
    }
}

/// Eliminates with partial pivoting by |Re| + |Im|, including forward substitution of the right-hand sides; returns the
/// determinants.
#[inline(always)]
fn eliminate(rows: &mut [ComplexLanes], n: usize) -> ComplexLanes {
    let width = n + SIDES;
    let mut determinant = ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO };
    for k in 0..n {
        let pivots = pivots(rows, n, k);
        let signs = exchange(rows, width, k, &pivots);
        let (above, below) = rows.split_at_mut((k + 1) * width);
        let (pivot, rest) = (above[k * width + k], &above[k * width + k + 1..]);
        determinant = product(determinant, pivot).scaled(signs);
        let inverse = quotient(ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO }, pivot);
        for row in below.chunks_exact_mut(width) {
            let factor = product(row[k], inverse);
            for (entry, above) in row[k + 1..].iter_mut().zip(rest) {
                *entry = entry.minus(product(factor, *above));
            }
        }
    }
    determinant
}

/// Finds the pivot row of each lane in column k.
#[inline(always)]
fn pivots(rows: &[ComplexLanes], n: usize, k: usize) -> [usize; LANES] {
    let size = |i: usize| {
        let entry = rows[i * (n + SIDES) + k];
        entry.re.map(f64::abs).plus(entry.im.map(f64::abs))
    };
    let (mut largest, mut pivots) = (size(k), [k; LANES]);
    for i in k + 1..n {
        let size = size(i);
        for lane in 0..LANES {
            let is_larger = size.0[lane] > largest.0[lane];
            largest.0[lane] = if is_larger { size.0[lane] } else { largest.0[lane] };
            pivots[lane] = if is_larger { i } else { pivots[lane] };
        }
    }
    pivots
}

/// Exchanges row k with the pivot row in each lane, from column k; returns −1 if rows were exchanged, else 1.
#[inline(always)]
fn exchange(rows: &mut [ComplexLanes], width: usize, k: usize, pivots: &[usize; LANES]) -> RealLanes {
    let (above, below) = rows.split_at_mut((k + 1) * width);
    let row = &mut above[k * width + k..];
    let common = pivots[0];
    if pivots.iter().all(|pivot| *pivot == common) {
        if common == k {
            return RealLanes::all(1.0);
        }
        row.swap_with_slice(&mut below[(common - k - 1) * width + k..(common - k) * width]);
        return RealLanes::all(-1.0);
    }
    for (i, other) in (k + 1..).zip(below.chunks_exact_mut(width)) {
        let chosen = pivots.map(|pivot| pivot == i);
        if !chosen.contains(&true) {
            continue;
        }
        for (entry, other) in row.iter_mut().zip(&mut other[k..]) {
            exchange_lanes(&mut entry.re, &mut other.re, &chosen);
            exchange_lanes(&mut entry.im, &mut other.im, &chosen);
        }
    }
    RealLanes(pivots.map(|pivot| if pivot == k { 1.0 } else { -1.0 }))
}

#[inline(always)]
fn exchange_lanes(x: &mut RealLanes, y: &mut RealLanes, chosen: &[bool; LANES]) {
    for lane in 0..LANES {
        let (here, there) = (x.0[lane], y.0[lane]);
        x.0[lane] = if chosen[lane] { there } else { here };
        y.0[lane] = if chosen[lane] { here } else { there };
    }
}

/// Overwrites the right-hand sides with the solutions.
#[inline(always)]
fn substitute(rows: &mut [ComplexLanes], n: usize) {
    let width = n + SIDES;
    for side in n..width {
        for i in (0..n).rev() {
            let value = quotient(rows[i * width + side], rows[i * width + i]);
            rows[i * width + side] = value;
            for row in rows[..i * width].chunks_exact_mut(width) {
                row[side] = row[side].minus(product(value, row[i]));
            }
        }
    }
}

/// Computes x y with the rounding of [`Complex64`].
#[inline(always)]
fn product(x: ComplexLanes, y: ComplexLanes) -> ComplexLanes {
    ComplexLanes { re: x.re.times(y.re).minus(x.im.times(y.im)), im: x.re.times(y.im).plus(x.im.times(y.re)) }
}

/// Computes x/y with the rounding of [`Complex64`].
#[inline(always)]
fn quotient(x: ComplexLanes, y: ComplexLanes) -> ComplexLanes {
    let square = y.re.times(y.re).plus(y.im.times(y.im));
    let divided = |part: RealLanes| part.zip(square, |part, square| part / square);
    ComplexLanes {
        re: divided(x.re.times(y.re).plus(x.im.times(y.im))),
        im: divided(x.im.times(y.re).minus(x.re.times(y.im))),
    }
}

/// Computes √w in each lane.
pub(crate) fn couplings(product: &ComplexLanes) -> ComplexLanes {
    let mut roots = ComplexLanes::ZERO;
    for lane in 0..LANES {
        // Neighboring lanes are equal where points fill up the last block.
        let value = product.lane(lane);
        let known = lane > 0 && value == product.lane(lane - 1);
        roots.set_lane(lane, if known { roots.lane(lane - 1) } else { square_root(value) });
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stability_matrix;
    use hemiola_number::vector::{Instructions, Registers, Task};
    use hemiola_tableau::library;
    use num_complex::Complex64;
    use rand::{RngExt, SeedableRng};

    struct Block<'a>(&'a StageEquations, [ComplexLanes; 3]);

    impl Task for Block<'_> {
        type Output = (Entries, ComplexLanes);

        fn run<R: Registers>(self) -> Self::Output {
            let solution = self.0.solved(self.1, &mut Systems::default());
            (solution.entries, solution.determinant)
        }
    }

    #[test]
    fn lanes_have_the_bits_of_single_systems() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(11);
        for id in ["lobatto-iiia-iiib-3", "lobatto-iiia-iiib-5", "gauss-4"] {
            let method = library::method(id).unwrap().to_f64();
            let parts = [method.partitions[0].clone(), method.partitions[method.partitions.len() - 1].clone()];
            let tableau = Tableau { partitions: parts.to_vec() };
            let equations = StageEquations::new(&tableau);
            for round in 0..60 {
                // Near the origin all lanes have the same order of pivots; far from it each has its own.
                let size = 10f64.powf(-3.0 + 0.1 * f64::from(round));
                let mut points = [ComplexLanes::ZERO; 3];
                for lane in 0..LANES {
                    let mut z = || Complex64::new(random.random_range(-size..size), random.random_range(-size..size));
                    points.iter_mut().for_each(|point| point.set_lane(lane, z()));
                }
                for instructions in Instructions::all() {
                    let (entries, _) = instructions.run(Block(&equations, points));
                    for lane in 0..LANES {
                        let [slow, fast, coupling] = points.map(|point| point.lane(lane));
                        let expected = stability_matrix(&tableau, &[vec![slow, coupling], vec![coupling, fast]]);
                        let found = entries.map(|entry| entry.lane(lane));
                        assert_eq!(found.to_vec(), expected.unwrap().concat(), "{id} {size} {instructions:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn determinants_and_poles() {
        // Implicit midpoint for both parts, decoupled: (1 − z_ss/2)(1 − z_ff/2), with poles at 2.
        let gauss = library::method("gauss-1").unwrap().to_f64().partitions[0].clone();
        let equations = StageEquations::new(&Tableau { partitions: vec![gauss.clone(), gauss] });
        let z = |re: f64, im: f64| ComplexLanes::all(Complex64::new(re, im));
        let at =
            |slow: ComplexLanes| equations.solved([slow, z(-1.0, 4.0), ComplexLanes::ZERO], &mut Systems::default());
        let solution = at(z(-3.0, 1.0));
        let expected = Complex64::new(2.5, -0.5) * Complex64::new(1.5, -2.0);
        assert!((solution.determinant.lane(3) - expected).norm() < 1e-15);
        assert!(at(z(2.0, 0.0)).entries[0].re.0[5].is_nan());
        assert!(at(z(f64::NAN, 0.0)).entries[0].re.0[5].is_nan());
    }
}
