//! The method of a diagonally implicit design: fixed numbers as fractions, unknowns as decimals.

use dashu::rational::RBig;
use hemiola_number::bound_text;
use hemiola_tableau::{Butcher, Claims, Coefficient, Exact, Method, MethodError, Partition, Precision, Source};

use crate::completion::{CompletionRequests, complete};
use crate::error::DesignError;
use crate::implicit::layout::Layout;
use crate::implicit::specification::{DiagonalStructure, ImplicitKind, ImplicitSpecification};
use crate::pair::decimals::{DECIMALS, decimal};
use crate::pair::place::CoefficientIndex;

/// Decimals that a double determines.
const DOUBLE_DECIMALS: usize = 16;
/// Size below which an unknown is a rounded zero.
const ZERO: f64 = 1e-12;

/// Assembles the method from doubles, before its refinement.
pub(crate) fn assemble(
    specification: &ImplicitSpecification,
    id: &str,
    layout: &Layout,
    x: &[f64],
) -> Result<Method, MethodError> {
    let known: Vec<Exact> = x.iter().map(|x| Exact::from(RBig::try_from(*x).unwrap_or_default())).collect();
    let table = layout.tableau(&known, Exact::clone);
    let written = |place: CoefficientIndex, value: &Exact| {
        let is_unknown = layout.unknowns.iter().any(|places| places.contains(&place));
        match is_unknown {
            true if value.to_f64().abs() < ZERO => exact("0"),
            true => decimal(value, DOUBLE_DECIMALS),
            false => exact(&value.to_string()),
        }
    };
    let row = |partition: usize, row: usize, entries: &Vec<Exact>| {
        let place = |column| CoefficientIndex { partition, row, column };
        entries.iter().enumerate().map(|(column, x)| written(place(column), x)).collect::<Result<Vec<_>, _>>()
    };
    let part = |(k, butcher): (usize, &Butcher<Exact>)| {
        let a = butcher.a.iter().enumerate().map(|(i, entries)| row(k, i, entries)).collect::<Result<_, _>>()?;
        let name = name(specification.kind, k).to_owned();
        let count = specification.partitions.len();
        let hat = table.partitions.get(count + k).map(|hat| row(count + k, specification.stages(), &hat.b));
        Ok(Partition {
            name,
            a,
            b: row(k, specification.stages(), &butcher.b)?,
            c: None,
            b_hat: hat.transpose()?,
            dense: None,
        })
    };
    let own = table.partitions.iter().take(specification.partitions.len());
    let partitions = own.enumerate().map(part).collect::<Result<Vec<_>, MethodError>>()?;
    let claims = (DOUBLE_DECIMALS, None);
    method(specification, id, partitions, claims, source(specification))
}

/// Returns a finished method whose name states the proved extent of its joint region.
pub(crate) fn with_extent(
    specification: &ImplicitSpecification,
    of: &Method,
    extent: f64,
) -> Result<Method, MethodError> {
    let name = format!("{}, extent {extent}", title(specification));
    Method::new(of.id(), &name, of.partitions().to_vec(), of.claims(), of.precision(), of.source().clone())
}

/// Returns the finished method with its name and its source.
pub(crate) fn finished(
    specification: &ImplicitSpecification,
    of: &Method,
    embedded: Option<(usize, Vec<Vec<Exact>>)>,
    radius: Option<f64>,
) -> Result<Method, MethodError> {
    let mut partitions = of.partitions().to_vec();
    let order = embedded.as_ref().map(|(order, _)| *order);
    partitions.iter_mut().for_each(|partition| partition.b_hat = None);
    if let Some((_, weights)) = embedded {
        for (partition, weights) in partitions.iter_mut().zip(weights) {
            partition.b_hat = Some(weights.iter().map(|x| decimal(x, DECIMALS)).collect::<Result<_, _>>()?);
        }
    }
    let damped = if specification.structure == DiagonalStructure::Esdirk { " and R(∞) = 0" } else { "" };
    let s = specification.stages();
    let is_partial = specification.implicit().any(|partition| specification.partitions[partition].evaluations < s);
    let place = if is_partial { "at the evaluations of" } else { "in" };
    let note = radius.map(|radius| {
        let order = specification.stage_order;
        format!(
            "A method with stages of order {order}{damped} {place} the implicit partition lies within {} (Krawczyk).",
            bound_text(radius, 1)
        )
    });
    let source = Source { note, ..source(specification) };
    method(specification, of.id(), partitions, (DECIMALS, order), source)
}

/// Adds dense output of an order to a finished method; returns it unchanged if its stages allow none.
pub(crate) fn with_dense(method: Method, order: usize) -> Result<Method, DesignError> {
    let wishes = CompletionRequests { dense: Some(order), ..CompletionRequests::default() };
    let Some(found) = complete(&method, wishes)?.method else { return Ok(method) };
    let (claims, source) = (found.claims(), method.source().clone());
    let partitions = found.partitions().to_vec();
    Ok(Method::new(method.id(), method.name(), partitions, claims, method.precision(), source)?)
}

fn method(
    specification: &ImplicitSpecification,
    id: &str,
    partitions: Vec<Partition>,
    (decimals, embedded_order): (usize, Option<usize>),
    source: Source,
) -> Result<Method, MethodError> {
    let claims = Claims { order: Some(specification.order), embedded_order, ..Claims::default() };
    let precision = Some(Precision { decimals: decimals as u32 });
    Method::new(id, &title(specification), partitions, claims, precision, source)
}

fn source(specification: &ImplicitSpecification) -> Source {
    Source {
        authors: "Hemiola".to_owned(),
        title: "Designed for small errors, L-stable".to_owned(),
        place: Some(specification.command()),
        ..Source::default()
    }
}

fn exact(text: &str) -> Result<Coefficient, MethodError> {
    Coefficient::parse(text).map_err(|problem| MethodError::Number {
        file: "the new method".to_owned(),
        path: "coefficient".to_owned(),
        found: text.to_owned(),
        problem,
    })
}

fn name(kind: ImplicitKind, partition: usize) -> &'static str {
    match (kind, partition) {
        (ImplicitKind::Alone, _) => "all",
        (ImplicitKind::Additive, 0) => "explicit",
        (ImplicitKind::Additive, _) => "implicit",
        (_, 0) => "slow",
        _ => "fast",
    }
}

/// Returns the name, for example "Hemiola IMEX ESDIRK 7, order 4, damped".
fn title(specification: &ImplicitSpecification) -> String {
    let counts: Vec<String> = specification.partitions.iter().map(|shape| shape.evaluations.to_string()).collect();
    let structure = match specification.structure {
        DiagonalStructure::Dirk => "DIRK",
        DiagonalStructure::Sdirk => "SDIRK",
        DiagonalStructure::Esdirk => "ESDIRK",
    };
    let (kind, counts) = match specification.kind {
        ImplicitKind::Alone => (structure.to_owned(), counts[0].clone()),
        ImplicitKind::Additive => (format!("IMEX {structure}"), counts[0].clone()),
        ImplicitKind::Slow => (format!("slow {structure}"), counts.join("–")),
        ImplicitKind::Fast => (format!("fast {structure}"), counts.join("–")),
        ImplicitKind::Both => (format!("slow and fast {structure}"), counts.join("–")),
    };
    let stages = if specification.internal.is_some() { ", damped" } else { "" };
    format!("Hemiola {kind} {counts}, order {}{stages}", specification.order)
}
