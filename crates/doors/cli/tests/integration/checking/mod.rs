mod certificates;
mod check_properties;
mod check_trees;
mod diagnose;
mod few_digits;
mod lint;
mod lint_tables;
mod multirate;
