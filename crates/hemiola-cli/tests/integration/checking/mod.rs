mod certificates;
mod check_properties;
mod check_trees;
mod diagnose;
mod lint;
