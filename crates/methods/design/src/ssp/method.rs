//! The method of an SSP design: exact fractions where the coefficients are simple, otherwise decimals.

use dashu::rational::RBig;
use hemiola_tableau::{Claims, Coefficient, Exact, Method, MethodError, Partition, Precision, Source, Tableau};

use crate::pair::decimals::{DECIMALS, coefficient};
use crate::pair::partitions::NAMES;
use crate::ssp::specification::SspSpecification;

/// Largest denominator of a coefficient that is written as a fraction.
const LARGEST_DENOMINATOR: u32 = 1_000_000;
/// Distance from a fraction that the working decimals explain; fractions with small denominators are 10⁻¹² apart.
const ROUNDING: f64 = 1e-45;

/// Assembles the method from exact coefficients with the working decimals.
pub(crate) fn assemble(
    specification: &SspSpecification,
    id: &str,
    tableau: &Tableau<Exact>,
) -> Result<Method, MethodError> {
    let count = tableau.partitions.len();
    let vector = |row: &Vec<Exact>| row.iter().map(written).collect::<Result<Vec<_>, _>>();
    let partition = |(k, butcher): (usize, &hemiola_tableau::Butcher<Exact>)| {
        let name = if count == 1 { "all" } else { NAMES[k] };
        Ok(Partition {
            name: name.to_owned(),
            a: butcher.a.iter().map(vector).collect::<Result<_, MethodError>>()?,
            b: vector(&butcher.b)?,
            c: None,
            b_hat: None,
            dense: None,
        })
    };
    let partitions = tableau.partitions.iter().enumerate().map(partition).collect::<Result<Vec<_>, MethodError>>()?;
    method(specification, id, partitions)
}

/// Returns a method with the id, the name and the source of the design.
pub(crate) fn named(specification: &SspSpecification, of: &Method) -> Result<Method, MethodError> {
    method(specification, of.id(), of.partitions().to_vec())
}

fn method(specification: &SspSpecification, id: &str, partitions: Vec<Partition>) -> Result<Method, MethodError> {
    let is_decimal = |x: &Coefficient| x.text().contains('.');
    let has_decimals = partitions.iter().any(|part| part.a.iter().flatten().chain(&part.b).any(is_decimal));
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: "Designed for strong stability preservation".to_owned(),
        place: Some(specification.command()),
        ..Source::default()
    };
    let claims = Claims { order: Some(specification.order), ..Claims::default() };
    let precision = has_decimals.then_some(Precision { decimals: DECIMALS as u32 });
    Method::new(id, &name(specification, &partitions), partitions, claims, precision, source)
}

/// Returns the name, with the evaluations that the method needs: sometimes fewer than requested.
fn name(specification: &SspSpecification, partitions: &[Partition]) -> String {
    let is_used = |part: &Partition, stage: usize| part.a.iter().chain([&part.b]).any(|row| row[stage].text() != "0");
    let counts = partitions.iter().map(|part| (0..part.b.len()).filter(|&stage| is_used(part, stage)).count());
    let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
    let kind = if partitions.len() == 2 && specification.by_parts { " by parts" } else { "" };
    format!("Hemiola SSP {}, order {}{kind}", counts.join("–"), specification.order)
}

/// Writes a simple fraction as such, and other numbers with fifty decimals.
fn written(value: &Exact) -> Result<Coefficient, MethodError> {
    let simple = value.as_rational().and_then(|x| {
        let rounding = RBig::try_from(ROUNDING).unwrap_or_default();
        let simplest = RBig::simplest_in(x - &rounding, x + &rounding);
        (*simplest.denominator() <= LARGEST_DENOMINATOR.into()).then_some(simplest)
    });
    let Some(simple) = simple else { return coefficient(value) };
    let text = simple.to_string();
    Coefficient::parse(&text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text,
        problem,
    })
}
