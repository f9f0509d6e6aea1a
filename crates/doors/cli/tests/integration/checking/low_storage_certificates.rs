//! Certificates of low-storage methods, whose tableaus `scripts/check-certificate` computes from their forms.

use std::fs;
use std::path::Path;

use hemiola::tableau::library;
use serde_json::{Value, json};

use crate::checking::certificates::{has_python, root, script};
use crate::common::Folder;

#[test]
fn certificates_of_low_storage_methods_hold() {
    let methods: Vec<&str> = library::ids().filter(|id| id.starts_with("hemiola-ls-")).collect();
    assert!(methods.len() > 10, "{methods:?}");
    for id in methods.into_iter().filter(|_| has_python()) {
        let file = root().join(format!("designs/{id}.certificate.json"));
        let (code, text) = script(&[&file]);
        assert!(code == 0 && text.contains("decimals: checked"), "{id}: {text}");
    }
}

/// Refuses a digest of a rounding of an exact form, embedded weights beside a form, and vectors of a wrong length.
#[test]
fn the_digest_of_a_form_names_the_table_that_is_checked() {
    if !has_python() {
        return;
    }
    let williamson =
        json!({ "form": "2N", "coefficients": { "A": ["0", "-5/9", "-153/128"], "B": ["1/3", "15/16", "8/15"] } });
    let longer =
        json!({ "form": "2N", "coefficients": { "A": ["0", "-5/9", "-153/128", "1"], "B": ["1/3", "15/16", "8/15"] } });
    let folder = Folder::new();
    let (file, proof) = (folder.path("form.json"), folder.path("form.certificate.json"));
    let checked = |partition: Value, table: &str| {
        let method = json!({ "format": "hemiola-method/1", "id": "form", "name": "Form", "partitions": [partition] });
        let certificate = json!({
            "format": "hemiola-design-certificate/2", "method": "form", "table": table, "order": 3, "assumptions": [],
            "conditions": [], "polynomial": [], "status": { "proved": "exact" },
        });
        fs::write(&file, method.to_string()).expect("a file");
        fs::write(&proof, certificate.to_string()).expect("a file");
        script(&[Path::new(&proof), Path::new(&file)])
    };
    let plain = |form: &Value| json!({ "name": "all", "low_storage": form });
    // The digests of the exact table, and of the table rounded to integers.
    let (_, text) = checked(plain(&williamson), "sha256:0");
    let exact = text.trim().rsplit(' ').next().expect("a digest").to_owned();
    assert_eq!(checked(plain(&williamson), &exact).0, 0);
    let integers =
        json!({ "name": "all", "a": [["0", "0", "0"], ["0", "0", "0"], ["0", "1", "0"]], "b": ["0", "0", "1"] });
    let (_, text) = checked(integers, "sha256:0");
    let rounded = text.trim().rsplit(' ').next().expect("a digest").to_owned();
    let (code, text) = checked(plain(&williamson), &rounded);
    assert!(code == 1 && text.contains("another table"), "{text}");
    let (code, text) =
        checked(json!({ "name": "all", "low_storage": williamson, "b_hat": ["1/2", "1/2", "0"] }), &exact);
    assert!(code == 1 && text.contains("b_hat beside a low-storage form"), "{text}");
    let (code, text) = checked(plain(&longer), &exact);
    assert!(code == 1 && text.contains("does not match 4 stages"), "{text}");
}
