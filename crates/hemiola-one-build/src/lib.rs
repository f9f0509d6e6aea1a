//! No code: the features of shared dependencies.
//!
//! Cargo compiles a crate once for every set of features that is asked of it. The command line, the tests and the Python package
//! asked for different sets, and everything was compiled twice. This crate asks for their union and is a dependency of the lowest
//! crates, so that one build serves all.
