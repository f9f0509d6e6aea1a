//! What makes steps: a method, or a scheme made of one.

use thiserror::Error;

use crate::Method;

/// How linearized methods are written.
const LINEARIZED: &str = "linearized:METHOD[,q=N][,decoupled] with N ≤ 1000";
/// More iterations change nothing that a double could show.
const MOST_ITERATIONS: usize = 1000;
/// The highest order that q = 0, 1, 2, 3 Newton iterations allow; more allow all orders that there are.
const ORDER_CAPS: [usize; 4] = [1, 4, 10, 22];

/// What makes steps, whether they are taken, mapped or analyzed.
///
/// ```
/// use hemiola_tableau::{Scheme, SchemeError, library};
/// let find = |id: &str| Ok::<_, Box<dyn std::error::Error>>(library::method(id)?);
/// let scheme = Scheme::parse("linearized:gauss-2,q=1", find)?;
/// assert_eq!((scheme.label(), scheme.order()), ("linearized:gauss-2,q=1".to_owned(), Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Scheme {
    /// A Runge–Kutta method.
    Method(Method),
    /// A method with a fixed number of Newton iterations in place of solved stage equations (Gerdts 2003).
    Linearized {
        /// The implicit method.
        method: Method,
        /// q.
        iterations: usize,
        /// The Jacobian in Newton's matrix.
        jacobian: Jacobian,
    },
    /// The singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), with RK4 or another plain method on the slow
    /// manifold.
    SingularPerturbation(Option<Method>),
}

/// The Jacobian in Newton's matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jacobian {
    /// All of Z: on linear problems one iteration solves the stage equations.
    Exact,
    /// Its diagonal, one block for each partition: codes that solve the partitions one by one leave the couplings out. The
    /// iterations converge where the couplings are weak, ρ((I − 𝒥)⁻¹(𝒜 − 𝒥)) < 1.
    Decoupled,
}

/// Why a text is no scheme.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{scheme}`: {}; expected `{expected}`", if found.is_empty() { "METHOD is missing".to_owned() } else { format!("`{found}` is no part of it") })]
pub struct SchemeError {
    /// The text.
    pub scheme: String,
    /// The part of it that does not fit; empty where the method is missing.
    pub found: String,
    /// How it is written.
    pub expected: &'static str,
}

impl Scheme {
    /// The scheme of a text, `METHOD`, `linearized:METHOD[,q=N][,decoupled]` or `singular-perturbation[:METHOD]`; `find` looks
    /// methods up.
    ///
    /// # Errors
    /// [`SchemeError`] where the text is none, and whatever `find` reports.
    pub fn parse<E: From<SchemeError>>(text: &str, find: impl Fn(&str) -> Result<Method, E>) -> Result<Self, E> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("singular-perturbation", "") => Ok(Self::SingularPerturbation(None)),
            ("singular-perturbation", method) => Ok(Self::SingularPerturbation(Some(find(method)?))),
            ("linearized", parameters) => linearized(text, parameters, find),
            _ => Ok(Self::Method(find(text)?)),
        }
    }

    /// What a legend calls it: how it is written.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Method(method) => method.id().to_owned(),
            Self::Linearized { method, iterations, jacobian } => {
                let which = match jacobian {
                    Jacobian::Exact => "",
                    Jacobian::Decoupled => ",decoupled",
                };
                format!("linearized:{},q={iterations}{which}", method.id())
            }
            Self::SingularPerturbation(None) => "singular-perturbation".to_owned(),
            Self::SingularPerturbation(Some(method)) => format!("singular-perturbation:{}", method.id()),
        }
    }

    /// The order that its method claims, as far as the scheme keeps it.
    #[must_use]
    pub fn order(&self) -> Option<usize> {
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
    #[must_use]
    pub fn estimate_order(&self) -> Option<usize> {
        let Self::Method(method) = self else { return None };
        method.embedded()?;
        Some(method.claims().order?.min(method.claims().embedded_order?))
    }
}

fn linearized<E: From<SchemeError>>(
    text: &str,
    parameters: &str,
    find: impl Fn(&str) -> Result<Method, E>,
) -> Result<Scheme, E> {
    let fault = |found: &str| SchemeError { scheme: text.to_owned(), found: found.to_owned(), expected: LINEARIZED };
    let mut parts = parameters.split(',');
    let method = parts.next().filter(|method| !method.is_empty()).ok_or_else(|| fault(""))?;
    let (mut iterations, mut jacobian) = (1, Jacobian::Exact);
    for part in parts {
        match part.split_once('=') {
            None if part == "decoupled" => jacobian = Jacobian::Decoupled,
            Some(("q", count)) => {
                iterations = count.parse().ok().filter(|count| *count <= MOST_ITERATIONS).ok_or_else(|| fault(part))?;
            }
            _ => return Err(fault(part).into()),
        }
    }
    Ok(Scheme::Linearized { method: find(method)?, iterations, jacobian })
}
