//! Derivatives of smooth functions by dual numbers: a few columns of the Jacobian or a small block of the Hessian at a
//! time.

use nalgebra::{Const, U1};
use num_dual::{Derivative, Dual, DualSVec64, HyperDualSVec64};

use super::differentiable::Differentiable;
use super::smooth::Smooth;

/// Number of columns per evaluation.
const LANES: usize = 4;
/// Number with first derivatives in [`LANES`] directions.
type GradientDual = DualSVec64<LANES>;
/// Number with a block of second derivatives.
type HessianDual = HyperDualSVec64<LANES, LANES>;

impl<F: Smooth> Differentiable for F {
    fn inputs(&self) -> usize {
        Smooth::inputs(self)
    }

    fn outputs(&self) -> usize {
        Smooth::outputs(self)
    }

    fn value(&self, z: &[f64], out: &mut [f64]) {
        self.evaluate(z, out);
    }

    fn jacobian(&self, z: &[f64], out: &mut [f64]) {
        let m = z.len();
        let mut result = vec![GradientDual::from(0.0); self.outputs()];
        for first in (0..m).step_by(LANES) {
            self.evaluate(&lanes(z, first), &mut result);
            for (row, value) in result.iter().enumerate() {
                put(&slopes(value), &mut out[row * m..(row + 1) * m], first);
            }
        }
    }

    fn linearization(&self, z: &[f64], d: &[f64], jacobian: &mut [f64], bend: &mut [f64]) {
        let m = z.len();
        let mut result = vec![Dual::<GradientDual, f64>::from(0.0); self.outputs()];
        for first in (0..m).step_by(LANES) {
            let point = lanes(z, first).into_iter().zip(d).map(|(z, &d)| Dual::new(z, GradientDual::from(d)));
            self.evaluate(&point.collect::<Vec<_>>(), &mut result);
            for (row, value) in result.iter().enumerate() {
                put(&slopes(&value.re), &mut jacobian[row * m..(row + 1) * m], first);
                put(&slopes(&value.eps), &mut bend[row * m..(row + 1) * m], first);
            }
        }
    }

    fn curvature(&self, z: &[f64], w: &[f64], out: &mut [f64]) {
        let m = z.len();
        let mut result = vec![HessianDual::from(0.0); self.outputs()];
        for (rows, columns) in blocks(m) {
            self.evaluate(&block(z, rows, columns), &mut result);
            put_block(result.iter().zip(w), m, rows, columns, out);
        }
    }

    fn linearization_curvature(&self, z: &[f64], d: &[f64], w: &[f64], curvature: &mut [f64], bend: &mut [f64]) {
        let m = z.len();
        let mut result = vec![Dual::<HessianDual, f64>::from(0.0); self.outputs()];
        for (rows, columns) in blocks(m) {
            let point = block(z, rows, columns).into_iter().zip(d).map(|(z, &d)| Dual::new(z, HessianDual::from(d)));
            self.evaluate(&point.collect::<Vec<_>>(), &mut result);
            put_block(result.iter().map(|value| &value.re).zip(w), m, rows, columns, curvature);
            put_block(result.iter().map(|value| &value.eps).zip(w), m, rows, columns, bend);
        }
    }
}

/// Seeds z with derivatives in the directions from `first` on.
fn lanes(z: &[f64], first: usize) -> Vec<GradientDual> {
    let lane = |(k, &z): (usize, &f64)| {
        let z = GradientDual::from_re(z);
        if (first..first + LANES).contains(&k) { z.derivative(k - first) } else { z }
    };
    z.iter().enumerate().map(lane).collect()
}

fn slopes(value: &GradientDual) -> [f64; LANES] {
    // A missing derivative stands for zeros.
    value.eps.unwrap_generic(Const::<LANES>, U1).into()
}

/// Writes slopes into a row from `first` on and drops those beyond its end.
fn put(slopes: &[f64; LANES], row: &mut [f64], first: usize) {
    row[first..].iter_mut().zip(slopes).for_each(|(entry, slope)| *entry = *slope);
}

/// Lists the first rows and columns of blocks that cover the upper triangle.
fn blocks(m: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..m).step_by(LANES).flat_map(move |rows| (rows..m).step_by(LANES).map(move |columns| (rows, columns)))
}

/// Seeds z with derivatives for a block of the Hessian.
fn block(z: &[f64], rows: usize, columns: usize) -> Vec<HessianDual> {
    let number = |(k, &z): (usize, &f64)| {
        let mut number = HessianDual::from_re(z);
        if (rows..rows + LANES).contains(&k) {
            number.eps1 = Derivative::derivative_generic(Const::<LANES>, U1, k - rows);
        }
        if (columns..columns + LANES).contains(&k) {
            number.eps2 = Derivative::derivative_generic(U1, Const::<LANES>, k - columns);
        }
        number
    };
    z.iter().enumerate().map(number).collect()
}

