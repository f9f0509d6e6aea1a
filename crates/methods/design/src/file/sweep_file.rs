//! Sweep files, `hemiola-sweep/1`: a grid of designs.

use std::path::Path;

use hemiola_tableau::is_id;
use hemiola_tableau::json::{self, StrictObject};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::DesignError;
use crate::file::design_file::{DesignFile, FORMAT as DESIGN_FORMAT, invalid};

/// The name of the format, the first field of every file.
const FORMAT: &str = "hemiola-sweep/1";
/// The ending of the names of sweep files.
pub(crate) const ENDING: &str = ".sweep.json";
/// Largest number of designs of a sweep; their files share a folder.
const MOST: usize = 10_000;

/// A grid of designs, one for every combination of values on its axes.
///
/// ```
/// use hemiola_design::SweepFile;
/// let text = br#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5, "starts": 4 }, "over": [
///   { "name": "fast", "values": [{ "fast": 5 }, { "fast": 7 }] },
///   { "name": "damping", "values": [{}, { "stability": { "fast": { "axis": "imaginary", "damping": 0.05 } } }] } ] }"#;
/// let sweep = SweepFile::from_json(text, "small", "small.sweep.json")?;
/// assert_eq!(sweep.axes, ["fast", "damping"]);
/// let design = &sweep.designs[2];
/// assert_eq!((design.file.id.as_str(), design.labels.join("; ")), ("small-3", "7; as it is".to_owned()));
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFile {
    /// The id, which is the prefix of the ids of its designs.
    pub id: String,
    /// The names of the axes.
    pub axes: Vec<String>,
    /// All designs, the last axis running fastest.
    pub designs: Vec<SweptDesign>,
}

/// One design of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptDesign {
    /// The label of its value on each axis.
    pub labels: Vec<String>,
    /// The design file.
    pub file: DesignFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSweep {
    format: String,
    #[serde(default)]
    design: Map<String, Value>,
    over: Vec<StrictObject<RawAxis>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAxis {
    name: String,
    values: Vec<Map<String, Value>>,
}

impl SweepFile {
    /// Reads a sweep from the file NAME.sweep.json or NAME.json; NAME is the id.
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the file and the path in it, or with the invalid design of the grid.
    pub fn read(path: &Path) -> Result<Self, DesignError> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(ENDING).or_else(|| name.strip_suffix(".json")).unwrap_or(name);
        Self::from_json(&json::read_bounded(path)?, stem, &path.display().to_string())
    }

    /// Reads a sweep with a given id from the text of a file; `origin` names the file in errors.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn from_json(text: &[u8], id: &str, origin: &str) -> Result<Self, DesignError> {
        let StrictObject(raw): StrictObject<RawSweep> = json::read(text, origin)?;
        let wrong = |path: &str, found: &str, expected: &str| Err(invalid(origin, path, found, expected));
        if raw.format != FORMAT {
            return wrong("format", &format!("{:?}", raw.format), &format!("{FORMAT:?}"));
        }
        if !is_id(id) {
            return wrong(
                "the file's name",
                &format!("{id:?}"),
                "lower-case words of letters and digits joined by hyphens",
            );
        }
        let axes: Vec<RawAxis> = raw.over.into_iter().map(|StrictObject(axis)| axis).collect();
        for (k, axis) in axes.iter().enumerate() {
            if axis.values.is_empty() {
                return wrong(&format!("over[{k}].values"), "no value", "at least one");
            }
        }
        let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.values.len()));
        let Some(count) = count.filter(|count| *count <= MOST) else {
            return wrong("over", "a grid with more designs", &format!("at most {MOST} of them"));
        };
        for key in ["id", "name", "format"] {
            if raw.design.contains_key(key) {
                return wrong(&format!("design.{key}"), "a value", "none, because designs are numbered");
            }
        }
        let digits = count.to_string().len();
        let design = |number: usize| {
            let mut left = number;
            let mut place = vec![0; axes.len()];
            for (place, axis) in place.iter_mut().zip(&axes).rev() {
                *place = left % axis.values.len();
                left /= axis.values.len();
            }
            let chosen: Vec<&Map<String, Value>> =
                axes.iter().zip(&place).map(|(axis, &place)| &axis.values[place]).collect();
            let id = format!("{id}-{:0digits$}", number + 1);
            let labels: Vec<String> = chosen.iter().map(|value| label(value)).collect();
            let mut text = raw.design.clone();
            chosen.into_iter().for_each(|value| merge(&mut text, value));
            text.insert("format".to_owned(), DESIGN_FORMAT.into());
            text.insert("id".to_owned(), id.clone().into());
            let origin = format!("{origin}: design {} ({})", number + 1, labels.join("; "));
            let file = DesignFile::from_json(Value::Object(text).to_string().as_bytes(), &origin)?;
            Ok(SweptDesign { labels, file })
        };
        let designs = (0..count).map(design).collect::<Result<_, DesignError>>()?;
        Ok(Self { id: id.to_owned(), axes: axes.into_iter().map(|axis| axis.name).collect(), designs })
    }
}

