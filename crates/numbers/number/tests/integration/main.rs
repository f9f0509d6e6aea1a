//! Tests of numbers against independent algorithms.

mod signs;
