//! Parameters of a model: numbers and choices, with units and sources.

use std::fmt;

/// Value of a parameter: a number, or one of the words of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number.
    Number(f64),
    /// A word.
    Word(&'a str),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(word: &'a str) -> Self {
        Self::Word(word)
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// A number or a choice on which a model depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key, such as `wheel-mass`.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The value; for a choice, the index of its word, from 0.
    pub value: f64,
    /// The unit.
    pub unit: &'static str,
    /// The source of the default value.
    pub source: &'static str,
    /// The admissible values.
    pub(crate) range: AdmissibleValues,
}

/// Admissible values of a parameter; all are finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdmissibleValues {
    Positive,
    NotNegative,
    Real,
    /// A number from zero to below one.
    Fraction,
    /// An integer from 1 to 30. The size of a matrix is the square of twice the product of two counts.
    Count,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A degree of polynomials, from 0 to 6.
    Degree,
    /// A gear, from 1 to 5.
    Gear,
}

/// Former words of choices, with their replacements. They are accepted but not listed.
const FORMER: [(&str, &str); 1] = [("full", "direct")];

impl AdmissibleValues {
    pub(crate) fn contains(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
                Self::Real => true,
                Self::Fraction => (0.0..1.0).contains(&value),
                Self::Count => (1.0..=30.0).contains(&value) && value.fract() == 0.0,
                Self::Choice(words) => (0.0..words.len() as f64).contains(&value) && value.fract() == 0.0,
                Self::Gear => (1.0..=5.0).contains(&value) && value.fract() == 0.0,
                Self::Degree => (0.0..=6.0).contains(&value) && value.fract() == 0.0,
            }
    }

    pub(crate) fn text(self) -> String {
        let text = match self {
            Self::Choice(words) => return format!("one of: {}", words.join(", ")),
            Self::Positive => "a finite number > 0",
            Self::NotNegative => "a finite number ≥ 0",
            Self::Real => "a finite number",
            Self::Fraction => "a number ≥ 0 and < 1",
            Self::Count => "an integer from 1 to 30",
            Self::Gear => "an integer from 1 to 5",
            Self::Degree => "an integer from 0 to 6",
        };
        text.to_owned()
    }

    /// Converts a value to a number of the range; `None` if it is out of range.
    pub(crate) fn number(self, value: Value<'_>) -> Option<f64> {
        match (self, value) {
            (Self::Choice(words), Value::Word(word)) => {
                let place = |word: &str| words.iter().position(|known| *known == word);
                let present =
                    || FORMER.iter().find(|(former, _)| *former == word).and_then(|(_, present)| place(present));
                place(word).or_else(present).map(|k| k as f64)
            }
            (Self::Choice(_), Value::Number(_)) | (_, Value::Word(_)) => None,
            (_, Value::Number(number)) => self.contains(number).then_some(number),
        }
    }
}

impl Parameter {
    /// Creates a positive parameter.
    pub(crate) const fn new(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Self {
        Self { name, meaning, value, unit, source: "chosen", range: AdmissibleValues::Positive }
    }

    /// Creates a choice with the first word as default.
    pub(crate) const fn choice(name: &'static str, meaning: &'static str, words: &'static [&'static str]) -> Self {
        Self { name, meaning, value: 0.0, unit: "", source: "chosen", range: AdmissibleValues::Choice(words) }
    }

    /// Returns the words of a choice, the default first; none for a number.
    ///
    /// ```
    /// let table = hemiola_models::parameters("planar-vehicle")?;
    /// let rings = table.iter().find(|parameter| parameter.name == "rings");
    /// assert_eq!(rings.map(|rings| rings.words()), Some(&["relative", "absolute"][..]));
    /// # Ok::<(), hemiola_models::ModelError>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> &'static [&'static str] {
        if let AdmissibleValues::Choice(words) = self.range { words } else { &[] }
    }

    /// Returns the value: a number, or the chosen word.
    #[must_use]
    pub fn setting(&self) -> Value<'static> {
        let word = self.words().get(self.value as usize);
        word.map_or(Value::Number(self.value), |word| Value::Word(word))
    }

    pub(crate) const fn from(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    pub(crate) const fn within(self, range: AdmissibleValues) -> Self {
        Self { range, ..self }
    }
}

/// Joins two tables; N = A + B.
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

/// Values of a model's parameters, by name.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a>(pub(crate) &'a [Parameter]);

impl Values<'_> {
    /// Returns the value of a parameter. NaN stands for an unknown name, which the tests of all models would reveal.
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.0.iter().find(|parameter| parameter.name == name).map_or(f64::NAN, |parameter| parameter.value)
    }

    /// Returns whether a choice has this word.
    pub(crate) fn is(&self, name: &str, word: &str) -> bool {
        self.0.iter().any(|parameter| parameter.name == name && parameter.setting() == Value::Word(word))
    }
}
