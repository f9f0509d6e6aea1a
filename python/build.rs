//! Systems on which a library must not have open symbols are told that Python has them.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
