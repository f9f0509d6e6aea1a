//! Transcription of `rk_4`, `rk_qc` and `rk_odeint` from the listing, with minus signs in place of colons.

use hemiola_integrate::System;

const SAFETY: f64 = 0.9;
const ERRCON: f64 = 6.0e-4;
const PGROW: f64 = -0.20;
const PSHRNK: f64 = -0.25;
const FCOR: f64 = 0.066_666_666_7;
const TINY: f64 = 1e-30;
const MAXSTP: u32 = 10_000;

/// Counts of samples, steps and messages of the listing. The messages correspond to outcomes of our driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Samples taken by its main loop.
    pub(crate) samples: u64,
    /// Steps accepted with the first size tried.
    pub(crate) nok: u64,
    /// Steps whose size was reduced.
    pub(crate) nbad: u64,
    /// Number of messages "stepsize not significant".
    pub(crate) insignificant: u64,
    /// Number of messages "stepsize smaller than minimum".
    pub(crate) too_small: u64,
    /// Number of messages "too many steps".
    pub(crate) too_many: u64,
}

fn rk_derivs<S: System>(system: &S, x: f64, y: &[f64], dydx: &mut [f64]) {
    let mut rest = dydx;
    for (partition, &size) in system.sizes().iter().enumerate() {
        let (part, others) = rest.split_at_mut(size);
        system.rate(partition, x, y, part);
        rest = others;
    }
}

fn rk_4<S: System>(system: &S, y: &[f64], dydx: &[f64], x: f64, h: f64) -> Vec<f64> {
    let n = y.len();
    let (hh, h6) = (h * 0.5, h / 6.0);
    let (mut dyt, mut dym) = (vec![0.0; n], vec![0.0; n]);
    let moved = |by: f64, slope: &[f64]| -> Vec<f64> { y.iter().zip(slope).map(|(y, slope)| y + by * slope).collect() };
    rk_derivs(system, x + hh, &moved(hh, dydx), &mut dyt);
    rk_derivs(system, x + hh, &moved(hh, &dyt), &mut dym);
    let yt = moved(h, &dym);
    dym.iter_mut().zip(&dyt).for_each(|(dym, dyt)| *dym += dyt);
    rk_derivs(system, x + h, &yt, &mut dyt);
    (0..n).map(|i| y[i] + h6 * (dydx[i] + dyt[i] + 2.0 * dym[i])).collect()
}

/// Performs an accepted step; returns its size and the size suggested for the next.
fn rk_qc<S: System>(
    system: &S,
    y: &mut [f64],
    dydx: &[f64],
    x: &mut f64,
    [mut h, eps]: [f64; 2],
    yscal: &[f64],
    counts: &mut Counts,
) -> [f64; 2] {
    let (xsav, ysav) = (*x, y.to_vec());
    let mut middle = vec![0.0; y.len()];
    loop {
        let hh = 0.5 * h;
        let half = rk_4(system, &ysav, dydx, xsav, hh);
        *x = xsav + hh;
        rk_derivs(system, *x, &half, &mut middle);
        y.copy_from_slice(&rk_4(system, &half, &middle, *x, hh));
        *x = xsav + h;
        counts.insignificant += u64::from(*x == xsav);
        let whole = rk_4(system, &ysav, dydx, xsav, h);
        let mut errmax = 0.0;
        for i in 0..y.len() {
            let scaled = ((y[i] - whole[i]) / yscal[i]).abs();
            // As in the macro: a NaN replaces the maximum, and the next value replaces the NaN.
            errmax = if errmax > scaled { errmax } else { scaled };
        }
        errmax /= eps;
        if errmax > 1.0 {
            h = SAFETY * h * errmax.powf(PSHRNK);
            continue;
        }
        y.iter_mut().zip(&whole).for_each(|(y, whole)| *y += (*y - whole) * FCOR);
        return [h, if errmax > ERRCON { SAFETY * h * errmax.powf(PGROW) } else { 4.0 * h }];
    }
}

/// Integrates from x₁ to x₂ with a tolerance, a first step h₁ and a smallest step; after too many steps the state is
/// unchanged.
pub(crate) fn rk_odeint<S: System>(
    system: &S,
    ystart: &mut [f64],
    [x1, x2]: [f64; 2],
    [eps, h1, hmin]: [f64; 3],
    counts: &mut Counts,
) {
    let (mut x, mut y, mut dydx) = (x1, ystart.to_vec(), vec![0.0; ystart.len()]);
    let mut h = h1.abs().copysign(x2 - x1);
    for _ in 0..MAXSTP {
        rk_derivs(system, x, &y, &mut dydx);
        let yscal: Vec<f64> = y.iter().zip(&dydx).map(|(y, slope)| y.abs() + (h * slope).abs() + TINY).collect();
        if (x + h - x2) * (x + h - x1) > 0.0 {
            h = x2 - x;
        }
        let [hdid, hnext] = rk_qc(system, &mut y, &dydx, &mut x, [h, eps], &yscal, counts);
        if hdid == h {
            counts.nok += 1;
        } else {
            counts.nbad += 1;
        }
        if (x - x2) * (x2 - x1) >= 0.0 {
            ystart.copy_from_slice(&y);
            return;
        }
        counts.too_small += u64::from(hnext.abs() < hmin);
        h = hnext;
    }
    counts.too_many += 1;
}
