//! A stepper for any kind of method.

use hemiola_tableau::{Jacobian, Method, Scheme};

use crate::error::{MethodMismatch, StepError};
use crate::problem::system::System;
use crate::stages::partition_tableaus::Extras;
use crate::steppers::explicit::Explicit;
use crate::steppers::implicit::Implicit;
use crate::steppers::linearized::LinearizedStepper;
use crate::steppers::multirate::MultirateStepper;
use crate::steppers::singular_perturbation::SingularPerturbationStepper;
use crate::steppers::stepper::Stepper;

/// A stepper of any kind.
#[derive(Clone, Debug)]
pub enum AnyStepper {
    /// Stepper of an explicit method.
    Explicit(Box<Explicit>),
    /// Stepper of a method with implicit stages.
    Implicit(Box<Implicit>),
    /// Stepper of a method with a fixed number of Newton iterations.
    Linearized(Box<LinearizedStepper>),
    /// Stepper of the scheme of Gil et al.
    SingularPerturbation(Box<SingularPerturbationStepper>),
    /// Stepper of a multirate method with an inner method.
    Multirate(Box<MultirateStepper>),
}

impl AnyStepper {
    /// Creates the stepper of a method for a system, explicit if possible.
    ///
    /// ```
    /// use hemiola_integrate::{AnyStepper, Extras, System};
    /// # struct Decay;
    /// # impl System for Decay {
    /// #     fn sizes(&self) -> &[usize] { &[1] }
    /// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
    /// # }
    /// let stepper = |id| {
    ///     let method = hemiola_tableau::library::method(id).unwrap();
    ///     AnyStepper::new(&method, &Decay, Extras::default())
    /// };
    /// assert!(matches!(stepper("rk4")?, AnyStepper::Explicit(_)));
    /// assert!(matches!(stepper("gauss-2")?, AnyStepper::Implicit(_)));
    /// # Ok::<(), hemiola_integrate::MethodMismatch>(())
    /// ```
    ///
    /// # Errors
    /// [`MethodMismatch`] if the method does not fit the system or lacks a required extra.
    pub fn new<S: System + ?Sized>(method: &Method, system: &S, extras: Extras) -> Result<Self, MethodMismatch> {
        if method.to_f64().is_explicit() {
            Ok(Self::Explicit(Box::new(Explicit::with(method, system, extras)?)))
        } else {
            Ok(Self::Implicit(Box::new(Implicit::with(method, system, extras)?)))
        }
    }

    /// Creates the stepper of a scheme.
    ///
    /// # Errors
    /// [`MethodMismatch`] if the scheme does not fit the system or lacks a required extra.
    pub fn of_scheme<S: System + ?Sized>(scheme: &Scheme, system: &S, extras: Extras) -> Result<Self, MethodMismatch> {
        Ok(match scheme {
            Scheme::Method(method) => Self::new(method, system, extras)?,
            Scheme::Linearized { jacobian: Jacobian::Decoupled, .. } => {
                return Err(MethodMismatch::DecoupledSteps { scheme: scheme.label() });
            }
            Scheme::Linearized { method, iterations, .. } => {
                Self::Linearized(Box::new(LinearizedStepper::new(method, *iterations, system)?))
            }
            Scheme::SingularPerturbation(None) => {
                Self::SingularPerturbation(Box::new(SingularPerturbationStepper::new(system)?))
            }
            Scheme::SingularPerturbation(Some(method)) => {
                Self::SingularPerturbation(Box::new(SingularPerturbationStepper::with_slow_method(method, system)?))
            }
        })
    }
}

/// Evaluates an expression for the stepper of any variant.
macro_rules! each {
    ($any:expr, $stepper:ident => $result:expr) => {
        match $any {
            AnyStepper::Explicit($stepper) => $result,
            AnyStepper::Implicit($stepper) => $result,
            AnyStepper::Linearized($stepper) => $result,
            AnyStepper::SingularPerturbation($stepper) => $result,
            AnyStepper::Multirate($stepper) => $result,
        }
    };
}

impl<S: System + ?Sized> Stepper<S> for AnyStepper {
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        each!(self, stepper => stepper.step(system, t, h, y))
    }

    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        each!(self, stepper => stepper.slope(system, t, y, slope));
    }

    fn estimate(&self, error: &mut [f64]) -> bool {
        each!(self, stepper => Stepper::<S>::estimate(&**stepper, error))
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        each!(self, stepper => Stepper::<S>::interpolate(&**stepper, theta, y))
    }
}
