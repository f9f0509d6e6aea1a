//! Steps in two or three registers, for a fair comparison with methods published in such a form, and for families, each level
//! of which has a form of its own.

use hemiola_integrate::{StepError, Stepper, System};
use hemiola_tableau::Method;
use hemiola_tableau::low_storage::{StorageClass, StorageForm, storage_forms};

/// A method each partition of which is in the form 2N, 2S, 2S* or 3S*.
#[derive(Clone, Debug)]
pub(crate) struct LowStorage {
    parts: Vec<Part>,
    stages: usize,
    rate: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
}

/// The form of a partition.
#[derive(Clone, Debug)]
struct Part {
    size: usize,
    is_2n: bool,
    keeps_third: bool,
    /// The coefficients at the stages that are evaluated; the argument stays where it is in the others.
    stages: Vec<Option<Coefficients>>,
    /// A stage before which the argument moves from where it waited toward the beginning of the step, by a factor.
    moved: Option<(usize, f64)>,
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
    /// Finds forms with few registers of all partitions of a method, for partitions of the state with some sizes; `None` if a
    /// partition has none. A method with one partition treats all sizes alike.
    pub(crate) fn new(method: &Method, sizes: &[usize]) -> Option<Self> {
        let last = method.partitions().len() - 1;
        let parts = sizes.iter().enumerate().map(|(r, &size)| Part::new(method, r.min(last), size));
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        let n = sizes.iter().sum();
        let thirds = if parts.iter().any(|part| part.keeps_third) { n } else { 0 };
        let stages = method.stages();
        Some(Self { parts, stages, rate: vec![0.0; n], second: vec![0.0; n], third: vec![0.0; thirds] })
    }

    /// Returns the numbers read and written in a step, without evaluations.
    pub(crate) fn traffic(&self) -> f64 {
        self.parts.iter().map(|part| part.traffic() * part.size as f64).sum()
    }
}

