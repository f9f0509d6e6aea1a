//! User-facing behavior: names, the user's own files, protection against overwriting, and clear endings.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Joins a text without line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_method_file_may_be_called_as_one_likes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mine = folder.path().join("mine.json");
    fs::write(&mine, crate::common::page("show", &["rk4", "--json"])).expect("a file");
    let mine = mine.to_str().expect("UTF-8");
    let (code, page, said) = crate::common::outcome("check", &[mine]);
    assert!(code == 0 && page.ends_with("claim order 4: verified exactly\n"), "{page}{said}");
    assert!(said.starts_with("warning: ") && said.contains("the id is `rk4`, but the file name is `mine`"), "{said}");
    for command in ["stability", "show", "export"] {
        let format: &[&str] = if command == "export" { &["--language", "c"] } else { &[] };
        let page = |method| crate::common::page(command, &[&[method], format].concat());
        assert_eq!(page(mine), page("rk4"), "{command}");
    }
    // A distinct id causes no warning.
    fs::write(mine, crate::common::page("show", &["RK4", "--id", "mine", "--json"])).expect("a file");
    assert_eq!(crate::common::report("check", &[mine])[0]["id"], "mine");
    let error = crate::common::complaint("show", &["rk4", "--id", "My Method"]);
    assert!(words(&error).contains("--id \"My Method\": expected lower-case words"), "{error}");
    // In a folder of methods the file's name is the id.
    let other = folder.path().join("other.json");
    fs::copy(mine, &other).expect("a copy");
    let folder = folder.path().to_str().expect("UTF-8");
    assert_eq!(crate::common::report("check", &["other", "--methods", folder])[0]["id"], "other");
}

#[test]
fn methods_answer_to_other_names() {
    for (name, id) in
        [("backward-euler", "implicit-euler"), ("DOPRI5", "dormand-prince-5"), ("SSPRK(3,3)", "ssp-rk-3-3")]
    {
        assert_eq!(crate::common::report("check", &[name])[0]["id"], id, "{name}");
    }
    assert!(crate::common::page("show", &["dormand-prince-5"]).contains("dopri5, dp5, ode45, rk45"));
    let error = words(&crate::common::complaint("show", &["dopri6"]));
    assert!(error.contains("did you mean `dormand-prince-5`"), "{error}");
    let error = words(&crate::common::complaint("show", &["bogaki-shampine"]));
    assert!(error.contains("`bogacki-shampine-3`"), "{error}");
}

#[test]
fn lists_are_of_an_order_and_of_kinds() {
    let ids = |arguments: &[&str]| -> Vec<String> {
        let list = crate::common::report("list", arguments);
        list.as_array().expect("a list").iter().map(|entry| entry["id"].as_str().expect("an id").to_owned()).collect()
    };
    let has = |list: &[String], id: &str| list.iter().any(|there| there == id);
    let fourth = ids(&["--order", "4", "--kind", "explicit,embedded"]);
    assert!(has(&fourth, "fehlberg-4-5") && !has(&fourth, "rk4") && !has(&fourth, "dormand-prince-5"), "{fourth:?}");
    let imex = ids(&["--kind", "imex"]);
    assert!(has(&imex, "ars-2-2-2") && !has(&imex, "shome-haug-jay-2-5") && !has(&imex, "gauss-2"), "{imex:?}");
    let dirk = ids(&["--kind", "dirk"]);
    assert!(
        has(&dirk, "sdirk-2") && has(&dirk, "ars-2-2-2") && !has(&dirk, "gauss-2") && !has(&dirk, "rk4"),
        "{dirk:?}"
    );
    let implicit = ids(&["--kind", "implicit"]);
    assert!(has(&implicit, "gauss-2") && dirk.iter().all(|id| has(&implicit, id)), "{implicit:?}");
    let symplectic = ids(&["--kind", "symplectic"]);
    assert!(has(&symplectic, "gauss-2") && has(&symplectic, "stormer-verlet") && has(&symplectic, "ruth-3"));
    assert!(!has(&symplectic, "rk4") && !has(&symplectic, "lobatto-iiia-2"), "{symplectic:?}");
    assert!(has(&ids(&["--kind", "pair", "--order", "2", "shome"]), "shome-haug-jay-2-5"));
    assert_eq!(crate::common::page("list", &["--order", "77"]), "no method meets all of these conditions\n");
}

