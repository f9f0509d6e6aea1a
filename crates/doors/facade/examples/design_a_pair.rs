//! Designs a dual-rate pair to given requirements and compares it with pairs of the library at the same cost.
//!
//! The requirements: two slow and five fast evaluations in a step; order two with all coupling conditions; a fast
//! part that is stable as far along the imaginary axis as five stages allow; the same abscissae in both parts;
//! embedded weights for step size control.
//!
//! ```console
//! $ cargo run --release -p hemiola --example design_a_pair -- pair.json
//! ```
//!
//! takes a moment, writes the method file and prints
//!
//! ```text
//! slow evaluations at stages [1, 4]
//! proved: an exact solution lies within 3e-51 of the decimals
//!
//!                               error  imaginary       real
//! dual-rate-2-5                0.2375     4.0000     2.5912
//! hemiola-2-5                  0.1897     4.0000     2.5912
//! hemiola-2-5-consistent       0.2375     4.0000     2.5912
//! hemiola-2-5-coupled          0.1952     4.0000     2.5912
//! shome-haug-jay-2-5           0.4037     4.0000     2.5912
//! ```

use std::error::Error;
use std::io::Write;
use std::path::Path;

use hemiola::design::findings::{PairNumbers, published_pairs};
use hemiola::design::{ProofStatus, Specification, Structure, design};
use hemiola::tableau::write_file;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "dual-rate-pair.json".to_owned());
    run(Path::new(&path), &mut std::io::stdout())
}

pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let specification = Specification {
        structure: Structure { shared_abscissae: true, ..Structure::default() },
        embedded: Some(1),
        ..Specification::new(2, 5, Some(2))?
    };
    // A longer search could report its progress or stop here.
    let design = design(&specification, &())?;
    write_file(path, design.method.to_json().as_bytes())?;

    writeln!(out, "slow evaluations at stages {:?}", design.slow_stages.iter().map(|i| i + 1).collect::<Vec<_>>())?;
    if let ProofStatus::Enclosed { radius, .. } = design.certificate.status {
        writeln!(out, "proved: an exact solution lies within {radius:.0e} of the decimals")?;
    }
    writeln!(out, "\n{:24} {:>10} {:>10} {:>10}", "", "error", "imaginary", "real")?;
    let mut rows = vec![PairNumbers::new(&design.method, specification.order)?];
    rows.extend(published_pairs(&specification)?);
    for PairNumbers { id, error_norm, fast_limits: [imaginary, real], .. } in &rows {
        writeln!(out, "{id:24} {error_norm:10.4} {imaginary:10.4} {real:10.4}")?;
    }
    Ok(())
}
