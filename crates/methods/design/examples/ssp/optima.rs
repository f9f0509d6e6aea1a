//! The largest SSP coefficients of methods with one partition.

use std::error::Error;
use std::time::Instant;

use hemiola_design::{ProofStatus, SspSpecification, design_ssp};

use crate::{header, row};

/// The best known coefficients for orders 2, 3 and 4 and the fewest stages upward (Gottlieb, Ketcheson & Shu 2011, tables
/// 6.1 and 6.2; those of order 2 are s − 1, Kraaijevanger 1991; those of order 3 with s = n² are s − n, Ketcheson 2008).
const BEST_KNOWN: [(usize, usize, &[f64]); 3] = [
    (2, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
    (3, 3, &[1.0, 2.0, 2.651, 3.518, 4.288, 5.107, 6.0]),
    (4, 5, &[1.508, 2.295, 3.321, 4.146, 4.914, 6.0]),
];
/// Largest number of stages.
const MOST_STAGES: usize = 10;

pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut text = "## One partition\n\n\
         C is the SSP coefficient of the written table, proved by exact tests on both sides. Best known: Gottlieb, \
         Ketcheson & Shu (2011), tables 6.1 and 6.2, and for 9 stages Ketcheson (2008). R is the upper bound for every explicit method of these stages and \
         this order, the largest threshold factor of a polynomial (Kraaijevanger 1986). The time of a design is that of \
         the machine on which the report was written. The last column bounds the distance of an exact solution of the \
         order conditions from the table.\n\n"
        .to_owned();
    text += &header(&["Order", "Stages", "C", "Best known", "R", "C/s", "Seconds", "Exact solution within"]);
    for (order, fewest, known) in BEST_KNOWN {
        for stages in fewest..=MOST_STAGES {
            let start = Instant::now();
            let design = design_ssp(&SspSpecification::new(vec![stages], order), "mine", &())?;
            let seconds = start.elapsed().as_secs_f64();
            let of = |radius: Option<f64>| radius.unwrap_or(f64::INFINITY);
            let [found, bound] = [&design.coefficients[0], &design.bounds[0]].map(|radius| of(radius.value()));
            let proof = match design.proof {
                ProofStatus::Exact => "0".to_owned(),
                ProofStatus::Enclosed { radius, .. } => format!("{radius:.0e}"),
                ProofStatus::Verified { decimals } => format!("not proved, {decimals} decimals"),
            };
            text += &row(&[
                order.to_string(),
                stages.to_string(),
                format!("{found:.6}"),
                known.get(stages - fewest).map_or_else(String::new, |known| format!("{known}")),
                format!("{bound:.6}"),
                format!("{:.4}", found / stages as f64),
                format!("{seconds:.1}"),
                proof,
            ]);
        }
    }
    Ok(text)
}
