//! The integrators of a system: schemes, and multirate methods with their inner methods.

use hemiola_multirate::InfinitesimalMethod;
use hemiola_tableau::{Method, MethodError, Scheme, library};

use crate::error::MethodMismatch;
use crate::problem::system::System;
use crate::stages::partition_tableaus::Extras;
use crate::steppers::any_stepper::AnyStepper;
use crate::steppers::multirate::{MicroSteps, MultirateStepper};

/// Number of micro-steps in each interval if none is given and they are not adaptive.
const SUBSTEPS: usize = 4;
/// Tolerance of micro-steps as a fraction of that of the steps: the error estimate of a step then reflects the slow
/// part rather than the micro-steps.
const FRACTION: f64 = 0.1;

/// A scheme, or a multirate method with its inner method.
///
/// ```
/// use hemiola_integrate::{Integrator, Realization};
/// let rk4 = Integrator::from(hemiola_tableau::library::method("rk4")?);
/// let merk = hemiola_multirate::library::method("merk43").map(|method| Realization::new(method, None, Some(10)))??;
/// assert_eq!((rk4.order(), Integrator::from(merk).label().as_str()), (Some(4), "merk43:inner=dormand-prince-5,substeps=10"));
/// # Ok::<(), hemiola_tableau::MethodError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Integrator {
    /// A method, or a scheme built on one.
    Scheme(Box<Scheme>),
    /// A multirate method with its inner method.
    Multirate(Box<Realization>),
}

/// A multirate method with the inner method that solves its fast system.
#[derive(Clone, Debug)]
pub struct Realization {
    method: InfinitesimalMethod,
    inner: Method,
    substeps: Option<usize>,
}

impl Realization {
    /// Combines a multirate method, an inner method and the number of its steps in each interval.
    ///
    /// The default inner method has embedded weights and at least the order of the multirate method: bogacki-shampine-3
    /// up to order 3, dormand-prince-5 up to order 5, otherwise dormand-prince-8. Without a number, micro-steps adapt if
    /// the steps do and the inner method has embedded weights; their tolerance is a tenth of that of the steps. Otherwise
    /// there are four.
    ///
    /// # Errors
    /// [`MethodError`] if the library lacks the default inner method.
    pub fn new(
        method: InfinitesimalMethod,
        inner: Option<Method>,
        substeps: Option<usize>,
    ) -> Result<Self, MethodError> {
        let default = || {
            library::method(match method.claims().order {
                Some(..=3) => "bogacki-shampine-3",
                None | Some(..=5) => "dormand-prince-5",
                Some(_) => "dormand-prince-8",
            })
        };
        let inner = inner.map_or_else(default, Ok)?;
        Ok(Self { method, inner, substeps })
    }

    /// Returns the inner method.
    #[must_use]
    pub fn inner(&self) -> &Method {
        &self.inner
    }

    fn label(&self) -> String {
        let substeps = self.substeps.map_or(String::new(), |substeps| format!(",substeps={substeps}"));
        format!("{}:inner={}{substeps}", self.method.id(), self.inner.id())
    }

    fn name(&self) -> String {
        match self.substeps {
            Some(substeps) => format!("{} with {substeps} × {}", self.method.name(), self.inner.name()),
            None => format!("{} with {}", self.method.name(), self.inner.name()),
        }
    }

    fn order(&self) -> Option<usize> {
        // The pair with one micro-step gives the order, unless there is no such pair or it would be too large.
        let least = || self.method.claims().order.zip(self.inner.claims().order).map(|(own, inner)| own.min(inner));
        self.method.expand(&self.inner, 1).map_or_else(|_| least(), |pair| pair.claims().order)
    }

    /// Returns the micro-steps of a run: `tolerances` are the relative and the absolute tolerance of adaptive steps,
    /// and `None` for equal steps.
    fn micro_steps(&self, tolerances: Option<[f64; 2]>) -> MicroSteps {
        let claims = self.inner.claims();
        // The control of micro-steps needs both orders.
        let is_estimated = self.inner.embedded().and(claims.order).and(claims.embedded_order).is_some();
        let adaptive = tolerances.filter(|_| self.substeps.is_none() && is_estimated);
        let equal = MicroSteps::Equal(self.substeps.unwrap_or(SUBSTEPS));
        adaptive.map_or(equal, |tolerances| {
            let [relative, absolute] = tolerances.map(|tolerance| FRACTION * tolerance);
            MicroSteps::Adaptive { relative, absolute }
        })
    }

    /// Returns the number of stages of a step with equal micro-steps, slow and fast ones; saturating.
    fn stages(&self) -> usize {
        let fast = self.inner.stages().saturating_mul(self.substeps.unwrap_or(SUBSTEPS));
        fast.saturating_add(1).saturating_mul(self.method.stages().len())
    }
}

impl Integrator {
    /// Returns the label in legends, as users write it.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Scheme(scheme) => scheme.label(),
            Self::Multirate(realization) => realization.label(),
        }
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Multirate(realization) => realization.name(),
        }
    }

    /// Returns the claimed order; for a multirate method, that of the pair that it forms with its inner method.
    #[must_use]
    pub fn order(&self) -> Option<usize> {
        match self {
            Self::Scheme(scheme) => scheme.order(),
            Self::Multirate(realization) => realization.order(),
        }
    }

    /// Returns the order of the error estimate, if there is one.
    #[must_use]
    pub fn estimate_order(&self) -> Option<usize> {
        match self {
            Self::Scheme(scheme) => scheme.estimate_order(),
            Self::Multirate(realization) => {
                let embedded = realization.method.embedded().and(realization.method.claims().embedded_order)?;
                Some(realization.order()?.min(embedded))
            }
        }
    }

    /// Returns the number of stages of a step, at least one.
    #[must_use]
    pub fn stages(&self) -> usize {
        match self {
            Self::Scheme(scheme) => match &**scheme {
                Scheme::Method(method) | Scheme::Linearized { method, .. } => method.stages(),
                Scheme::SingularPerturbation(method) => method.as_ref().map_or(1, Method::stages),
            },
            Self::Multirate(realization) => realization.stages(),
        }
    }

    /// Creates the stepper for a system. `tolerances` are the relative and the absolute tolerance of adaptive steps,
    /// and `None` for equal steps. With tolerances, the micro-steps of a multirate method are adaptive, too, unless
    /// their number is given.
    ///
    /// # Errors
    /// [`MethodMismatch`] if it does not fit the system or lacks a required extra.
    pub fn stepper<S: System + ?Sized>(
        &self,
        system: &S,
        extras: Extras,
        tolerances: Option<[f64; 2]>,
    ) -> Result<AnyStepper, MethodMismatch> {
        match self {
            Self::Scheme(scheme) => AnyStepper::of_scheme(scheme, system, extras),
            Self::Multirate(realization) => {
                let Realization { method, inner, .. } = &**realization;
                let steps = realization.micro_steps(tolerances);
                let stepper = MultirateStepper::new(method, inner, steps, system, extras)?;
                Ok(AnyStepper::Multirate(Box::new(stepper)))
            }
        }
    }
}

impl From<Scheme> for Integrator {
    fn from(scheme: Scheme) -> Self {
        Self::Scheme(Box::new(scheme))
    }
}

impl From<Method> for Integrator {
    fn from(method: Method) -> Self {
        Scheme::Method(method).into()
    }
}

impl From<Realization> for Integrator {
    fn from(realization: Realization) -> Self {
        Self::Multirate(Box::new(realization))
    }
}
