//! Arguments shared by several commands: methods, schemes and models by name or file, numbers, and figure options.

pub(crate) mod bounded;
mod curves;
pub(crate) mod figure;
mod font;
pub(crate) mod format;
#[cfg(feature = "motion")]
pub(crate) mod measurements;
pub(crate) mod methods;
#[cfg(feature = "motion")]
pub(crate) mod model;
pub(crate) mod multirate;
pub(crate) mod number;
pub(crate) mod number_file;
pub(crate) mod output_file;
pub(crate) mod scheme;
pub(crate) mod source;
