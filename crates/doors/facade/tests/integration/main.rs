//! Tests of the facade: the examples print what their headers promise, and the numbers are right.

mod examples;
