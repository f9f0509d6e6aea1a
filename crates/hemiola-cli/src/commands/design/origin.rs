//! Where a design goes: what an earlier design left behind under the same name is overwritten only where it is the same design.
//!
//! Designs are told apart by their specifications, which NAME.design.json keeps beside the method: the same specification makes
//! the same bytes.

use std::path::{Path, PathBuf};

use hemiola::design::{DesignFile, Specification, Stability};

use super::files::Files;

/// What is about to be made.
#[derive(Clone, Copy)]
pub(crate) enum Making {
    /// One method.
    Method,
    /// One method after an outer search, which changes numbers of the specification.
    Tuned,
    /// So many compromises, NAME-1.json and so on.
    Front(usize),
}

/// The method file to write: the one asked for where nothing of another origin is in its place, else the first of NAME-2.json,
/// NAME-3.json … for which that holds.
pub(crate) fn free_file(asked: &Path, specification: &Specification, making: Making) -> PathBuf {
    let name = asked.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = (2..).map(|k: u64| asked.with_file_name(format!("{name}-{k}.json")));
    let mut candidates = std::iter::once(asked.to_owned()).chain(numbered);
    candidates.find(|file| is_free(file, specification, making)).unwrap_or_else(|| asked.to_owned())
}

fn is_free(file: &Path, specification: &Specification, making: Making) -> bool {
    let origin = Origin::of(file);
    match making {
        Making::Method => origin.allows(|there| there == specification),
        Making::Tuned => origin.allows(|there| untuned(there) == untuned(specification)),
        // NAME-2.json may be a compromise of this front, or a design that was numbered.
        Making::Front(points) => {
            let point = |k: usize| Origin::of(&Files::point(file, k));
            let emphasis_apart = |there: &Specification| unweighted(there) == unweighted(specification);
            origin.allows(|there| there == specification) && (1..=points).all(|k| point(k).allows(emphasis_apart))
        }
    }
}

/// What is at a method's place.
enum Origin {
    Nothing,
    Design(Box<Specification>),
    /// A method without a design, or a design that cannot be read.
    Unknown,
}

impl Origin {
    fn of(method: &Path) -> Self {
        let design = Files::beside(method).design;
        match DesignFile::read(&design) {
            Ok(file) => Self::Design(Box::new(file.specification)),
            Err(_) if method.exists() || design.exists() => Self::Unknown,
            Err(_) => Self::Nothing,
        }
    }

    fn allows(&self, is_same: impl Fn(&Specification) -> bool) -> bool {
        match self {
            Self::Nothing => true,
            Self::Design(there) => is_same(there),
            Self::Unknown => false,
        }
    }
}

/// The specification without the numbers that an outer search looks for.
fn untuned(specification: &Specification) -> Specification {
    let mut rest = specification.clone();
    if let Stability::Optimal { damping, .. } = &mut rest.stability[1] {
        *damping = 0.0;
    }
    if let Some(coupling) = &mut rest.objective.coupling {
        coupling.profile.iter_mut().for_each(|wanted| *wanted = 0.0);
        coupling.weight = 0.0;
    }
    rest
}

/// The specification without the weights in which a compromise has its emphasis.
fn unweighted(specification: &Specification) -> Specification {
    let mut rest = specification.clone();
    (rest.objective.coefficients, rest.objective.internal) = (0.0, 0.0);
    if let Some(coupling) = &mut rest.objective.coupling {
        coupling.weight = 0.0;
    }
    rest
}
