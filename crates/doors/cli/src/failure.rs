//! Errors and outcomes of commands, as the binary uses them.

use std::any::Any;
use std::error::Error;
use std::fmt;

use crate::output::interrupt;

/// Outcome of a command, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandOutcome {
    /// Completed, and everything checked is true.
    Done,
    /// A claim or check failed.
    CheckFailed,
    /// Some of the input could not be used.
    BadInput,
    /// Ctrl-C was pressed before everything was done.
    Interrupted = interrupt::EXIT_CODE as isize,
}

/// Error that can end a command. Its message is that of `Display`.
pub(crate) trait CommandError: Any + Error + Send + Sync {
    /// Returns advice for the user.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Returns the outcome of a command that ends with this error.
    fn outcome(&self) -> CommandOutcome {
        CommandOutcome::BadInput
    }
}

/// Implements [`CommandError`] for an error that derives `Diagnostic`, with its help as the hint and an optional outcome.
macro_rules! hinted {
    ($error:ty $(, $outcome:expr)?) => {
        impl $crate::failure::CommandError for $error {
            fn hint(&self) -> Option<String> {
                miette::Diagnostic::help(self).map(|help| help.to_string())
            }
            $(fn outcome(&self) -> CommandOutcome {
                $outcome
            })?
        }
    };
}
pub(crate) use hinted;

/// Error of any command. `?` converts the errors of commands and libraries to it.
#[derive(Debug)]
pub(crate) struct Failure(Box<dyn CommandError>);

impl<E: CommandError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Failure {
    /// Returns advice for the user.
    pub(crate) fn hint(&self) -> Option<String> {
        self.0.hint()
    }

    /// Returns the outcome of a command that ends with this error.
    pub(crate) fn outcome(&self) -> CommandOutcome {
        self.0.outcome()
    }

    /// Returns the error if it has this type.
    pub(crate) fn downcast_ref<E: CommandError>(&self) -> Option<&E> {
        let error: &dyn Any = self.0.as_ref();
        error.downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use miette::Diagnostic;
    use thiserror::Error;

    use super::*;

    #[derive(Debug, Error, Diagnostic)]
    #[error("stopped after {0}")]
    #[diagnostic(help("begin again with {0}"))]
    struct Stopped(usize);

    hinted!(Stopped, CommandOutcome::Interrupted);

    #[test]
    fn failures_keep_message_hint_outcome_and_type() {
        let failure = Failure::from(Stopped(3));
        assert_eq!(failure.to_string(), "stopped after 3");
        assert_eq!(failure.hint().as_deref(), Some("begin again with 3"));
        assert_eq!(failure.outcome() as u8, 130);
        assert!(matches!(failure.downcast_ref(), Some(Stopped(3))));
    }
}