/// Applies a value to a design: objects are merged, `null` removes (RFC 7386).
fn merge(design: &mut Map<String, Value>, change: &Map<String, Value>) {
    for (key, change) in change {
        match (design.get_mut(key), change) {
            (_, Value::Null) => {
                design.remove(key);
            }
            (Some(Value::Object(there)), Value::Object(change)) => merge(there, change),
            _ => {
                design.insert(key.clone(), change.clone());
            }
        }
    }
}

/// Returns the values in a change as a label. A single value appears without its name, and numbers of evaluations
/// as 2–5.
fn label(change: &Map<String, Value>) -> String {
    let mut leaves = Vec::new();
    collect(change, &mut leaves);
    let of = |wanted: &str| leaves.iter().position(|(name, _)| name == wanted);
    if let (Some(slow), Some(fast)) = (of("slow"), of("fast")) {
        let size = format!("{}–{}", leaves[slow].1, leaves[fast].1);
        leaves.retain(|(name, _)| name != "slow" && name != "fast");
        leaves.insert(0, ("size".to_owned(), size));
    }
    match &leaves[..] {
        [] => "as it is".to_owned(),
        [(_, value)] => value.clone(),
        all => all.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", "),
    }
}

fn collect(change: &Map<String, Value>, leaves: &mut Vec<(String, String)>) {
    for (name, value) in change {
        match value {
            Value::Object(inner) => collect(inner, leaves),
            Value::String(text) => leaves.push((name.clone(), text.clone())),
            value => leaves.push((name.clone(), value.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(over: &str) -> Result<SweepFile, DesignError> {
        let text = format!(
            r#"{{ "format": "hemiola-sweep/1", "design": {{ "slow": 2, "fast": 5, "structure": {{ "shared_weights": true }} }},
                 "over": {over} }}"#
        );
        SweepFile::from_json(text.as_bytes(), "s", "s.sweep.json")
    }

    #[test]
    fn the_last_axis_runs_fastest_and_changes_are_merged() {
        let found = sweep(
            r#"[{ "name": "size", "values": [{ "slow": 2, "fast": 4 }, { "slow": 3, "fast": 6 }] },
                { "name": "b", "values": [{}, { "structure": { "shared_weights": null, "shared_abscissae": true } }, { "seed": 7 }] }]"#,
        )
        .unwrap();
        let ids: Vec<&str> = found.designs.iter().map(|design| design.file.id.as_str()).collect();
        assert_eq!(ids, ["s-1", "s-2", "s-3", "s-4", "s-5", "s-6"]);
        let of = |k: usize| &found.designs[k].file.specification;
        assert_eq!((of(0).slow, of(0).fast, of(3).slow, of(3).fast), (2, 4, 3, 6));
        assert!(of(0).structure.shared_weights && !of(0).structure.shared_abscissae);
        assert!(!of(1).structure.shared_weights && of(1).structure.shared_abscissae);
        assert_eq!((of(5).seed, found.designs[5].labels.clone()), (7, vec!["3–6".to_owned(), "7".to_owned()]));
        // A grid without axes is one design.
        assert_eq!(sweep("[]").unwrap().designs.len(), 1);
    }

    #[test]
    fn errors_name_the_design_and_the_place() {
        let problem = |over: &str| sweep(over).unwrap_err().to_string();
        let of_design = problem(r#"[{ "name": "fast", "values": [{ "fast": 5 }, { "fast": 1 }] }]"#);
        assert!(of_design.contains("s.sweep.json: design 2 (1)"), "{of_design}");
        let empty = problem(r#"[{ "name": "fast", "values": [] }]"#);
        assert!(empty.contains("over[0].values: found no value; expected at least one"), "{empty}");
        let axis = format!(r#"{{ "name": "seed", "values": [{}] }}"#, vec![r"{}"; 101].join(","));
        let large = problem(&format!("[{axis},{axis}]"));
        assert!(large.contains("at most 10000"), "{large}");
        let named = problem(r#"[{ "name": "x", "values": [{ "bogus": 5 }] }]"#);
        assert!(named.contains("bogus"), "{named}");
    }
}
