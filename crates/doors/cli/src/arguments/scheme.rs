//! Syntax of schemes on the command line: a METHOD, or a scheme built on one.

use hemiola::multirate::CoupledFlow;
use hemiola::plot::MapScheme;
use hemiola::stability::StabilityError;
use hemiola::tableau::library::Library;
use hemiola::tableau::{Scheme, printable};

use crate::arguments::multirate::multirate;
use crate::arguments::source;
use crate::failure::Failure;

/// Reads a scheme.
pub(crate) fn read(text: &str, library: &Library) -> Result<Scheme, Failure> {
    Scheme::parse(text, |name| source::method(name, library))
}

/// Id and name of a scheme, for labels in figures.
type Label = (String, String);

/// Reads a scheme for a map: as above, or a multirate method with an exact fast part.
pub(crate) fn on_map(text: &str, library: &Library) -> Result<(Label, MapScheme), Failure> {
    let Some(method) = multirate(text, library)? else {
        let scheme = read(text, library)?;
        return Ok(((scheme.label(), scheme.name()), MapScheme::new(&scheme)?));
    };
    let flow = CoupledFlow::new(&method)?;
    if flow.partitions() != 2 {
        return Err(StabilityError::NotAPair { found: flow.partitions() }.into());
    }
    let (id, name) = (method.id().to_owned(), format!("{}, exact fast part", printable(method.name())));
    let scheme = MapScheme::exact_flow(&id, &name, flow, &method.slow_method()?);
    Ok(((id, name), scheme))
}
