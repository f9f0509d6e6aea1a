//! Generates a WebAssembly module for browsers with the JavaScript bindings for pages and workers:
//! `hemiola-web-bindgen MODULE.wasm FOLDER NAME`.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [module, folder, name] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: hemiola-web-bindgen MODULE.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false).remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem:?}");
            ExitCode::FAILURE
        }
    }
}
