//! Integration from t₀ to t₁: choice of steps, outcome, and results along the run.
//!
//! `run` holds the outcome of an integration, its observers and [`equal_steps`]. `doubling` and `embedded` choose steps
//! by error estimates, within a `span` of time. `track` keeps states during the run, and `events` finds zeros of
//! functions of them.

pub(crate) mod doubling;
pub(crate) mod embedded;
pub(crate) mod events;
pub(crate) mod run;
pub(crate) mod span;
pub(crate) mod track;

pub use doubling::Doubling;
pub use embedded::Embedded;
pub use events::{Crossing, Event, EventError, Events, Zero};
pub use run::{Accepted, Observer, Outcome, Run, equal_steps};
pub use track::Track;
