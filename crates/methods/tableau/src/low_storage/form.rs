//! Coefficients of a low-storage form, and the tableau that they represent.

use num_traits::Zero;

use crate::low_storage::{StorageClass, StorageError};
use crate::validate::MOST_STAGES;
use crate::{Butcher, Divisible, Exact, Scalar};

/// Largest deviation from one of the sum of the factors of uₙ in a stage, for coefficients with few digits.
const AGREEMENT: f64 = 1e-4;

/// The coefficients of a method in a low-storage form.
///
/// ```
/// use hemiola_tableau::low_storage::{StorageClass, StorageForm};
/// use hemiola_tableau::{Exact, library};
/// // Williamson 1980: A = 0, −5/9, −153/128 and B = 1/3, 15/16, 8/15.
/// let ratios = |list: [(i64, u64); 3]| list.map(|(p, q)| Exact::from_ratio(p, q)).to_vec();
/// let [a, b] = [[(0, 1), (-5, 9), (-153, 128)], [(1, 3), (15, 16), (8, 15)]].map(ratios);
/// let form = StorageForm::new(StorageClass::TwoN, vec![a, b])?;
/// assert_eq!(form.butcher(), library::method("williamson-3")?.exact().partitions[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageForm<T = Exact> {
    class: StorageClass,
    vectors: Vec<Vec<T>>,
}

impl StorageForm {
    /// Creates a form from its vectors, in the order of their names:
    ///
    /// - 2N: A and B, s entries each, A₁ = 0.
    /// - mR: b with s entries, then the subdiagonals a1, a2, … of A with s − 1, s − 2, … entries, m − 1 of them.
    /// - 2S: γ₁, γ₂, β with s entries each, and δ with s, or s + 1 with embedded weights.
    /// - 2S*: γ₁, γ₂ and β with s entries each.
    /// - 3S*: γ₁, γ₂, γ₃ and β with s entries each, and δ with s, or s + 2 with embedded weights (Parsani, Ketcheson &
    ///   Deconinck 2013).
    ///
    /// # Errors
    /// [`StorageError::WrongLength`] if a vector is absent, too short or too long; [`StorageError::Inconsistent`] if A₁
    /// is not zero, if the factors of uₙ in a stage do not sum to one, or if the entries of a δ with embedded weights
    /// sum to zero.
    pub fn new(class: StorageClass, vectors: Vec<Vec<Exact>>) -> Result<Self, StorageError> {
        let form = Self { class, vectors };
        form.check_lengths()?;
        form.check_consistency()?;
        Ok(form)
    }

    fn check_lengths(&self) -> Result<(), StorageError> {
        let (names, s) = (self.class.names(), self.stages());
        let wrong = |vector: &str, found: usize, expected: String| {
            Err(StorageError::WrongLength { class: self.class.to_string(), vector: vector.to_owned(), found, expected })
        };
        if self.vectors.len() != names.len() {
            return wrong("the list of vectors", self.vectors.len(), names.join(", "));
        }
        if s == 0 || s > MOST_STAGES {
            return wrong("each vector", s, format!("1 to {MOST_STAGES}, one for each stage"));
        }
        for (k, (name, vector)) in names.iter().zip(&self.vectors).enumerate() {
            let found = vector.len();
            let (fits, expected) = match self.class {
                StorageClass::Houwen(_) => (found == s.saturating_sub(k), s.saturating_sub(k).to_string()),
                StorageClass::TwoS if name == "delta" => (found == s || found == s + 1, format!("{s} or {}", s + 1)),
                StorageClass::ThreeSStar if name == "delta" => {
                    (found == s || found == s + 2, format!("{s} or {}", s + 2))
                }
                _ => (found == s, s.to_string()),
            };
            if !fits {
                return wrong(name, found, expected);
            }
        }
        Ok(())
    }

    fn check_consistency(&self) -> Result<(), StorageError> {
        let wrong = |value: String, found: &Exact, expected: &'static str| {
            Err(StorageError::Inconsistent { class: self.class.to_string(), value, found: found.to_f64(), expected })
        };
        match self.class {
            StorageClass::TwoN if !self.vectors[0][0].is_zero() => return wrong("A1".into(), &self.vectors[0][0], "0"),
            StorageClass::TwoN | StorageClass::Houwen(_) => return Ok(()),
            _ => {}
        }
        let s = self.stages();
        for i in 0..s {
            let second = self.delta().map_or_else(|| Exact::from(1), |delta| sum(&delta[..=i]));
            let mut factor = self.vectors[0][i].clone() + self.vectors[1][i].clone() * second;
            if self.class == StorageClass::ThreeSStar {
                factor += self.vectors[2][i].clone();
            }
            if (factor.to_f64() - 1.0).abs() > AGREEMENT {
                return wrong(format!("the factor of the initial value after step {}", i + 1), &factor, "1");
            }
        }
        match self.delta().filter(|delta| delta.len() > s).map(sum) {
            Some(total) if total.is_zero() => wrong("the sum of delta".into(), &total, "a number other than 0"),
            _ => Ok(()),
        }
    }
}

impl<T: Scalar> StorageForm<T> {
    /// Creates a form without checking its vectors.
    pub(super) fn unchecked(class: StorageClass, vectors: Vec<Vec<T>>) -> Self {
        Self { class, vectors }
    }

