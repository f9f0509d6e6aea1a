//! Where a design is written: files of an earlier design under the same name are overwritten only if it is the same
//! design.
//!
//! Designs are identified by their specifications, which NAME.design.json keeps beside the method: the same
//! specification gives the same bytes.

use std::path::{Path, PathBuf};

use hemiola::design::{DesignFile, Specification, Stability};

use super::files::Files;

/// What is about to be written.
#[derive(Clone, Copy)]
pub(crate) enum Making {
    /// One method.
    Method,
    /// One method after an outer search, which changes numbers of the specification.
    Tuned,
    /// This many compromises, NAME-1.json and so on.
    Front(usize),
}

/// The method file to write: the requested one unless it belongs to a design of another origin, else the first of
/// NAME-2.json, NAME-3.json, … that does not.
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

/// What occupies a method's file.
enum Origin {
    Nothing,
    Design(Box<Specification>),
    /// A method without a design, or with an unreadable one.
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

/// The specification without the numbers that an outer search determines.
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

/// The specification without the weights that contain the emphasis of a compromise.
fn unweighted(specification: &Specification) -> Specification {
    let mut rest = specification.clone();
    (rest.objective.coefficients, rest.objective.internal) = (0.0, 0.0);
    if let Some(coupling) = &mut rest.objective.coupling {
        coupling.weight = 0.0;
    }
    rest
}
