pub(crate) mod complete;
pub(crate) mod dense_output;
pub(crate) mod elimination;
pub(crate) mod embedded;
pub(crate) mod extra_stage;
pub(crate) mod finding;
pub(crate) mod method;
pub(crate) mod proof;
pub(crate) mod task;
#[cfg(test)]
mod tests;
