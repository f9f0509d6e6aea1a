//! Properties of a method as text, shared by the command line and the pages.

mod certificate;
mod completion;
mod digits;
mod kinds;
mod labels;
mod properties;
mod undamped;

pub use certificate::certificate;
pub use completion::{completion, completion_json};
pub use digits::{as_stated, coefficient};
pub use kinds::Kind;
pub use labels::{labels, labels_of};
pub use properties::{
    Property, at_least, dense_output, non_autonomous_order, order, orders, principal_error_norm, properties, verdict,
};
pub use undamped::undamped;
