//! `hemiola design --levels`: families of many rates and their design files.

use hemiola::design::FamilyFile;
use hemiola::tableau::Method;

use crate::common::{Folder, complaint, outcome, page, report};

#[test]
fn a_family_is_written_with_its_design_and_comes_again_from_it() {
    let folder = Folder::new();
    let file = folder.path("three.json");
    let found = report("design", &["--levels", "8,4,2", "--order", "2", "--spectrum", "disk", "--output", &file]);
    assert_eq!((found["id"].as_str(), found["order"].as_u64()), (Some("three"), Some(2)));
    let shares: Vec<f64> =
        found["levels"].as_array().unwrap().iter().map(|level| level["share"].as_f64().unwrap()).collect();
    assert!(shares.len() == 3 && shares.iter().all(|share| (0.949..=1.001).contains(share)), "{shares:?}");
    let method = Method::read(file.as_ref()).unwrap();
    assert_eq!(
        method.partitions().iter().map(|part| part.name.as_str()).collect::<Vec<_>>(),
        ["level-2", "level-4", "level-8"]
    );
    // The claims hold exactly.
    assert!(page("check", &[&file]).contains("exact"));
    let certificate = folder.path("three.certificate.json");
    assert!(
        page("check", &[&file, "--certificate", &certificate]).contains("all conditions up to order 2 hold exactly")
    );
    // The design file gives equal bytes in another place.
    let again = folder.path("again.json");
    page("design", &[&folder.path("three.family.json"), "--output", &again]);
    assert_eq!(folder.text("again.json").replace("again", "three"), folder.text("three.json"));
    // Another family does not overwrite it.
    let other = ["--levels", "8,4", "--order", "2", "--output", &file];
    assert!(complaint("design", &other).contains("three.json"));
}

#[test]
fn coupled_steps_stand_in_page_file_and_json() {
    let folder = Folder::new();
    let file = folder.path("pair.json");
    let model = "dg-advection:cells=2,degree=1";
    let arguments = ["--levels", "6,3", "--order", "2", "--spectrum", "dg:1", "--for", model, "--output", &file];
    let found = page("design", &arguments).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(found.contains("coupled step") && found.contains("3–6 on dg-advection:cells=2,degree=1"), "{found}");
    let design = FamilyFile::read(folder.path("pair.family.json").as_ref()).unwrap();
    assert_eq!(design.specification.systems, [model]);
    let json = report("design", &[&folder.path("pair.family.json"), "--output", &file, "--force"]);
    let ratio = json["coupled_steps"][0]["ratio"].as_f64().unwrap();
    // `system` finds the same ratio by a finer search.
    let system = report("system", &[&file, "--model", model]);
    let of = |key: &str| system["methods"][0][key].as_f64().unwrap();
    let finer = of("first_exit") / of("decoupled");
    assert!(ratio >= 0.99 && (ratio - finer.min(1.2)).abs() < 2e-3, "{ratio} {finer}");
}

#[test]
fn a_jacobian_from_a_file_is_a_system_too() {
    let folder = Folder::new();
    // Upwind differences on a periodic mesh of two cells and four of half the width, whose blocks are the partitions.
    let width = |i: usize| if i < 2 { 1.0 } else { 0.5 };
    let entry = |i: usize, j: usize| (f64::from(j == (i + 5) % 6) - f64::from(i == j)) / width(i);
    let row = |i: usize| (0..6).map(|j| entry(i, j).to_string()).collect::<Vec<_>>().join(" ") + "\n";
    let jacobian = format!("{}@1,2", folder.file("jacobian.txt", &(0..6).map(row).collect::<String>()));
    let file = folder.path("pair.json");
    let found = report(
        "design",
        &["--levels", "4,2", "--order", "2", "--spectrum", "upwind:1", "--for-jacobians", &jacobian, "--output", &file],
    );
    let ratio = found["coupled_steps"][0]["ratio"].as_f64().unwrap();
    assert!(ratio > 0.4 && found["coupled_steps"][0]["levels"] == serde_json::json!([2, 4]), "{found}");
    // Blocks given separately are the reference for the coupled system.
    let mesh = |cells: usize, width: f64, name: &str| {
        let entry = |i: usize, j: usize| (f64::from(j == (i + cells - 1) % cells) - f64::from(i == j)) / width;
        let row = |i: usize| (0..cells).map(|j| entry(i, j).to_string()).collect::<Vec<_>>().join(" ") + "\n";
        folder.file(name, &(0..cells).map(row).collect::<String>())
    };
    let (wide, narrow) = (mesh(8, 1.0, "wide.txt"), mesh(16, 0.5, "narrow.txt"));
    let matrix = folder.path("jacobian.txt");
    let system = |more: &[&str]| {
        let json =
            report("system", &[&[file.as_str(), "--jacobian", &matrix, "--slow-variables", "1,2"], more].concat());
        json["methods"][0]["decoupled"].as_f64().unwrap()
    };
    let (blocks, meshes) = (system(&[]), system(&["--part-jacobians", &wide, &narrow]));
    assert!(meshes < 0.9 * blocks, "{meshes} {blocks}");
    let needs = complaint("system", &["rk4", "--model", "dg-advection", "--part-jacobians", &wide, &narrow]);
    assert!(needs.contains("--part-jacobians") && needs.contains("cannot be used with"), "{needs}");
}

