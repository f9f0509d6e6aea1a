# Recipes for interactive use; the same commands work without `just`. `.ci/run` and .github/workflows/ci.yml define the required checks.

# List the recipes.
default:
    @just --list --unsorted

# Formatting, clippy without warnings, documentation without warnings.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --release -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --release

# All tests, or those whose names contain a word: `just test certificate`.
test *WORDS:
    cargo test --workspace --release -- {{ WORDS }}

# All checks that a change must pass.
ci:
    .ci/run

# The Python package: wheel, tests, types, notebooks.
python:
    scripts/test-python

# Spelling of texts and names (`cargo install typos-cli`).
typos:
    typos

# Measure and write reports/benchmarks.md. Takes some minutes on an otherwise idle machine.
bench:
    scripts/benchmarks

# Draw the figure of a chapter of the book.
figures:
    scripts/figures

# Regenerate the reports on papers, and the comparison of our methods.
reports:
    cargo run --quiet --release -- reproduce --folder reports
    scripts/dual-rate-methods report

# Compare reports and figures with fresh ones: `just compare-reports gerdts-2003`.
compare-reports *NAMES:
    scripts/compare-reports {{ NAMES }}

# Check the claims, digits and sources of the library's method files.
lint-library:
    cargo run --quiet --release -- lint tableaus

# Build the documentation and open it.
doc:
    cargo doc --workspace --no-deps --release --open
