//! Labels of methods in a figure.

use std::str::FromStr;

use hemiola::figure::{Figure, escaped};
use thiserror::Error;

use crate::failure::CommandError;

/// Largest number of names that an error lists.
const MOST_NAMES: usize = 12;

/// Label of a method that the figure does not have.
#[derive(Debug, Error)]
#[error(
    "--label {label:?}: the figure has no method or legend entry {method:?}; expected METHOD=TEXT with one of: {known}"
)]
pub(super) struct LabelError {
    label: String,
    method: String,
    known: String,
}

impl CommandError for LabelError {}

/// A method and its label, METHOD=TEXT. Where METHOD ends is known once the methods are: both it
/// (`linearized:rk4,q=2`) and TEXT may contain `=`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelArg(String);

impl FromStr for LabelArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_label = text.split_once('=').is_some_and(|(method, _)| !method.is_empty());
        is_label
            .then(|| Self(text.to_owned()))
            .ok_or_else(|| "expected METHOD=TEXT, such as rk4=\"Kutta (1901)\"".to_owned())
    }
}

impl LabelArg {
    /// Splits at the first `=` that follows a known method.
    fn split(&self, is_known: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
        let places = self.0.match_indices('=').map(|(at, _)| (&self.0[..at], &self.0[at + 1..]));
        places.into_iter().find(|(method, _)| is_known(method))
    }
}

/// Texts by which the legend entries and the titles of a figure are replaced.
pub(super) struct Labels<'n> {
    /// Ids of the methods with their names.
    names: &'n [(String, String)],
    /// Beginnings of texts with their replacements, the longest first, because `rk4` is a prefix of other ids.
    replaced: Vec<(String, String)>,
    /// Label of the only method, if the figure does not name it.
    title: Option<String>,
}

impl<'n> Labels<'n> {
    /// Assigns labels to the methods of a figure with these ids and names.
    ///
    /// # Errors
    /// Returns an error if a label is for a method that the figure does not have.
    pub(super) fn new(asked: &[LabelArg], names: &'n [(String, String)], figure: &Figure) -> Result<Self, LabelError> {
        let shown: Vec<&str> = figure.labels().collect();
        let is_shown = |method: &str| shown.iter().any(|label| replaced(label, &escaped(method), "").is_some());
        let is_id = |method: &str| names.iter().any(|(id, name)| id == method || name == method);
        let mut labels = Self { names, replaced: Vec::new(), title: None };
        for label in asked {
            let (method, text) = label
                .split(|method| is_id(method) || is_shown(method))
                .ok_or_else(|| LabelError::new(label, names, &shown))?;
            let named = names.iter().filter(|(id, name)| id == method || name == method).map(|(id, _)| id.as_str());
            // A name stands for its method, whose id is in the figure.
            let texts: Vec<&str> = named.chain([method]).collect();
            if !texts.iter().any(|text| is_shown(text)) {
                labels.title = Some(text.to_owned());
            }
            labels.replaced.extend(texts.iter().map(|id| (escaped(id), text.to_owned())));
        }
        labels.replaced.extend(names.iter().map(|(id, name)| (escaped(id), escaped(name))));
        // The sort is stable: requested labels precede names.
        labels.replaced.sort_by_key(|(id, _)| std::cmp::Reverse(id.len()));
        Ok(labels)
    }

    /// Replaces the legend entries and panel titles of the figure. The label of a method that the figure does not name,
    /// as the only method, becomes the title.
    pub(super) fn applied(&self, figure: Figure) -> Figure {
        let figure = figure.relabeled(|label| self.named(label));
        match self.title.as_ref().filter(|_| self.names.len() == 1) {
            Some(title) => figure.title(title),
            None => figure,
        }
    }

    /// Replaces the method at the beginning of a label or after a colon.
    fn named(&self, label: &str) -> String {
        let at_start = |label: &str| self.replaced.iter().find_map(|(id, text)| replaced(label, id, text));
        let after_colon = || {
            let (slice, method) = label.rsplit_once(": ")?;
            Some(format!("{slice}: {}", at_start(method)?))
        };
        at_start(label).or_else(after_colon).unwrap_or_else(|| label.to_owned())
    }
}

/// Replaces the beginning of a label up to a comma or a blank.
fn replaced(label: &str, id: &str, text: &str) -> Option<String> {
    let rest = label.strip_prefix(id).filter(|rest| rest.is_empty() || rest.starts_with([',', ' ']))?;
    Some(format!("{text}{rest}"))
}