/// Checks that a word that is a kind finds the methods of this kind as well as those with the word in their name.
#[test]
fn kinds_are_found_as_words() {
    let page = |arguments: &[&str]| crate::common::page("list", arguments);
    assert!(page(&["--kind", "imex"]).lines().count() > 30);
    assert_eq!(page(&["imex"]), page(&["--kind", "imex"]));
    assert_eq!(page(&["IMEX", "kennedy"]), page(&["--kind", "imex", "kennedy"]));
    assert_eq!(page(&["multirate"]), page(&["--kind", "multirate"]));
    let pairs = page(&["symplectic", "--kind", "pair"]);
    // Its name contains the word; the first symplectic methods of the list are found by their kind.
    assert!(pairs.contains("symplectic-euler") && pairs.contains("ruth-3") && !pairs.contains("gauss-2"), "{pairs}");
}

#[test]
fn all_unknown_methods_are_named_at_once() {
    for (command, before, after) in [
        ("system", None, &["--model", "quarter-car"][..]),
        ("simulate", Some("kepler"), &[]),
        ("converge", Some("kepler"), &[]),
        ("map", None, &["--output", "never.svg"]),
    ] {
        let methods = ["rk5x", "rk4", "gauss-22"];
        let error = words(&crate::common::complaint(command, &[before.as_slice(), &methods[..], after].concat()));
        assert!(error.contains("no method `rk5x`") && error.contains("no method `gauss-22`"), "{command}: {error}");
        assert!(!Path::new("never.svg").exists());
    }
}

/// Returns the files of a folder with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn designs_of_another_origin_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("pair.json");
    let output = output.to_str().expect("UTF-8");
    let design = |options: &[&str]| {
        let (code, page, said) =
            crate::common::outcome("design", &[&["--slow", "2", "--fast", "4", "--output", output], options].concat());
        assert_eq!(code, 0, "{said}");
        (page, said)
    };
    let (_, said) = design(&["--starts", "2"]);
    assert_eq!(said, "");
    let first = contents(folder.path());
    assert_eq!(first.len(), 5);
    // A repeated design gives equal bytes in the same place.
    assert_eq!(design(&["--starts", "2"]).1, "");
    assert_eq!(contents(folder.path()), first);
    // A different design is numbered, with a message; repeated, it is found in its place.
    for _ in 0..2 {
        let (page, said) = design(&["--starts", "2", "--seed", "7"]);
        assert!(
            page.contains("pair-2.json\n") && said.contains("pair.json belongs to another design and is kept"),
            "{said}"
        );
        let all = contents(folder.path());
        assert_eq!(all.len(), 10);
        assert!(first.iter().all(|file| all.contains(file)));
    }
    let id = |name: &str| -> Value {
        let text = fs::read(folder.path().join(name)).expect("a file");
        serde_json::from_slice::<Value>(&text).expect("JSON")["id"].clone()
    };
    assert_eq!((id("pair-2.json"), id("pair-2.design.json")), ("pair-2".into(), "pair-2".into()));
    // A method without a design file is protected, too.
    let own = folder.path().join("pair-3.json");
    fs::write(&own, "mine").expect("a file");
    assert!(design(&["--starts", "3"]).0.contains("pair-4.json\n"));
    assert_eq!(fs::read(&own).expect("a file"), b"mine");
    // JSON output contains it as well.
    let again = crate::common::report(
        "design",
        &["--slow", "2", "--fast", "4", "--output", output, "--starts", "2", "--seed", "7"],
    );
    assert_eq!((&again["id"], &again["kept"]), (&"pair-2".into(), &output.into()));
    // --force overwrites the file.
    let (page, said) = design(&["--starts", "3", "--force"]);
    assert!(page.contains("pair.json\n") && said.is_empty(), "{said}");
    assert!(contents(folder.path()) != first);
}

/// Checks NAME-2.json, which may be a compromise of a front or a numbered design.
#[test]
fn fronts_and_numbered_designs_do_not_take_each_others_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("pair.json");
    let output = output.to_str().expect("UTF-8");
    let size = ["--slow", "2", "--fast", "4", "--starts", "2", "--output", output];
    let wish = ["--profile", "0.1=0.9", "--pareto", "2"];
    crate::common::page("design", &[&size[..], &wish].concat());
    let front = contents(folder.path());
    // A repeated front gives equal bytes.
    crate::common::page("design", &[&size[..], &wish].concat());
    assert_eq!(contents(folder.path()), front);
    // A design beside it does not take the names of the front's compromises.
    let (code, _, said) = crate::common::outcome("design", &[&size[..], &["--seed", "3"]].concat());
    assert!(code == 0 && said.contains("is kept"), "{said}");
    let all = contents(folder.path());
    assert!(front.iter().all(|file| all.contains(file)) && all.len() == front.len() + 5);
}

