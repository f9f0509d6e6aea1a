//! The method of a question: from the library or from a pasted text, with manual changes of coefficients.

use hemiola_export::read;
use hemiola_tableau::{Coefficient, FORMAT, Method, Partition, library};
use serde::Deserialize;

use crate::wording::message;

/// Name of the pasted text in messages, the same as that of standard input on the command line.
const PASTED: &str = "-";

/// Source of a method and changes to it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Subject {
    /// Id of the library or alias of the method.
    method: Option<String>,
    /// Text in any format that `hemiola import` reads.
    paste: Option<String>,
    /// Selected method of the text, if there are several.
    pick: Option<String>,
    /// Changed coefficients such as `fast.a[3][2]=1/3`.
    #[serde(default)]
    set: Vec<String>,
}

/// Content of a pasted text.
pub(crate) struct PastedText {
    pub(crate) format: &'static str,
    pub(crate) methods: Vec<Method>,
    pub(crate) failures: Vec<String>,
}

impl Subject {
    pub(crate) fn of_library(id: &str) -> Self {
        Self { method: Some(id.to_owned()), ..Self::default() }
    }

    /// Returns the method with its changes.
    pub(crate) fn method(&self) -> Result<Method, String> {
        let (method, problems) = self.with_problems()?;
        problems.into_iter().next().map_or(Ok(method), |(_, problem)| Err(problem))
    }

    /// Returns the method with the valid changes, and the problems of the others.
    pub(crate) fn with_problems(&self) -> Result<(Method, Vec<(String, String)>), String> {
        let method = self.unchanged()?;
        if self.set.is_empty() {
            return Ok((method, Vec::new()));
        }
        let mut partitions = method.partitions().to_vec();
        let mut problems = Vec::new();
        for change in &self.set {
            let (name, text) = change.split_once('=').unwrap_or((change, ""));
            if let Err(problem) = set(&mut partitions, name, text) {
                problems.push((name.to_owned(), problem));
            }
        }
        // Edited digits are taken literally. The claims of the original are checked for the edited method.
        let (claims, source) = (method.claims(), method.source().clone());
        let edited = Method::new(method.id(), method.name(), partitions, claims, method.precision(), source);
        Ok((edited.map_err(message)?, problems))
    }

    /// Returns the parsed text, if there is one.
    pub(crate) fn pasted(&self) -> Option<Result<PastedText, String>> {
        self.paste.as_ref().map(|text| pasted(text))
    }

    fn unchanged(&self) -> Result<Method, String> {
        let Some(read) = self.pasted() else {
            return library::method(self.method.as_deref().unwrap_or_default()).map_err(message);
        };
        let PastedText { methods, .. } = read?;
        let picked = self.pick.as_ref().and_then(|pick| methods.iter().find(|method| method.id() == pick));
        picked.or(methods.first()).cloned().ok_or_else(|| "the text holds no method".to_owned())
    }
}

/// Parses the methods of a text, which is a method file, a table or a program.
fn pasted(text: &str) -> Result<PastedText, String> {
    if text.trim_start().starts_with('{') && text.contains(FORMAT) {
        let method = Method::from_json(text.as_bytes(), PASTED).map_err(message)?;
        return Ok(PastedText { format: "method file", methods: vec![method], failures: Vec::new() });
    }
    let reading = read(text.as_bytes(), PASTED, None).map_err(message)?;
    let warnings = reading.warnings.iter().map(|warning| format!("warning: {warning}"));
    let failures = reading.failures.iter().map(ToString::to_string).chain(warnings).collect();
    Ok(PastedText { format: reading.format.name(), methods: reading.methods, failures })
}

/// Sets the named coefficient: `a[2][1]`, `fast.b[1]`, `slow.c[3]`, `b_hat[2]`, with indices counted from 1.
fn set(partitions: &mut [Partition], name: &str, text: &str) -> Result<(), String> {
    let unknown = || format!("found {name:?}; expected the name of a coefficient such as a[3][2] or fast.b[1]");
    let (partition, place) = match name.rsplit_once('.') {
        Some((part, place)) => (partitions.iter_mut().find(|partition| partition.name == part), place),
        None => (partitions.first_mut(), name),
    };
    let partition = partition.ok_or_else(unknown)?;
    let (array, indices) = place.split_once('[').ok_or_else(unknown)?;
    let indices = indices.strip_suffix(']').ok_or_else(unknown)?;
    let indices: Option<Vec<usize>> =
        indices.split("][").map(|index| index.parse::<usize>().ok()?.checked_sub(1)).collect();
    let indices = indices.ok_or_else(unknown)?;
    if array == "c" && partition.c.is_none() {
        partition.c = Some(row_sums(partition)?);
    }
    let cell = match (array, &indices[..]) {
        ("a", &[row, column]) => partition.a.get_mut(row).and_then(|row| row.get_mut(column)),
        ("b", &[column]) => partition.b.get_mut(column),
        ("c", &[row]) => partition.c.as_mut().and_then(|c| c.get_mut(row)),
        ("b_hat", &[column]) => partition.b_hat.as_mut().and_then(|weights| weights.get_mut(column)),
        _ => None,
    };
    *cell.ok_or_else(unknown)? = Coefficient::parse(text.trim()).map_err(|problem| format!("{name}: {problem}"))?;
    Ok(())
}

/// Computes the default abscissae of a tableau without them: the row sums.
fn row_sums(partition: &Partition) -> Result<Vec<Coefficient>, String> {
    let sum = |row: &Vec<Coefficient>| {
        let exact = row.iter().fold(hemiola_tableau::Exact::from(0), |sum, a| sum + a.value().clone());
        Coefficient::parse(&exact.to_string()).map_err(message)
    };
    partition.a.iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(set: &[&str]) -> Result<Method, String> {
        let set = set.iter().map(ToString::to_string).collect();
        Subject { set, ..Subject::of_library("shome-haug-jay-2-5") }.method()
    }

    #[test]
    fn coefficients_are_set_by_name() {
        let method = edited(&["fast.a[3][2]=1/3", "slow.b[2]=sqrt(2)/3"]).unwrap();
        let [slow, fast] = method.partitions() else { panic!("a pair") };
        assert_eq!([fast.a[2][1].text(), slow.b[1].text()], ["1/3", "sqrt(2)/3"]);
        for name in ["a", "medium.a[1][1]=1", "fast.a[9][1]=1", "fast.a[0][1]=1", "fast.d[1]=2"] {
            assert!(edited(&[name]).unwrap_err().contains("expected the name of a coefficient"), "{name}");
        }
        assert!(edited(&["fast.a[3][2]=1/0"]).unwrap_err().contains("division by zero"));
    }

    #[test]
    fn texts_are_read_as_on_the_command_line() {
        let paste = |text: &str| Subject { paste: Some(text.to_owned()), ..Subject::default() }.method();
        assert_eq!(paste("0 | 0 0\n1 | 1 0\n  | 1/2 1/2\n").unwrap().stages(), 2);
        let rk4 = library::method("rk4").unwrap();
        assert_eq!(paste(&rk4.to_json()).unwrap(), rk4);
        assert!(paste("0 | 0 0\n1 | 1 x\n  | 1/2 1/2\n").unwrap_err().starts_with("-:"));
    }
}
