//! `hemiola design --implicit`: diagonally implicit methods, alone and with explicit partners.

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
    let gamma = "--gamma=-1,9,-18,6@0.44";
    let options = ["--implicit", "alone", "--diagonal", "sdirk", "--stages", "3", "--order", "3"];
    let found = report("design", &[&options[..], &["--starts", "4", gamma, "--output", &file]].concat());
    assert_eq!(found["implicit"][0]["modulus_at_infinity"].as_f64(), Some(0.0));
    let method = Method::read(file.as_ref()).unwrap();
    let diagonal = method.to_f64().partitions[0].a[2][2];
    assert!((diagonal - 0.435_866_521_508_459).abs() < 1e-14, "{diagonal}");
    let none = complaint("design", &[&options[..], &["--gamma=1,0,1@0.4"]].concat());
    assert!(none.contains("no simple root"), "{none}");
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
