//! Output file of a design. Files of an earlier design with the same name are overwritten only if the designs are equal.
//!
//! Designs are identified by their specifications, which NAME.design.json stores next to the method; equal specifications give equal
//! bytes.

use std::path::{Path, PathBuf};

use hemiola::design::{DesignFile, Specification, Stability};

use super::files::DesignFiles;

/// Kind of result to be written.
#[derive(Clone, Copy)]
pub(crate) enum OutputKind {
    /// Single method.
    Method,
    /// Single method after an outer search, which changes numbers of the specification.
    Tuned,
    /// Given number of compromises, NAME-1.json and so on.
    Front(usize),
}

/// Returns the method file to write: the requested one unless a design of different origin occupies it, otherwise the
/// first free one of NAME-2.json, NAME-3.json, ….
pub(crate) fn free_file(asked: &Path, specification: &Specification, making: OutputKind) -> PathBuf {
    let name = asked.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = (2..).map(|k: u64| asked.with_file_name(format!("{name}-{k}.json")));
    let mut candidates = std::iter::once(asked.to_owned()).chain(numbered);
    candidates.find(|file| is_free(file, specification, making)).unwrap_or_else(|| asked.to_owned())
}

fn is_free(file: &Path, specification: &Specification, making: OutputKind) -> bool {
    let origin = FileOrigin::of(file);
    match making {
        OutputKind::Method => origin.allows(|there| there == specification),
        OutputKind::Tuned => origin.allows(|there| untuned(there) == untuned(specification)),
        // NAME-2.json may be a compromise of this front or a numbered design.
        OutputKind::Front(points) => {
            let point = |k: usize| FileOrigin::of(&DesignFiles::point(file, k));
            let emphasis_apart = |there: &Specification| unweighted(there) == unweighted(specification);
            origin.allows(|there| there == specification) && (1..=points).all(|k| point(k).allows(emphasis_apart))
        }
    }
}

/// Origin of an existing method file.
enum FileOrigin {
    Nothing,
    Design(Box<Specification>),
    /// Method without a design, or with an unreadable one.
    Unknown,
}

impl FileOrigin {
    fn of(method: &Path) -> Self {
        let design = DesignFiles::beside(method).design;
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

/// Removes the numbers that an outer search determines from the specification.
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

/// Removes the weights that contain the emphasis of a compromise from the specification.
fn unweighted(specification: &Specification) -> Specification {
    let mut rest = specification.clone();
    (rest.objective.coefficients, rest.objective.internal) = (0.0, Some(0.0));
    if let Some(coupling) = &mut rest.objective.coupling {
        coupling.weight = 0.0;
    }
    rest
}
