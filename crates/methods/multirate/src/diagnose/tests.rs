//! Single errors in multirate methods of the library are found.

use super::*;
use crate::library;
use crate::method::InfinitesimalMethod;
use hemiola_order::diagnose::Slip;
use hemiola_tableau::Claims;

fn wrong(id: &str, from: &str, to: &str) -> InfinitesimalMethod {
    let text = library::method(id).unwrap().to_json();
    assert!(text.contains(from), "{id}: {from} in {text}");
    InfinitesimalMethod::from_json(text.replacen(from, to, 1).as_bytes(), "wrong.json").unwrap()
}

/// A coupling table of order two in which one sign is lost: −1/2 of the second stage.
#[test]
fn a_lost_sign() {
    let text = r#"{ "format": "hemiola-multirate/1", "id": "one", "name": "one", "partitions": ["fast", "slow"],
        "stages": [{ "from": 1, "interval": "1/2", "forcing": {"slow": [["1/2", "0"]]} },
                   { "from": 2, "interval": "1/2", "forcing": {"slow": [["1/2", "1"]]} }] }"#;
    let method = InfinitesimalMethod::from_json(text.as_bytes(), "one.json").unwrap();
    let claims = Claims { order: Some(2), ..Claims::default() };
    let found = diagnose(&method, claims, &()).unwrap();
    assert!(!found.is_sound && found.orders == [Some(0), None], "{:?}", found.orders);
    let best = &found.suggestions[0];
    assert_eq!((best.slip, best.changes[0].new.text()), (Slip::Sign, "-1/2"));
    assert_eq!(best.changes[0].place.text(&method), "slow γ^0 of stage 3 for Y1");
    assert!(diagnose(&best.method, claims, &()).unwrap().is_sound);
}

#[test]
fn slips_in_published_methods() {
    for (id, from, to, slip) in [
        ("mis-kw3", "\"-51/80\"", "\"51/80\"", Slip::Sign),
        ("mis-kw3", "\"8/15\"", "\"8/51\"", Slip::ExchangedDigits),
        ("mri-gark-erk33a", "\"-2/3\"", "\"-1/3\"", Slip::ChangedDigit),
    ] {
        let method = wrong(id, from, to);
        let found = diagnose(&method, method.claims(), &()).unwrap();
        let best = &found.suggestions[0];
        assert!(best.is_plausible(), "{id}: {}", best.log_accidental_fits);
        let change = &best.changes[0];
        assert_eq!((best.slip, format!("\"{}\"", change.new.text()).as_str()), (slip, from), "{id}");
        assert_eq!(format!("\"{}\"", change.old.text()), to, "{id}");
    }
    let right = library::method("mis-kw3").unwrap();
    assert!(diagnose(&right, right.claims(), &()).unwrap().is_sound);
}
