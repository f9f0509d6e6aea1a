//! `hemiola design --storage`: methods in low-storage forms.

use hemiola::design::level_on;
use hemiola::order::principal_error_norm;
use hemiola::polynomial::Spectrum;
use hemiola::tableau::library;
use hemiola::tableau::low_storage::{StorageClass, storage_form};

use crate::common::{Folder, complaint, page, report};

#[test]
fn a_low_storage_method_is_designed_and_checked() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    let options = ["--storage", "2N", "--stages", "5", "--order", "3", "--spectrum", "imaginary", "--starts", "8"];
    let all = [&options[..], &["--output", &file]].concat();
    let found = report("design", &all);
    // The largest limit of order three with five stages.
    let limit = found["limit"].as_f64().unwrap();
    assert!((limit - 3.913282486).abs() < 1e-6, "{limit}");
    let text = folder.text("mine.json");
    let command = "hemiola design --storage 2N --stages 5 --order 3 --spectrum imaginary --starts 8";
    assert!(text.contains(command) && text.contains("\"low_storage\""), "{text}");
    assert!(page("check", &[&file]).contains("order 3"));
    // The same options give the same bytes; others do not overwrite the file.
    page("design", &all);
    assert_eq!(folder.text("mine.json"), text);
    let other = ["--storage", "2N", "--stages", "6", "--order", "3", "--output", &file];
    assert!(complaint("design", &other).contains("belongs to another design"));
}

#[test]
fn impossible_low_storage_designs_are_refused_by_name() {
    let refused = |options: &[&str]| complaint("design", &[&["--storage"], options].concat());
    assert!(refused(&["2N", "--stages", "4", "--order", "4"]).contains("5 for order 4 in 2N"));
    assert!(refused(&["2R", "--stages", "4", "--order", "3"]).contains("expected 2N, 2S or 3S*"));
    assert!(refused(&["5N", "--stages", "4", "--order", "3"]).contains("no low-storage form"));
    let fraction = refused(&["2N", "--stages", "5", "--order", "4", "--step-fraction", "0.9"]);
    assert!(fraction.contains("the spectrum is none") && fraction.contains("a fraction of the step"), "{fraction}");
    let embedded = refused(&["2S", "--stages", "4", "--order", "4", "--embedded", "3"]);
    assert!(embedded.contains("coefficients for"), "{embedded}");
}

/// Each option belongs to one kind of design; others refuse it rather than ignore it.
#[test]
fn options_of_other_kinds_of_designs_are_refused() {
    let storage = ["--storage", "2N", "--stages", "3", "--order", "3"];
    let ssp = ["--ssp", "--stages", "3", "--order", "3"];
    let implicit = ["--implicit", "alone", "--stages", "3", "--order", "2"];
    let pair = ["--slow", "2", "--fast", "3", "--order", "2"];
    let family = ["--levels", "4,3", "--order", "2"];
    let exact = ["--slow", "2", "--fast", "exact", "--order", "2"];
    let cases: [(&[&str], &str); 16] = [
        (&storage, "--spectrum-of=kepler"),
        (&storage, "--gamma=1/4"),
        (&storage, "--profile-weight=3"),
        (&storage, "--max-error-ratio=2"),
        (&storage, "--degree=2"),
        (&storage, "--internal-weight=5"),
        (&ssp, "--chain"),
        (&ssp, "--gamma=1/4"),
        (&ssp, "--restarts"),
        (&implicit, "--chain"),
        (&implicit, "--by-parts"),
        (&implicit, "--joint=3"),
        (&pair, "--chain"),
        (&family, "--by-parts"),
        (&exact, "--title=X"),
        (&exact, "--ssp"),
    ];
    for (design, option) in cases {
        let said = complaint("design", &[design, &[option][..]].concat());
        assert!(!said.is_empty(), "{design:?} {option}");
    }
}

#[test]
fn the_methods_of_the_library_beat_published_ones() {
    let spectrum = "dg:3".parse().unwrap();
    // With as many stages, registers and this order: the longest published step on dg:3, and the published norm to beat.
    let rivals = [
        ("hemiola-ls-2n-7-3", 3, "toulorge-desmet-7-3", 5.225e-3),
        ("hemiola-ls-2n-8-4", 4, "toulorge-desmet-8-4", 2.538e-3),
        ("hemiola-ls-2n-12-4", 4, "niegemann-diehl-busch-12-4", 2.088e-3),
        ("hemiola-ls-2n-14-4", 4, "niegemann-diehl-busch-14-4", 6.749e-4),
    ];
    for (id, order, rival, smallest) in rivals {
        let [own, published] = [id, rival].map(|id| library::method(id).unwrap());
        let [ours, theirs] = [&own, &published].map(|method| level_on(method, 0, order, &spectrum).unwrap());
        assert!(ours.limit > 1.01 * theirs.limit && ours.share() > 0.999_999, "{id}: {} {}", ours.limit, theirs.limit);
        let norm = principal_error_norm(&own.exact(), order).unwrap();
        assert!(norm < smallest, "{id}: {norm}");
        assert!(storage_form(&own, 0, StorageClass::TwoN).is_some());
    }
}

/// Methods for both spectra have longer steps than the longest published ones of as many stages in two registers, on each.
#[test]
fn methods_for_two_spectra_beat_published_ones_on_both() {
    let spectra: Vec<Spectrum> = ["dg:3", "waves-2d:dg=3"].iter().map(|text| text.parse().unwrap()).collect();
    let limits = |id: &str, order: usize| -> Vec<f64> {
        let method = library::method(id).unwrap();
        spectra.iter().map(|spectrum| level_on(&method, 0, order, spectrum).unwrap().limit).collect()
    };
    let rivals: [(&str, usize, &[&str]); 3] = [
        ("hemiola-ls-2n-7-3-waves", 3, &["toulorge-desmet-7-3"]),
        ("hemiola-ls-2n-8-4-waves", 4, &["toulorge-desmet-8-4", "toulorge-desmet-8-4-f"]),
        ("hemiola-ls-2n-14-4-waves", 4, &["niegemann-diehl-busch-14-4"]),
    ];
    for (id, order, published) in rivals {
        let own = limits(id, order);
        for rival in published {
            let theirs = limits(rival, order);
            // Limits are known to many digits; the margins are those of the designs.
            assert!(own.iter().zip(&theirs).all(|(x, y)| *x > 1.01 * y), "{id} {own:?}, {rival} {theirs:?}");
        }
    }
}
