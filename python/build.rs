//! Adds linker arguments on systems where a library must not have undefined symbols: Python supplies them.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
