mod complete;
mod design;
mod design_search;
mod dual_rate_methods;
mod made_for;
mod parts;
mod polish;
mod polynomial;
