//! Appearance of figures of all commands, and figure files.

use std::fs;

use crate::common::{Folder, complaint, page};
use serde_json::Value;

/// Draws two regions with these options and returns the text of the figure.
fn map(folder: &Folder, name: &str, options: &[&str]) -> String {
    let file = folder.path(name);
    page("map", &[&["rk4", "heun-3", "--points", "40", "--output", &file], options].concat());
    folder.text(name)
}

/// Reads an attribute of the root of an SVG text in millimeters.
fn millimeters(svg: &str, name: &str) -> f64 {
    let value = svg.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split("mm\"").next());
    value.expect("a length").parse().expect("a number")
}

#[test]
fn a_figure_is_as_wide_as_asked_for_in_any_unit() {
    let folder = Folder::new();
    for (width, expected) in
        [("one", 85.0), ("two", 178.0), ("100", 100.0), ("10cm", 100.0), ("4in", 101.6), ("288pt", 101.6)]
    {
        let svg = map(&folder, "f.svg", &["--width", width]);
        assert!((millimeters(&svg, "width") - expected).abs() < 0.01, "{width}");
    }
    for width in ["0", "-5", "wide", "9999in"] {
        let message = complaint("map", &["rk4", "--output", "f.svg", "--width", width]);
        assert!(message.contains("one"), "{message}");
    }
}

#[test]
fn a_page_is_as_high_as_asked_for() {
    let folder = Folder::new();
    for height in [60.0, 90.0] {
        let svg = map(&folder, "f.svg", &["--height", &height.to_string(), "--width", "two"]);
        assert!((millimeters(&svg, "height") - height).abs() < 0.3, "{height}: {}", millimeters(&svg, "height"));
    }
    let runs = folder.path("run.svg");
    page("converge", &["kpr", "rk4", "heun-3", "--output", &runs, "--height", "50"]);
    assert!((millimeters(&folder.text("run.svg"), "height") - 50.0).abs() < 0.1);
}

#[test]
fn legends_name_methods_or_what_the_user_calls_them() {
    let folder = Folder::new();
    let svg = map(&folder, "f.svg", &[]);
    assert!(svg.contains(">Classical Runge–Kutta 4<") && svg.contains(">Heun 3<") && !svg.contains(">rk4<"));
    let svg = map(&folder, "f.svg", &["--label", "rk4=Kutta *K*", "--title", "Two of them"]);
    assert!(svg.contains(">Kutta <tspan font-style=\"italic\">K</tspan><") && svg.contains(">Two of them<"));
    assert!(svg.contains(">Heun 3<"));
    let svg = map(&folder, "f.svg", &["--legend", "none"]);
    assert!(!svg.contains("class=\"legend\""));
}

#[test]
fn labels_are_for_methods_of_the_figure() {
    let folder = Folder::new();
    // The first sign behind a known method ends it.
    assert!(map(&folder, "f.svg", &["--label", "rk4=h = 1"]).contains(">h = 1<"));
    for label in ["rk5=other", "rk=other", "=other", "rk4"] {
        let message = complaint("map", &["rk4", "heun-3", "--points", "40", "--output", "f.svg", "--label", label]);
        assert!(message.contains("METHOD=TEXT"), "{message}");
    }
    let file = folder.path("f.svg");
    // The figure of one method does not name it: the label is its title, also above colors.
    for options in [&[][..], &["--show", "modulus"], &["--slice", "coupled:kappa=2,g=0.04"]] {
        let arguments = ["rk4", "--points", "20", "--output", file.as_str(), "--label", "rk4=Kutta (1901)"];
        page("map", &[&arguments[..], options].concat());
        assert!(folder.text("f.svg").contains(">Kutta (1901)<"), "{options:?}");
    }
    page("stability", &["merk43", "--output", &file, "--label", "merk43=the third"]);
    assert!(folder.text("f.svg").contains(">the third<"));
    page(
        "map",
        &["rk4", "heun-3", "--points", "20", "--show", "modulus", "--output", &file, "--label", "rk4=the first"],
    );
    let svg = folder.text("f.svg");
    assert!(svg.contains("the first") && svg.contains("Heun 3"));
    let trees = ["heun-2", "--order", "3", "--trees", file.as_str(), "--label", "heun-2=x"];
    assert!(complaint("check", &trees).contains("--label"));
}