#[test]
fn a_wish_stands_beside_what_was_reached() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("wished.json");
    let output = output.to_str().expect("UTF-8");
    let design = ["--slow", "2", "--fast", "5", "--starts", "2", "--profile", "0.1=1.01,0.2=0.3", "--output", output];
    let page = crate::common::page("design", &design);
    assert!(page.contains("coupled profile, ζ = 0.05   wanted   reached   shortfall"), "{page}");
    let wish = crate::common::report("design", &design)["wish"].clone();
    assert_eq!(wish["damping"], 0.05);
    let reached = |k: usize| wish["profile"][k]["reached"].as_f64().expect("a number");
    assert_eq!((&wish["profile"][0]["wished"], &wish["profile"][1]["gamma"]), (&1.01.into(), &0.2.into()));
    // The reached profile agrees with `stability`.
    let found = crate::common::report("stability", &[output, "--gammas", "0.1,0.2"])["coupled_profile"].clone();
    for k in 0..2 {
        assert!((found[k]["practical"].as_f64().expect("a number") - reached(k)).abs() < 1e-12, "{found}");
    }
    assert!(reached(0) < 1.01 && reached(1) > 0.3);
    let report = fs::read_to_string(folder.path().join("wished.md")).expect("a report");
    let row = report.lines().find(|line| line.starts_with("| γ = 0.2 ")).expect("a row");
    assert!(report.contains("| wanted | reached | shortfall |") && row.ends_with("|  |"), "{row}");
    // Without a wanted profile there is no such table.
    let plain = folder.path().join("plain.json");
    let page = crate::common::page(
        "design",
        &["--slow", "2", "--fast", "4", "--starts", "2", "--output", plain.to_str().expect("UTF-8")],
    );
    assert!(!page.contains("wished"));
}

#[test]
fn convergence_studies_have_an_end() {
    let study = ["kepler", "explicit-euler", "heun-2", "--max-runs", "20"];
    let steps = |options: &[&str]| crate::common::outcome("converge", &[&study[..], options].concat());
    let (_, page, _) = steps(&["--max-steps", "512"]);
    // With so few steps the error of Euler's method is still above a tenth.
    assert!(page.contains("skipped: 1024 steps and more (--max-steps allows 512)."), "{page}");
    assert!(page.contains("No error is below 0.1 yet"), "{page}");
    let (_, report, _) = steps(&["--max-steps", "512", "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(
        (&report["methods"][0]["ended"], &report["methods"][0]["next_steps"]),
        (&"most-steps".into(), &1024.into())
    );
    let (code, page, said) = steps(&["--time-limit", "2", "--max-steps", "1000000000", "--end", "40"]);
    assert!(code != 2 && page.contains("the 2 s of --time-limit were used up"), "{page}{said}");
    // Here even the reference solution is not ready in time.
    let (code, _, said) =
        crate::common::outcome("converge", &["van-der-pol", "rk4", "--end", "100000000", "--time-limit", "0.2"]);
    assert!(code == 2 && words(&said).contains("it takes longer than 0.2 s (--time-limit)"), "{said}");
    // Endings without caps are not mentioned.
    assert!(!crate::common::page("converge", &["kepler", "rk4"]).contains("skipped"));
}

/// Checks that a folder that does not exist is called one, and that no empty table is printed.
#[test]
fn a_missing_folder_is_named() {
    for (argument, expected) in [
        ("nofolder", "no folder has this name"),
        ("no/folder", "no/folder: no such file or folder"),
        ("nofolder/", "nofolder/: no such file or folder"),
    ] {
        let (code, page, error) = crate::common::outcome("check", &["--summary", argument]);
        assert!(code == 2 && page.is_empty() && words(&error).contains(expected), "{page}{error}");
        let error = words(&crate::common::complaint("lint", &[argument]));
        assert!(error.contains(&format!("{argument}: no such file or folder")), "{error}");
    }
}
