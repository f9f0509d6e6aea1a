//! Reading and writing of the format `hemiola-method/1`.
//!
//! The text is read directly into arrays of borrowed slices, not into a general JSON tree: memory stays within a
//! small multiple of the file size, and every error names its place in the document.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::coefficient::Coefficient;
use crate::coefficient_reader::CoefficientReader;
use crate::error::MethodError;
use crate::json::{self, BoundedArray, OneLine, StrictObject, read, read_bounded};
use crate::method::{Claims, Method, Partition, Precision, Source};
use crate::validate::{Validator, excerpt};

/// Name of the format, the first field of every file.
pub const FORMAT: &str = "hemiola-method/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMethod<'a> {
    format: String,
    id: String,
    name: String,
    #[serde(borrow)]
    partitions: BoundedArray<StrictObject<RawPartition<'a>>>,
    #[serde(default)]
    claims: StrictObject<Claims>,
    precision: Option<StrictObject<Precision>>,
    #[serde(default)]
    source: StrictObject<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPartition<'a> {
    name: String,
    #[serde(borrow)]
    a: BoundedArray<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    b: BoundedArray<&'a RawValue>,
    #[serde(borrow)]
    c: Option<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    b_hat: Option<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    dense: Option<BoundedArray<BoundedArray<&'a RawValue>>>,
}

impl Method {
    /// Reads a method file with any name.
    ///
    /// # Errors
    /// [`MethodError`] with the file, the place in it, the value found there and the expected value.
    pub fn read(path: &Path) -> Result<Self, MethodError> {
        let origin = path.display().to_string();
        Self::from_json(&read_bounded(path)?, &origin)
    }

    /// Reads a method from the text of a file; `origin` names it in errors.
    ///
    /// # Errors
    /// [`MethodError`] with the place in the text, the value found there and the expected value.
    ///
    /// ```
    /// use hemiola_tableau::Method;
    /// let text = br#"{ "format": "hemiola-method/1", "id": "euler", "name": "Euler",
    ///                  "partitions": [{"name": "all", "a": [["1/0"]], "b": ["1"]}] }"#;
    /// let error = Method::from_json(text, "euler.json").unwrap_err().to_string();
    /// assert!(error.starts_with("euler.json: at partitions[0].a[0][0]: found \"1/0\": division by zero"));
    /// ```
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, MethodError> {
        let StrictObject(raw): StrictObject<RawMethod> = read(text, origin)?;
        Converter { origin, reader: CoefficientReader::new(origin) }.method(raw)
    }

    /// Formats the method as the text of a file, with one matrix row per line.
    ///
    /// ```
    /// use hemiola_tableau::{library, Method};
    /// let method = library::method("rk4").unwrap();
    /// assert_eq!(Method::from_json(method.to_json().as_bytes(), "rk4.json").unwrap(), method);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(&MethodText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            partitions: self.partitions.iter().map(PartitionText::new).collect(),
            claims: (self.claims != Claims::default()).then_some(OneLine(self.claims)),
            precision: self.precision.map(OneLine),
            source: (self.source != Source::default()).then_some(&self.source),
        })
    }
}

struct Converter<'a> {
    origin: &'a str,
    reader: CoefficientReader<'a>,
}

impl Converter<'_> {
    fn method(&self, raw: RawMethod) -> Result<Method, MethodError> {
        let validator = Validator::new(self.origin);
        if raw.format != FORMAT {
            return Err(validator.invalid("format", excerpt(&raw.format), &format!("{FORMAT:?}")));
        }
        // Shapes are checked before any coefficient is read.
        let BoundedArray(tableaus) = raw.partitions;
        let stages = tableaus.first().map_or(0, |StrictObject(tableau)| tableau.a.0.len());
        validator.shape(tableaus.len(), stages)?;
        let mut partitions = Vec::with_capacity(tableaus.len());
        for (r, StrictObject(partition)) in tableaus.into_iter().enumerate() {
            partitions.push(self.partition(&format!("partitions[{r}]"), partition, stages)?);
        }
        Method {
            id: raw.id,
            name: raw.name,
            partitions,
            claims: raw.claims.0,
            precision: raw.precision.map(|StrictObject(precision)| precision),
            source: raw.source.0,
        }
        .validated(self.origin)
    }

    fn partition(&self, path: &str, raw: RawPartition, stages: usize) -> Result<Partition, MethodError> {
        Validator::new(self.origin).length(&format!("{path}.a"), raw.a.0.len(), stages)?;
        let rows = raw.a.0.iter().enumerate();
        let a =
            rows.map(|(i, row)| self.vector(&format!("{path}.a[{i}]"), &row.0, stages)).collect::<Result<_, _>>()?;
        let b = self.vector(&format!("{path}.b"), &raw.b.0, stages)?;
        let optional = |field: &str, vector: Option<BoundedArray<&RawValue>>| {
            vector.map(|vector| self.vector(&format!("{path}.{field}"), &vector.0, stages)).transpose()
        };
        let (c, b_hat) = (optional("c", raw.c)?, optional("b_hat", raw.b_hat)?);
        let dense = raw.dense.map(|rows| self.dense(&format!("{path}.dense"), &rows.0, stages)).transpose()?;
        Ok(Partition { name: raw.name, a, b, c, b_hat, dense })
    }

    fn dense(
        &self,
        path: &str,
        rows: &[BoundedArray<&RawValue>],
        stages: usize,
    ) -> Result<Vec<Vec<Coefficient>>, MethodError> {
        let validator = Validator::new(self.origin);
        validator.length(path, rows.len(), stages)?;
        let degree = rows.first().map_or(0, |row| row.0.len());
        let row = |(i, BoundedArray(row)): (usize, &BoundedArray<&RawValue>)| {
            let path = format!("{path}[{i}]");
            validator.degree(&path, row.len(), degree)?;
            self.reader.coefficients(&path, row)
        };
        rows.iter().enumerate().map(row).collect()
    }

    fn vector(&self, path: &str, raw: &[&RawValue], stages: usize) -> Result<Vec<Coefficient>, MethodError> {
        Validator::new(self.origin).length(path, raw.len(), stages)?;
        self.reader.coefficients(path, raw)
    }
}

/// The fields of a method file in the order of writing. Absent values are left out.
#[derive(Serialize)]
struct MethodText<'a> {
    format: &'static str,
    id: &'a str,
    name: &'a str,
    partitions: Vec<PartitionText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<OneLine<Claims>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<OneLine<Precision>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Source>,
}

type Row<'a> = OneLine<Vec<&'a str>>;

#[derive(Serialize)]
struct PartitionText<'a> {
    name: &'a str,
    a: Vec<Row<'a>>,
    b: Row<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b_hat: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dense: Option<Vec<Row<'a>>>,
}

impl<'a> PartitionText<'a> {
    fn new(partition: &'a Partition) -> Self {
        let row = |row: &'a Vec<Coefficient>| OneLine(row.iter().map(Coefficient::text).collect());
        Self {
            name: &partition.name,
            a: partition.a.iter().map(row).collect(),
            b: row(&partition.b),
            c: partition.c.as_ref().map(row),
            b_hat: partition.b_hat.as_ref().map(row),
            dense: partition.dense.as_ref().map(|dense| dense.iter().map(row).collect()),
        }
    }
}
