//! Parameters: numbers that a model depends on, with units and sources.

/// A number that a model depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key, such as `wheel-mass`.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The value.
    pub value: f64,
    /// The unit.
    pub unit: &'static str,
    /// The source of the default value.
    pub source: &'static str,
    /// The admissible values.
    pub(crate) range: Range,
}

/// The admissible values of a parameter; all are finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    Positive,
    NotNegative,
    Real,
    /// From zero to below one.
    Fraction,
    /// An integer from 1 to 30, as the square of twice the product of two is the size of a matrix.
    Count,
}

impl Range {
    pub(crate) fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
                Self::Real => true,
                Self::Fraction => (0.0..1.0).contains(&value),
                Self::Count => (1.0..=30.0).contains(&value) && value.fract() == 0.0,
            }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Positive => "a finite number > 0",
            Self::NotNegative => "a finite number ≥ 0",
            Self::Real => "a finite number",
            Self::Fraction => "a number ≥ 0 and < 1",
            Self::Count => "an integer from 1 to 30",
        }
    }
}

impl Parameter {
    /// A positive parameter.
    pub(crate) const fn new(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Self {
        Self { name, meaning, value, unit, source: "chosen", range: Range::Positive }
    }

    pub(crate) const fn from(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    pub(crate) const fn within(self, range: Range) -> Self {
        Self { range, ..self }
    }
}

/// Two tables as one; N = A + B.
pub(crate) const fn joined<const A: usize, const B: usize, const N: usize>(
    first: [Parameter; A],
    second: [Parameter; B],
) -> [Parameter; N] {
    let mut all = [first[0]; N];
    let mut k = 0;
    while k < N {
        all[k] = if k < A { first[k] } else { second[k - A] };
        k += 1;
    }
    all
}

/// The values of a model's parameters, by their names.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a>(pub(crate) &'a [Parameter]);

impl Values<'_> {
    /// NaN if the table has no such name, which the tests of all models would notice.
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|parameter| parameter.name == name).map_or(f64::NAN, |parameter| parameter.value)
    }
}
