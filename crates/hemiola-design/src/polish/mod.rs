pub(crate) mod equations;
pub(crate) mod error;
pub(crate) mod layout;
pub(crate) mod newton;
pub(crate) mod polished;
pub(crate) mod proof;
#[cfg(test)]
mod tests;
