//! Steps in two or three registers, for a fair comparison with methods published in such a form.

use hemiola_integrate::{StepError, Stepper, System};
use hemiola_tableau::Method;
use hemiola_tableau::low_storage::{StorageClass, storage_forms};

/// A method in the form 2N, 2S, 2S* or 3S*.
#[derive(Clone, Debug)]
pub(crate) struct LowStorage {
    is_2n: bool,
    stages: Vec<Coefficients>,
    rate: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
    keeps_third: bool,
}

/// The coefficients of a stage: A and B of 2N, or δ, γ₁, γ₂, γ₃, β; and the abscissa.
#[derive(Clone, Copy, Debug)]
struct Coefficients {
    delta: f64,
    gamma: [f64; 3],
    beta: f64,
    c: f64,
}

impl LowStorage {
    /// Finds a form of a method with few registers; `None` if it has none.
    pub(crate) fn new(method: &Method, n: usize) -> Option<Self> {
        let is_known = |class: StorageClass| !matches!(class, StorageClass::Houwen(_));
        let form = storage_forms(method, 0).into_iter().map(|found| found.form).find(|form| is_known(form.class()))?;
        let abscissae: Vec<f64> = form.butcher().c.iter().map(hemiola_tableau::Exact::to_f64).collect();
        let vectors: Vec<(String, Vec<f64>)> = form
            .vectors()
            .into_iter()
            .map(|(name, vector)| (name, vector.iter().map(hemiola_tableau::Exact::to_f64).collect()))
            .collect();
        let (class, s) = (form.class(), form.stages());
        let at = |name: &str, i: usize| {
            vectors
                .iter()
                .find(|(other, _)| other == name)
                .and_then(|(_, vector)| vector.get(i))
                .copied()
                .unwrap_or_default()
        };
        let stage = |i: usize| {
            let c = abscissae[i];
            if class == StorageClass::TwoN {
                return Coefficients { delta: at("A", i), gamma: [0.0; 3], beta: at("B", i), c };
            }
            let gamma = ["gamma1", "gamma2", "gamma3"].map(|name| at(name, i));
            // S₂ of 2S* is the state at the beginning throughout.
            let delta = if class == StorageClass::TwoSStar { f64::from(i == 0) } else { at("delta", i) };
            Coefficients { delta, gamma, beta: at("beta", i), c }
        };
        let storage = || vec![0.0; n];
        Some(Self {
            is_2n: class == StorageClass::TwoN,
            keeps_third: class == StorageClass::ThreeSStar,
            stages: (0..s).map(stage).collect(),
            rate: storage(),
            second: storage(),
            third: if class == StorageClass::ThreeSStar { storage() } else { Vec::new() },
        })
    }

    /// Returns the numbers read and written in a step for each variable, without evaluations.
    pub(crate) fn traffic(&self) -> f64 {
        let s = self.stages.len() as f64;
        if self.is_2n {
            // rate, dU and U are read, dU and U written.
            return 5.0 * s;
        }
        let changes = self.stages.iter().filter(|stage| stage.delta != 0.0).count() as f64;
        let thirds = self.stages.iter().filter(|stage| stage.gamma[2] != 0.0).count() as f64;
        let seconds = self.stages.iter().filter(|stage| stage.gamma[1] != 0.0).count() as f64;
        3.0 * s + 2.0 * changes + seconds + thirds + if self.keeps_third { 2.0 } else { 0.0 }
    }
}

impl<S: System + ?Sized> Stepper<S> for LowStorage {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        if self.keeps_third {
            self.third.copy_from_slice(y);
        }
        for (i, stage) in self.stages.iter().enumerate() {
            let mut rest = &mut self.rate[..];
            for (r, &size) in system.sizes().iter().enumerate() {
                let (part, others) = rest.split_at_mut(size);
                system.rate(r, t + stage.c * h, y, part);
                rest = others;
            }
            let Coefficients { delta, gamma: [first, second, third], beta, .. } = *stage;
            let beta = beta * if self.is_2n { 1.0 } else { h };
            let variables = y.iter_mut().zip(&self.rate).zip(&mut self.second);
            if i == 0 {
                // Nothing of the step before, which may have failed, remains.
                for ((y, rate), other) in variables {
                    *other = if self.is_2n { h * rate } else { delta * *y };
                    *y = if self.is_2n {
                        *y + beta * *other
                    } else {
                        (first + third) * *y + second * *other + beta * rate
                    };
                }
            } else if self.is_2n {
                for ((y, rate), change) in variables {
                    *change = delta * *change + h * rate;
                    *y += beta * *change;
                }
            } else if third != 0.0 {
                for (((y, rate), sum), before) in variables.zip(&self.third) {
                    *sum += delta * *y;
                    *y = first * *y + second * *sum + third * before + beta * rate;
                }
            } else {
                for ((y, rate), sum) in variables {
                    *sum += delta * *y;
                    *y = first * *y + second * *sum + beta * rate;
                }
            }
        }
        let is_finite = y.iter().fold(true, |finite, value| finite & value.is_finite());
        if is_finite { Ok(()) } else { Err(StepError::NotFinite { t, h }) }
    }
}
