//! Certificates of all kinds: `scripts/check-certificate` accepts valid ones and rejects modified ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::Folder;
use dashu::integer::IBig;
use hemiola::tableau::library;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

pub(super) fn has_python() -> bool {
    let status = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs the script and returns its exit code and output.
pub(super) fn script(arguments: &[&Path]) -> (i32, String) {
    let output = Command::new("python3").arg(root().join("scripts/check-certificate")).args(arguments).output();
    let output = output.expect("python3 starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("no signal"), String::from_utf8(text).expect("UTF-8"))
}

/// Folder with one certificate.
struct Case {
    folder: TempDir,
    good: Value,
}

impl Case {
    fn polynomial(request: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("good.json");
        crate::common::page("polynomial", &[request, &["--certificate", file.to_str().expect("UTF-8")]].concat());
        let good = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
        Self { folder, good }
    }

    /// Copies a design of the library with its method beside it.
    fn design(id: &str) -> Self {
        Self::design_in("designs", id)
    }

    fn design_in(place: &str, id: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let good = fs::read(root().join(format!("{place}/{id}.certificate.json"))).expect("a certificate");
        fs::copy(root().join(format!("tableaus/{id}.json")), folder.path().join(format!("{id}.json")))
            .expect("a method");
        Self { folder, good: serde_json::from_slice(&good).expect("JSON") }
    }

    fn run(&self, certificate: &Value) -> (i32, String) {
        let file = self.folder.path().join("tried.certificate.json");
        fs::write(&file, certificate.to_string()).expect("a file");
        script(&[&file])
    }

    #[track_caller]
    fn accepts(&self, parts: &[&str]) {
        let (code, text) = self.run(&self.good);
        assert_eq!(code, 0, "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }

    /// Asserts that the certificate with one field changed is rejected for a given reason.
    #[track_caller]
    fn refuses(&self, pointer: &str, value: Value, reason: &str) {
        let mut bad = self.good.clone();
        let field = bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}"));
        assert_ne!(*field, value, "{pointer}");
        *field = value;
        let (code, text) = self.run(&bad);
        assert!(code == 1 && text.contains("refused: ") && text.contains(reason), "{pointer}: exit {code}, {text}");
    }

    fn at(&self, pointer: &str) -> &Value {
        self.good.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"))
    }
}

/// Returns a fraction increased by a thousandth; numerators have hundreds of digits.
fn larger(value: &Value) -> Value {
    let text = value.as_str().expect("a fraction");
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let numerator: IBig = numerator.parse().expect("an integer");
    json!(format!("{}/{denominator}000", numerator * 1001))
}

#[test]
fn polynomials_off_the_axes_are_checked_without_our_code() {
    if !has_python() {
        return;
    }
    for (request, curve) in [
        (["--stages", "6", "--order", "2", "--spectrum", "wedge:60"], "/stability/0/about/radius/0"),
        (["--stages", "5", "--order", "2", "--spectrum", "rectangle:1,2"], "/stability/1/about/to/0"),
        (["--stages", "6", "--order", "3", "--spectrum", "disk"], "/stability/1/about/half_tangent"),
        (["--stages", "6", "--order", "2", "--spectrum", "intervals:-1,-0.8,-0.05,0"], "/stability/0/about/to/0"),
    ] {
        let case = Case::polynomial(&request);
        case.accepts(&["up to the limit, its curves to 1e-14", "not read: that no limit lies beyond"]);
        // A thousandth more in one free coefficient, the limit, or a piece of the boundary.
        case.refuses("/coefficients/4", larger(case.at("/coefficients/4")), "the polynomial stated is another");
        case.refuses("/limit_squared", larger(case.at("/limit_squared")), "the limit is not rational");
        case.refuses(curve, larger(case.at(curve)), "the curves are not the boundary");
        case.refuses("/coefficients/2", larger(case.at("/coefficients/2")), "the order does not hold");
    }
}

#[test]
fn a_set_that_is_larger_than_its_curves_is_refused() {
    if !has_python() {
        return;
    }
    let wedge = Case::polynomial(&["--stages", "5", "--order", "2", "--spectrum", "wedge:60"]);
    wedge.refuses("/set/degrees", json!(60.06), "the curves are not the boundary");
    wedge.refuses("/stability/1/about/scaled", json!(false), "the curves are not the boundary");
    wedge.refuses("/set/kind", json!("star"), "'star' is not known");
    let one_piece = wedge.good["stability"].as_array().expect("statements")[..1].to_vec();
    wedge.refuses("/stability", json!(one_piece), "the curves are not the boundary");
    // Cells with a gap, cells that are too long, and cells with the last one missing.
    let ends = wedge.at("/stability/0/negative_on_cells_with_ends").as_array().expect("ends").clone();
    let pointer = "/stability/0/negative_on_cells_with_ends";
    wedge.refuses(pointer, json!(ends[..ends.len() - 1]), "the cells do not cover [0, 1]");
    wedge.refuses(pointer, json!(["0", "1"]), "a cell fails");
    let extent = Case::polynomial(&["--stages", "5", "--order", "2", "--axis", "imaginary", "--real-extent", "2"]);
    extent.accepts(&["real interval [-2.0, 0] up to the limit, its curves to 1e-14"]);
    extent.refuses("/set/extent", json!(2.002), "the curves are not the boundary");
}

#[test]
fn polynomials_on_the_axes_are_checked_with_their_damping() {
    if !has_python() {
        return;
    }
    let imaginary = Case::polynomial(&["--stages", "7", "--order", "3", "--axis", "imaginary"]);
    imaginary.accepts(&["|R| <= 1 on the imaginary axis", "no limit reaches the upper one: checked"]);
    imaginary.refuses("/coefficients/5", larger(imaginary.at("/coefficients/5")), "the polynomial stated is another");
    imaginary.refuses("/limit_squared", larger(imaginary.at("/limit_squared")), "the polynomial stated is another");
    imaginary.refuses("/optimality/no_limit_reaches", json!("5"), "the functional proves nothing");
    imaginary.refuses("/optimality/places/0", json!("1001/1000"), "a place outside");
    for request in [
        ["--stages", "6", "--order", "2", "--axis", "imaginary", "--damping", "0.05"],
        ["--stages", "6", "--order", "2", "--axis", "real", "--damping", "0.05"],
    ] {
        let damped = Case::polynomial(&request);
        damped.accepts(&["|R| <= its bound with damping 0.05 on the"]);
        damped.refuses("/coefficients/5", larger(damped.at("/coefficients/5")), "the polynomial stated is another");
        damped.refuses("/damping", json!(0.050_05), "");
    }
}

#[test]
fn designs_are_checked_without_our_code() {
    if !has_python() {
        return;
    }
    let case = Case::design("hemiola-4-6");
    case.accepts(&["equations miss at most", "a solution of them lies within 6e-51: checked", "all 72 conditions"]);
    let status =
        |field: &str, factor: f64| json!(case.at(&format!("/status/{field}")).as_f64().expect("a number") * factor);
    case.refuses("/status/radius", status("radius", 0.999), "the radius is");
    case.refuses("/status/residual", status("residual", 0.999), "more than stated");
    case.refuses("/polynomial/0/1", larger(case.at("/polynomial/0/1")), "more than stated");
    let conditions = case.at("/conditions").as_array().expect("conditions");
    case.refuses("/conditions", json!(conditions[1..]), "not all conditions follow");
    let assumptions = case.at("/assumptions").as_array().expect("assumptions");
    case.refuses("/assumptions", json!(assumptions[1..]), "not all conditions follow");
    case.refuses("/order", json!(5), "no powers beyond the order");
    case.refuses("/method", json!("hemiola-4-8"), "neither beside the certificate nor in ../tableaus");
    // Increase an embedded weight by a thousandth.
    let file = case.folder.path().join("hemiola-4-6.json");
    let mut method: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    let weight = method["partitions"][1]["b_hat"][0].as_str().expect("a text").parse::<f64>().expect("a number");
    method["partitions"][1]["b_hat"][0] = json!((weight * 1.001).to_string());
    fs::write(&file, method.to_string()).expect("a file");
    let (code, text) = case.run(&case.good);
    assert!(code == 1 && text.contains("another table"), "{text}");
}

/// Checks certificates of orders two to five with all kinds of assumptions.
#[test]
fn certificates_of_the_library_hold_in_both_checkers() {
    for id in ["hemiola-2-9-coupled", "hemiola-3-7", "hemiola-6-8"] {
        let file = root().join(format!("designs/{id}.certificate.json"));
        let (code, page, _) = crate::common::outcome("check", &[id, "--certificate", file.to_str().expect("UTF-8")]);
        assert_eq!(code, 0, "{page}");
        if has_python() {
            let (code, text) = script(&[&file]);
            assert!(code == 0 && text.contains("follow: checked"), "{id}: {text}");
        }
    }
}

/// Refuses a certificate of a table whose products overflow: the matrix of its equations has no decomposition.
#[test]
fn huge_coefficients_prove_nothing() {
    let huge = format!("1{}", "0".repeat(308));
    let (zeros, ones) = (["0"; 3], ["1"; 3]);
    let method = json!({
        "format": "hemiola-method/1",
        "id": "big",
        "name": "Big",
        "partitions": [
            { "name": "slow", "a": [zeros, zeros, zeros], "b": ones },
            { "name": "fast", "a": [zeros, [&huge, "0", "0"], [&huge, &huge, "0"]], "b": ones },
        ],
        "precision": { "decimals": 10 },
    });
    let certificate = json!({
        "format": "hemiola-design-certificate/2",
        "method": "big",
        "table": "sha256:aedefca3db44d01591d0ec7720b812dac774862a2073ba95a8462259b1158a96",
        "order": 2,
        "assumptions": [],
        "conditions": ["[τ_f]_f", "[τ_f]_s"],
        "polynomial": [],
        "status": { "proved": "enclosed", "radius": 1e-11, "residual": 1.0, "contraction": 0.5 },
        "solution": { "decimals": 20, "further": vec!["0"; 12] },
    });
    let folder = Folder::new();
    let (file, proof) = (folder.path("big.json"), folder.path("big.certificate.json"));
    fs::write(&file, method.to_string()).expect("a file");
    fs::write(&proof, certificate.to_string()).expect("a file");
    let (code, page, _) = crate::common::outcome("check", &[&file, "--certificate", &proof]);
    assert!(code == 1 && page.contains("does not hold: no contraction"), "{code} {page}");
}

/// Checks certificates of multirate methods, with continued and restarted stages, and under each assumption; none of the
/// conditions under an assumption follows from the others.
#[test]
fn certificates_of_multirate_methods_hold_in_both_checkers() {
    let folder = Folder::new();
    let ids = ["2-2", "5-4", "6-5", "implicit-5-4", "imex-7-4"].map(|size| format!("hemiola-mri-{size}"));
    for id in &ids {
        let file = root().join(format!("designs/multirate/{id}.certificate.json"));
        let certificate: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        if certificate.get("assumption").is_some() && has_python() {
            let method = root().join(format!("tableaus/multirate/{id}.json"));
            let mut without = certificate.clone();
            without.as_object_mut().unwrap().remove("assumption");
            let mut fewer = certificate;
            fewer["conditions"].as_array_mut().unwrap().pop();
            for changed in [without, fewer] {
                let changed_file = folder.path("changed.certificate.json");
                fs::write(&changed_file, changed.to_string()).unwrap();
                let (code, text) = script(&[Path::new(&changed_file), &method]);
                assert!(
                    code == 1 && (text.contains("follow") || text.contains("without an assumption")),
                    "{id}: {text}"
                );
            }
        }
        let (code, page, _) = crate::common::outcome("check", &[id, "--certificate", file.to_str().expect("UTF-8")]);
        assert!(code == 0 && page.contains("holds: a method of order"), "{page}");
        let (code, _, _) = crate::common::outcome("check", &["merk43", "--certificate", file.to_str().expect("UTF-8")]);
        assert_eq!(code, 1);
        if has_python() {
            let (code, text) = script(&[&file]);
            assert!(code == 0 && text.contains("a solution of them lies within"), "{id}: {text}");
        }
    }
}

/// Checks the certificates of all implicit methods, and that each part of one is checked.
#[test]
fn certificates_of_implicit_methods_hold() {
    if !has_python() {
        return;
    }
    let methods = library::ids().filter(|id| id.starts_with("hemiola-esdirk-") || id.starts_with("hemiola-imex-"));
    let mut count = 0;
    for id in methods {
        let (code, text) = script(&[&root().join(format!("designs/implicit/{id}.certificate.json"))]);
        let says = |part: &str| text.contains(part);
        let is_whole =
            says("within") && says("conditions up to order") && says("|R(iy)| <= 1") && says("embedded conditions");
        assert!(code == 0 && is_whole, "{id}: {text}");
        count += 1;
    }
    assert!(count >= 11, "{count}");
    let case = Case::design_in("designs/implicit", "hemiola-esdirk-4-order-3");
    case.accepts(&["stage order two", "R(oo) = 0"]);
    let file = case.folder.path().join("good.certificate.json");
    fs::write(&file, case.good.to_string()).expect("a file");
    let words = crate::common::complaint(
        "check",
        &["hemiola-esdirk-4-order-3", "--certificate", file.to_str().expect("UTF-8")],
    );
    assert!(words.contains("certificate of an implicit design"), "{words}");
    case.refuses("/order", json!(4), "the method claims another order");
    case.refuses("/radius", json!(1e-60), "larger than stated");
    case.refuses("/contraction", json!(0.0), "more than stated");
    case.refuses("/residual", json!(1e-200), "more than stated");
    case.refuses("/solution/0", json!("0.4"), "the equations miss");
    case.refuses("/table", json!("sha256:0"), "another table");
    case.refuses("/unknowns/0", json!(["s.a[2][9]"]), "outside the table");
    for (kind, reason) in [
        ("limit", "R(oo) = 0 is not imposed"),
        ("stage order two", "no condition for"),
        ("condition", "no condition for"),
        ("embedded condition", "no embedded condition for"),
    ] {
        let mut bad = case.good.clone();
        let equations = bad["equations"].as_array_mut().expect("a list");
        let place = equations.iter().rposition(|entry| entry["kind"] == kind).expect("such an equation");
        equations.remove(place);
        let (code, text) = case.run(&bad);
        assert!(code == 1 && text.contains(reason), "{kind}: {text}");
    }
}

#[test]
fn embedded_weights_of_implicit_methods_need_their_own_equations() {
    if !has_python() {
        return;
    }
    let place = |case: &Case, kind: &str| {
        let equations = case.at("/equations").as_array().expect("a list");
        equations.iter().rposition(|entry| entry["kind"] == kind).expect("such an equation")
    };
    // Seven conditions of order five would leave one direction, too, but not that on which order four is kept.
    let case = Case::design_in("designs/implicit", "hemiola-imex-8-order-5");
    let tree = format!("/equations/{}/tree", place(&case, "embedded condition"));
    case.refuses(&tree, json!("[τ_s,τ_s,τ_s,τ_s]_s"), "a condition of an order that is not claimed");
    case.refuses("/stage_order", json!(7), "the stage order");
    // R̂ = z β + …: its constant term vanishes at infinity, but β does not.
    let case = Case::design_in("designs/implicit", "hemiola-esdirk-6-order-4");
    case.accepts(&["embedded weights of the all partition, R(oo) = 0: checked"]);
    let mut bad = case.good.clone();
    bad["equations"].as_array_mut().expect("a list").remove(place(&case, "embedded bounded"));
    let (code, text) = case.run(&bad);
    assert!(code == 0 && text.contains("R(oo) = 0: checked") && !text.contains("embedded weights of"), "{text}");
}

#[test]
fn certificates_of_new_implicit_designs_hold() {
    if !has_python() {
        return;
    }
    let both = ["both", "--slow", "3", "--fast", "4", "--order", "2", "--starts", "6"];
    let slow = ["slow", "--slow", "4", "--fast", "5", "--order", "3", "--embedded", "2", "--starts", "6"];
    let sdirk = ["additive", "--stages", "3", "--order", "2", "--diagonal", "sdirk", "--starts", "6"];
    // A minimum whose stability function exceeds one by 6e-21 near zero is not taken for A-stable.
    let dirk = ["alone", "--stages", "6", "--order", "3", "--diagonal", "dirk", "--starts", "6"];
    for request in [&both[..], &slow, &sdirk, &dirk] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("new.json");
        let output = ["--output", file.to_str().expect("UTF-8")];
        crate::common::page("design", &[&["--implicit"], request, &output].concat());
        let (code, text) = script(&[&folder.path().join("new.certificate.json")]);
        assert!(code == 0 && text.contains("|R(iy)| <= 1"), "{request:?}: {text}");
    }
}

/// Writes a changed certificate of a library design to a file.
fn changed(id: &str, change: impl FnOnce(&mut Value)) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read(root().join(format!("designs/{id}.certificate.json"))).expect("a certificate");
    let mut value: Value = serde_json::from_slice(&text).expect("JSON");
    change(&mut value);
    let file = folder.path().join("x.certificate.json");
    fs::write(&file, value.to_string()).expect("a file");
    let file = file.to_str().expect("UTF-8").to_owned();
    (folder, file)
}

/// Checks that extreme radii are rejected: a ball of radius 1e9 also contains a solution, as does one of 1e-40, which
/// proves nothing about fifty decimals.
#[test]
fn a_radius_beyond_the_last_digit_is_refused() {
    for radius in [1e9, 1e-40, 1.1e-50] {
        let (_folder, file) = changed("hemiola-2-5", |value| value["status"]["radius"] = json!(radius));
        let (code, page, _) = crate::common::outcome("check", &["hemiola-2-5", "--certificate", &file]);
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 1 && words.contains("larger than a unit of the last printed digit, 1e-50"), "{page}");
    }
}

