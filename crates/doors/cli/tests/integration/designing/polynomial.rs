//! `hemiola polynomial`, run as by users and programs.

use crate::common::Folder;
use std::fs;

use serde_json::Value;

/// Returns the output of a successful command.
fn text(arguments: &[&str]) -> String {
    crate::common::page("polynomial", arguments)
}

fn json(arguments: &[&str]) -> Value {
    crate::common::report("polynomial", arguments)
}

/// Returns the standard error of a command that ends with exit code 2.
fn complaint(arguments: &[&str]) -> String {
    crate::common::complaint("polynomial", arguments)
}

/// Parses a decimal text as a double.
fn decimal(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("a decimal text")
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn closed_forms_are_exact_decimals() {
    let five = json(&["--stages", "5", "--order", "2", "--axis", "imaginary"]);
    assert_eq!(five["coefficients"], serde_json::json!(["1", "1", "0.5", "0.1875", "0.03125", "0.0078125"]));
    assert_eq!((&five["limit"], &five["axis"]), (&"4".into(), &"imaginary".into()));
    assert!(five["closed_form"].is_string() && five["polished"] == true);
    let four = ["--stages", "4", "--order", "4", "--axis", "imaginary", "--digits", "25"];
    let digits = json(&four);
    assert_eq!(digits["limit"], "2.828427124746190097603377");
    // Coefficients have as many additional digits as cancel in their sums.
    let third = digits["coefficients"][3].as_str().unwrap_or_default();
    assert!(third.starts_with("0.1666666666666666666666666") && third.ends_with('7'), "{third}");
    assert!(text(&four).contains("1/24"));
    assert_eq!(json(&["--stages", "3", "--order", "1", "--axis", "real"])["limit"], "18");
    let disk = json(&["--stages", "9", "--order", "2", "--spectrum", "disk"]);
    assert_eq!((&disk["limit"], &disk["spectrum"]), (&"8".into(), &"disk |λ + 1| ≤ 1".into()));
    assert!(disk.get("axis").is_none());
}

#[test]
fn limits_of_the_literature_to_many_digits() {
    let limit = |axis, s, p| json(&["--stages", s, "--order", p, "--axis", axis, "--digits", "34"])["limit"].clone();
    // The published value is rounded to …606; printed values are rounded down.
    assert_eq!(limit("imaginary", "5", "3"), "3.913282486378153130202522571035605");
    let real = limit("real", "10", "4");
    assert!(real.as_str().is_some_and(|text| text.starts_with("32.7464049662888623129345099491638")), "{real}");
}

#[test]
fn the_page_of_a_polynomial_without_closed_form() {
    let page = text(&["--stages", "9", "--order", "3", "--axis", "imaginary"]);
    for part in
        ["Optimal on the imaginary axis: 9 stages, order 3", "7.95986291", "L/s = 0.884", "4: y = ", "recurrence"]
    {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(!page.contains("closed form") && !page.contains("Warning"), "{page}");
}

#[test]
fn useless_tableaus_are_warned_of() {
    let page = text(&["--stages", "50", "--order", "2", "--axis", "real"]);
    assert!(page.contains("Warning") && page.contains("the realization `recurrence` avoids the loss"), "{page}");
    let report = json(&["--stages", "50", "--order", "2", "--axis", "real"]);
    assert!(report["digits_lost"].as_f64().is_some_and(|digits| digits > 30.0));
    let schemes: Vec<&str> =
        report["realisations"].as_array().expect("a list").iter().filter_map(|form| form["scheme"].as_str()).collect();
    assert_eq!(schemes, ["chain", "factors", "recurrence"]);
    assert!(report["stable_form"]["coefficients"].as_array().is_some_and(|list| list.len() == 51));
    assert_eq!(report["contact_points"].as_array().map(Vec::len), Some(49));
}

#[test]
fn tables_over_stages_and_orders() {
    let table = json(&["--stages", "2..6", "--order", "2,4", "--axis", "imaginary"]);
    let table = table.as_array().expect("a list");
    assert_eq!(table.len(), 10);
    let cell = |s: u64, p: u64| table.iter().find(|cell| cell["stages"] == s && cell["order"] == p).expect("a cell");
    assert_near(decimal(&cell(5, 2)["limit"]), 4.0, 0.0);
    assert_near(decimal(&cell(6, 4)["limit"]), 24f64.sqrt(), 1e-13);
    assert_near(decimal(&cell(5, 4)["limit"]), 12f64.sqrt(), 1e-13);
    assert!(cell(2, 2)["limit"].is_null() && cell(2, 2)["reason"].is_string());
    let page = text(&["--stages", "2..6", "--order", "2,4", "--axis", "imaginary"]);
    assert!(page.contains("4.898979486   0.816497   4.898979486"), "{page}");
    assert_eq!(page.matches("expected 1 ≤ order ≤ stages").count(), 1);
    assert!(page.contains("likewise"), "{page}");
}

#[test]
fn damping_costs_length() {
    let options = ["--stages", "10", "--order", "2", "--axis", "real", "--damping", "0,0.05,0.1"];
    let limits: Vec<f64> =
        json(&options).as_array().expect("a list").iter().map(|row| decimal(&row["limit"])).collect();
    assert!(limits.len() == 3 && limits.windows(2).all(|pair| pair[0] > pair[1]), "{limits:?}");
    assert!(text(&options).contains("η"));
    let banded = |band| {
        let problem = ["--stages", "6", "--order", "2", "--axis", "imaginary", "--damping", "0.1", "--band", band];
        decimal(&json(&problem)["limit"])
    };
    assert!(banded("0.9") > banded("0.3"));
}

#[test]
fn eigenvalues_as_people_write_them() {
    let folder = Folder::new();
    let limit = |file: &str| json(&["--stages", "6", "--order", "2", "--spectrum", file])["limit"].clone();
    let contents = "# an oscillator\n-0.1+1i, -0.1-1i\n-0.5 + 0.2i # slower\n\n-2\t.6i\n";
    let listed = limit(&folder.file("listed.txt", contents));
    assert_eq!(listed, limit(&folder.file("columns.csv", "-0.1,1\n-0.5,0.2\n-2,0\n0,0.6\n")));
    // A line of three numbers is not a pair: these are five real eigenvalues.
    let report = json(&["--stages", "6", "--order", "2", "--spectrum", &folder.file("r", "-1 -2\n-3 -4 -5\n")]);
    assert_eq!(report["spectrum"], "list of 5 eigenvalues");
}

#[test]
fn jacobians_have_eigenvalues() {
    let folder = Folder::new();
    let problem = |option, file: &str| json(&["--stages", "3", "--order", "2", option, file]);
    let matrix = problem("--jacobian", &folder.file("oscillator.txt", "# x, v\n0 1\n-1, -0.1\n"));
    let root = (1.0f64 - 0.0025).sqrt();
    let pair = problem("--spectrum", &folder.file("pair.txt", &format!("-0.05+{root}i")));
    assert_near(decimal(&matrix["limit"]), decimal(&pair["limit"]), 1e-12);
    assert_eq!(matrix["contact_points"].as_array().map(Vec::len), Some(1));
    // Upwind differences on a circle: the matrix is singular, and the eigenvalue iteration stalls on its shifts unless
    // it is shifted itself.
    let shift = folder.file("shift.txt", "-1 1 0 0\n0 -1 1 0\n0 0 -1 1\n1 0 0 -1\n");
    assert!(decimal(&json(&["--stages", "4", "--order", "2", "--jacobian", &shift])["limit"]) > 1.0);
}

#[test]
fn imaginary_with_a_real_extent() {
    let plain = json(&["--stages", "7", "--order", "2", "--axis", "imaginary"]);
    let both = json(&["--stages", "7", "--order", "2", "--axis", "imaginary", "--real-extent", "4"]);
    assert!(decimal(&both["limit"]) < decimal(&plain["limit"]));
    assert!(both["spectrum"].as_str().is_some_and(|text| text.contains("[−4, 0]")));
}

#[test]
fn requests_without_an_answer() {
    let problem = |options: &[&str]| complaint(&[&["--stages", "5", "--order", "2"], options].concat());
    assert!(problem(&[]).contains("--axis"));
    assert!(problem(&["--axis", "real", "--spectrum", "disk"]).contains("cannot be used with"));
    assert!(problem(&["--spectrum", "dsik"]).contains("no such shape or file"));
    assert!(problem(&["--spectrum", "wedge:abc"]).contains("no such shape or file"));
    assert!(problem(&["--spectrum", "wedge:100"]).contains("0 to 90 degrees"));
    assert!(problem(&["--axis", "real", "--real-extent", "2"]).contains("--axis imaginary"));
    assert!(problem(&["--axis", "imaginary", "--real-extent", "-3"]).contains("expected a positive number"));
    assert!(problem(&["--axis", "imaginary", "--band", "0.3"]).contains("--band"));
    assert!(problem(&["--axis", "real", "--damping", "0.1", "--band", "0.3"]).contains("--band"));
    assert!(problem(&["--axis", "real", "--damping", "1"]).contains("from 0 to below 1"));
    assert!(problem(&["--axis", "real", "--damping", "-0.1"]).contains("from 0 to below 1"));
    assert!(problem(&["--axis", "real", "--digits", "0"]).contains("--digits"));
    assert!(problem(&["--axis", "real", "--output", "f.gif"]).contains(".svg, .pdf, .png, .tex or .json"));
    let several = ["--stages", "5,6", "--order", "2", "--axis", "real", "--damping", "0,0.1"];
    assert!(complaint(&several).contains("one number of --stages"));
    assert!(complaint(&["--stages", "7..5", "--order", "2", "--axis", "real"]).contains("5..20"));
    assert!(complaint(&["--stages", "2", "--order", "2", "--axis", "imaginary"]).contains("no polynomial of degree 2"));
    assert!(complaint(&["--stages", "3", "--order", "4", "--axis", "real"]).contains("order 4"));
    assert!(complaint(&["--stages", "1..2", "--order", "3", "--axis", "real"]).contains("order 3"));
}

#[test]
fn files_without_a_spectrum() {
    let folder = Folder::new();
    let problem = |option, file: &str| complaint(&["--stages", "5", "--order", "2", option, file]);
    assert!(problem("--spectrum", &folder.path("none.txt")).contains("no such file or folder"));
    let empty = folder.file("empty.txt", "# nothing\n\n");
    for option in ["--spectrum", "--jacobian"] {
        let error = problem(option, &empty);
        assert!(error.contains("empty.txt: the spectrum contains only the origin"), "{error}");
    }
    let word = problem("--spectrum", &folder.file("word.txt", "# first\n-1+2i\n-1 x\n"));
    assert!(word.contains("word.txt, line 3: `x` is not a complex number"), "{word}");
    let right = problem("--spectrum", &folder.file("right.txt", "1-2i"));
    assert!(right.contains("right.txt: the eigenvalue 1-2i lies in the right half-plane"), "{right}");
    let ragged = problem("--jacobian", &folder.file("ragged.txt", "-1 2 3\n-1 1\n"));
    assert!(ragged.contains("ragged.txt, line 1: the row has 3 numbers; expected 2"), "{ragged}");
    let complex = problem("--jacobian", &folder.file("complex.txt", "1i"));
    assert!(complex.contains("`1i` is not a number"), "{complex}");
    let unbounded = problem("--spectrum", &folder.file("two.txt", "-1\n-2"));
    assert!(unbounded.contains("the limit is infinite"), "{unbounded}");
}

fn without_tags(line: &str) -> String {
    line.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect()
}

#[test]
fn figures_are_the_same_bytes_twice() {
    let folder = Folder::new();
    let eigenvalues = folder.file("eigenvalues.txt", "-0.1+1i -0.5+0.2i -2 0.6i");
    // Requests with the labels of their axes.
    let requests: [(&[&str], &str); 7] = [
        (&["--stages", "9", "--order", "3", "--axis", "imaginary"], "|R(iy)|"),
        (&["--stages", "10", "--order", "2", "--axis", "real", "--damping", "0.05"], "R(x)"),
        (&["--stages", "8", "--order", "3", "--spectrum", "rays:0.02,0.3"], "length along the boundary"),
        (&["--stages", "6", "--order", "2", "--spectrum", &eigenvalues], "|z|"),
        (&["--stages", "2..8", "--order", "1,2", "--axis", "imaginary"], "L/s"),
        (&["--stages", "3..8", "--order", "1,2", "--axis", "real"], "L/s2"),
        (&["--stages", "8", "--order", "2", "--axis", "real", "--damping", "0,0.1"], "damping η"),
    ];
    for (request, label) in requests {
        let draw = |name: &str| {
            let file = folder.path(name);
            assert!(text(&[request, &["--output", &file]].concat()).contains(&format!("wrote {file}")));
            fs::read_to_string(file).expect("a figure")
        };
        let svg = draw("first.svg");
        assert!(svg.lines().any(|line| line.starts_with("<text") && without_tags(line) == label), "{label}");
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{request:?}");
        assert_eq!(svg, draw("second.svg"), "{request:?}");
    }
    let nowhere = folder.path("nowhere/f.svg");
    let error = complaint(&["--stages", "3", "--order", "2", "--axis", "real", "--output", &nowhere]);
    assert!(error.contains("nowhere"), "{error}");
}

/// Returns the limit, or the reason why there is none.
fn answer(arguments: &[&str]) -> Result<f64, String> {
    let (code, stdout, stderr) = crate::common::outcome("polynomial", &[arguments, &["--json"]].concat());
    if code != 0 {
        return Err(stderr);
    }
    Ok(decimal(&serde_json::from_str::<Value>(&stdout).expect("valid JSON")["limit"]))
}

#[test]
fn high_orders_have_limits_that_fall_or_a_reason() {
    for stages in ["12", "25"] {
        let mut last = f64::INFINITY;
        for order in 4..=12 {
            match answer(&["--stages", stages, "--order", &order.to_string(), "--axis", "imaginary"]) {
                Ok(limit) => {
                    assert!(limit <= last * (1.0 + 1e-12), "{stages} stages, order {order}: {limit} after {last}");
                    last = limit;
                }
                Err(reason) => assert!(reason.contains("did not converge") || reason.contains("degree"), "{reason}"),
            }
        }
    }
}

#[test]
fn few_eigenvalues_have_sensible_limits() {
    let folder = Folder::new();
    let file = folder.file("few.txt", "-1\n-0.01+1i\n-30\n");
    // From an independent conic program in extended precision: these limits are feasible, and limits a tenth larger are
    // not.
    for (stages, order, least) in [("5", "4", 2.8), ("6", "4", 3.4), ("6", "5", 3.2), ("5", "2", 2.9), ("5", "3", 2.8)]
    {
        let limit = answer(&["--stages", stages, "--order", order, "--spectrum", &file]);
        let limit = limit.unwrap_or_else(|reason| panic!("{reason}"));
        assert!((least..least + 0.1).contains(&limit), "{stages} stages, order {order}: {limit}");
    }
}

#[test]
fn a_real_extent_beyond_the_real_limit_is_refused() {
    for (stages, order, extent) in [("11", "6", "80"), ("8", "5", "24"), ("9", "5", "60"), ("5", "2", "1000")] {
        let request = ["--stages", stages, "--order", order, "--axis", "imaginary", "--real-extent", extent];
        let reason = answer(&request).expect_err("no answer");
        assert!(reason.contains("real extent") && reason.contains("limit"), "{reason}");
    }
}
