//! Properties of a method as text, shared by the command line and the pages.

mod certificate;
mod completion;
mod digits;
mod kinds;
mod labels;
mod properties;

pub use certificate::certificate;
pub use completion::{completion, completion_json};
pub use digits::{as_stated, coefficient};
pub use kinds::Kind;
pub use labels::{labels, labels_of};
pub use properties::{Property, dense_output, orders, properties, stage_order, verdict};
