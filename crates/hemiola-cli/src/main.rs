//! The binary `hemiola`.

use std::process::ExitCode;

/// Exact numbers and searches allocate much, on all threads: with the allocator of the system they take up to a third longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    hemiola_cli::run(std::env::args_os()).into()
}
