//! Description of a method in words: source, claims, precision and structure.

use hemiola_tableau::{Butcher, Claims, Exact, Method, Precision, Source};

use super::numbers::counted;

/// Describes the source: authors, year, title, place and DOI, as far as known.
///
/// ```
/// let method = hemiola_tableau::library::method("merson-4").unwrap();
/// assert!(hemiola_export::describe::source(&method).unwrap().contains("Merson"));
/// ```
#[must_use]
pub fn source(method: &Method) -> Option<String> {
    publication(method.source())
}

/// Describes a publication: authors, year, title, place and DOI; `None` if all of them are missing.
#[must_use]
pub fn publication(source: &Source) -> Option<String> {
    let year = source.year.map(|year| format!("({year})"));
    let doi = source.doi.as_ref().map(|doi| format!("doi:{doi}"));
    let authors = [Some(source.authors.clone()).filter(|authors| !authors.is_empty()), year];
    let authors = authors.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [Some(authors), Some(source.title.clone()), source.place.clone(), doi];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(". "))
}

/// Describes the claimed orders.
///
/// ```
/// let method = hemiola_tableau::library::method("bogacki-shampine-3").unwrap();
/// assert_eq!(hemiola_export::describe::claims(&method), "order 3, embedded order 2");
/// ```
#[must_use]
pub fn claims(method: &Method) -> String {
    claimed(method.claims())
}

/// Describes claims of orders.
#[must_use]
pub fn claimed(claims: Claims) -> String {
    let named = [
        ("order", claims.order),
        ("separable order", claims.separable_order),
        ("embedded order", claims.embedded_order),
        ("dense order", claims.dense_order),
    ];
    let texts: Vec<String> =
        named.iter().filter_map(|(name, claim)| claim.map(|order| format!("{name} {order}"))).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

/// Describes the precision of the coefficients.
///
/// ```
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// assert_eq!(hemiola_export::describe::precision(&method), "decimals rounded to 8 places");
/// ```
#[must_use]
pub fn precision(method: &Method) -> String {
    stated_precision(method.precision())
}

/// Describes a stated precision of coefficients.
#[must_use]
pub fn stated_precision(precision: Option<Precision>) -> String {
    match precision {
        Some(precision) => format!("decimals rounded to {}", counted(precision.decimals as usize, "place")),
        None => "exact as written".to_owned(),
    }
}

/// Describes the structure of every partition.
///
/// ```
/// let method = hemiola_tableau::library::method("rk4").unwrap();
/// assert_eq!(hemiola_export::describe::structure(&method), "4 stages; explicit, 4 evaluations a step");
/// ```
#[must_use]
pub fn structure(method: &Method) -> String {
    let butchers = method.exact().partitions;
    let mut facts = vec![counted(method.stages(), "stage")];
    facts.extend(method.partitions().iter().zip(&butchers).map(|(partition, butcher)| {
        let owner = if butchers.len() > 1 { format!("{}: ", partition.name) } else { String::new() };
        format!("{owner}{}, {} a step", kind(butcher), counted(butcher.evaluated_stages().len(), "evaluation"))
    }));
    // The last stage equals the result of the step only if it does so in every partition.
    if butchers.iter().all(Butcher::is_first_same_as_last) {
        facts.push("first same as last".to_owned());
    }
    facts.join("; ")
}

fn kind(butcher: &Butcher<Exact>) -> &'static str {
    if butcher.is_explicit() {
        "explicit"
    } else if butcher.is_diagonally_implicit() {
        "diagonally implicit"
    } else {
        "implicit"
    }
}
