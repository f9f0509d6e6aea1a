pub(crate) mod multistart;
#[cfg(test)]
mod output_tests;
pub(crate) mod pareto;
pub(crate) mod progress;
pub(crate) mod tuning;
