//! Single fields of design files by their paths, as set by `hemiola design --set PATH=VALUE`.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::error::DesignError;
use crate::file::design_file::{DesignFile, invalid};
use crate::specification::definition::Specification;

/// JSON schema of design files.
const SCHEMA: &str = include_str!(env!("HEMIOLA_DESIGN_SCHEMA"));
/// Path of the object whose keys are names of coefficients, such as `fast.a[3][2]`, and contain dots.
const BOUNDS: &str = "structure.bounds";
/// Path of the weights of errors: one number for all, or an object with a number for each kind.
const ERRORS: &str = "objective.error";
/// Largest depth in the schema, which ends the recursion of definitions that refer to each other.
const DEEPEST: usize = 8;

/// Field of a design file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignField {
    /// Names of the objects that contain the field, and its own, joined by dots.
    pub path: String,
    /// Description in the schema.
    pub description: String,
}

impl DesignFile {
    /// Returns the fields of a design file that can be set, in the order of the schema.
    ///
    /// ```
    /// use hemiola_design::DesignFile;
    /// assert!(DesignFile::fields().iter().any(|field| field.path == "objective.internal"));
    /// ```
    #[must_use]
    pub fn fields() -> &'static [DesignField] {
        static FIELDS: LazyLock<Vec<DesignField>> = LazyLock::new(|| {
            let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
            let mut fields = Vec::new();
            collect(&schema, &schema, "", DEEPEST, &mut fields);
            fields.retain(|field| field.path != "format");
            fields
        });
        &FIELDS
    }

    /// Returns the design with fields replaced, each given by its path. A value is JSON, or a text without quotes.
    ///
    /// Id, name and number of starts follow the new fields if they equal their defaults. A new level of effort always
    /// determines the number of starts, unless that is also given.
    ///
    /// ```
    /// use hemiola_design::{DesignFile, Specification};
    /// let file = DesignFile::new(Specification::new(2, 5, None)?);
    /// let file = file.with_fields(&[("objective.internal", "0.01"), ("structure.bounds.fast.b[1]", "1/4")])?;
    /// assert_eq!(file.specification.objective.internal, Some(0.01));
    /// assert_eq!(file.specification.structure.bounds.len(), 1);
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`DesignError`] with the path if there is no such field, or if the values do not fit together.
    pub fn with_fields(&self, fields: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<Self, DesignError> {
        let pairs = || fields.iter().map(|(path, value)| (path.as_ref(), value.as_ref()));
        let option = |(path, value): (&str, &str)| format!("--set {path}={value}");
        let is_set = |name: &str| pairs().any(|(path, _)| path == name);
        let mut file: Value = serde_json::from_str(&self.to_json()).unwrap_or_default();
        let default = self.with_defaults();
        for (name, is_default) in [
            ("id", self.id == default.id),
            ("name", self.name == default.name),
            ("starts", is_set("effort") || self.specification.starts == default.specification.starts),
        ] {
            if is_default && let Some(file) = file.as_object_mut() {
                file.remove(name);
            }
        }
        for (path, value) in pairs() {
            if !Self::fields().iter().any(|field| is_within(path, &field.path)) {
                return Err(invalid(&option((path, value)), path, "no such field", &expected(path)));
            }
            let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
            let occupied = |(at, found): (String, Value)| {
                invalid(&option((path, value)), &at, &found.to_string(), "an object; give the whole field instead")
            };
            *place(&mut file, path).map_err(occupied)? = parsed;
        }
        let origin = pairs().map(option).collect::<Vec<_>>().join(" ");
        Self::from_json(file.to_string().as_bytes(), &origin)
    }

    /// Returns the design with the default id, name and number of starts.
    fn with_defaults(&self) -> Self {
        let Specification { slow, fast, order, effort, .. } = self.specification;
        let starts = Specification::new(slow, fast, Some(order)).map_or(self.specification.starts, |new| new.starts);
        let specification = Specification { starts, ..self.specification.clone() };
        Self::new(match effort {
            Some(level) => specification.with_effort(level),
            None => specification,
        })
    }
}

