//! Maps of one time step: a method, or a scheme built on one.

use thiserror::Error;

use crate::Method;

/// Syntax of linearized methods.
const LINEARIZED: &str = "linearized:METHOD[,q=N][,decoupled] with N ≤ 1000";
/// Maximum number of Newton iterations of a linearized method; more make no difference in double precision.
pub const MOST_ITERATIONS: usize = 1000;
/// Highest orders that q = 0, 1, 2, 3 Newton iterations allow; more iterations allow any order.
const ORDER_CAPS: [usize; 4] = [1, 4, 10, 22];

/// A one-step scheme that can be run, mapped and analyzed.
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
    /// A method with a fixed number of Newton iterations instead of exactly solved stage equations (Gerdts 2003).
    Linearized {
        /// The implicit method.
        method: Method,
        /// The number of iterations q.
        iterations: usize,
        /// The Jacobian in the Newton matrix.
        jacobian: Jacobian,
    },
    /// The singular-perturbation scheme of Gil, Sanfelice & Nikravesh (2013), with RK4 or another method with one
    /// partition on the slow manifold.
    SingularPerturbation(Option<Method>),
}

/// The Jacobian in the Newton matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jacobian {
    /// All of Z: on linear problems a single iteration solves the stage equations.
    Exact,
    /// The diagonal of Z, one block per partition, as in codes that solve the partitions one by one and ignore
    /// the couplings. The iterations converge if the couplings are weak, ρ((I − 𝒥)⁻¹(𝒜 − 𝒥)) < 1.
    Decoupled,
}

/// Error of reading a scheme.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{scheme}`: {}; expected `{expected}`", if found.is_empty() { "METHOD is missing".to_owned() } else { format!("cannot read `{found}`") })]
pub struct SchemeError {
    /// The text.
    pub scheme: String,
    /// The part that cannot be read; empty if the method is missing.
    pub found: String,
    /// The expected syntax.
    pub expected: &'static str,
}

impl Jacobian {
    /// Returns the suffix of a linearized scheme; empty for the exact Jacobian.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Decoupled => ",decoupled",
        }
    }
}

impl Scheme {
    /// Reads a scheme, `METHOD`, `linearized:METHOD[,q=N][,decoupled]` or `singular-perturbation[:METHOD]`;
    /// `find` looks up methods.
    ///
    /// # Errors
    /// [`SchemeError`] if the text is not a scheme, and any error of `find`.
    pub fn parse<E: From<SchemeError>>(text: &str, find: impl Fn(&str) -> Result<Method, E>) -> Result<Self, E> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("singular-perturbation", "") => Ok(Self::SingularPerturbation(None)),
            ("singular-perturbation", method) => Ok(Self::SingularPerturbation(Some(find(method)?))),
            ("linearized", parameters) => linearized(text, parameters, find),
            _ => Ok(Self::Method(find(text)?)),
        }
    }

    /// Returns the label in legends: the scheme in the syntax of [`parse`](Self::parse).
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Method(method) => method.id().to_owned(),
            Self::Linearized { method, iterations, jacobian } => {
                format!("linearized:{},q={iterations}{}", method.id(), jacobian.suffix())
            }
            Self::SingularPerturbation(None) => "singular-perturbation".to_owned(),
            Self::SingularPerturbation(Some(method)) => format!("singular-perturbation:{}", method.id()),
        }
    }

    /// Returns the display name: the name of the method and the modification of it.
    ///
    /// ```
    /// use hemiola_tableau::{Scheme, library};
    ///
    /// let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
    /// let scheme = Scheme::parse("linearized:gauss-2,q=1", find)?;
    /// assert_eq!(scheme.name(), "Gauss 2 (Hammer–Hollingsworth), linearized, q = 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Method(method) => method.name().to_owned(),
            Self::Linearized { method, iterations, jacobian } => {
                format!("{}, linearized, q = {iterations}{}", method.name(), jacobian.suffix().replace(',', ", "))
            }
            Self::SingularPerturbation(None) => "singular perturbation".to_owned(),
            Self::SingularPerturbation(Some(method)) => format!("singular perturbation, {}", method.name()),
        }
    }

    /// Returns the claimed order of the method, as far as the scheme preserves it.
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

    /// Returns the order of the embedded error estimate, if every partition has embedded weights.
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
