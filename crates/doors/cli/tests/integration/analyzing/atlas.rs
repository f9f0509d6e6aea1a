//! `hemiola atlas`: pages, links, bytes, and agreement of numbers with those of other commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Folder, complaint, page, report};

/// Methods with single rates and pairs, explicit and implicit, with fractions, roots and decimals, with and without
/// profiles.
const TWENTY: [&str; 20] = [
    "ars-2-2-2",
    "chebyshev-5-1",
    "dormand-prince-5",
    "explicit-euler",
    "gauss-2",
    "hairer-wanner-sdirk-4",
    "hemiola-2-5",
    "hemiola-4-6-coupled",
    "hemiola-family-2-4-8",
    "heun-2",
    "kutta-3",
    "lobatto-iiia-2",
    "mprk-p2",
    "mprk-p3",
    "radau-iia-3",
    "rk4",
    "shome-haug-jay-2-5",
    "ssp-rk-3-3",
    "stormer-verlet",
    "tsitouras-5",
];

/// Returns all files below a folder by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
    found
}

/// Returns the numbers of a page with all their digits.
fn numbers(html: &str) -> Vec<f64> {
    let values = html.split("<data value=\"").skip(1);
    values.map(|rest| rest.split_once('"').expect("a closed attribute").0.parse().expect("a number")).collect()
}

fn assert_shown(id: &str, html: &str, values: &[f64], wanted: &Value, what: &str) {
    let Some(wanted) = wanted.as_f64() else { return };
    // Both are written with as many digits as a double needs.
    assert!(values.contains(&wanted), "{id}: {what} {wanted} is not on the page: {html}");
}

#[test]
fn twenty_methods_have_the_numbers_of_check_and_stability() {
    let folder = Folder::new();
    page("atlas", &["--folder", &folder.path("site"), "--only", &TWENTY.join(",")]);
    for id in TWENTY {
        let html = folder.text(&format!("site/methods/{id}.html"));
        let values = numbers(&html);
        let checked = &report("check", &[id])[0];
        assert!(html.contains(&format!("<strong>{}</strong>", checked["order"])), "{id}");
        assert_shown(id, &html, &values, &checked["principal_error_norm"], "error norm");
        for order in checked["orders"].as_array().unwrap() {
            assert_shown(id, &html, &values, &order["max_residual"], "residual");
        }
        let stability = report("stability", &[id]);
        for partition in stability["partitions"].as_array().unwrap() {
            for key in ["imaginary_limit", "real_limit", "sector_angle"] {
                assert_shown(id, &html, &values, &partition[key], key);
            }
            for ray in partition["damped_rays"].as_array().unwrap() {
                assert_shown(id, &html, &values, &ray["limit"], "limit of a ray");
            }
        }
        let pairs = stability["pairs"].as_array().into_iter().flatten().map(|pair| &pair["coupled_profile"]);
        for profile in pairs.chain([&stability["coupled_profile"]]).filter_map(Value::as_array) {
            for (key, at) in
                profile.iter().flat_map(|at| ["practical", "strict", "skew", "kappa", "g"].map(|key| (key, at)))
            {
                assert_shown(id, &html, &values, &at[key], key);
            }
        }
    }
}

/// Returns the numbers with a decimal point in the output of a command, without their signs.
fn printed(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_ascii_digit() || ".e-".contains(letter)));
    let words = words.map(|word| word.trim_matches(['-', '.', 'e']));
    words.filter(|word| word.contains('.') && word.parse::<f64>().is_ok())
}

#[test]
fn every_number_that_the_commands_print_is_printed_on_the_page() {
    let folder = Folder::new();
    page("atlas", &["--folder", &folder.path("site"), "--only", &TWENTY.join(",")]);
    for id in TWENTY {
        // Powers of ten have a different format in formulas.
        let html = folder.text(&format!("site/methods/{id}.html"));
        let mut count = 0;
        for number in printed(&(page("stability", &[id]) + &page("check", &[id]))) {
            let digits = number.split('e').next().unwrap_or(number);
            assert!(html.contains(number) || html.contains(&format!("<mn>{digits}</mn><mo>·</mo>")), "{id}: {number}");
            count += 1;
        }
        assert!(count > 1, "{id}");
    }
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let [one, two] = [Folder::new(), Folder::new()];
    for folder in [&one, &two] {
        page("atlas", &["--folder", &folder.path("site"), "--only", "rk4,hemiola-2-5,ars-1-1-1,gauss-2"]);
    }
    let [one, two] = [one, two].map(|folder| files(Path::new(&folder.path("site"))));
    assert!(one.len() > 20);
    assert_eq!(one, two);
}

