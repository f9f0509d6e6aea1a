//! How what is mapped is written: a METHOD, or a scheme made of one.

use hemiola::figures::Subject;
use hemiola::stability::Jacobian;
use hemiola::tableau::library::Library;

use crate::failure::Failure;

/// How linearised methods are written.
const LINEARIZED: &str = "linearized:METHOD[,q=N][,decoupled] with N ≤ 1000";

/// The scheme of a text.
pub(super) fn read(text: &str, library: &Library) -> Result<Subject, Failure> {
    match text.split_once(':').unwrap_or((text, "")) {
        ("singular-perturbation", "") => Ok(Subject::singular_perturbation(None)?),
        ("singular-perturbation", method) => Ok(Subject::singular_perturbation(Some(&library.load(method)?))?),
        ("linearized", parameters) => linearized(text, parameters, library),
        _ => Ok(Subject::method(&library.load(text)?)),
    }
}

fn linearized(text: &str, parameters: &str, library: &Library) -> Result<Subject, Failure> {
    let fault =
        |found: &str| Failure::Scheme { scheme: text.to_owned(), found: found.to_owned(), expected: LINEARIZED };
    let mut parts = parameters.split(',');
    let method = parts.next().filter(|method| !method.is_empty()).ok_or_else(|| fault(""))?;
    let (mut iterations, mut jacobian) = (1, Jacobian::Exact);
    for part in parts {
        match part.split_once('=') {
            None if part == "decoupled" => jacobian = Jacobian::Decoupled,
            Some(("q", count)) => {
                iterations = count.parse().ok().filter(|count| *count <= MOST_ITERATIONS).ok_or_else(|| fault(part))?;
            }
            _ => return Err(fault(part)),
        }
    }
    Ok(Subject::linearized(&library.load(method)?, iterations, jacobian)?)
}

/// More iterations change nothing that a double could show.
const MOST_ITERATIONS: usize = 1000;