/// Returns whether a path names a field itself, or a bound of a coefficient.
fn is_within(path: &str, field: &str) -> bool {
    path == field || (field == BOUNDS && path.strip_prefix(BOUNDS).is_some_and(|rest| rest.starts_with('.')))
}

/// Lists the fields in the deepest existing object on the path, or all at the top.
fn expected(path: &str) -> String {
    let children = |parent: &str| -> Vec<&str> {
        let under = |field: &'static DesignField| {
            let rest =
                if parent.is_empty() { Some(&*field.path) } else { field.path.strip_prefix(parent)?.strip_prefix('.') };
            rest.filter(|rest| !rest.contains('.')).map(|_| &*field.path)
        };
        DesignFile::fields().iter().filter_map(under).collect()
    };
    let mut parent = path;
    while let Some((shorter, _)) = parent.rsplit_once('.') {
        parent = shorter;
        let found = children(parent);
        if !found.is_empty() {
            return format!("one of: {}", found.join(", "));
        }
    }
    format!("one of: {}", children("").join(", "))
}

/// Returns the value at a path, and creates missing objects on the way. An object replaces a text on the way. The error
/// contains the path and the value of anything else on the way.
fn place<'v>(file: &'v mut Value, path: &str) -> Result<&'v mut Value, (String, Value)> {
    let (keys, bound) = match path.strip_prefix(BOUNDS).and_then(|rest| rest.strip_prefix('.')) {
        Some(name) => (BOUNDS, Some(name)),
        None => (path, None),
    };
    let mut value = file;
    let mut at: Vec<&str> = Vec::new();
    for key in keys.split('.').chain(bound) {
        match value {
            Value::Object(_) => {}
            Value::Null | Value::String(_) => *value = Value::Object(Map::new()),
            Value::Number(weight) if at.join(".") == ERRORS => {
                *value = json!({ "slow": weight, "fast": weight, "coupling": weight });
            }
            other => return Err((at.join("."), other.clone())),
        }
        at.push(key);
        value = &mut value[key];
    }
    Ok(value)
}

