//! No code: the features of shared dependencies.
//!
//! Cargo compiles a crate once for every set of features that some build needs. The command line, the tests and the
//! Python package need different sets for the dependencies they share. This crate enables the union of these sets and is
//! a dependency of the lowest crates, so that one build serves all.
