//! How a scheme is written on the command line: a METHOD, or a scheme made of one.

use hemiola::integrate::{AnyStepper, Extras, Linearized, SingularPerturbation, System};
use hemiola::plot::MapScheme;
use hemiola::stability::Jacobian;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;

use crate::arguments::source;
use crate::failure::Failure;

/// How linearised methods are written.
const LINEARIZED: &str = "linearized:METHOD[,q=N][,decoupled] with N ≤ 1000";
/// More iterations change nothing that a double could show.
const MOST_ITERATIONS: usize = 1000;
/// The highest order that q = 0, 1, 2, 3 Newton iterations allow; more allow all orders that there are.
const ORDER_CAPS: [usize; 4] = [1, 4, 10, 22];

/// What makes steps.
#[derive(Clone)]
pub(crate) enum Scheme {
    /// A method of the library or a file.
    Method(Method),
    /// A method with a fixed number of Newton iterations.
    Linearized { method: Method, iterations: usize, jacobian: Jacobian },
    /// The scheme of Gil et al., with RK4 or another method on the slow manifold.
    SingularPerturbation(Option<Method>),
}

impl Scheme {
    /// The scheme of a text.
    pub(crate) fn read(text: &str, library: &Library) -> Result<Self, Failure> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("singular-perturbation", "") => Ok(Self::SingularPerturbation(None)),
            ("singular-perturbation", method) => Ok(Self::SingularPerturbation(Some(source::method(method, library)?))),
            ("linearized", parameters) => linearized(text, parameters, library),
            _ => Ok(Self::Method(source::method(text, library)?)),
        }
    }

    /// The scheme as what a map shows.
    pub(crate) fn subject(&self) -> Result<MapScheme, Failure> {
        Ok(match self {
            Self::Method(method) => MapScheme::method(method),
            Self::Linearized { method, iterations, jacobian } => MapScheme::linearized(method, *iterations, *jacobian)?,
            Self::SingularPerturbation(method) => MapScheme::singular_perturbation(method.as_ref())?,
        })
    }

    /// What a legend calls it.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Method(method) => method.id().to_owned(),
            Self::Linearized { method, iterations, .. } => format!("linearized:{},q={iterations}", method.id()),
            Self::SingularPerturbation(None) => "singular-perturbation".to_owned(),
            Self::SingularPerturbation(Some(method)) => format!("singular-perturbation:{}", method.id()),
        }
    }

    /// The order that its method claims, as far as the scheme keeps it.
    pub(crate) fn order(&self) -> Option<usize> {
        match self {
            Self::Method(method) => method.claims().order,
            Self::Linearized { method, iterations, .. } => {
                let cap = ORDER_CAPS.get(*iterations).copied().unwrap_or(usize::MAX);
                method.claims().order.map(|order| order.min(cap))
            }
            Self::SingularPerturbation(_) => Some(1),
        }
    }

    /// The order of its embedded estimate, where every partition has embedded weights.
    pub(crate) fn estimate_order(&self) -> Option<usize> {
        let Self::Method(method) = self else { return None };
        method.embedded()?;
        Some(method.claims().order?.min(method.claims().embedded_order?))
    }

    /// The stepper for a system.
    pub(crate) fn stepper<S: System + ?Sized>(&self, system: &S, extras: Extras) -> Result<AnyStepper, Failure> {
        Ok(match self {
            Self::Method(method) => AnyStepper::new(method, system, extras)?,
            Self::Linearized { jacobian: Jacobian::Decoupled, .. } => {
                return Err(Failure::DecoupledSteps { scheme: self.label() });
            }
            Self::Linearized { method, iterations, .. } => {
                AnyStepper::Linearized(Box::new(Linearized::new(method, *iterations, system)?))
            }
            Self::SingularPerturbation(None) => {
                AnyStepper::SingularPerturbation(Box::new(SingularPerturbation::new(system)?))
            }
            Self::SingularPerturbation(Some(method)) => {
                AnyStepper::SingularPerturbation(Box::new(SingularPerturbation::with_slow_method(method, system)?))
            }
        })
    }
}

fn linearized(text: &str, parameters: &str, library: &Library) -> Result<Scheme, Failure> {
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
    Ok(Scheme::Linearized { method: source::method(method, library)?, iterations, jacobian })
}
