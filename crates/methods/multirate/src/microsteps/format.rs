//! Reading and writing of the format `hemiola-microsteps/1`.

use hemiola_tableau::json::{self, BoundedArray, CoefficientReader, OneLine, StrictObject, excerpt, read};
use hemiola_tableau::{Claims, Coefficient, MethodError, Source, Validator};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::method::{Entries, FastSlowCoupling, MicroStepMethod, MicroStepTableau, SlowFastCoupling};
use super::polynomial::RatioPolynomial;

/// Name of the format, the first field of every file.
pub const FORMAT: &str = "hemiola-microsteps/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMethod<'a> {
    format: String,
    id: String,
    name: String,
    #[serde(borrow)]
    slow: StrictObject<RawPart<'a>>,
    #[serde(borrow)]
    fast: StrictObject<RawPart<'a>>,
    coupling: StrictObject<RawCoupling>,
    least_ratio: Option<usize>,
    #[serde(default)]
    claims: StrictObject<Claims>,
    #[serde(default)]
    source: StrictObject<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPart<'a> {
    #[serde(borrow)]
    a: BoundedArray<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    b: BoundedArray<&'a RawValue>,
}

type RawEntries = BoundedArray<BoundedArray<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCoupling {
    fast_slow: RawEntries,
    fast_slow_divisor: Option<String>,
    fast_slow_in_first: Option<RawEntries>,
    fast_slow_in_first_divisor: Option<String>,
    fast_slow_in_last: Option<RawEntries>,
    fast_slow_in_last_divisor: Option<String>,
    slow_fast: RawEntries,
    slow_fast_first: Option<RawEntries>,
    slow_fast_divisor: Option<String>,
}

impl MicroStepMethod {
    /// Reads a method from the text of a file; `origin` names it in errors.
    ///
    /// # Errors
    /// Returns a [`MethodError`] with the place in the text, the value found there and the expected value.
    ///
    /// ```
    /// use hemiola_multirate::microsteps::MicroStepMethod;
    /// let text = r#"{ "format": "hemiola-microsteps/1", "id": "euler", "name": "Euler",
    ///                  "slow": {"a": [["0"]], "b": ["1"]}, "fast": {"a": [["0"]], "b": ["1"]},
    ///                  "coupling": {"fast_slow": [["1/λ"]], "slow_fast": [["0"]]} }"#;
    /// let error = MicroStepMethod::from_json(text.as_bytes(), "euler.json").unwrap_err().to_string();
    /// assert!(error.starts_with("euler.json: at coupling.fast_slow[0][0]: found \"1/λ\"; expected"), "{error}");
    /// ```
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, MethodError> {
        let StrictObject(raw): StrictObject<RawMethod> = read(text, origin)?;
        let validator = Validator::new(origin);
        if raw.format != FORMAT {
            return Err(validator.invalid("format", excerpt(&raw.format), &format!("{FORMAT:?}")));
        }
        let reader = CoefficientReader::new(origin);
        let part = |name: &str, StrictObject(part): &StrictObject<RawPart>| {
            let rows = part.a.0.iter().enumerate();
            let rows = rows.map(|(i, BoundedArray(row))| reader.coefficients(&format!("{name}.a[{i}]"), row));
            Ok(MicroStepTableau {
                a: rows.collect::<Result<_, _>>()?,
                b: reader.coefficients(&format!("{name}.b"), &part.b.0)?,
            })
        };
        let StrictObject(coupling) = raw.coupling;
        let entries = |name: &str, raw: &RawEntries| entries(&validator, &format!("coupling.{name}"), raw);
        let optional = |name: &str, raw: &Option<RawEntries>| {
            raw.as_ref().map_or_else(|| Ok(Entries::new()), |raw| entries(name, raw))
        };
        let divisor = |name: &str, raw: &Option<String>| {
            let path = format!("coupling.{name}");
            raw.as_ref().map(|text| expression(&validator, path, text)).transpose()
        };
        let fast_slow = FastSlowCoupling {
            every: entries("fast_slow", &coupling.fast_slow)?,
            first: optional("fast_slow_in_first", &coupling.fast_slow_in_first)?,
            last: optional("fast_slow_in_last", &coupling.fast_slow_in_last)?,
            divisors: [
                divisor("fast_slow_divisor", &coupling.fast_slow_divisor)?,
                divisor("fast_slow_in_first_divisor", &coupling.fast_slow_in_first_divisor)?,
                divisor("fast_slow_in_last_divisor", &coupling.fast_slow_in_last_divisor)?,
            ],
        };
        let slow_fast = SlowFastCoupling {
            every: entries("slow_fast", &coupling.slow_fast)?,
            first: optional("slow_fast_first", &coupling.slow_fast_first)?,
            divisor: divisor("slow_fast_divisor", &coupling.slow_fast_divisor)?,
        };
        Self {
            id: raw.id,
            name: raw.name,
            slow: part("slow", &raw.slow)?,
            fast: part("fast", &raw.fast)?,
            fast_slow,
            slow_fast,
            least_ratio: raw.least_ratio.unwrap_or(1),
            claims: raw.claims.0,
            source: raw.source.0,
        }
        .validated(origin)
    }

