//! Reading and writing of the format `hemiola-method/1`.
//!
//! The text is read directly into arrays of borrowed slices, not into a general JSON tree: memory stays within a
//! small multiple of the file size, and every error names its place in the document.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::coefficient::Coefficient;
use crate::coefficient_reader::CoefficientReader;
use crate::error::MethodError;
use crate::json::{self, BoundedArray, OneLine, StrictObject, read, read_bounded};
use crate::low_storage::{FormTable, FoundForm, StorageClass, StorageError};
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
    a: Option<BoundedArray<BoundedArray<&'a RawValue>>>,
    #[serde(borrow)]
    b: Option<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    low_storage: Option<StrictObject<RawStorage<'a>>>,
    #[serde(borrow)]
    c: Option<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    b_hat: Option<BoundedArray<&'a RawValue>>,
    #[serde(borrow)]
    dense: Option<BoundedArray<BoundedArray<&'a RawValue>>>,
}

/// The coefficients of a low-storage form, in place of a and b.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStorage<'a> {
    form: String,
    #[serde(borrow)]
    coefficients: BTreeMap<String, BoundedArray<&'a RawValue>>,
}

impl RawPartition<'_> {
    /// Returns the number of stages: the number of rows of A, or the number of entries of the longest vector of a form,
    /// which exceeds it by one or two with embedded weights.
    fn stages(&self) -> usize {
        let Some(StrictObject(form)) = &self.low_storage else { return self.a.as_ref().map_or(0, |a| a.0.len()) };
        ["B", "b", "beta"].iter().find_map(|name| form.coefficients.get(*name)).map_or(0, |vector| vector.0.len())
    }
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
        self.json(self.partitions.iter().map(PartitionText::new).collect(), self.claims)
    }

    /// Formats a method with one partition as the text of a file with the coefficients of a low-storage form.
    ///
    /// The file contains embedded weights, abscissae and dense output if the form has all stages of the method;
    /// embedded weights that belong to the form are omitted, because they follow from it.
    ///
    /// ```
    /// use hemiola_tableau::low_storage::{StorageClass, storage_form};
    /// use hemiola_tableau::{Method, library};
    /// let method = library::method("wray-3")?;
    /// let form = storage_form(&method, 0, StorageClass::Houwen(2)).ok_or("2R")?;
    /// let text = method.to_json_in_form(&form);
    /// assert_eq!(Method::from_json(text.as_bytes(), "wray-3.json")?.exact(), method.exact());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_json_in_form(&self, found: &FoundForm) -> String {
        let texts = found.texts();
        let given = &self.partitions[0];
        let is_complete = found.form.stages() == self.stages();
        let is_embedded = found.form.embedded().is_some();
        let mut text = PartitionText::new(given);
        let coefficients = texts
            .iter()
            .map(|(name, texts)| (name.as_str(), OneLine(texts.iter().map(String::as_str).collect::<Vec<&str>>())));
        (text.a, text.b) = (None, None);
        text.low_storage =
            Some(StorageText { form: found.form.class().to_string(), coefficients: coefficients.collect() });
        text.c = text.c.filter(|_| is_complete);
        text.b_hat = text.b_hat.filter(|_| is_complete && !is_embedded);
        text.dense = text.dense.filter(|_| is_complete);
        let has_embedded = text.b_hat.is_some() || is_embedded;
        let embedded_order = self.claims.embedded_order.filter(|_| has_embedded);
        let dense_order = self.claims.dense_order.filter(|_| is_complete);
        self.json(vec![text], Claims { embedded_order, dense_order, ..self.claims })
    }

    fn json(&self, partitions: Vec<PartitionText>, claims: Claims) -> String {
        json::text(&MethodText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            partitions,
            claims: (claims != Claims::default()).then_some(OneLine(claims)),
            precision: self.precision.map(OneLine),
            source: (self.source != Source::default()).then_some(&self.source),
        })
    }
}

/// Coefficients of a partition.
struct Tables {
    a: Vec<Vec<Coefficient>>,
    b: Vec<Coefficient>,
    b_hat: Option<Vec<Coefficient>>,
    precision: Option<Precision>,
}

