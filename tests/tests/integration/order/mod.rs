mod convergence;
mod diagnose;
mod invariance;
mod library;
mod one_coefficient;
mod reference;
mod review;
mod tree_counts;
