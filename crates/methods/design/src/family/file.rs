//! Design files of families, `hemiola-family/1`.

use std::path::Path;

use hemiola_polynomial::Spectrum;
use hemiola_tableau::json::{self, OneLine};
use hemiola_tableau::{Method, MethodError, Source, is_id};
use num_complex::Complex64;
use serde::{Deserialize, Serialize};

use crate::error::DesignError;
use crate::family::design::Family;
use crate::family::method::default_id;
use crate::family::specification::FamilySpecification;

/// The name of the format, the first field of every file.
const FORMAT: &str = "hemiola-family/1";
/// The ending of the names of the files.
const ENDING: &str = ".family.json";

/// A specification of a family together with the id and the name of the method.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyFile {
    /// The id of the method.
    pub id: String,
    /// The name of the method.
    pub name: String,
    /// The specification of the family.
    pub specification: FamilySpecification,
    /// The spectrum as a shape, such as `dg:3`; `None` if its eigenvalues are listed.
    pub shape: Option<String>,
}

impl FamilyFile {
    /// Creates a design with the default id and name. `shape` is the spectrum as the user wrote it, if it is a
    /// shape.
    ///
    /// ```
    /// use hemiola_design::{FamilyFile, FamilySpecification};
    /// let file = FamilyFile::new(FamilySpecification::new(vec![8, 4], 3, "dg:2".parse()?), Some("dg:2".to_owned()));
    /// assert_eq!(file.id, "family-3-4-8");
    /// assert_eq!(FamilyFile::from_json(file.to_json().as_bytes(), "mine.family.json")?, file);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(specification: FamilySpecification, shape: Option<String>) -> Self {
        let levels: Vec<String> = specification.levels.iter().rev().map(ToString::to_string).collect();
        let name = format!("Hemiola family {}, order {}", levels.join("–"), specification.order);
        Self { id: default_id(&specification), name, specification, shape }
    }

    /// Returns whether a file has the name of a family's design file.
    #[must_use]
    pub fn is_name_of_one(path: &Path) -> bool {
        path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING))
    }

    /// Reads a design from a file.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the file cannot be read or its specification is impossible.
    pub fn read(path: &Path) -> Result<Self, DesignError> {
        Self::from_json(&json::read_bounded(path)?, &path.display().to_string())
    }

    /// Reads a design from a text; `origin` names it in errors.
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the path in the text.
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, DesignError> {
        let raw: RawFamily = json::read(text, origin)?;
        let invalid = |path: &str, found: String, expected: &str| {
            let (file, path, expected) = (origin.to_owned(), path.to_owned(), expected.to_owned());
            DesignError::Method(MethodError::Invalid { file, path, found, expected })
        };
        if raw.format != FORMAT {
            return Err(invalid("format", format!("{:?}", raw.format), FORMAT));
        }
        if !is_id(&raw.id) {
            let expected = "lower-case words of letters and digits joined by hyphens";
            return Err(invalid("id", format!("{:?}", raw.id), expected));
        }
        if raw.name.trim().is_empty() || raw.name.chars().any(char::is_control) {
            return Err(invalid("name", format!("{:?}", raw.name), "a single line"));
        }
        let in_file = |problem: DesignError| DesignError::File { file: origin.to_owned(), problem: Box::new(problem) };
        let (spectrum, shape) = match raw.spectrum {
            RawSpectrum::Shape(text) => {
                (text.parse().map_err(|problem| in_file(DesignError::from(problem)))?, Some(text))
            }
            RawSpectrum::Eigenvalues(pairs) if pairs.is_empty() => {
                return Err(invalid("spectrum", "an empty list".to_owned(), "a shape, or at least one eigenvalue"));
            }
            RawSpectrum::Eigenvalues(pairs) => {
                let values = pairs.into_iter().map(|[re, im]| Complex64::new(re, im)).collect();
                (Spectrum::Eigenvalues(values), None)
            }
        };
        let default = FamilySpecification::new(raw.levels, raw.order, spectrum);
        let specification = FamilySpecification {
            share: raw.share.unwrap_or(default.share),
            damping: raw.damping,
            systems: raw.systems,
            chain: raw.chain,
            seed: raw.seed.unwrap_or(default.seed),
            starts: raw.starts.unwrap_or(default.starts),
            ..default
        };
        specification.validate().map_err(in_file)?;
        Ok(Self { id: raw.id, name: raw.name, specification, shape })
    }

    /// Writes the design as the text of a file. Equal designs give the same bytes.
    #[must_use]
    pub fn to_json(&self) -> String {
        let FamilySpecification { levels, order, share, damping, systems, chain, seed, starts, spectrum } =
            &self.specification;
        let spectrum = match (&self.shape, spectrum) {
            (Some(shape), _) => RawSpectrum::Shape(shape.clone()),
            (None, Spectrum::Eigenvalues(values)) => {
                RawSpectrum::Eigenvalues(values.iter().map(|value| [value.re, value.im]).collect())
            }
            (None, other) => RawSpectrum::Shape(other.to_string()),
        };
        json::text(&FamilyText {
            format: FORMAT,
            id: &self.id,
            name: &self.name,
            levels: OneLine(levels),
            order: *order,
            spectrum: OneLine(spectrum),
            share: *share,
            damping: *damping,
            systems: OneLine(systems),
            chain: *chain,
            seed: *seed,
            starts: *starts,
        })
    }

    /// Sets the id and the name of a family's method, and names the design file as its source.
    ///
    /// # Errors
    /// Returns [`DesignError::Method`] if the id is invalid.
    pub fn sign(&self, family: &mut Family) -> Result<(), DesignError> {
        let place = Some(format!("hemiola design {}{ENDING}", self.id));
        let method = &family.method;
        let source = Source { place, ..method.source().clone() };
        let partitions = method.partitions().to_vec();
        family.method = Method::new(&self.id, &self.name, partitions, method.claims(), method.precision(), source)?;
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFamily {
    format: String,
    id: String,
    name: String,
    levels: Vec<usize>,
    order: usize,
    spectrum: RawSpectrum,
    share: Option<f64>,
    #[serde(default)]
    damping: f64,
    #[serde(default, rename = "for")]
    systems: Vec<String>,
    #[serde(default)]
    chain: bool,
    seed: Option<u64>,
    starts: Option<usize>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "a shape such as \"dg:3\", or a list of eigenvalues as pairs [re, im]")]
enum RawSpectrum {
    Shape(String),
    Eigenvalues(Vec<[f64; 2]>),
}

#[derive(Serialize)]
struct FamilyText<'a> {
    format: &'static str,
    id: &'a str,
    name: &'a str,
    levels: OneLine<&'a Vec<usize>>,
    order: usize,
    spectrum: OneLine<RawSpectrum>,
    share: f64,
    #[serde(skip_serializing_if = "is_zero")]
    damping: f64,
    #[serde(rename = "for", skip_serializing_if = "is_empty")]
    systems: OneLine<&'a Vec<String>>,
    #[serde(skip_serializing_if = "is_false")]
    chain: bool,
    seed: u64,
    starts: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_empty(systems: &OneLine<&Vec<String>>) -> bool {
    systems.0.is_empty()
}
