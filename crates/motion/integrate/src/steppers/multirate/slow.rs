//! The systems that are solved within a multirate step.

use std::ops::Range;

use crate::problem::system::System;

/// The fast system of one interval: the fast rates of the system, plus a constant drift, and polynomials in time as
/// slow rates.
pub(super) struct Forced<'a, S: ?Sized> {
    pub(super) system: &'a S,
    pub(super) places: &'a [Range<usize>],
    /// The coefficients of τᵏ for all variables, power after power.
    pub(super) polynomials: &'a [f64],
    /// The number of variables.
    pub(super) n: usize,
    /// The interval of integration, from τ = 0 to τ = 1.
    pub(super) start: f64,
    pub(super) length: f64,
    /// Rate at which time passes in the interval: one without a drift.
    pub(super) speed: f64,
    /// Whether no interval of the method has a drift.
    pub(super) is_simple: bool,
}

impl<S: ?Sized> Forced<'_, S> {
    fn time(&self, t: f64) -> f64 {
        self.start + self.speed * (t - self.start)
    }
}

impl<S: System + ?Sized> System for Forced<'_, S> {
    fn sizes(&self) -> &[usize] {
        self.system.sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        if partition + 1 == self.places.len() {
            self.system.rate(partition, self.time(t), y, rate);
            if !self.is_simple {
                let drift = &self.polynomials[self.places[partition].clone()];
                rate.iter_mut().zip(drift).for_each(|(rate, drift)| *rate += drift);
            }
            return;
        }
        let tau = (t - self.start) / self.length;
        rate.fill(0.0);
        for power in self.polynomials.chunks_exact(self.n).rev() {
            for (rate, coefficient) in rate.iter_mut().zip(&power[self.places[partition].clone()]) {
                *rate = *rate * tau + coefficient;
            }
        }
    }

    /// Slow rates depend on time alone.
    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        self.system.jacobian(self.time(t), y, jacobian);
        let fast = self.places.last().map_or(0, |place| place.start);
        jacobian[..fast * self.n].fill(0.0);
    }
}

/// The slow system of an implicit stage at a fixed time: each partition's rates times its own coefficient.
pub(super) struct OwnStage<'a, S: ?Sized> {
    pub(super) system: &'a S,
    pub(super) places: &'a [Range<usize>],
    /// The coefficient of each slow partition.
    pub(super) own: &'a [f64],
    pub(super) t: f64,
}

impl<S: System + ?Sized> System for OwnStage<'_, S> {
    fn sizes(&self) -> &[usize] {
        self.system.sizes()
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        match self.own.get(partition) {
            Some(own) if *own != 0.0 => {
                self.system.rate(partition, self.t, y, rate);
                rate.iter_mut().for_each(|rate| *rate *= own);
            }
            _ => rate.fill(0.0),
        }
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        self.system.jacobian(self.t, y, jacobian);
        let n = y.len();
        for (r, place) in self.places.iter().enumerate() {
            let own = self.own.get(r).copied().unwrap_or(0.0);
            jacobian[place.start * n..place.end * n].iter_mut().for_each(|entry| *entry *= own);
        }
    }
}