impl Part {
    fn new(method: &Method, partition: usize, size: usize) -> Option<Self> {
        let is_known = |class: StorageClass| !matches!(class, StorageClass::Houwen(_));
        let forms = storage_forms(method, partition).into_iter().map(|found| found.form);
        let form: StorageForm = forms.into_iter().find(|form| is_known(form.class()))?;
        let class = form.class();
        let abscissae: Vec<f64> = form.butcher().c.iter().map(hemiola_tableau::Exact::to_f64).collect();
        let vectors: Vec<(String, Vec<f64>)> = form
            .vectors()
            .into_iter()
            .map(|(name, vector)| (name, vector.iter().map(hemiola_tableau::Exact::to_f64).collect()))
            .collect();
        let at = |name: &str, i: usize| {
            let vector = vectors.iter().find(|(other, _)| other == name);
            vector.and_then(|(_, vector)| vector.get(i)).copied().unwrap_or_default()
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
        let keeps_third = class == StorageClass::ThreeSStar;
        let is_2n = class == StorageClass::TwoN;
        let mut stages = vec![None; method.stages()];
        if form.stages() == method.stages() {
            (0..form.stages()).for_each(|i| stages[i] = Some(stage(i)));
            return Some(Self { size, is_2n, keeps_third, stages, moved: None });
        }
        // A form has the evaluated stages alone. Where the argument waits at others for its neighbors, it may be elsewhere.
        let part = &method.to_f64().partitions[partition];
        let evaluated = part.evaluated_stages();
        for i in 0..form.stages() {
            stages[*evaluated.get(i)?] = Some(stage(i));
        }
        let second = *evaluated.get(1)?;
        let [waits, needed] = [part.a[1][0], part.a[second][0]];
        let stays = (1..second).all(|i| part.a[i] == part.a[1]) && second > 1 && waits != 0.0;
        let is_elsewhere = second > 1 && (waits - needed).abs() > 1e-12;
        let moved = (is_elsewhere && stays && keeps_third).then_some((second, needed / waits));
        if let (Some(_), Some(first)) = (moved, &mut stages[0]) {
            first.beta = waits;
        }
        (moved.is_some() || !is_elsewhere).then_some(Self { size, is_2n, keeps_third, stages, moved })
    }

    /// Returns the numbers read and written in a step for each variable.
    fn traffic(&self) -> f64 {
        let stages = || self.stages.iter().flatten();
        let s = stages().count() as f64;
        if self.is_2n {
            // rate, dU and U are read, dU and U written.
            return 5.0 * s;
        }
        let changes = stages().filter(|stage| stage.delta != 0.0).count() as f64;
        let thirds = stages().filter(|stage| stage.gamma[2] != 0.0).count() as f64;
        let seconds = stages().filter(|stage| stage.gamma[1] != 0.0).count() as f64;
        3.0 * s + 2.0 * changes + seconds + thirds + if self.keeps_third { 2.0 } else { 0.0 }
    }

    /// Updates the registers after an evaluation at a stage, the first one of a step or a later one.
    fn update(&self, stage: Coefficients, is_first: bool, h: f64, registers: Registers<'_>) {
        let Registers { y, rate, second: other, third: before } = registers;
        let Coefficients { delta, gamma: [first, second, third], beta, .. } = stage;
        let beta = beta * if self.is_2n { 1.0 } else { h };
        let variables = y.iter_mut().zip(rate).zip(other);
        if is_first {
            // Nothing of the step before, which may have failed, remains.
            for ((y, rate), other) in variables {
                *other = if self.is_2n { h * *rate } else { delta * *y };
                *y =
                    if self.is_2n { *y + beta * *other } else { (first + third) * *y + second * *other + beta * *rate };
            }
        } else if self.is_2n {
            for ((y, rate), change) in variables {
                *change = delta * *change + h * *rate;
                *y += beta * *change;
            }
        } else if self.keeps_third && delta == 0.0 && first == 0.0 {
            for (((y, rate), sum), before) in variables.zip(before) {
                *y = second * *sum + third * *before + beta * *rate;
            }
        } else if third != 0.0 {
            for (((y, rate), sum), before) in variables.zip(before) {
                *sum += delta * *y;
                *y = first * *y + second * *sum + third * *before + beta * *rate;
            }
        } else {
            for ((y, rate), sum) in variables {
                *sum += delta * *y;
                *y = first * *y + second * *sum + beta * *rate;
            }
        }
    }
}

/// The registers of a partition: the argument and its rate, the second one, and the state at the beginning of the step, which
/// may be empty.
struct Registers<'a> {
    y: &'a mut [f64],
    rate: &'a [f64],
    second: &'a mut [f64],
    third: &'a [f64],
}

impl<S: System + ?Sized> Stepper<S> for LowStorage {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        if !self.third.is_empty() {
            self.third.copy_from_slice(y);
        }
        for i in 0..self.stages {
            let mut start = 0;
            for part in &self.parts {
                let range = start..start + part.size;
                if let Some((_, factor)) = part.moved.filter(|(stage, _)| *stage == i) {
                    for (y, before) in y[range.clone()].iter_mut().zip(&self.third[range.clone()]) {
                        *y = factor * *y + (1.0 - factor) * before;
                    }
                }
                start = range.end;
            }
            // All rates come before the first change of an argument.
            let mut start = 0;
            for (r, part) in self.parts.iter().enumerate() {
                if let Some(stage) = part.stages[i] {
                    system.rate(r, t + stage.c * h, y, &mut self.rate[start..start + part.size]);
                }
                start += part.size;
            }
            let mut start = 0;
            for part in &self.parts {
                let range = start..start + part.size;
                if let Some(stage) = part.stages[i] {
                    let third = self.third.get(range.clone()).unwrap_or_default();
                    let (rate, second) = (&self.rate[range.clone()], &mut self.second[range.clone()]);
                    let registers = Registers { y: &mut y[range.clone()], rate, second, third };
                    part.update(stage, i == 0, h, registers);
                }
                start = range.end;
            }
        }
        let is_finite = y.iter().fold(true, |finite, value| finite & value.is_finite());
        if is_finite { Ok(()) } else { Err(StepError::NotFinite { t, h }) }
    }
}
