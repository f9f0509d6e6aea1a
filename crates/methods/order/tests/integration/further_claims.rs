//! Misprints that only claims about separable problems, embedded weights or dense output reveal.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use hemiola_order::diagnose::{Claim, CoefficientArray, diagnose, first_failing};
use hemiola_order::{DiagnoseOptions, Slip};
use hemiola_tableau::{Method, library};

/// Returns a library method with a change of its text, at the first occurrence after a word.
fn misprinted(id: &str, after: &str, from: &str, to: &str) -> Method {
    let text = library::method(id).unwrap().to_json();
    let start = text.find(after).unwrap();
    let at = start + text[start..].find(from).unwrap();
    let text = format!("{}{to}{}", &text[..at], &text[at + from.len()..]);
    Method::from_json(text.as_bytes(), "misprinted.json").unwrap()
}

/// Returns all claims of a method.
fn claims(method: &Method) -> Vec<DiagnoseOptions> {
    let options = |claim: Claim| {
        let order = claim.order(method.claims())?;
        Some(DiagnoseOptions { order, claim, ..DiagnoseOptions::default() })
    };
    Claim::ALL.into_iter().filter_map(options).collect()
}

#[test]
fn the_misprint_is_found_in_what_fails() {
    for (id, after, [from, to], claim, entry, slip) in [
        ("ruth-3", "momentum", ["3/4", "-3/4"], Claim::SeparableOrder, "a22", Slip::Sign),
        ("candy-rozmus-4", "b", ["-0.1756", "0.1756"], Claim::SeparableOrder, "b2", Slip::Sign),
        ("bogacki-shampine-3", "b_hat", ["7/24", "7/42"], Claim::EmbeddedOrder, "b̂1", Slip::ExchangedDigits),
        ("dormand-prince-5", "b_hat", ["393/640", "393/64"], Claim::EmbeddedOrder, "b̂4", Slip::LostDigit),
        ("dormand-prince-5", "dense", ["14199869525", "-14199869525"], Claim::DenseOrder, "d43", Slip::Sign),
        ("hemiola-4-6", "dense", ["1.84968244", "1.84868244"], Claim::DenseOrder, "d12", Slip::ChangedDigit),
    ] {
        let wrong = misprinted(id, after, from, to);
        let all = claims(&wrong);
        assert!(first_failing(&library::method(id).unwrap(), &all).unwrap().is_none(), "{id}");
        let failing = first_failing(&wrong, &all).unwrap().unwrap();
        assert_eq!(failing.claim, claim, "{id}");
        let found = diagnose(&wrong, failing, &()).unwrap();
        let best = &found.suggestions[0];
        assert!(!found.is_sound && found.failed > 0 && best.is_plausible(), "{id}: {}", best.log_accidental_fits);
        assert_eq!((best.changes[0].entry().as_str(), best.slip), (entry, slip), "{id}");
        assert!(first_failing(&best.method, &all).unwrap().is_none(), "{id}");
        let array = best.changes[0].array;
        assert_eq!(array == CoefficientArray::Tableau, claim == Claim::SeparableOrder, "{id}: {array:?}");
    }
}

#[test]
fn a_claim_about_what_is_not_there_is_refused() {
    let rk4 = library::method("rk4").unwrap();
    for claim in [Claim::EmbeddedOrder, Claim::DenseOrder] {
        let options = DiagnoseOptions { order: 3, claim, ..DiagnoseOptions::default() };
        let refused = diagnose(&rk4, &options, &()).unwrap_err().to_string();
        assert!(refused.contains(&claim.to_string()), "{refused}");
    }
}
