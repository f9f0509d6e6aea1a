//! A method with M micro-steps, for any M.

use hemiola_tableau::{Claims, Coefficient, Exact, MethodError, Source, Validator};
use num_traits::Zero;

use super::polynomial::RatioPolynomial;

/// Largest number of stages of a tableau.
const MOST_STAGES: usize = 16;

/// A square tableau (A, b): the slow one, or that of a micro-step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MicroStepTableau {
    /// The matrix A.
    pub a: Vec<Vec<Coefficient>>,
    /// The weights b.
    pub b: Vec<Coefficient>,
}

impl MicroStepTableau {
    /// Iterates over the values of all entries.
    fn values(&self) -> impl Iterator<Item = &Exact> {
        self.a.iter().flatten().chain(&self.b).map(Coefficient::value)
    }
}

/// Largest allowed minimum number of micro-steps.
const LARGEST_LEAST_RATIO: usize = 8;

/// A matrix of couplings.
pub type Entries = Vec<Vec<RatioPolynomial>>;

/// The matrices A^{SF,λ}, by which fast slopes enter slow stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlowFastCoupling {
    /// For every micro-step λ.
    pub every: Entries,
    /// Added for the first micro-step only; may be empty.
    pub first: Entries,
    /// The polynomial in M that divides all entries.
    pub divisor: Option<RatioPolynomial>,
}

impl SlowFastCoupling {
    /// Computes the entry of a slow stage and a fast slope in the micro-step λ of M.
    pub(super) fn at(&self, [i, j]: [usize; 2], lambda: u64, ratio: u64) -> Exact {
        let first = self.first.get(i).filter(|_| lambda == 1);
        let first = first.map_or_else(Exact::zero, |row| row[j].at(1, ratio));
        divided(self.every[i][j].at(lambda, ratio) + first, self.divisor.as_ref(), ratio)
    }
}

/// The matrices A^{FS,λ}, by which slow slopes enter fast stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FastSlowCoupling {
    /// For every micro-step λ.
    pub every: Entries,
    /// Replacement for the first micro-step; may be empty.
    pub first: Entries,
    /// Replacement for the last micro-step; may be empty.
    pub last: Entries,
    /// The polynomials in M that divide the entries for every, the first and the last micro-step.
    pub divisors: [Option<RatioPolynomial>; 3],
}

impl FastSlowCoupling {
    /// Computes the entry of a fast stage and a slow slope in the micro-step λ of M.
    pub(super) fn at(&self, [i, j]: [usize; 2], lambda: u64, ratio: u64) -> Exact {
        let [every, first, last] = &self.divisors;
        let (entries, divisor) = match lambda {
            1 if !self.first.is_empty() => (&self.first, first),
            _ if lambda == ratio && !self.last.is_empty() => (&self.last, last),
            _ => (&self.every, every),
        };
        divided(entries[i][j].at(lambda, ratio), divisor.as_ref(), ratio)
    }
}

/// Divides by a polynomial in M without zeros at the allowed numbers of micro-steps.
fn divided(value: Exact, divisor: Option<&RatioPolynomial>, ratio: u64) -> Exact {
    let inverse = divisor.and_then(|divisor| divisor.at(1, ratio).reciprocal());
    inverse.into_iter().fold(value, |value, inverse| value * inverse)
}

/// A method with a slow tableau (A^S, b^S), and a fast one (A^F, b^F) used M times in a step (Günther & Sandu, Multirate
/// generalized additive Runge–Kutta methods, Numerische Mathematik 133, 2016, section 3).
///
/// For slow and fast slopes k_j and l_j^λ, λ = 1 … M, the stages are
///
/// - fast, micro-step λ: h Σ A^{FS,λ}_ij k_j + h/M (Σ_{μ<λ} Σ b^F_j l_j^μ + Σ A^F_ij l_j^λ);
/// - slow: h Σ A^S_ij k_j + h/M Σ_λ Σ A^{SF,λ}_ij l_j^λ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MicroStepMethod {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) slow: MicroStepTableau,
    pub(super) fast: MicroStepTableau,
    pub(super) fast_slow: FastSlowCoupling,
    pub(super) slow_fast: SlowFastCoupling,
    pub(super) least_ratio: usize,
    pub(super) claims: Claims,
    pub(super) source: Source,
}

impl MicroStepMethod {
    /// Returns the id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the claims of the source about the method, for every M.
    #[must_use]
    pub fn claims(&self) -> Claims {
        self.claims
    }

    /// Returns the publication of the method.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the numbers of slow stages and of fast stages in a micro-step.
    #[must_use]
    pub fn stages(&self) -> [usize; 2] {
        [self.slow.b.len(), self.fast.b.len()]
    }

    /// Returns the slow tableau.
    #[must_use]
    pub fn slow(&self) -> &MicroStepTableau {
        &self.slow
    }

    /// Returns the tableau of a micro-step.
    #[must_use]
    pub fn fast(&self) -> &MicroStepTableau {
        &self.fast
    }

