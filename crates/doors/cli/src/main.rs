//! Binary `hemiola`.

use std::process::ExitCode;

/// Global allocator. Exact numbers and searches allocate heavily on all threads and take up to a third longer with the system
/// allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    hemiola_cli::run(std::env::args_os()).into()
}
