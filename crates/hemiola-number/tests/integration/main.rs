//! What is proved of numbers, against independent algorithms.

mod signs;