#[test]
fn summaries_say_whether_the_certificate_holds() {
    let (_folder, file) = changed("hemiola-2-5", |_| ());
    let summary = |id: &str| crate::common::outcome("check", &[id, "--certificate", &file, "--summary"]);
    let (code, page, _) = summary("hemiola-2-5");
    assert!(code == 0 && page.contains("50 decimals; the certificate holds\n"), "{page}");
    let (code, page, _) = summary("hemiola-2-5-coupled");
    let reason = "the certificate does not hold: it is about hemiola-2-5, not hemiola-2-5-coupled\n";
    assert!(code == 1 && page.contains(reason), "{page}");
}

#[test]
fn old_certificates_are_proved_anew() {
    let to_old = |value: &mut Value| {
        value["format"] = json!("hemiola-design-certificate/1");
        ["table", "solution", "embedded", "dense"].iter().for_each(|field| {
            value.as_object_mut().expect("an object").remove(*field);
        });
    };
    let (_folder, file) = changed("hemiola-3-6", to_old);
    let words = crate::common::complaint("check", &["hemiola-3-6", "--certificate", &file]);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("does not name its table") && words.contains("--renew"), "{words}");
    if has_python() {
        let (code, text) = script(&[Path::new(&file)]);
        assert!(code == 2 && text.contains("--renew"), "{text}");
    }
    let page = crate::common::page("check", &["hemiola-3-6", "--certificate", &file, "--renew"]);
    assert!(page.contains("wrote ") && page.contains("lies within"), "{page}");
    let ours = fs::read(root().join("designs/hemiola-3-6.certificate.json")).expect("a file");
    assert_eq!(fs::read(&file).expect("a file"), ours);
}

