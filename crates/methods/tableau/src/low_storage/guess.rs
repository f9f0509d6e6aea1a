//! Parameters of a class from the rows of a tableau.

use crate::Divisible;
use crate::low_storage::StorageClass;
use crate::low_storage::family::{LowerRows, StorageFamily};

/// A tableau whose parameters in a class are sought.
pub(crate) struct Guess<'a, T> {
    pub(crate) family: StorageFamily,
    /// The rows of A below the first, b, and the embedded weights if they belong to the form.
    pub(crate) rows: &'a LowerRows<T>,
    /// Whether a number counts as zero.
    pub(crate) is_negligible: &'a dyn Fn(&T) -> bool,
}

impl<T: Divisible> Guess<'_, T> {
    /// Returns the parameters of the form, or `None` if a row contradicts the class. Parameters without effect are zero.
    pub(crate) fn parameters(&self) -> Option<Vec<T>> {
        match self.family.class {
            StorageClass::TwoN => self.of_2n(),
            StorageClass::Houwen(registers) => self.of_houwen(registers),
            _ => self.of_registers(),
        }
    }

    fn vanish<'b>(&self, mut numbers: impl Iterator<Item = &'b T>) -> bool
    where
        T: 'b,
    {
        numbers.all(|x| (self.is_negligible)(x))
    }

    fn agree(&self, x: &T, y: &T) -> bool {
        (self.is_negligible)(&(x.clone() - y.clone()))
    }

    /// Finds A and B from the changes B_k p_k of the solution, p_k = e_k + A_k p_{k−1}. Where B_k = 0, A_k follows from
    /// the next change, which contains the product of the factors in between.
    fn of_2n(&self) -> Option<Vec<T>> {
        let s = self.family.stages;
        let (mut a, mut b) = (vec![T::zero(); s], Vec::with_capacity(s));
        let mut known: Vec<T> = Vec::new();
        for k in 0..s {
            let before = |j: usize| if k == 0 || j == k { T::zero() } else { self.rows[k - 1][j].clone() };
            let change: Vec<T> = (0..=k).map(|j| self.rows[k][j].clone() - before(j)).collect();
            if (self.is_negligible)(&change[k]) {
                if !self.vanish(change.iter()) {
                    return None;
                }
                b.push(T::zero());
                continue;
            }
            let inverse = change[k].inverse()?;
            let mut direction: Vec<T> = change[..k].iter().map(|x| x.clone() * inverse.clone()).collect();
            direction.push(T::one());
            for j in (known.len().max(1)..=k).rev() {
                let is_free = (self.is_negligible)(&direction[j]);
                a[j] = if is_free { T::zero() } else { direction[j - 1].clone() * direction[j].inverse()? };
            }
            if let Some(last) = known.len().checked_sub(1) {
                let follows = |(x, y): (&T, &T)| self.agree(x, &(direction[last].clone() * y.clone()));
                if !direction.iter().zip(&known).all(follows) {
                    return None;
                }
            }
            b.push(change[k].clone());
            known = direction;
        }
        a.extend(b);
        Some(a)
    }

    fn of_houwen(&self, registers: usize) -> Option<Vec<T>> {
        let s = self.family.stages;
        let b = &self.rows[s - 1];
        let has_weights = |i: usize| (0..=i.saturating_sub(registers)).all(|j| self.agree(&self.rows[i - 1][j], &b[j]));
        if !(registers..s).all(has_weights) {
            return None;
        }
        let diagonal = |k: usize| (0..s.saturating_sub(k)).map(move |j| self.rows[j + k - 1][j].clone());
        Some(b.iter().cloned().chain((1..registers).flat_map(diagonal)).collect())
    }

    /// Expresses every row by the rows before it. Each derivative enters with β alone, so the expression is unique, and
    /// its factors before the last are gᵢδₖ.
    fn of_registers(&self) -> Option<Vec<T>> {
        let (s, first) = (self.family.stages, self.family.first_summand());
        let beta: Vec<T> = (0..s).map(|i| self.rows[i][i].clone()).collect();
        if beta[..s - 1].iter().any(|beta| (self.is_negligible)(beta)) {
            return None;
        }
        let is_retained = self.family.class == StorageClass::TwoSStar;
        let (mut delta, mut g, mut x) = (SummandFactors::default(), Vec::new(), Vec::new());
        for i in 0..self.rows.len() {
            let mut factors = self.expansion(i)?;
            let last = factors.pop()?;
            let summands = if i == 0 { &[] } else { &factors[first.min(i)..] };
            g.push(if is_retained {
                self.vanish(summands.iter()).then(T::zero)?
            } else {
                delta.extend(summands, self)?
            });
            x.push(last);
        }
        let mut delta: Vec<T> = vec![T::zero(); first].into_iter().chain(delta.factors).collect();
        delta.resize(s, T::zero());
        Some([beta, delta, g, x].concat())
    }

    /// Returns the factors of uₙ (K₀ = 0) and of the rows K₁, …, Kᵢ in Kᵢ₊₁; they sum to one.
    fn expansion(&self, i: usize) -> Option<Vec<T>> {
        let mut rest = self.rows[i][..i.min(self.family.stages)].to_vec();
        let mut factors = vec![T::one()];
        factors.resize(i + 1, T::zero());
        for k in (1..=i).rev() {
            let row = &self.rows[k - 1];
            if (self.is_negligible)(&row[k - 1]) {
                return None;
            }
            let factor = rest[k - 1].clone() * row[k - 1].inverse()?;
            rest.iter_mut().zip(row).for_each(|(x, y)| *x += -(factor.clone() * y.clone()));
            factors[0] += -factor.clone();
            factors[k] = factor;
        }
        Some(factors)
    }
}

/// The factors δ, as far as rows determine them up to their scale: the first nonzero one is set to one.
struct SummandFactors<T> {
    factors: Vec<T>,
}

impl<T> Default for SummandFactors<T> {
    fn default() -> Self {
        Self { factors: Vec::new() }
    }
}

impl<T: Divisible> SummandFactors<T> {
    /// Returns g of a row g·δ, and adds the factors δ that earlier rows do not determine. Returns `None` if the row is
    /// not a multiple of the known factors.
    fn extend(&mut self, row: &[T], guess: &Guess<'_, T>) -> Option<T> {
        let is_set = |x: &T| !(guess.is_negligible)(x);
        let Some(first) = row.iter().position(is_set) else { return Some(T::zero()) };
        let anchor = self.factors.iter().position(is_set).unwrap_or(first);
        let g = match self.factors.get(anchor) {
            Some(factor) => row[anchor].clone() * factor.inverse()?,
            None => row[anchor].clone(),
        };
        if !is_set(&g) || !row.iter().zip(&self.factors).all(|(x, y)| guess.agree(x, &(g.clone() * y.clone()))) {
            return None;
        }
        let inverse = g.inverse()?;
        let more = row[self.factors.len()..].iter().map(|x| x.clone() * inverse.clone());
        self.factors.extend(more);
        Some(g)
    }
}
