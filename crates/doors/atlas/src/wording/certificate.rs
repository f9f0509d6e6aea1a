//! The statements of a certificate as text.

use hemiola_design::{Certificate, FurtherProof, FurtherWeights, ProofStatus};
use hemiola_tableau::bound_text;

/// Describes what a certificate proves.
#[must_use]
pub fn certificate(certificate: &Certificate) -> String {
    let order = certificate.order;
    let pair = match certificate.status {
        ProofStatus::Exact => format!("all conditions up to order {order} hold exactly"),
        ProofStatus::Enclosed { radius, .. } => {
            let conditions = certificate.conditions.len();
            let assumed = match certificate.assumptions.len() {
                0 => String::new(),
                1 => " and 1 simplifying assumption".to_owned(),
                more => format!(" and {more} simplifying assumptions"),
            };
            // Requirements on the slow polynomial or the structure are not part of the proof.
            let what = if certificate.polynomial.is_empty() { "" } else { " and the fast polynomial" };
            format!(
                "an exact solution of all order conditions{what} lies within {}; the conditions follow from \
                 {conditions}{assumed}",
                bound_text(radius, 1)
            )
        }
        ProofStatus::Verified { decimals } => format!("verified to {decimals} decimals, not proved"),
    };
    let further = [("embedded weights", &certificate.embedded), ("dense output", &certificate.dense)];
    let further = further.into_iter().filter_map(|(what, further)| Some((what, further.as_ref()?)));
    further.fold(pair, |text, (what, further)| text + &further_text(what, further))
}

fn further_text(what: &str, FurtherWeights { order, proof }: &FurtherWeights) -> String {
    match proof {
        FurtherProof::WithPair(_) => format!("; with {what} of order {order}"),
        FurtherProof::Verified { decimals } => {
            format!("; {what} of order {order} verified to {decimals} decimals, not proved")
        }
    }
}
