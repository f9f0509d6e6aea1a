//! Tests of the facade: its examples print what their headers promise, and that is true.

mod examples;
