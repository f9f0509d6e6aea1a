mod complete;
mod design;
mod design_search;
mod dual_rate_methods;
mod families;
mod made_for;
mod polish;
mod polynomial;
