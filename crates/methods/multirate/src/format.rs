//! Reading and writing of the format `hemiola-multirate/1`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use hemiola_tableau::json::{
    self, BoundedArray, CoefficientReader, OneLine, StrictObject, excerpt, read, read_bounded,
};
use hemiola_tableau::{Claims, Coefficient, MethodError, Precision, Source, Validator};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;
use crate::validate::Parts;

/// Name of the format, the first field of every file.
pub const FORMAT: &str = "hemiola-multirate/1";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMethod<'a> {
    format: String,
    id: String,
    name: String,
    partitions: BoundedArray<String>,
    #[serde(borrow)]
    stages: BoundedArray<StrictObject<RawStage<'a>>>,
    #[serde(borrow)]
    embedded: Option<StrictObject<RawStage<'a>>>,
    #[serde(default)]
    claims: StrictObject<Claims>,
    precision: Option<StrictObject<Precision>>,
    #[serde(default)]
    source: StrictObject<Source>,
}

type RawRow<'a> = BoundedArray<&'a RawValue>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStage<'a> {
    from: usize,
    #[serde(borrow)]
    interval: &'a RawValue,
    #[serde(borrow, default)]
    forcing: ByPartition<BoundedArray<RawRow<'a>>>,
    #[serde(borrow, default)]
    correction: ByPartition<RawRow<'a>>,
    #[serde(borrow)]
    start: Option<RawRow<'a>>,
    #[serde(borrow)]
    drift: Option<RawRow<'a>>,
}

/// Values by the names of partitions, each at most once.
struct ByPartition<T>(BTreeMap<String, T>);

impl<T> Default for ByPartition<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByPartition<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PartitionVisitor(std::marker::PhantomData))
    }
}

struct PartitionVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PartitionVisitor<T> {
    type Value = ByPartition<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the names of slow partitions")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if values.contains_key(&name) {
                let found = excerpt(&name);
                return Err(A::Error::custom(format_args!("found {found} twice; expected each partition once")));
            }
            values.insert(name, map.next_value()?);
        }
        Ok(ByPartition(values))
    }
}

impl InfinitesimalMethod {
    /// Reads a method file with any name.
    ///
    /// # Errors
    /// Returns a [`MethodError`] with the file, the place in it, the value found there and the expected value.
    pub fn read(path: &Path) -> Result<Self, MethodError> {
        let origin = path.display().to_string();
        Self::from_json(&read_bounded(path)?, &origin)
    }

    /// Reads a method from the text of a file; `origin` names it in errors.
    ///
    /// # Errors
    /// Returns a [`MethodError`] with the place in the text, the value found there and the expected value.
    ///
    /// ```
    /// use hemiola_multirate::InfinitesimalMethod;
    /// let text = br#"{ "format": "hemiola-multirate/1", "id": "euler", "name": "Euler", "partitions": ["fast", "slow"],
    ///                  "stages": [{ "from": 1, "interval": "-1", "forcing": {"slow": [["1"]]} }] }"#;
    /// let error = InfinitesimalMethod::from_json(text, "euler.json").unwrap_err().to_string();
    /// assert_eq!(error, "euler.json: at stages[0].interval: found \"-1\"; expected an interval ≥ 0");
    /// ```
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, MethodError> {
        let StrictObject(raw): StrictObject<RawMethod> = read(text, origin)?;
        let validator = Validator::new(origin);
        if raw.format != FORMAT {
            return Err(validator.invalid("format", excerpt(&raw.format), &format!("{FORMAT:?}")));
        }
        let BoundedArray(partitions) = raw.partitions;
        let converter = Converter { validator, reader: CoefficientReader::new(origin), partitions: &partitions };
        let stages = raw.stages.0.into_iter().enumerate();
        let stages = stages.map(|(e, StrictObject(stage))| converter.stage(&format!("stages[{e}]"), &stage));
        let stages = stages.collect::<Result<_, _>>()?;
        let embedded = raw.embedded.map(|StrictObject(row)| converter.stage("embedded", &row)).transpose()?;
        Parts {
            id: raw.id,
            name: raw.name,
            stages,
            embedded,
            claims: raw.claims.0,
            precision: raw.precision.map(|StrictObject(precision)| precision),
            source: raw.source.0,
            partitions,
        }
        .validated(origin)
    }

