//! The method of a file or a table, of any kind.

use hemiola_multirate::microsteps::MICRO_STEP_FORMAT;
use hemiola_multirate::{FORMAT, InfinitesimalMethod, MicroStepMethod};
use hemiola_tableau::json::names_format;
use hemiola_tableau::{Method, MethodError, Source};

/// The method of a file.
#[derive(Clone, Debug)]
pub(crate) enum LintedMethod {
    Ordinary(Box<Method>),
    Multirate(Box<InfinitesimalMethod>),
    MicroSteps(Box<MicroStepMethod>),
}

impl LintedMethod {
    /// Reads a method file of any kind; `file` names it in errors.
    pub(crate) fn read(text: &[u8], file: &str) -> Result<Self, MethodError> {
        if names_format(text, FORMAT) {
            return Ok(Self::Multirate(Box::new(InfinitesimalMethod::from_json(text, file)?)));
        }
        if names_format(text, MICRO_STEP_FORMAT) {
            return Ok(Self::MicroSteps(Box::new(MicroStepMethod::from_json(text, file)?)));
        }
        Ok(Self::Ordinary(Box::new(Method::from_json(text, file)?)))
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Ordinary(method) => method.id(),
            Self::Multirate(method) => method.id(),
            Self::MicroSteps(method) => method.id(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Ordinary(method) => method.name(),
            Self::Multirate(method) => method.name(),
            Self::MicroSteps(method) => method.name(),
        }
    }

    pub(crate) fn claimed_order(&self) -> Option<usize> {
        match self {
            Self::Ordinary(method) => method.claims().order,
            Self::Multirate(method) => method.claims().order,
            Self::MicroSteps(method) => method.claims().order,
        }
    }

    pub(crate) fn source(&self) -> &Source {
        match self {
            Self::Ordinary(method) => method.source(),
            Self::Multirate(method) => method.source(),
            Self::MicroSteps(method) => method.source(),
        }
    }
}