    /// Formats the method as the text of a file, with one row of coefficients per line.
    ///
    /// ```
    /// use hemiola_multirate::microsteps::{MicroStepMethod, library};
    /// let method = library::method("multirate-midpoint")?;
    /// assert_eq!(MicroStepMethod::from_json(method.to_json().as_bytes(), "multirate-midpoint.json")?, method);
    /// # Ok::<(), hemiola_tableau::MethodError>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let optional = |entries: &Entries| (!entries.is_empty()).then(|| entries_text(entries));
        let [divisor, first_divisor, last_divisor] = &self.fast_slow.divisors;
        let text = |divisor: &Option<RatioPolynomial>| divisor.as_ref().map(ToString::to_string);
        json::text(&MethodText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            slow: tableau_text(&self.slow),
            fast: tableau_text(&self.fast),
            coupling: CouplingText {
                fast_slow: entries_text(&self.fast_slow.every),
                fast_slow_divisor: text(divisor),
                fast_slow_in_first: optional(&self.fast_slow.first),
                fast_slow_in_first_divisor: text(first_divisor),
                fast_slow_in_last: optional(&self.fast_slow.last),
                fast_slow_in_last_divisor: text(last_divisor),
                slow_fast: entries_text(&self.slow_fast.every),
                slow_fast_first: optional(&self.slow_fast.first),
                slow_fast_divisor: text(&self.slow_fast.divisor),
            },
            least_ratio: (self.least_ratio > 1).then_some(self.least_ratio),
            claims: (self.claims != Claims::default()).then_some(OneLine(self.claims)),
            source: (self.source != Source::default()).then_some(&self.source),
        })
    }
}

/// The fields of a method file in the order of writing. Absent values are omitted.
#[derive(Serialize)]
struct MethodText<'a> {
    format: &'static str,
    id: &'a str,
    name: &'a str,
    slow: TableauText<'a>,
    fast: TableauText<'a>,
    coupling: CouplingText,
    #[serde(skip_serializing_if = "Option::is_none")]
    least_ratio: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<OneLine<Claims>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Source>,
}

type Row<T> = OneLine<Vec<T>>;

#[derive(Serialize)]
struct TableauText<'a> {
    a: Vec<Row<&'a str>>,
    b: Row<&'a str>,
}

#[derive(Serialize)]
struct CouplingText {
    fast_slow: Vec<Row<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_slow_divisor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_slow_in_first: Option<Vec<Row<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_slow_in_first_divisor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_slow_in_last: Option<Vec<Row<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_slow_in_last_divisor: Option<String>,
    slow_fast: Vec<Row<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_fast_first: Option<Vec<Row<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_fast_divisor: Option<String>,
}

fn tableau_text(tableau: &MicroStepTableau) -> TableauText<'_> {
    TableauText { a: tableau.a.iter().map(|row| texts(row)).collect(), b: texts(&tableau.b) }
}

fn texts(row: &[Coefficient]) -> Row<&str> {
    OneLine(row.iter().map(Coefficient::text).collect())
}

fn entries_text(entries: &Entries) -> Vec<Row<String>> {
    entries.iter().map(|row| OneLine(row.iter().map(ToString::to_string).collect())).collect()
}

fn expression(validator: &Validator, path: String, text: &str) -> Result<RatioPolynomial, MethodError> {
    let expected = |error| format!("an expression in λ and M: {error}");
    RatioPolynomial::parse(text).map_err(|error| validator.invalid(path, excerpt(text), &expected(error)))
}

fn entries(validator: &Validator, path: &str, raw: &RawEntries) -> Result<Entries, MethodError> {
    let entry = |i: usize, j: usize, text: &String| expression(validator, format!("{path}[{i}][{j}]"), text);
    validator.require(!raw.0.is_empty(), path, "no rows", "a row for each stage")?;
    let rows = raw.0.iter().enumerate();
    rows.map(|(i, BoundedArray(row))| row.iter().enumerate().map(|(j, text)| entry(i, j, text)).collect()).collect()
}
