//! The method of a design: decimals, name, claims and source.

use dashu::rational::RBig;
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::{Claims, Coefficient, Exact, MethodError, Precision, Source};

use crate::mri::specification::{MriSpecification, SlowPart, WantedSector};
use crate::pair::decimals::{DECIMALS, coefficient};

/// Assembles a method from rows whose entries are decimals, and from an embedded row with its order. Its name states the
/// given sector limits, which must be proved.
pub(crate) fn assemble(
    specification: &MriSpecification,
    id: &str,
    rows: &[InfinitesimalStage<Exact>],
    embedded: Option<&(InfinitesimalStage<Exact>, usize)>,
    stated: &[WantedSector],
) -> Result<InfinitesimalMethod, MethodError> {
    let stages = rows.iter().map(written).collect::<Result<Vec<_>, _>>()?;
    let embedded_order = embedded.map(|(_, order)| *order);
    let embedded = embedded.map(|(row, _)| written(row)).transpose()?;
    let kind = if specification.restarts { ", restarted stages" } else { "" };
    let limits: String = stated.iter().map(|sector| format!(", x({}°) ≥ {}", sector.angle, sector.limits())).collect();
    let part = match specification.part {
        SlowPart::Explicit => "MRI",
        SlowPart::Implicit => "implicit MRI",
        SlowPart::Additive => "IMEX MRI",
    };
    let name = format!("Hemiola {part} {}, order {}{kind}{limits}", specification.slow, specification.order);
    let claims = Claims { order: Some(specification.order), embedded_order, ..Claims::default() };
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: "Designed for small errors with an exact fast part".to_owned(),
        place: Some(specification.command()),
        ..Source::default()
    };
    let partitions = specification.part.names().iter().map(ToString::to_string).collect();
    let method = InfinitesimalMethod::new(id, &name, partitions, stages, embedded)?;
    let has_decimals = method.exact_rows().iter().flat_map(InfinitesimalStage::coefficients).any(|x| !is_short(x));
    let precision = has_decimals.then_some(Precision { decimals: DECIMALS as u32 });
    method.described(claims, precision, source)
}

fn is_short(x: &Exact) -> bool {
    x.as_rational().is_some_and(RBig::is_int)
}

fn written(row: &InfinitesimalStage<Exact>) -> Result<InfinitesimalStage<Coefficient>, MethodError> {
    let mut failed = None;
    let zero = Coefficient::parse("0").ok();
    let row = row.map(|x| {
        let text = x.as_rational().filter(|x| x.is_int()).map(ToString::to_string);
        let short = text.and_then(|text| Coefficient::parse(&text).ok());
        match short.map_or_else(|| coefficient(x), Ok) {
            Ok(coefficient) => Some(coefficient),
            Err(error) => {
                failed = Some(error);
                zero.clone()
            }
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(row.map(|x| x.clone().unwrap_or_else(|| unreachable!("every number has a text")))),
    }
}