    /// Returns the minimum number M of micro-steps, which is one for most methods.
    ///
    /// ```
    /// let method = hemiola_multirate::microsteps::library::method("mrgark-ex4-ex4")?;
    /// assert!(method.least_ratio() == 2 && method.at(1).is_err());
    /// # Ok::<(), hemiola_tableau::MethodError>(())
    /// ```
    #[must_use]
    pub fn least_ratio(&self) -> usize {
        self.least_ratio
    }

    /// Returns the matrices A^{FS,λ}.
    #[must_use]
    pub fn fast_slow(&self) -> &FastSlowCoupling {
        &self.fast_slow
    }

    /// Returns the matrices A^{SF,λ}.
    #[must_use]
    pub fn slow_fast(&self) -> &SlowFastCoupling {
        &self.slow_fast
    }

    /// Returns whether another method has the same coefficients.
    #[must_use]
    pub fn is_same_step(&self, other: &Self) -> bool {
        self.slow.values().eq(other.slow.values())
            && self.fast.values().eq(other.fast.values())
            && self.stages() == other.stages()
            && self.fast_slow == other.fast_slow
            && self.slow_fast == other.slow_fast
            && self.least_ratio == other.least_ratio
    }

    /// Returns the method with another id.
    ///
    /// # Errors
    /// Returns [`MethodError::Invalid`] unless the id consists of lower-case words joined by hyphens.
    pub fn with_id(self, id: &str) -> Result<Self, MethodError> {
        Validator::new("the new method").heading(id, &self.name, None)?;
        Ok(Self { id: id.to_owned(), ..self })
    }

    pub(super) fn validated(self, origin: &str) -> Result<Self, MethodError> {
        let validator = Validator::new(origin);
        validator.heading(&self.id, &self.name, None)?;
        validator.claimed_orders(self.claims)?;
        let others = Claims { order: None, ..self.claims };
        let expected = "a claim of `order` only";
        validator.require(others == Claims::default(), "claims", "a claim of another order", expected)?;
        let [slow, fast] = self.stages();
        for (name, part) in [("slow", &self.slow), ("fast", &self.fast)] {
            let count = part.b.len();
            let fits = (1..=MOST_STAGES).contains(&count);
            validator.require(fits, &format!("{name}.b"), format!("length {count}"), "from 1 to 16 weights")?;
            shape(&validator, &format!("{name}.a"), &part.a, [count, count])?;
        }
        let least = self.least_ratio;
        let expected = "a number of micro-steps from 1 to 8";
        validator.require((1..=LARGEST_LEAST_RATIO).contains(&least), "least_ratio", least.to_string(), expected)?;
        shape(&validator, "coupling.fast_slow", &self.fast_slow.every, [fast, slow])?;
        let [every, first, last] = &self.fast_slow.divisors;
        for (name, entries, divisor) in [("first", &self.fast_slow.first, first), ("last", &self.fast_slow.last, last)]
        {
            let path = format!("coupling.fast_slow_in_{name}");
            if !entries.is_empty() {
                shape(&validator, &path, entries, [fast, slow])?;
            }
            let fits = divisor.is_none() || !entries.is_empty();
            let expected = format!("entries `fast_slow_in_{name}` that it divides");
            validator.require(fits, &format!("{path}_divisor"), "a divisor alone", &expected)?;
        }
        for (name, divisor) in [
            ("fast_slow", every),
            ("fast_slow_in_first", first),
            ("fast_slow_in_last", last),
            ("slow_fast", &self.slow_fast.divisor),
        ] {
            let fits = divisor.as_ref().is_none_or(|divisor| divisor.is_divisor_from(least as u64));
            let expected = format!("a polynomial in M without zeros at the integers M ≥ {least}");
            let found = divisor.as_ref().map_or_else(String::new, ToString::to_string);
            validator.require(fits, &format!("coupling.{name}_divisor"), found, &expected)?;
        }
        // With M = 1 the only micro-step would be both the first and the last.
        let has_first = !(self.fast_slow.first.is_empty() && self.slow_fast.first.is_empty());
        let is_apart = least > 1 || self.fast_slow.last.is_empty() || !has_first;
        let expected = "2 or more: the first and the last micro-step have couplings of their own";
        validator.require(is_apart, "least_ratio", "1", expected)?;
        shape(&validator, "coupling.slow_fast", &self.slow_fast.every, [slow, fast])?;
        if !self.slow_fast.first.is_empty() {
            shape(&validator, "coupling.slow_fast_first", &self.slow_fast.first, [slow, fast])?;
        }
        Ok(self)
    }
}

fn shape<T>(validator: &Validator, path: &str, rows: &[Vec<T>], expected: [usize; 2]) -> Result<(), MethodError> {
    let [height, width] = expected;
    let text = format!("{height} rows of {width} entries");
    validator.require(rows.len() == height, path, format!("{} rows", rows.len()), &text)?;
    for (i, row) in rows.iter().enumerate() {
        validator.require(row.len() == width, &format!("{path}[{i}]"), format!("length {}", row.len()), &text)?;
    }
    Ok(())
}