    /// Formats the method as the text of a file, with one row of coefficients per line.
    ///
    /// ```
    /// use hemiola_multirate::{InfinitesimalMethod, library};
    /// let method = library::method("merk43")?;
    /// assert_eq!(InfinitesimalMethod::from_json(method.to_json().as_bytes(), "merk43.json")?, method);
    /// # Ok::<(), hemiola_multirate::MultirateError>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json::text(&MethodText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            partitions: OneLine(&self.partitions),
            stages: self.stages.iter().map(|stage| self.stage_text(stage)).collect(),
            embedded: self.embedded.as_ref().map(|row| self.stage_text(row)),
            claims: (self.claims != Claims::default()).then_some(OneLine(self.claims)),
            precision: self.precision.map(OneLine),
            source: (self.source != Source::default()).then_some(&self.source),
        })
    }

    fn stage_text<'a>(&'a self, stage: &'a InfinitesimalStage<Coefficient>) -> StageText<'a> {
        let row = |row: &'a Vec<Coefficient>| OneLine(row.iter().map(Coefficient::text).collect::<Vec<_>>());
        let slow = &self.partitions[1..];
        let forcing = slow.iter().zip(&stage.forcing).filter(|(_, powers)| !powers.is_empty());
        let correction = slow.iter().zip(&stage.correction).filter(|(_, columns)| !columns.is_empty());
        StageText {
            from: stage.from,
            interval: stage.interval.text(),
            forcing: forcing.map(|(name, powers)| (name.as_str(), powers.iter().map(row).collect())).collect(),
            correction: correction.map(|(name, columns)| (name.as_str(), row(columns))).collect(),
            start: (!stage.start.is_empty()).then(|| row(&stage.start)),
            drift: (!stage.drift.is_empty()).then(|| row(&stage.drift)),
        }
    }
}

struct Converter<'a> {
    validator: Validator<'a>,
    reader: CoefficientReader<'a>,
    partitions: &'a [String],
}

impl Converter<'_> {
    fn stage(&self, path: &str, raw: &RawStage) -> Result<InfinitesimalStage<Coefficient>, MethodError> {
        let interval = self.reader.coefficient(&format!("{path}.interval"), raw.interval)?;
        let forcing = self.by_partition(&format!("{path}.forcing"), &raw.forcing, |path, BoundedArray(powers)| {
            let rows = powers.iter().enumerate();
            rows.map(|(k, BoundedArray(row))| self.reader.coefficients(&format!("{path}[{k}]"), row)).collect()
        })?;
        let row = |path: &str, BoundedArray(row): &RawRow| self.reader.coefficients(path, row);
        let correction = self.by_partition(&format!("{path}.correction"), &raw.correction, row)?;
        let combination = |field: &str, raw: &Option<RawRow>| {
            raw.as_ref().map_or_else(|| Ok(Vec::new()), |columns| row(&format!("{path}.{field}"), columns))
        };
        let (start, drift) = (combination("start", &raw.start)?, combination("drift", &raw.drift)?);
        Ok(InfinitesimalStage { from: raw.from, interval, forcing, correction, start, drift })
    }

    /// Sorts values by the slow partitions; absent ones are empty.
    fn by_partition<R, T: Default>(
        &self,
        path: &str,
        raw: &ByPartition<R>,
        convert: impl Fn(&str, &R) -> Result<T, MethodError>,
    ) -> Result<Vec<T>, MethodError> {
        let slow = self.partitions.get(1..).unwrap_or_default();
        if let Some(name) = raw.0.keys().find(|name| !slow.contains(name)) {
            let expected = format!("a slow partition: {}", slow.join(", "));
            return Err(self.validator.invalid(path, excerpt(name), &expected));
        }
        let value = |name: &String| {
            raw.0.get(name).map_or_else(|| Ok(T::default()), |value| convert(&format!("{path}.{name}"), value))
        };
        slow.iter().map(value).collect()
    }
}

/// The fields of a method file in the order of writing. Absent values are omitted.
#[derive(Serialize)]
struct MethodText<'a> {
    format: &'static str,
    id: &'a str,
    name: &'a str,
    partitions: OneLine<&'a Vec<String>>,
    stages: Vec<StageText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<StageText<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<OneLine<Claims>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<OneLine<Precision>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Source>,
}

type Row<'a> = OneLine<Vec<&'a str>>;

#[derive(Serialize)]
struct StageText<'a> {
    from: usize,
    interval: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forcing: BTreeMap<&'a str, Vec<Row<'a>>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    correction: BTreeMap<&'a str, Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Row<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<Row<'a>>,
}