/// Returns the lower of two precisions.
fn coarser(known: Precision, other: Option<Precision>) -> Option<Precision> {
    let decimals = other.map_or(known.decimals, |other| other.decimals.min(known.decimals));
    Some(Precision { decimals })
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
        let stages = tableaus.first().map_or(0, |StrictObject(tableau)| tableau.stages());
        validator.shape(tableaus.len(), stages)?;
        let stated = raw.precision.map(|StrictObject(precision)| precision);
        let mut precision = stated;
        let mut partitions = Vec::with_capacity(tableaus.len());
        for (r, StrictObject(partition)) in tableaus.into_iter().enumerate() {
            let (partition, of_form) = self.partition(&format!("partitions[{r}]"), partition, stages, stated)?;
            precision = of_form.map_or(precision, |known| coarser(known, precision.filter(|_| r > 0)));
            partitions.push(partition);
        }
        Method { id: raw.id, name: raw.name, partitions, claims: raw.claims.0, precision, source: raw.source.0 }
            .validated(self.origin)
    }

    /// Reads a partition, and the precision of its coefficients if they are those of a low-storage form.
    fn partition(
        &self,
        path: &str,
        raw: RawPartition,
        stages: usize,
        stated: Option<Precision>,
    ) -> Result<(Partition, Option<Precision>), MethodError> {
        let Tables { a, b, b_hat: of_form, precision } = match (raw.a, raw.b, raw.low_storage) {
            (Some(a), Some(b), None) => self.tables(path, &a, &b, stages)?,
            (None, None, Some(StrictObject(form))) => self.form(path, &form, stages, stated)?,
            (_, _, Some(_)) => {
                let (found, expected) = ("`low_storage` beside `a` or `b`", "one of them");
                return Err(Validator::new(self.origin).invalid(path, found, expected));
            }
            (a, ..) => {
                let missing = if a.is_none() { "a" } else { "b" };
                let problem = format!("missing field `{missing}`; expected `a` and `b`, or `low_storage`");
                return Err(MethodError::Json { file: self.origin.to_owned(), path: path.to_owned(), problem });
            }
        };
        let optional = |field: &str, vector: Option<BoundedArray<&RawValue>>| {
            vector.map(|vector| self.vector(&format!("{path}.{field}"), &vector.0, stages)).transpose()
        };
        let (c, b_hat) = (optional("c", raw.c)?, optional("b_hat", raw.b_hat)?);
        let dense = raw.dense.map(|rows| self.dense(&format!("{path}.dense"), &rows.0, stages)).transpose()?;
        Ok((Partition { name: raw.name, a, b, c, b_hat: b_hat.or(of_form), dense }, precision))
    }

    fn tables(
        &self,
        path: &str,
        a: &BoundedArray<BoundedArray<&RawValue>>,
        b: &BoundedArray<&RawValue>,
        stages: usize,
    ) -> Result<Tables, MethodError> {
        Validator::new(self.origin).length(&format!("{path}.a"), a.0.len(), stages)?;
        let rows = a.0.iter().enumerate();
        let a =
            rows.map(|(i, row)| self.vector(&format!("{path}.a[{i}]"), &row.0, stages)).collect::<Result<_, _>>()?;
        Ok(Tables { a, b: self.vector(&format!("{path}.b"), &b.0, stages)?, b_hat: None, precision: None })
    }

    /// Computes the tableau of a low-storage form.
    fn form(
        &self,
        path: &str,
        raw: &RawStorage,
        stages: usize,
        stated: Option<Precision>,
    ) -> Result<Tables, MethodError> {
        let path = format!("{path}.low_storage");
        let validator = Validator::new(self.origin);
        let invalid = |place: String, problem: &StorageError| {
            validator.invalid(
                place,
                problem.to_string(),
                "a low-storage form (hemiola show williamson-3 --form 2N --json)",
            )
        };
        let class: StorageClass = raw.form.parse().map_err(|problem| invalid(format!("{path}.form"), &problem))?;
        let names = class.names();
        if let Some(unknown) = raw.coefficients.keys().find(|name| !names.contains(name)) {
            return Err(validator.invalid(format!("{path}.coefficients"), excerpt(unknown), &names.join(", ")));
        }
        let mut vectors = Vec::with_capacity(names.len());
        for name in &names {
            let raw = raw.coefficients.get(name).map_or(&[][..], |vector| &vector.0);
            vectors.push(self.reader.coefficients(&format!("{path}.coefficients.{name}"), raw)?);
        }
        let table = FormTable::new(class, &vectors, stated).map_err(|problem| invalid(path.clone(), &problem))?;
        validator.length(&path, table.b.len(), stages)?;
        Ok(Tables { a: table.a, b: table.b, b_hat: table.b_hat, precision: table.precision })
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
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<Vec<Row<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low_storage: Option<StorageText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b_hat: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dense: Option<Vec<Row<'a>>>,
}

#[derive(Serialize)]
struct StorageText<'a> {
    form: String,
    coefficients: BTreeMap<&'a str, Row<'a>>,
}

impl<'a> PartitionText<'a> {
    fn new(partition: &'a Partition) -> Self {
        let row = |row: &'a Vec<Coefficient>| OneLine(row.iter().map(Coefficient::text).collect());
        Self {
            name: &partition.name,
            a: Some(partition.a.iter().map(row).collect()),
            b: Some(row(&partition.b)),
            low_storage: None,
            c: partition.c.as_ref().map(row),
            b_hat: partition.b_hat.as_ref().map(row),
            dense: partition.dense.as_ref().map(|dense| dense.iter().map(row).collect()),
        }
    }
}