#[test]
fn what_is_no_family_is_refused() {
    let folder = Folder::new();
    let file = folder.path("none.json");
    let refused = |arguments: &[&str]| complaint("design", &[arguments, &["--output", &file]].concat());
    for (arguments, said) in [
        (&["--levels", "5,8,16", "--order", "3"][..], "evaluations in decreasing order"),
        (&["--levels", "8", "--order", "3"], "two to ten levels"),
        (&["--levels", "8,8", "--order", "3"], "without repetition"),
        (&["--levels", "8,6", "--order", "5"], "the order of the family is 5; expected two, three or four"),
        (&["--levels", "8,3", "--order", "4"], "at least as many evaluations as the order"),
        (&["--levels", "40,8", "--order", "4"], "at most 32"),
        (&["--levels", "8,4"], "--order"),
        (&["--levels", "8,x", "--order", "2"], "invalid value 'x'"),
        (&["--levels", "8,4", "--order", "2", "--spectrum", "dg:x"], "dg:x"),
        (&["--levels", "8,4", "--order", "2", "--spectrum", "nowhere.txt"], "nowhere.txt"),
        (&["--levels", "8,4", "--order", "2", "--share", "1.5"], "the share of the optimum is 1.5"),
        (&["--levels", "8,4", "--order", "4", "--chain"], "impossible"),
        (&["--levels", "8,4", "--order", "2", "--for", "dg-advection:meshes=1"], "the model has one part"),
        (
            &["--levels", "8,4", "--order", "2", "--for", "dg-advection:meshes=3"],
            "the number of parts of a system is 3",
        ),
        (&["--levels", "8,4", "--order", "2", "--for", "dg-advektion"], "dg-advektion"),
        (&["--levels", "8,4", "--order", "2", "--error", "1e-3"], "cannot be used with"),
        (&["--levels", "8,4", "--order", "2", "--slow", "2"], "cannot be used with"),
        (&["--spectrum", "dg:3", "--slow", "2", "--fast", "5"], "--levels"),
    ] {
        let found = refused(arguments);
        assert!(found.contains(said), "{arguments:?}: {found}");
    }
    assert!(std::fs::metadata(&file).is_err(), "nothing is written");
}

#[test]
fn bad_design_files_are_refused_with_their_place() {
    let folder = Folder::new();
    let good =
        r#"{"format": "hemiola-family/1", "id": "a", "name": "a", "levels": [8, 4], "order": 2, "spectrum": "disk"}"#;
    for (from, to, said) in [
        ("hemiola-family/1", "hemiola-design/1", "format"),
        ("[8, 4]", "[4, 8]", "evaluations in decreasing order"),
        ("\"order\": 2", "\"order\": \"2\"", "order"),
        ("\"disk\"", "\"disc\"", "disc"),
        ("\"disk\"", "[[0]]", "spectrum"),
        ("\"disk\"", "\"disk\", \"surplus\": 1", "surplus"),
        ("\"disk\"", "\"disk\", \"for\": \"dg-advection\"", "for"),
    ] {
        let file = folder.file("a.family.json", &good.replace(from, to));
        let found = complaint("design", &[&file]);
        assert!(found.contains(said) && found.contains("a.family.json"), "{to}: {found}");
    }
    let file = folder.file("a.family.json", good);
    assert_eq!(outcome("design", &[&file]).0, 0);
}

#[test]
fn families_have_a_figure_and_a_report_as_pairs_do() {
    let folder = Folder::new();
    let file = folder.path("two.json");
    let told = page("design", &["--levels", "4,2", "--order", "2", "--spectrum", "disk", "--output", &file]);
    for ending in ["json", "family.json", "certificate.json", "svg", "md"] {
        let name = folder.path(&format!("two.{ending}"));
        assert!(told.contains(&format!("wrote {name}\n")) && std::path::Path::new(&name).exists(), "{told}");
    }
    let figure = folder.text("two.svg");
    assert!(figure.contains(">level-2</tspan>") && figure.contains(">level-4</tspan>"));
    let report = folder.text("two.md");
    for part in ["hemiola design two.family.json", "](two.svg)", "| Evaluations |", "- worst pair: 2–4", "level-4"] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    // The design file gives equal bytes.
    page("design", &[&folder.path("two.family.json"), "--output", &file]);
    assert_eq!((folder.text("two.svg"), folder.text("two.md")), (figure, report));
}
