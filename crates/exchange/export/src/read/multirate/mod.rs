//! Import of multirate infinitesimal methods: `sundials` reads coupling tables of MRIStep, `gark` those of
//! OrdinaryDiffEq.jl, and `object` those of differential-equations-rs. Each builds a `draft` from named values.

mod base_tables;
mod draft;
mod gark;
mod object;
mod sundials;

use std::rc::Rc;

use hemiola_multirate::InfinitesimalMethod;

use super::error::{ReadError, TextFault, TextPosition};
use super::expressions::dialect::Dialect;
use super::expressions::number::WrittenNumber;
use super::expressions::scope::NameScope;
use super::expressions::value::ProgramValue;
use super::name::{self, UsedIds};
use super::programs::methods::{ProgramOptions, units};
use super::tables::own::Header;
pub(super) use draft::CouplingDraft;
pub(super) use object::draft as object_draft;

/// Returns whether a program has coupling tables. If it also has Butcher tables, only the coupling tables are read.
pub(super) fn has_couplings(text: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::C => text.contains("MRIStepCoupling"),
        Dialect::Julia => text.contains("MRIGARKTableau"),
        Dialect::Python | Dialect::Matlab | Dialect::Cells => false,
    }
}

/// Reads the coupling tables of a program.
pub(super) fn drafts(text: &str, program: ProgramOptions) -> Result<Vec<CouplingDraft>, TextFault> {
    let mut scope = NameScope::default();
    if program.dialect == Dialect::C {
        // Constants that SUNDIALS defines elsewhere.
        for (name, value) in [("ZERO", 0), ("ONE", 1), ("TWO", 2)] {
            let number = ProgramValue::Number(WrittenNumber::whole(value));
            scope.set_without_owning(name, Rc::new((Ok(number), TextPosition::START)));
        }
    }
    let makes = if program.dialect == Dialect::C { sundials::constructs } else { gark::constructs };
    let units = units(text, program, makes, scope)?;
    let read = if program.dialect == Dialect::C { sundials::draft } else { gark::draft };
    Ok(units.iter().filter_map(read).collect())
}

/// Builds the method of a draft, with an id that no earlier method has.
pub(super) fn method(
    draft: &CouplingDraft,
    header: &Header,
    file: &str,
    note: &str,
    used: &mut UsedIds,
) -> Result<InfinitesimalMethod, ReadError> {
    let given = name::bare(&draft.name);
    let id = header.id.clone().unwrap_or_else(|| name::slug(given));
    let name = header.name.clone().unwrap_or_else(|| given.replace('_', "-"));
    let method = draft.method(&used.unused(&id), &name, header, note, file)?;
    used.insert(method.id());
    Ok(method)
}