impl LabelError {
    fn new(label: &LabelArg, names: &[(String, String)], shown: &[&str]) -> Self {
        let ids = names.iter().map(|(id, _)| id.clone());
        let mut known: Vec<String> = ids.collect();
        if known.is_empty() {
            known.extend(shown.iter().map(|label| hemiola::figure::plain(label)));
            known.dedup();
        }
        known.truncate(MOST_NAMES);
        let method = label.0.split('=').next().unwrap_or_default().to_owned();
        let known = if known.is_empty() { "(it has no legend)".to_owned() } else { known.join("; ") };
        Self { label: label.0.clone(), method, known }
    }
}

#[cfg(test)]
mod tests {
    use hemiola::figure::{Axis, Curve, Panel};

    use super::*;

    fn figure(labels: &[&str]) -> Figure {
        let curve = |label: &&str| Curve::new().open([[0.0, 0.0], [1.0, 1.0]]).label(*label);
        let panel = Panel::new(Axis::new("*x*"), Axis::new("*y*"));
        Figure::one_column().panel(labels.iter().map(curve).fold(panel, Panel::curve))
    }

    /// Returns the legend entries of a figure with labels.
    fn labeled(
        asked: &[&str],
        names: &[(&str, &str)],
        shown: &[&str],
    ) -> Result<(Vec<String>, Option<String>), String> {
        let asked: Vec<LabelArg> = asked.iter().map(|label| label.parse().unwrap()).collect();
        let names: Vec<_> = names.iter().map(|(id, name)| ((*id).to_owned(), (*name).to_owned())).collect();
        let figure = figure(shown);
        let labels = Labels::new(&asked, &names, &figure).map_err(|error| error.to_string())?;
        let title = labels.title.clone();
        Ok((labels.applied(figure).labels().map(str::to_owned).collect(), title))
    }

    #[test]
    fn methods_are_called_by_their_names_unless_told_otherwise() {
        let names = [("rk4", "RK4"), ("rk4_a", "A_4"), ("linearized:gauss-2,q=1", "L")];
        let asked = ["rk4=Kutta *K*", "linearized:gauss-2,q=1=one step"];
        let shown = ["rk4", "rk4, *κ* = 2", r"rk4\_a", "rk42", "linearized:gauss-2,q=1", "κ = 2: rk4"];
        let expected = ["Kutta *K*", "Kutta *K*, *κ* = 2", r"A\_4", "rk42", "one step", "κ = 2: Kutta *K*"];
        assert_eq!(labeled(&asked, &names, &shown).unwrap().0, expected);
    }

    #[test]
    fn a_label_ends_its_method_at_the_first_sign_behind_a_known_one() {
        let names = [("rk4", "RK4"), ("linearized:rk4,q=2", "L")];
        let shown = ["rk4", "linearized:rk4,q=2"];
        let found = labeled(&["rk4=h = 0.1", "linearized:rk4,q=2=q = 2"], &names, &shown).unwrap().0;
        assert_eq!(found, ["h = 0.1", "q = 2"]);
        // A method may be called by its name, too, or by the text of the legend.
        assert_eq!(labeled(&["RK4=Kutta"], &names, &shown).unwrap().0[0], "Kutta");
        assert_eq!(labeled(&["any text=other"], &[], &["any text"]).unwrap().0, ["other"]);
    }

    #[test]
    fn unknown_methods_are_errors_that_list_the_known_ones() {
        let error = labeled(&["rk5=x"], &[("rk4", "RK4"), ("heun-3", "H")], &["rk4", "heun-3"]).unwrap_err();
        assert!(error.contains("\"rk5\"") && error.contains("rk4; heun-3"), "{error}");
        assert!(labeled(&["rk4=x"], &[], &["Kutta"]).unwrap_err().contains("Kutta"));
        assert!("rk4".parse::<LabelArg>().is_err() && "=x".parse::<LabelArg>().is_err());
    }

    #[test]
    fn the_label_of_the_only_method_is_the_title_if_no_legend_names_it() {
        let (shown, title) = labeled(&["rk4=Kutta = 4"], &[("rk4", "RK4")], &["|*R*| = 1"]).unwrap();
        assert_eq!((shown, title.as_deref()), (vec!["|*R*| = 1".to_owned()], Some("Kutta = 4")));
        assert_eq!(labeled(&["rk4=Kutta"], &[("rk4", "RK4")], &["rk4"]).unwrap().1, None);
    }
}
