//! `hemiola design --ssp`: methods and pairs with large SSP coefficients.

use hemiola::tableau::Method;

use crate::common::{Folder, complaint, page, report};

#[test]
fn a_method_names_the_command_that_makes_it_again() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    let options = ["--ssp", "--stages", "4", "--order", "3", "--embedded", "2", "--output", &file];
    let found = report("design", &options);
    assert_eq!((found["id"].as_str(), found["order"].as_u64()), (Some("mine"), Some(3)));
    assert_eq!(found["partitions"][0]["ssp_coefficient"].as_f64(), Some(2.0));
    assert_eq!(found["partitions"][0]["bound"].as_f64(), Some(2.0));
    assert_eq!(found["embedded_order"].as_u64(), Some(2));
    let command = "hemiola design --ssp --stages 4 --order 3 --embedded 2";
    assert_eq!(Method::read(file.as_ref()).unwrap().source().place.as_deref(), Some(command));
    let first = folder.text("mine.json");
    page("design", &options);
    assert_eq!(folder.text("mine.json"), first);
    // Another design does not overwrite it.
    let other = ["--ssp", "--stages", "3", "--order", "3", "--output", &file];
    assert!(complaint("design", &other).contains("mine.json"));
}

#[test]
fn a_pair_reaches_the_bounds_of_both_partitions_and_has_a_certificate() {
    let folder = Folder::new();
    let file = folder.path("pair.json");
    let size = ["--ssp", "--slow", "2", "--fast", "3", "--order", "2", "--ratio", "2"];
    let found = report("design", &[&size[..], &["--by-parts", "--output", &file]].concat());
    let coefficients = [0, 1].map(|k| found["partitions"][k]["ssp_coefficient"].as_f64());
    assert_eq!(coefficients, [Some(1.0), Some(2.0)]);
    assert!(page("check", &[&file]).contains("exact"));
    let certificate = folder.path("pair.certificate.json");
    let checked = page("check", &[&file, "--certificate", &certificate]);
    assert!(checked.contains("all conditions up to order 2 hold exactly"), "{checked}");
}

#[test]
fn impossible_designs_are_refused_by_name() {
    let four = complaint("design", &["--ssp", "--stages", "4", "--order", "4"]);
    assert!(four.contains("five for order 4"), "{four}");
    let stage = complaint("design", &["--ssp", "--slow", "2", "--fast", "3", "--order", "2", "--slow-stages", "0,2"]);
    assert!(stage.contains("slow stages"), "{stage}");
    let axis = complaint("design", &["--ssp", "--slow", "2", "--fast", "3", "--order", "2", "--axis", "real"]);
    assert!(axis.contains("--axis"), "{axis}");
}
