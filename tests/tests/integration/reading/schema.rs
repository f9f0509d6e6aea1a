//! The JSON schema of `tableaus/` describes the format: it accepts the library's methods and written files.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_tableau::{Claims, Coefficient, Method, Partition, Precision, Source, library};
use jsonschema::Validator;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus")
}

fn read(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema() -> Validator {
    jsonschema::validator_for(&read(&folder().join("schema.json"))).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the violations of a schema with their locations in the document.
fn problems(schema: &Validator, document: &Value) -> Vec<String> {
    schema.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn the_schema_is_one() {
    assert!(jsonschema::meta::is_valid(&read(&folder().join("schema.json"))));
}

#[test]
fn every_file_of_the_library_follows_the_schema() {
    let schema = schema();
    for id in library::ids() {
        let found = problems(&schema, &read(&folder().join(format!("{id}.json"))));
        assert!(found.is_empty(), "{id}: {}", found.join("\n"));
    }
}

#[test]
fn what_is_written_follows_the_schema() {
    let schema = schema();
    for method in library::ids().filter_map(|id| library::method(id).ok()).chain([designed()]) {
        let written = serde_json::from_str(&method.to_json()).unwrap();
        let found = problems(&schema, &written);
        assert!(found.is_empty(), "{}: {}", method.id(), found.join("\n"));
    }
}

/// Returns a pair as found by a search: decimals, a claim, the search as its source.
fn designed() -> Method {
    let row = |texts: [&str; 3]| texts.map(|text| Coefficient::parse(text).expect("a decimal")).to_vec();
    let zero = || row(["0"; 3]);
    let partition = |name: &str, second: [&str; 3], third: [&str; 3], b: [&str; 3]| {
        let name = name.to_owned();
        let dense = Some(b.map(|b| row([b, "0", "0"])).to_vec());
        Partition { name, a: vec![zero(), row(second), row(third)], b: row(b), c: None, b_hat: None, dense }
    };
    let slow = partition("slow", ["0", "0", "0"], ["0", "0.5", "0"], ["0", "1.0", "0"]);
    let fast = partition("fast", ["0.5", "0", "0"], ["-0.25", "0.75", "0"], ["0.25", "0.5", "0.25"]);
    let source = Source {
        authors: "Hemiola".to_owned(),
        title: "Designed dual-rate pair 1–3 of order 1".to_owned(),
        year: Some(2026),
        doi: None,
        place: Some("hemiola design --slow 1 --fast 3 --order 1 --seed 1".to_owned()),
        note: Some("Smallest principal error norm found; \"quoted\",\nwith a second line.".to_owned()),
    };
    let claims = Claims { order: Some(1), dense_order: Some(1), ..Claims::default() };
    let precision = Some(Precision { decimals: 30 });
    Method::new("dual-rate-1-3", "Hemiola 1–3, order 1", vec![slow, fast], claims, precision, source)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Checks documents that differ from a valid one in one place: the location as a JSON pointer, and the replacement.
#[test]
fn bad_documents_do_not_follow_the_schema() {
    let schema = schema();
    let good = read(&folder().join("shome-haug-jay-2-5.json"));
    assert!(schema.is_valid(&good));
    let replaced = [
        ("", json!([])),
        ("", json!({})),
        ("/format", json!("hemiola-method/2")),
        ("/format", json!(1)),
        ("/id", json!("Upper-Case")),
        ("/id", json!("two--hyphens")),
        ("/id", json!("")),
        ("/name", json!("")),
        ("/name", Value::Null),
        ("/partitions", json!([])),
        ("/partitions", json!({})),
        ("/partitions/0", json!([])),
        ("/partitions/0/name", json!("Slow part")),
        ("/partitions/0/a", json!([])),
        ("/partitions/0/a", json!("0")),
        ("/partitions/0/a/1", json!([])),
        ("/partitions/0/a/1", json!("0")),
        ("/partitions/0/a/1/0", json!(true)),
        ("/partitions/0/a/1/0", Value::Null),
        ("/partitions/0/a/1/0", json!(["0"])),
        ("/partitions/0/a/1/0", json!("NaN")),
        ("/partitions/0/a/1/0", json!("half")),
        ("/partitions/0/a/1/0", json!("")),
        ("/partitions/1/b", json!({})),
        ("/claims", json!([])),
        ("/claims/order", json!(0)),
        ("/claims/order", json!(2.5)),
        ("/claims/order", json!("2")),
        ("/precision", json!({})),
        ("/precision/decimals", json!(-1)),
        ("/source", json!("a paper")),
        ("/source/authors", json!("")),
        ("/source/year", json!("1999")),
        ("/source/year", json!(19)),
        ("/source/doi", json!("https://doi.org/10.1000/1")),
    ];
    for (place, value) in replaced {
        let mut bad = good.clone();
        if place == "/source/doi" {
            bad["source"]["doi"] = json!("10.1000/1");
            assert!(schema.is_valid(&bad));
        }
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
    }
}

#[test]
fn dense_output_has_a_row_for_each_stage() {
    let schema = schema();
    let good = read(&folder().join("dormand-prince-5.json"));
    for bad_rows in [json!([]), json!("0"), json!(["0", "1"]), json!([[], []]), json!([["one"]])] {
        let mut bad = good.clone();
        bad["partitions"][0]["dense"] = bad_rows;
        assert!(!schema.is_valid(&bad));
    }
}

#[test]
fn fields_are_neither_missing_nor_unknown() {
    let schema = schema();
    let good = read(&folder().join("shome-haug-jay-2-5.json"));
    for place in ["", "/partitions/0", "/claims", "/precision", "/source"] {
        let mut bad = good.clone();
        bad.pointer_mut(place).unwrap()["surplus"] = json!(1);
        assert!(!schema.is_valid(&bad), "{place}/surplus");
    }
    let missing = ["format", "id", "name", "partitions"].map(|field| ("", field));
    let inner = [("/partitions/0", "name"), ("/partitions/0", "a"), ("/partitions/1", "b"), ("/precision", "decimals")];
    let source = ["authors", "title"].map(|field| ("/source", field));
    for (place, field) in missing.into_iter().chain(inner).chain(source) {
        let mut bad = good.clone();
        let removed = bad.pointer_mut(place).and_then(Value::as_object_mut).and_then(|object| object.remove(field));
        assert!(removed.is_some() && !schema.is_valid(&bad), "{place}/{field}");
    }
}

/// Returns the schema of the certificates of designs or of polynomials.
fn certificate_schema(kind: &str) -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/{kind}-certificate.schema.json"));
    let schema = read(&file);
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{error}"))
}

fn certificate(name: &str) -> Value {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/methods/design/tests/data").join(name))
}

/// Checks certificates written by `hemiola design`: with shared and zero weights, D(1), stages that agree or are
/// proportional.
#[test]
fn certificates_follow_their_schema() {
    let schema = certificate_schema("design");
    for name in ["dual-rate-6-8.certificate.json", "dual-rate-6-9.certificate.json"] {
        let found = problems(&schema, &certificate(name));
        assert!(found.is_empty(), "{name}: {}", found.join("\n"));
    }
}

#[test]
fn bad_certificates_do_not_follow_their_schema() {
    let schema = certificate_schema("design");
    let good = certificate("dual-rate-6-9.certificate.json");
    let replaced = [
        ("/format", json!("hemiola-certificate/1")),
        ("/format", json!("hemiola-polynomial-certificate/1")),
        ("/method", json!("Upper-Case")),
        ("/order", json!(0)),
        ("/status", json!({ "proved": "everything" })),
        ("/status/radius", json!("1e-40")),
        ("/status/contraction", json!(0.9)),
        ("/assumptions/0", json!("shared weights")),
        ("/assumptions/0/vector", json!("rows")),
        ("/assumptions/0/left", json!("[τ_m]_s")),
        ("/assumptions/0/stages", json!([0])),
        ("/assumptions/0/imposed", json!([2, 2])),
        ("/conditions/0", json!(1)),
        ("/polynomial/0", json!([6])),
        ("/polynomial/0/1", json!(0.001)),
    ];
    for (place, value) in replaced {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
    }
    for place in ["", "/status", "/assumptions/0"] {
        let mut bad = good.clone();
        bad.pointer_mut(place).unwrap()["surplus"] = json!(1);
        assert!(!schema.is_valid(&bad), "{place}/surplus");
    }
}

#[test]
fn certificates_of_polynomials_follow_their_schema() {
    let schema = certificate_schema("polynomial");
    let good = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wedge.certificate.json"));
    let found = problems(&schema, &good);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let replaced = [
        ("/format", json!("hemiola-design-certificate/1")),
        ("/set", json!({ "kind": "wedge" })),
        ("/limit_squared", json!(4.5)),
        ("/coefficients/2", json!("0.5")),
        ("/stability", json!([])),
        ("/stability/0/about/on", json!("spiral")),
        ("/stability/0/about/half_tangent", json!("tan")),
        ("/stability/1/about/scaled", json!("yes")),
        ("/optimality", json!({ "conditions_of_optimality": "exactly" })),
    ];
    for (place, value) in replaced {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
    }
    for (place, field) in [("", "set"), ("/stability/0", "about"), ("/stability/0", "negative_on_cells_with_ends")] {
        let mut bad = good.clone();
        bad.pointer_mut(place).and_then(Value::as_object_mut).and_then(|object| object.remove(field)).expect("a field");
        assert!(!schema.is_valid(&bad), "{place}/{field}");
    }
}