/// Writes a block of Σ wᵢ fᵢ″ and its mirror image.
fn put_block<'a>(
    weighted: impl Iterator<Item = (&'a HessianDual, &'a f64)>,
    m: usize,
    rows: usize,
    columns: usize,
    out: &mut [f64],
) {
    let mut sum = [[0.0; LANES]; LANES];
    for (value, w) in weighted.filter(|(_, w)| **w != 0.0) {
        let block = value.eps1eps2.unwrap_generic(Const::<LANES>, Const::<LANES>);
        for (i, row) in sum.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(j, entry)| *entry += w * block[(i, j)]);
        }
    }
    for i in rows..m.min(rows + LANES) {
        for j in columns..m.min(columns + LANES) {
            out[i * m + j] = sum[i - rows][j - columns];
            out[j * m + i] = out[i * m + j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculus::Number;

    /// Test function of six arguments, so that the last blocks are only partly filled.
    struct Function;

    impl Smooth for Function {
        fn inputs(&self) -> usize {
            6
        }

        fn outputs(&self) -> usize {
            2
        }

        fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
            out[0] = (z[0] * z[5]).sin() * z[2] + z[1] * z[3] * z[4] * z[5];
            out[1] = (z[1] + z[4]).exp() / (z[5] * z[5] + 1.0);
        }
    }

    const Z: [f64; 6] = [0.3, -0.7, 1.1, 0.2, -0.4, 0.9];
    const D: [f64; 6] = [0.5, 0.1, -0.3, 0.7, 0.2, -0.6];
    const W: [f64; 2] = [1.3, -0.8];
    const STEP: f64 = 1e-5;

    /// Computes central differences of a function of z, column by column; accurate to 1e-10 here.
    fn differences(f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
        let column = |k: usize| {
            let ends = [-STEP, STEP].map(|step| {
                let mut z = Z;
                z[k] += step;
                f(&z)
            });
            ends[0].iter().zip(&ends[1]).map(|(a, b)| (b - a) / (2.0 * STEP)).collect()
        };
        (0..6).map(column).collect()
    }

    fn jacobian(z: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; 12];
        Function.jacobian(z, &mut out);
        out
    }

    #[test]
    fn first_and_second_derivatives_agree_with_differences() {
        let value = |z: &[f64]| {
            let mut out = vec![0.0; 2];
            Function.value(z, &mut out);
            out
        };
        let found = jacobian(&Z);
        let (mut again, mut bend) = (vec![0.0; 12], vec![0.0; 12]);
        Function.linearization(&Z, &D, &mut again, &mut bend);
        assert!(again.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-15));
        let along = |z: &[f64]| -> Vec<f64> {
            jacobian(z).chunks(6).map(|row| row.iter().zip(D).map(|(a, d)| a * d).sum()).collect()
        };
        let (slopes, bends) = (differences(value), differences(along));
        for (row, column) in (0..12).map(|k| (k / 6, k % 6)) {
            assert!((found[row * 6 + column] - slopes[column][row]).abs() < 1e-9);
            assert!((bend[row * 6 + column] - bends[column][row]).abs() < 1e-9);
        }
    }

    #[test]
    fn curvatures_agree_with_differences() {
        let mut curvature = vec![0.0; 36];
        Function.curvature(&Z, &W, &mut curvature);
        let (mut again, mut third) = (vec![0.0; 36], vec![0.0; 36]);
        Function.linearization_curvature(&Z, &D, &W, &mut again, &mut third);
        assert!(again.iter().zip(&curvature).all(|(a, b)| (a - b).abs() < 1e-15));
        let weighted = |rows: Vec<f64>| -> Vec<f64> { (0..6).map(|k| W[0] * rows[k] + W[1] * rows[6 + k]).collect() };
        let bent = |z: &[f64]| {
            let (mut jacobian, mut bend) = (vec![0.0; 12], vec![0.0; 12]);
            Function.linearization(z, &D, &mut jacobian, &mut bend);
            weighted(bend)
        };
        let (second, thirds) = (differences(|z| weighted(jacobian(z))), differences(bent));
        for k in 0..36 {
            assert!((curvature[k] - second[k % 6][k / 6]).abs() < 1e-9);
            assert!((third[k] - thirds[k % 6][k / 6]).abs() < 1e-9);
        }
    }
}
