mod bad_files;
mod bad_input;
mod design_schema;
mod fuzz;
mod memory;
mod schema;
