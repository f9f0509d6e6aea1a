mod bad_files;
mod bad_input;
mod design_schema;
mod family_schema;
mod fuzz;
mod machine_schema;
mod memory;
mod schema;