    /// Returns the form with its coefficients in another number type.
    ///
    /// ```
    /// use hemiola_tableau::low_storage::{StorageClass, StorageForm};
    /// use hemiola_tableau::Exact;
    /// let euler = StorageForm::new(StorageClass::TwoN, vec![vec![Exact::from(0)], vec![Exact::from(1)]])?;
    /// assert_eq!(euler.converted(|x| x.to_f64()).vectors()[1].1, [1.0]);
    /// # Ok::<(), hemiola_tableau::low_storage::StorageError>(())
    /// ```
    pub fn converted<U>(&self, convert: impl Fn(&T) -> U) -> StorageForm<U> {
        let vectors = self.vectors.iter().map(|vector| vector.iter().map(&convert).collect()).collect();
        StorageForm { class: self.class, vectors }
    }

    /// Returns a coefficient to be changed, counted through all vectors.
    pub(crate) fn coefficient_mut(&mut self, index: usize) -> Option<&mut T> {
        self.vectors.iter_mut().flatten().nth(index)
    }

    /// Returns the class.
    #[must_use]
    pub fn class(&self) -> StorageClass {
        self.class
    }

    /// Returns the vectors of coefficients with their names.
    #[must_use]
    pub fn vectors(&self) -> Vec<(String, &[T])> {
        self.class.names().into_iter().zip(self.vectors.iter().map(Vec::as_slice)).collect()
    }

    /// Returns the number of stages s.
    #[must_use]
    pub fn stages(&self) -> usize {
        match self.class {
            StorageClass::TwoN | StorageClass::Houwen(_) => self.vectors.first(),
            _ => self.vectors.get(self.beta()),
        }
        .map_or(0, Vec::len)
    }

    /// Computes the tableau, exactly.
    #[must_use]
    pub fn butcher(&self) -> Butcher<T> {
        let mut rows = match self.class {
            StorageClass::TwoN => self.rows_of_2n(),
            StorageClass::Houwen(registers) => self.rows_of_houwen(registers),
            _ => self.rows_of_2s().0,
        };
        let b = rows.pop().unwrap_or_default();
        let c = rows.iter().map(|row| row.iter().fold(T::zero(), |sum, x| sum + x.clone())).collect();
        Butcher { a: rows, b, c }
    }

    fn rows_of_2n(&self) -> Vec<Vec<T>> {
        let s = self.stages();
        let mut change = vec![T::zero(); s];
        let mut rows = vec![change.clone()];
        for i in 0..s {
            change.iter_mut().for_each(|x| *x = x.clone() * self.vectors[0][i].clone());
            change[i] += T::one();
            let next = rows[i].iter().zip(&change).map(|(u, x)| u.clone() + self.vectors[1][i].clone() * x.clone());
            rows.push(next.collect());
        }
        rows
    }

    fn rows_of_houwen(&self, registers: usize) -> Vec<Vec<T>> {
        let s = self.stages();
        let entry = |i: usize, j: usize| match i - j {
            distance if i == s || distance >= registers => self.vectors[0][j].clone(),
            distance => self.vectors[distance][j].clone(),
        };
        let row = |i: usize| (0..s).map(|j| if j < i { entry(i, j) } else { T::zero() }).collect();
        (0..=s).map(row).collect()
    }

    /// Returns the rows of A and b, and the final row of S₂, by following the registers through the stages.
    fn rows_of_2s(&self) -> (Vec<Vec<T>>, Vec<T>) {
        let s = self.stages();
        let mut s2 = vec![T::zero(); s];
        let mut rows = vec![s2.clone()];
        for i in 0..s {
            if let Some(delta) = self.delta() {
                s2.iter_mut().zip(&rows[i]).for_each(|(x, u)| *x += delta[i].clone() * u.clone());
            }
            let [first, second] = [0, 1].map(|k| self.vectors[k][i].clone());
            let combined = |(u, x): (&T, &T)| first.clone() * u.clone() + second.clone() * x.clone();
            let mut next: Vec<T> = rows[i].iter().zip(&s2).map(combined).collect();
            next[i] += self.vectors[self.beta()][i].clone();
            rows.push(next);
        }
        (rows, s2)
    }

    fn beta(&self) -> usize {
        if self.class == StorageClass::ThreeSStar { 3 } else { 2 }
    }

    /// Returns δ; `None` for 2S*, where S₂ remains uₙ.
    fn delta(&self) -> Option<&[T]> {
        match self.class {
            StorageClass::TwoS | StorageClass::ThreeSStar => self.vectors.get(self.beta() + 1).map(Vec::as_slice),
            _ => None,
        }
    }
}

impl<T: Divisible> StorageForm<T> {
    /// Computes the embedded weights of a form 2S or 3S* that has them: û = (S₂ + δ_{s+1}S₁ + δ_{s+2}S₃)/Σδ.
    #[must_use]
    pub fn embedded(&self) -> Option<Vec<T>> {
        let s = self.stages();
        let delta = self.delta().filter(|delta| delta.len() > s)?;
        let (rows, accumulated) = self.rows_of_2s();
        let scale = sum(delta).inverse()?;
        let weight = |(s2, s1): (T, &T)| (s2 + delta[s].clone() * s1.clone()) * scale.clone();
        Some(accumulated.into_iter().zip(rows.last()?).map(weight).collect())
    }
}

fn sum<T: Scalar>(numbers: &[T]) -> T {
    numbers.iter().fold(T::zero(), |sum, x| sum + x.clone())
}