/// Collects the properties of a schema with their descriptions.
fn collect(schema: &Value, part: &Value, prefix: &str, depth: usize, fields: &mut Vec<DesignField>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let definition = part["$ref"].as_str().and_then(|link| link.rsplit('/').next()).map(|name| &schema["$defs"][name]);
    for part in std::iter::once(part).chain(definition) {
        for (name, property) in part["properties"].as_object().into_iter().flatten() {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            let described = property["$ref"].as_str().and_then(|link| link.rsplit('/').next());
            let description = property["description"]
                .as_str()
                .or_else(|| described.and_then(|name| schema["$defs"][name]["description"].as_str()))
                .unwrap_or_default()
                .to_owned();
            fields.push(DesignField { path: path.clone(), description });
            collect(schema, property, &path, depth, fields);
        }
        for list in ["anyOf", "oneOf"] {
            for choice in part[list].as_array().into_iter().flatten() {
                collect(schema, choice, prefix, depth, fields);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> DesignFile {
        DesignFile::new(Specification::new(2, 5, None).unwrap())
    }

    #[test]
    fn every_field_of_the_schema_can_be_set_to_what_it_is() {
        // A file with every object in it.
        let text = r#"{"format": "hemiola-design/1", "slow": 2, "fast": 5, "order": 2, "slow_stages": [1, 3], "embedded": 1,
            "dense": 1, "structure": {"bounds": {"fast.b[1]": "1/4"}}, "objective": {"error": {"slow": 2}, "step": [0.1, 0.2],
            "coupling": {"damping": 0.05, "gammas": [0.1], "profile": [0.9], "weight": 2}},
            "for": {"training": ["quarter-car"], "error": 0.001}, "seed": 3, "starts": 4}"#;
        let full = DesignFile::from_json(text.as_bytes(), "full").unwrap();
        let written: Value = serde_json::from_str(&full.to_json()).unwrap();
        let mut set = 0;
        for field in DesignFile::fields() {
            let value = field.path.split('.').fold(&written, |value, key| &value[key]);
            if !value.is_null() {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(full.with_fields(&[(&field.path, &text)]).unwrap(), full, "{}", field.path);
                set += 1;
            }
        }
        assert!(set > 25, "{set}");
    }

    #[test]
    fn fields_by_path_are_those_of_a_file() {
        let set = file().with_fields(&[("structure.shared_abscissae", "true")]).unwrap();
        assert!(set.specification.structure.shared_abscissae);
        let set = file().with_fields(&[("objective.error.slow", "3")]).unwrap();
        assert_eq!(set.specification.objective.error, [3.0, 1.0, 1.0]);
        let set = file().with_fields(&[("structure.bounds.fast.a[3][2]", "[0, 0.5]")]).unwrap();
        assert_eq!(set.specification.structure.bounds.len(), 1);
        assert_eq!(file().with_fields(&[("seed", "7")]).unwrap().specification.seed, 7);
    }

    #[test]
    fn fields_inside_a_value_keep_the_rest_of_it() {
        let twice = [("objective.error", "2"), ("objective.error.slow", "3")];
        assert_eq!(file().with_fields(&twice).unwrap().specification.objective.error, [3.0, 2.0, 2.0]);
        let set = file().with_fields(&twice[..1]).unwrap().with_fields(&twice[1..]).unwrap();
        assert_eq!(set.specification.objective.error, [3.0, 2.0, 2.0]);
        let message = file().with_fields(&[("seed", "7"), ("seed.x", "1")]).unwrap_err().to_string();
        assert!(message.contains("no such field"), "{message}");
        let message = file().with_fields(&[("for", "[1]"), ("for.error", "1")]).unwrap_err().to_string();
        assert!(message.contains("for: found [1]; expected an object"), "{message}");
    }

    #[test]
    fn defaults_follow_the_new_fields() {
        let race = DesignFile::new(Specification::new(4, 6, None).unwrap().with_effort(1));
        let starts =
            |file: &DesignFile, fields: &[(&str, &str)]| file.with_fields(fields).unwrap().specification.starts;
        assert_eq!(starts(&race, &[("effort", "16")]), 16 * race.specification.starts);
        assert_eq!(starts(&race, &[("effort", "16"), ("starts", "7")]), 7);
        assert_eq!(starts(&race, &[("effort", "null")]), Specification::new(4, 6, None).unwrap().starts);
        assert_eq!(starts(&race, &[("fast", "9")]), 200);
        let own = race.with_fields(&[("starts", "7")]).unwrap();
        assert_eq!((starts(&own, &[("fast", "9")]), starts(&own, &[("effort", "2")])), (7, 800));
        let other = file().with_fields(&[("order", "1")]).unwrap();
        assert_eq!((&*other.id, &*other.name), ("dual-rate-2-5", "Hemiola 2–5, order 1"));
        let named = file().with_fields(&[("name", "Mine"), ("fast", "6")]).unwrap();
        assert_eq!((&*named.id, &*named.name), ("dual-rate-2-6", "Mine"));
    }

    #[test]
    fn wrong_fields_and_values_are_named_with_what_is_expected() {
        let refused = |path: &str, value: &str| file().with_fields(&[(path, value)]).unwrap_err().to_string();
        let message = refused("objective.internl", "1");
        assert!(message.contains("objective.internl") && message.contains("objective.internal"), "{message}");
        assert!(refused("sed", "1").contains("seed"));
        assert!(refused("format", "x").contains("no such field"));
        let message = refused("objective.internal", "-1");
        assert!(message.contains("--set objective.internal=-1") && message.contains("internal"), "{message}");
        assert!(refused("structure.bounds.fast.a[9][9]", "1").contains("a[9][9]"));
        assert!(refused("seed", "soon").contains("seed"));
    }
}
