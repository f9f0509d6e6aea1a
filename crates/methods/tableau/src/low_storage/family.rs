//! All tableaus of a class, by free parameters.

use crate::low_storage::{StorageClass, StorageForm};
use crate::{Divisible, Exact, Scalar};

/// The rows of A below the first, then b, then the embedded weights if the family has them. Row i has i + 1 entries;
/// the row of embedded weights has s.
pub type LowerRows<T> = Vec<Vec<T>>;

/// The tableaus of a class with s stages.
///
/// Parameters are the entries of the form for 2N and mR. Those of 2S, 2S* and 3S* are βᵢ, δₖ, gᵢ and xᵢ of the rows
/// Kᵢ₊₁ = xᵢKᵢ + gᵢ Σₖ₍ₖ﹤ᵢ₎ δₖKₖ + βᵢeᵢ, s of each; embedded weights are another such row without β. For 2S the factors
/// of uₙ sum to one, xᵢ = 1 − gᵢ Σ δₖ; 2S* has gᵢ = 0.
///
/// ```
/// use hemiola_tableau::low_storage::{StorageClass, StorageFamily};
/// // Heun's method as 2N: A = 0, −1 and B = 1, 1/2.
/// let family = StorageFamily { class: StorageClass::TwoN, stages: 2, has_embedded: false };
/// assert_eq!(family.rows(&[0.0, -1.0, 1.0, 0.5]), [vec![1.0], vec![0.5, 0.5]]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageFamily {
    /// The class.
    pub class: StorageClass,
    /// The number of stages s.
    pub stages: usize,
    /// Whether embedded weights belong to the form; only in 2S and 3S*.
    pub has_embedded: bool,
}

/// Parameters of 2S, 2S* and 3S*.
pub(crate) struct RegisterParameters<'a, T> {
    pub(crate) beta: &'a [T],
    pub(crate) delta: &'a [T],
    pub(crate) g: &'a [T],
    pub(crate) x: &'a [T],
}

impl StorageFamily {
    /// Returns the index of the first summand of S₂: uₙ, at index 0, counts only in 2S, where no other register holds
    /// it.
    pub(crate) fn first_summand(self) -> usize {
        usize::from(self.class != StorageClass::TwoS)
    }

