//! The method of a specification, built from the coefficients of its tableaus.

use hemiola_tableau::{Claims, Exact, Method, MethodError, Partition, Precision, Source, Tableau};

use crate::pair::decimals::{DECIMALS, coefficient};
use crate::pair::partitions::NAMES;
use crate::specification::definition::Specification;

/// Further weights of each partition.
#[derive(Default)]
pub(crate) struct ExtraWeights {
    pub(crate) b_hat: Option<Vec<Vec<Exact>>>,
    pub(crate) dense: Option<Vec<Vec<Vec<Exact>>>>,
}

/// Builds the method; `interrupted` is the number of starts after which the search was interrupted.
pub(crate) fn method(
    specification: &Specification,
    tableau: &Tableau<Exact>,
    extra: &ExtraWeights,
    interrupted: Option<usize>,
) -> Result<Method, MethodError> {
    let Specification { slow, fast, order, .. } = specification;
    let vector = |values: &[Exact]| values.iter().map(coefficient).collect::<Result<Vec<_>, _>>();
    let mut partitions = Vec::new();
    let matrix = |rows: &[Vec<Exact>]| rows.iter().map(|row| vector(row)).collect::<Result<Vec<_>, _>>();
    for (part, (name, butcher)) in NAMES.into_iter().zip(&tableau.partitions).enumerate() {
        let (name, a, b) = (name.to_owned(), matrix(&butcher.a)?, vector(&butcher.b)?);
        let b_hat = extra.b_hat.as_ref().map(|weights| vector(&weights[part])).transpose()?;
        let dense = extra.dense.as_ref().map(|weights| matrix(&weights[part])).transpose()?;
        partitions.push(Partition { name, a, b, c: None, b_hat, dense });
    }
    let mut note = specification.description();
    if let Some(tried) = interrupted {
        note += &format!(" The search was interrupted after {tried} starts: repeating it may give another method.");
    }
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: format!("Designed dual-rate pair {slow}–{fast} of order {order}"),
        note: Some(note),
        ..Source::default()
    };
    let claims = Claims {
        order: Some(*order),
        embedded_order: extra.b_hat.as_ref().and(specification.embedded),
        dense_order: extra.dense.as_ref().and(specification.dense),
        ..Claims::default()
    };
    let precision = Some(Precision { decimals: DECIMALS as u32 });
    Method::new(
        &format!("dual-rate-{slow}-{fast}"),
        &format!("Hemiola {slow}–{fast}, order {order}"),
        partitions,
        claims,
        precision,
        source,
    )
}
