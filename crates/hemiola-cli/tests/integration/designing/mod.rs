mod complete;
mod design;
mod design_search;
mod dual_rate_methods;
mod polish;
mod polynomial;