#[test]
fn each_reader_refuses_what_it_does_not_read_by_name() {
    let polynomial = root().join("tests/data/wedge.certificate.json");
    let refusal = |file: &Path| {
        crate::common::complaint("check", &["hemiola-2-5", "--certificate", file.to_str().expect("UTF-8")])
    };
    let words = refusal(&polynomial).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("found the certificate of a stability polynomial"), "{words}");
    assert!(words.contains("hemiola-design-certificate/2"), "{words}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let other = folder.path().join("x.certificate.json");
    for (contents, named) in [
        (r#"{"format": "hemiola-certificate/1"}"#, "obsolete format hemiola-certificate/1"),
        (r#"{"format": "hemiola-method/1"}"#, "hemiola-method/1"),
        ("{}", "found no format"),
    ] {
        fs::write(&other, contents).expect("a file");
        let words = refusal(&other).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(named), "{words}");
        if has_python() {
            let (code, text) = script(&[&other]);
            assert!(code == 2 && text.contains("expected hemiola-polynomial-certificate/2 or"), "{text}");
        }
    }
}

/// Checks that the sample file of the schema tests equals the output of the command.
#[test]
fn the_sample_of_a_polynomial_certificate_is_up_to_date() {
    let case = Case::polynomial(&["--stages", "3", "--order", "2", "--spectrum", "wedge:60"]);
    let written = fs::read(case.folder.path().join("good.json")).expect("a file");
    assert_eq!(written, fs::read(root().join("tests/data/wedge.certificate.json")).expect("a file"));
}

/// Checks that radii are rounded up: 5.708e-51 is within 6e-51, not within 5e-51.
#[test]
fn radii_are_rounded_up() {
    let file = root().join("designs/hemiola-2-5-consistent.certificate.json");
    let page =
        crate::common::page("check", &["hemiola-2-5-consistent", "--certificate", file.to_str().expect("UTF-8")]);
    // The file states 5.71e-51.
    assert!(page.contains("lies within 6e-51"), "{page}");
    let page =
        crate::common::page("polynomial", &["--stages", "9", "--order", "3", "--axis", "imaginary", "--digits", "34"]);
    // Reference: 7.95986291409239991352044761816387265726823235115… by an independent Newton iteration with 70 digits.
    assert!(page.contains(" 7.959862914092399913520447618163872\n"), "{page}");
    assert!(page.contains("7.95986291409239991352044761816387265726823235195"), "{page}");
}