/// Checks that curves which only colors tell apart have a pattern and a marker of their own in black and white.
#[test]
fn black_and_white_curves_differ_in_pattern_and_marker() {
    let folder = Folder::new();
    let file = folder.path("energy.svg");
    let run =
        ["hmmwv", "rk4", "--step", "0.005", "--end", "0.1", "--no-reference", "--show", "energy", "--output", &file];
    let samples = |options: &[&str]| -> Vec<String> {
        page("simulate", &[&run[..], options].concat());
        let svg = folder.text("energy.svg");
        // The samples of the legend, each up to its text, without their places.
        let legend = svg.split("class=\"legend\"").nth(1).expect("a legend").to_owned();
        let style = |sample: &str| {
            let dash = sample.split("stroke-dasharray=\"").nth(1).and_then(|rest| rest.split('"').next());
            let shapes = ["<circle", "<path"].map(|shape| sample.matches(shape).count());
            format!("{dash:?} {shapes:?}")
        };
        legend.split("</text>").filter(|sample| sample.contains("<text")).map(style).collect()
    };
    let found = samples(&["--style", "monochrome"]);
    assert!(found.len() > 2, "{found:?}");
    assert!((0..found.len()).all(|k| found[..k].iter().all(|other| *other != found[k])), "{found:?}");
    // In color, lines are unbroken.
    assert!(samples(&[]).iter().all(|style| style.starts_with("None")));
}

#[test]
fn panels_stand_as_asked_for() {
    let folder = Folder::new();
    let slices = ["--slice", "coupled:kappa=2,g=0.04", "--slice", "coupled:kappa=5,g=0.04"];
    let file = folder.path("f.svg");
    let arguments =
        |grid| [&["mprk-p2", "--points", "20", "--output", file.as_str(), "--panels", grid], &slices[..]].concat();
    let height = |grid| {
        page("map", &arguments(grid));
        millimeters(&folder.text("f.svg"), "height")
    };
    assert!(height("1x2") > 1.5 * height("2x1"));
    assert!(complaint("map", &arguments("1x1")).contains("expected room for 2 panels"));
}

#[test]
fn serif_figures_say_so_and_unknown_families_are_named() {
    let folder = Folder::new();
    assert!(map(&folder, "f.svg", &["--font", "serif"]).contains("CMU Serif"));
    let message = complaint("map", &["rk4", "--output", "f.svg", "--font", "No Such Family"]);
    assert!(message.contains("No Such Family"), "{message}");
}

#[test]
fn a_tikz_picture_is_for_input_or_stands_alone() {
    let folder = Folder::new();
    let picture = map(&folder, "f.tex", &[]);
    assert!(picture.contains(r"\begin{tikzpicture}") && !picture.contains("documentclass"));
    let document = map(&folder, "f.tex", &["--standalone"]);
    assert!(document.starts_with(r"\documentclass") && document.contains(picture.as_str()));
    let depth = |text: &str| picture.matches(text).count();
    assert_eq!(depth(r"\begin{scope}"), depth(r"\end{scope}"));
}

#[test]
fn a_figure_file_draws_the_same_figure_again() {
    let folder = Folder::new();
    let svg = map(&folder, "f.svg", &["--style", "monochrome", "--width", "one"]);
    map(&folder, "f.json", &["--style", "monochrome", "--width", "one"]);
    let [file, again] = ["f.json", "again.svg"].map(|name| folder.path(name));
    page("draw", &[&file, "--output", &again]);
    assert_eq!(folder.text("again.svg"), svg);
    page("draw", &[&file, "--output", &again, "--label", "Heun 3=another", "--xrange", "-1", "0"]);
    assert!(folder.text("again.svg").contains(">another<"));

    let edited = folder.text("f.json").replacen("\"closed\": true", "\"closed\": \"dotted\"", 1);
    fs::write(&file, edited).expect("a file");
    let message = complaint("draw", &[&file, "--output", &again]);
    assert!(message.contains("dotted"), "{message}");
    assert!(complaint("draw", &["nothing.json", "--output", &again]).contains("nothing.json"));
}

