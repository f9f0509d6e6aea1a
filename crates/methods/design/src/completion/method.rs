//! The completed method: exact numbers in exact form, decimals with fifty places.

use hemiola_tableau::{Claims, Coefficient, Exact, Method, MethodError, Source};
use num_traits::Zero;

use crate::completion::finding::CompletionOutcome;
use crate::completion::task::Polynomials;
use crate::error::DesignError;
use crate::pair::decimals::{coefficient, rational};

/// Length up to which exact numbers are written in exact form; the longest published fractions have about 330
/// characters.
const LONGEST: usize = 400;

/// Returns the method with the weights found.
pub(crate) fn completed(
    method: &Method,
    embedded: Option<&(CompletionOutcome, Vec<Vec<Exact>>)>,
    dense: Option<&(CompletionOutcome, Vec<Polynomials>)>,
    is_longer: bool,
    is_exact: bool,
) -> Result<Method, DesignError> {
    let mut partitions = method.partitions().to_vec();
    let vector = |row: &Vec<Exact>| row.iter().map(|x| written(x, is_exact)).collect::<Result<Vec<_>, _>>();
    for (k, partition) in partitions.iter_mut().enumerate() {
        if let Some((_, weights)) = embedded {
            partition.b_hat = Some(vector(&weights[k])?);
        }
        if let Some((_, polynomials)) = dense {
            partition.dense = Some(polynomials[k].iter().map(vector).collect::<Result<_, _>>()?);
        }
    }
    let order = |found: Option<&CompletionOutcome>| match found {
        Some(CompletionOutcome::Found { order, .. }) => Some(*order),
        _ => None,
    };
    let [hat, theta] = [embedded.map(|found| &found.0), dense.map(|found| &found.0)].map(order);
    let claims = Claims {
        embedded_order: hat.or(method.claims().embedded_order),
        dense_order: theta.or(method.claims().dense_order),
        ..method.claims()
    };
    let mut added = Vec::new();
    if is_longer {
        added.push("the last stage, which is the first of the next step".to_owned());
    }
    added.extend(hat.map(|order| format!("the embedded weights of order {order}")));
    added.extend(theta.map(|order| format!("the dense output of order {order}")));
    let sentence = format!("Added by Hemiola, not part of the source: {}.", added.join(", "));
    let note = method.source().note.as_ref().map_or(sentence.clone(), |note| format!("{note} {sentence}"));
    let source = Source { note: Some(note), ..method.source().clone() };
    Ok(Method::new(method.id(), method.name(), partitions, claims, method.precision(), source)?)
}

/// Writes a number in exact form if it is exact and not too long, otherwise as a decimal.
pub(crate) fn written(x: &Exact, is_exact: bool) -> Result<Coefficient, MethodError> {
    if x.is_zero() {
        return text("0");
    }
    let exact = x.to_string();
    if is_exact && exact.len() <= LONGEST { text(&exact) } else { coefficient(&Exact::from(rational(x))) }
}

pub(crate) fn text(text: &str) -> Result<Coefficient, MethodError> {
    Coefficient::parse(text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text.to_owned(),
        problem,
    })
}