#[test]
fn rows_have_what_is_sorted_and_filtered_by() {
    let folder = Folder::new();
    page("atlas", &["--folder", &folder.path("site"), "--only", "rk4,gauss-2,shome-haug-jay-2-5"]);
    let index = folder.text("site/methods/index.html");
    for row in [
        "<tr data-id=\"gauss-2\" data-name=\"Gauss 2 (Hammer–Hollingsworth)\" data-kinds=\"implicit symplectic a-stable algebraically-stable single\" data-stages=\"2\" \
         data-evaluations=\"2\" data-order=\"4\" data-imaginary=\"Infinity\" data-real=\"Infinity\"",
        "data-kinds=\"explicit single\" data-stages=\"4\" data-evaluations=\"4\" data-order=\"4\" data-imaginary=\"2.8284271247461903\"",
        "data-kinds=\"explicit pair\" data-stages=\"5\" data-evaluations=\"7\" data-order=\"2\"",
    ] {
        assert!(index.contains(row), "{row}\n{index}");
    }
    assert_eq!(index.matches("<tr data-id=").count(), 3);
}

#[test]
fn methods_of_ones_own_have_pages_and_certificates_are_checked() {
    let folder = Folder::new();
    let method = page("show", &["heun-2", "--id", "mine", "--json"]);
    let file = folder.file("mine.json", &method);
    page(
        "atlas",
        &[
            "--folder",
            &folder.path("site"),
            "--only",
            &format!("{file},hemiola-2-5"),
            "--certificates",
            "../../../designs",
        ],
    );
    assert!(folder.text("site/methods/mine.html").contains("id=\"tableau\""));
    assert!(folder.text("site/methods/hemiola-2-5.html").contains("an exact solution of all order conditions"));
    assert!(folder.text("site/methods/hemiola-2-5.certificate.json").contains("hemiola-design-certificate/2"));
}

#[test]
fn only_parts_that_exist_are_linked() {
    let folder = Folder::new();
    let pages = |wanted: [bool; 2]| {
        page("atlas", &["--folder", &folder.path("site"), "--only", "rk4,mprk-p2"]);
        for name in ["index.html", "methods/index.html", "methods/rk4.html", "comparisons/index.html"] {
            let html = folder.text(&format!("site/{name}")).to_lowercase();
            assert_eq!([html.contains("explorer"), html.contains("book/")], wanted, "{name}");
        }
    };
    pages([false, false]);
    assert!(!Path::new(&folder.path("site/explorer")).exists() && !Path::new(&folder.path("site/book")).exists());
    for (part, wanted) in [("book", [false, true]), ("explorer", [true, true])] {
        fs::create_dir(folder.path(&format!("site/{part}"))).unwrap();
        let file = folder.file(&format!("site/{part}/index.html"), part);
        pages(wanted);
        assert_eq!(fs::read_to_string(file).unwrap(), part);
    }
}

/// Multirate methods have pages of their own, with the numbers that other commands print.
#[test]
fn pages_of_multirate_methods_show_their_orders_and_limits() {
    let folder = Folder::new();
    let site = folder.path("site");
    let written = report("atlas", &["--folder", &site, "--only", "merk32,mri-gark-esdirk34a,rk4"]);
    assert_eq!(written["methods"], 3);
    let found = files(Path::new(&site));
    let text = |path: &str| String::from_utf8(found[path].clone()).expect("UTF-8");
    assert!(text("methods/index.html").contains("<a href=\"../multirate/\">2 multirate methods</a>"));
    assert!(text("multirate/index.html").contains("<a href=\"merk32.html\">merk32</a>"));
    assert!(text("multirate/merk32.json").contains("hemiola-multirate/1"));
    for id in ["merk32", "mri-gark-esdirk34a"] {
        let html = text(&format!("multirate/{id}.html"));
        let values = numbers(&html);
        let norm = &report("check", &[id])[0]["principal_error"]["total"]["two"];
        assert_shown(id, &html, &values, norm, "error norm");
        let stability = report("stability", &[id, "--gammas", "0.1"]);
        for sector in stability["additive"][0]["sectors"].as_array().expect("sectors") {
            assert_shown(id, &html, &values, &sector["limit"], "limit");
            assert_shown(id, &html, &values, &sector["proved_lower"], "proved bound");
        }
    }
    let html = text("multirate/merk32.html");
    for part in ["φ", "Coupling tables", "embedded", "\\Gamma^{0}"] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn what_cannot_be_had_is_said() {
    let folder = Folder::new();
    assert!(complaint("atlas", &["--folder", &folder.path("site"), "--only", "rk4x"]).contains("no method `rk4x`"));
    let file = folder.file("plain", "");
    assert!(complaint("atlas", &["--folder", &file, "--only", "heun-2"]).contains("plain"));
    assert!(complaint("atlas", &["--folder", &file, "--certificates", &file]).contains("--certificates"));
    assert!(!Path::new(&folder.path("site")).exists());
}
