//! `hemiola design --implicit`: diagonally implicit methods, alone and with explicit partners.

use std::process::Command;

use hemiola::tableau::Method;

use crate::common::{Folder, complaint, page, report};

#[test]
fn an_imex_method_is_l_stable_and_names_its_command() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    let options = ["--implicit", "additive", "--stages", "3", "--order", "2", "--starts", "8", "--output", &file];
    let found = report("design", &options);
    assert_eq!((found["id"].as_str(), found["order"].as_u64()), (Some("mine"), Some(2)));
    let implicit = &found["implicit"][0];
    assert_eq!((implicit["name"].as_str(), implicit["sector_angle"].as_f64()), (Some("implicit"), Some(90.0)));
    assert_eq!(implicit["modulus_at_infinity"].as_f64(), Some(0.0));
    let command = "hemiola design --implicit additive --stages 3 --order 2 --starts 8";
    assert_eq!(Method::read(file.as_ref()).unwrap().source().place.as_deref(), Some(command));
    let first = folder.text("mine.json");
    page("design", &options);
    assert_eq!(folder.text("mine.json"), first);
    // `check` and `stability` agree.
    let checked = &report("check", &[&file])[0];
    assert_eq!(checked["order"].as_u64(), Some(2));
    assert!(page("stability", &[&file]).contains("L-stable"));
}

#[test]
fn the_diagonal_may_be_a_root_of_a_polynomial() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    // Alexander (1977): γ of three stages of order three, L-stable.
    let options = ["--implicit", "alone", "--diagonal", "sdirk", "--stages", "3", "--order", "3"];
    let root = ["--starts", "4", "--gamma", "-1,9,-18,6@0.44", "--output", &file];
    let found = report("design", &[&options[..], &root].concat());
    assert_eq!(found["implicit"][0]["modulus_at_infinity"].as_f64(), Some(0.0));
    let method = Method::read(file.as_ref()).unwrap();
    let diagonal = method.to_f64().partitions[0].a[2][2];
    assert!((diagonal - 0.435_866_521_508_459).abs() < 1e-14, "{diagonal}");
    // The conditions determine the entry, so that it is an unknown of the certificate.
    let certificate = folder.path("mine.certificate.json");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scripts/check-certificate");
    if let Ok(output) = Command::new("python3").args([script, &certificate, &file]).output() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // The command names the polynomial and gives the same method.
    let first = folder.text("mine.json");
    page("design", &[&folder.path("mine.design.json")]);
    assert_eq!(folder.text("mine.json"), first);
    for (wrong, expected) in
        [("1,0,1@0.4", "no simple root"), ("1,2@", "is not a number"), ("1,x@1", "is not a rational number")]
    {
        let problem = complaint("design", &[&options[..], &["--gamma", wrong]].concat());
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn wrong_sizes_and_orders_are_refused_by_name() {
    let size = complaint("design", &["--implicit", "additive", "--slow", "2", "--fast", "3", "--order", "2"]);
    assert!(size.contains("--stages"), "{size}");
    let rates = complaint("design", &["--implicit", "slow", "--stages", "3", "--order", "2"]);
    assert!(rates.contains("--slow and --fast"), "{rates}");
    let embedded = complaint("design", &["--implicit", "alone", "--stages", "4", "--order", "3", "--embedded", "1"]);
    assert!(embedded.contains("--embedded"), "{embedded}");
    let order = complaint("design", &["--implicit", "alone", "--stages", "4", "--order", "9"]);
    assert!(order.contains("1 to 5"), "{order}");
    let other =
        complaint("design", &["--implicit", "alone", "--stages", "4", "--order", "3", "--start", "dormand-prince-5"]);
    assert!(other.contains("as many partitions and stages"), "{other}");
}