    pub(crate) fn split<T>(self, parameters: &[T]) -> RegisterParameters<'_, T> {
        let s = self.stages;
        let (beta, rest) = parameters.split_at(s);
        let (delta, rest) = rest.split_at(s);
        let (g, x) = rest.split_at(s + usize::from(self.has_embedded));
        RegisterParameters { beta, delta, g, x }
    }

    /// Returns the number of parameters.
    #[must_use]
    pub fn parameters(self) -> usize {
        let s = self.stages;
        match self.class {
            StorageClass::TwoN => 2 * s,
            StorageClass::Houwen(registers) => diagonal_start(s, registers),
            _ => 4 * s + 2 * usize::from(self.has_embedded),
        }
    }

    /// Computes the rows of the tableau for all parameters.
    #[must_use]
    pub fn rows<T: Scalar>(self, parameters: &[T]) -> LowerRows<T> {
        match self.class {
            StorageClass::TwoN => self.rows_of_2n(parameters),
            StorageClass::Houwen(registers) => self.rows_of_houwen(registers, parameters),
            _ => self.rows_of_registers(parameters),
        }
    }

    fn rows_of_2n<T: Scalar>(self, parameters: &[T]) -> LowerRows<T> {
        let (a, b) = parameters.split_at(self.stages);
        let mut change: Vec<T> = Vec::new();
        let mut row: Vec<T> = Vec::new();
        let step = |i: usize| {
            change.iter_mut().for_each(|x| *x = x.clone() * a[i].clone());
            change.push(T::one());
            row.push(T::zero());
            row.iter_mut().zip(&change).for_each(|(u, x)| *u += b[i].clone() * x.clone());
            row.clone()
        };
        (0..self.stages).map(step).collect()
    }

    fn rows_of_houwen<T: Scalar>(self, registers: usize, parameters: &[T]) -> LowerRows<T> {
        let s = self.stages;
        let entry = |i: usize, j: usize| {
            let distance = i - j;
            if i == s || distance >= registers { j } else { diagonal_start(s, distance) + j }
        };
        (1..=s).map(|i| (0..i).map(|j| parameters[entry(i, j)].clone()).collect()).collect()
    }

    fn rows_of_registers<T: Scalar>(self, parameters: &[T]) -> LowerRows<T> {
        let RegisterParameters { beta, delta, g, x } = self.split(parameters);
        let (mut sum, mut factors): (Vec<T>, T) = (Vec::new(), T::zero());
        let mut rows: LowerRows<T> = Vec::with_capacity(g.len());
        for i in 0..g.len() {
            let last: &[T] = if i == 0 { &[] } else { &rows[i - 1] };
            let mut row = vec![T::zero(); (i + 1).min(self.stages)];
            let factor = match self.class {
                StorageClass::TwoS => T::one() - g[i].clone() * factors.clone(),
                _ => x[i].clone(),
            };
            row.iter_mut().zip(last).for_each(|(u, k)| *u += factor.clone() * k.clone());
            if self.class != StorageClass::TwoSStar {
                row.iter_mut().zip(&sum).for_each(|(u, k)| *u += g[i].clone() * k.clone());
            }
            if i < self.stages {
                row[i] += beta[i].clone();
                sum.resize(i, T::zero());
                sum.iter_mut().zip(last).for_each(|(u, k)| *u += delta[i].clone() * k.clone());
                factors += delta[i].clone();
            }
            rows.push(row);
        }
        rows
    }

    /// Returns the form with these parameters; `None` if embedded weights do not depend on S₂.
    #[must_use]
    pub fn form(self, parameters: &[Exact]) -> Option<StorageForm> {
        let form = self.unchecked_form(parameters)?;
        StorageForm::new(self.class, form.vectors().into_iter().map(|(_, vector)| vector.to_vec()).collect()).ok()
    }

    /// Returns the form with these parameters in any arithmetic, without a check of its consistency.
    ///
    /// ```
    /// use hemiola_tableau::low_storage::{StorageClass, StorageFamily};
    /// let family = StorageFamily { class: StorageClass::TwoN, stages: 1, has_embedded: false };
    /// assert_eq!(family.unchecked_form(&[0.0, 1.0]).map(|form| form.stages()), Some(1));
    /// ```
    #[must_use]
    pub fn unchecked_form<T: Divisible>(self, parameters: &[T]) -> Option<StorageForm<T>> {
        let s = self.stages;
        let vectors = match self.class {
            StorageClass::TwoN => vec![parameters[..s].to_vec(), parameters[s..].to_vec()],
            StorageClass::Houwen(registers) => {
                let diagonal = |k: usize| parameters[diagonal_start(s, k)..][..s.saturating_sub(k)].to_vec();
                (0..registers).map(|k| if k == 0 { parameters[..s].to_vec() } else { diagonal(k) }).collect()
            }
            _ => self.register_vectors(&self.split(parameters))?,
        };
        Some(StorageForm::unchecked(self.class, vectors))
    }

    /// Returns the parameters of the same tableau with the scale of δ₂, δ₃, … for which the terms of the steps are small.
    ///
    /// In 3S*, S₂ = uₙ + Σ δₖKₖ, and only the products gᵢδₖ matter to the tableau. But γ₃ = 1 − γ₁ − γ₂ Σ δₖ subtracts
    /// what γ₂ has too much of uₙ, so a scale that is too small or too large loses digits. The scales considered are those
    /// with a δₖ = 1; the first δₖ that is not zero keeps this value unless terms become half as large.
    pub(crate) fn rescaled(self, parameters: Vec<Exact>) -> Vec<Exact> {
        if self.class != StorageClass::ThreeSStar {
            return parameters;
        }
        let s = self.stages;
        let doubles: Vec<f64> = parameters.iter().map(Exact::to_f64).collect();
        let RegisterParameters { delta, g, x, .. } = self.split(&doubles);
        let size = |scale: f64| -> f64 {
            let (mut sum, mut total, mut largest) = (1.0, 1.0, 0.0_f64);
            for i in 1..s {
                total += delta[i].abs() / scale.abs();
                sum += delta[i] / scale;
                let (gamma, second) = (x[i] - g[i] * delta[i], g[i] * scale);
                let third = 1.0 - gamma - second * sum;
                largest = largest.max(gamma.abs() + second.abs() * total + third.abs());
            }
            largest
        };
        let places: Vec<usize> = (1..s).filter(|&k| delta[k] != 0.0).collect();
        let best = places.iter().copied().min_by(|&k, &l| size(delta[k]).total_cmp(&size(delta[l])));
        let (Some(&first), Some(best)) = (places.first(), best) else { return parameters };
        if size(delta[first]) <= 2.0 * size(delta[best]) {
            return parameters;
        }
        let scale = parameters[s + best].clone();
        let Some(inverse) = scale.inverse() else { return parameters };
        let rescale = |(k, x): (usize, Exact)| match k {
            k if (s..2 * s).contains(&k) => x * inverse.clone(),
            k if (2 * s..3 * s + usize::from(self.has_embedded)).contains(&k) => x * scale.clone(),
            _ => x,
        };
        parameters.into_iter().enumerate().map(rescale).collect()
    }

    fn register_vectors<T: Divisible>(self, parameters: &RegisterParameters<'_, T>) -> Option<Vec<Vec<T>>> {
        let RegisterParameters { beta, delta, g, x } = parameters;
        let (s, one) = (self.stages, T::one());
        let mut delta = delta.to_vec();
        if self.class != StorageClass::TwoS {
            delta[0] = one.clone();
        }
        let is_retained = self.class == StorageClass::TwoSStar;
        let [mut first, mut second, mut third] = [const { Vec::new() }; 3];
        let mut factors = T::zero();
        for i in 0..s {
            let before = factors.clone();
            factors += delta[i].clone();
            // The first step combines only uₙ.
            let g = if i == 0 || is_retained { T::zero() } else { g[i].clone() };
            let x = match self.class {
                _ if i == 0 => one.clone(),
                StorageClass::TwoS => one.clone() - g.clone() * before,
                _ => x[i].clone(),
            };
            let gamma = x - g.clone() * delta[i].clone();
            third.push(one.clone() - gamma.clone() - g.clone() * factors.clone());
            first.push(gamma);
            second.push(g);
        }
        if self.has_embedded {
            let scale = g[s].inverse()?;
            let factor = match self.class {
                StorageClass::TwoS => one - g[s].clone() * factors.clone(),
                _ => x[s].clone(),
            };
            delta.push(factor * scale.clone());
            if self.class == StorageClass::ThreeSStar {
                delta.push(scale - delta.iter().fold(T::zero(), |sum, x| sum + x.clone()));
            }
        }
        let beta = beta.to_vec();
        Some(match self.class {
            StorageClass::TwoS => vec![first, second, beta, delta],
            StorageClass::TwoSStar => vec![first, third, beta],
            _ => vec![first, second, third, beta, delta],
        })
    }
}

/// Returns the index of the first parameter of a subdiagonal of mR, after b and the subdiagonals nearer to the
/// diagonal.
fn diagonal_start(s: usize, distance: usize) -> usize {
    s + (1..distance).map(|k| s.saturating_sub(k)).sum::<usize>()
}