/// Commands that draw every kind of figure; the last argument is the option for its file.
const KINDS: &[&[&str]] = &[
    &["map", "rk4", "heun-3", "--points", "40", "--font", "serif", "--output"],
    &["map", "rk4", "--points", "40", "--font", "serif", "--width", "two", "--height", "70", "--output"],
    &["map", "rk4", "--show", "modulus", "--points", "40", "--style", "monochrome", "--output"],
    &["map", "rk4", "--show", "order-star", "--points", "40", "--output"],
    &["map", "mprk-p2", "--slice", "coupled:kappa=2,g=0.04", "--points", "40", "--output"],
    &["map", "mprk-p2", "--slice", "profile:zeta=0.05", "--points", "6", "--output"],
    &["map", "imex-ssp2-222", "--slice", "monotonicity", "--output"],
    &["map", "ars-2-3-3", "--slice", "joint:wedge=90,radius=inf", "--points", "20", "--output"],
    &["map", "rk4", "kutta-3", "--extents", "--output"],
    &["map", "rk4", "--spectrum", "dg:1", "--points", "40", "--output"],
    &["check", "heun-2", "--order", "3", "--font", "serif", "--trees"],
    &["polynomial", "--stages", "2..4", "--order", "1", "--axis", "imaginary", "--output"],
    &["polynomial", "--stages", "3", "--order", "2", "--axis", "real", "--output"],
    &["stability", "rk4", "--rays", "0", "--output"],
    &["system", "mprk-p2", "--model", "coupled-oscillators:ratio=2,coupling=0.2", "--output"],
    &["converge", "kpr", "rk4", "heun-3", "--output"],
    &["simulate", "kpr", "rk4", "--steps", "20", "--output"],
    &["list", "--ssp", "--output"],
];

#[test]
fn figure_files_of_every_kind_draw_the_same_figure_again() {
    for kind in KINDS {
        let folder = Folder::new();
        let [file, svg, again] = ["f.json", "f.svg", "again.svg"].map(|name| folder.path(name));
        for output in [&file, &svg] {
            let (code, _, stderr) = crate::common::outcome(kind[0], &[&kind[1..], &[output.as_str()]].concat());
            // `check --trees` draws conditions that fail.
            assert!(code == 0 || (code == 1 && kind[0] == "check"), "{kind:?}: {stderr}");
        }
        page("draw", &[&file, "--output", &again]);
        assert_eq!(folder.text("again.svg"), folder.text("f.svg"), "{kind:?}");
    }
}

#[test]
fn curves_are_data_in_the_units_of_the_axes() {
    let folder = Folder::new();
    let [csv, json] = ["c.csv", "c.json"].map(|name| folder.path(name));
    for file in [&csv, &json] {
        map(&folder, "f.svg", &["--curves", file]);
    }
    let lines: Vec<Value> = serde_json::from_str(&folder.text("c.json")).expect("JSON");
    let boundary = |label: &str| lines.iter().filter(|line| line["label"] == label && line["kind"] == "curve").count();
    assert!(boundary("Classical Runge–Kutta 4") > 0 && boundary("Heun 3") > 0, "{lines:?}");
    // Every point of RK4's boundary satisfies |R| = 1.
    let points = lines.iter().filter(|line| line["label"] == "Classical Runge–Kutta 4");
    for point in points.flat_map(|line| line["points"].as_array().expect("points")) {
        let z = num_complex::Complex64::new(point[0].as_f64().expect("x"), point[1].as_f64().expect("y"));
        let r = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
        assert!((r.norm() - 1.0).abs() < 1e-3, "{z}: {}", r.norm());
    }
    let rows = folder.text("c.csv");
    let points: usize = lines.iter().map(|line| line["points"].as_array().expect("points").len()).sum();
    assert_eq!(rows.lines().count(), points + 1);
    assert!(rows.starts_with("panel,kind,label,line,closed,x,y\n"));
    assert!(complaint("map", &["rk4", "--output", "f.svg", "--curves", "c.txt"]).contains(".csv or .json"));
}

#[test]
fn limits_are_drawn_with_their_numbers() {
    let folder = Folder::new();
    let file = folder.path("f.svg");
    let text = page("stability", &["rk4", "--output", &file, "--legend", "none"]);
    assert!(text.ends_with(&format!("wrote {file}\n")), "{text}");
    let svg = folder.text("f.svg");
    assert!(svg.contains(">2.828<") && svg.contains(">−2.785<") && !svg.contains("class=\"legend\""));
    assert!(complaint("stability", &["rk4", "--output", "f.gif"]).contains(".svg"));
}
