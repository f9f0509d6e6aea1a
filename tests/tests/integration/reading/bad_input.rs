//! Every kind of invalid method text is rejected with the file, the location, found text and expected text.

use hemiola_tableau::Method;

/// Heun's method, from which invalid texts are derived.
const GOOD: &str = r#"{
  "format": "hemiola-method/1",
  "id": "spoiled",
  "name": "Spoiled",
  "partitions": [
    {
      "name": "slow",
      "a": [["0", "0"], ["1/2", "0"]],
      "b": ["0", "1"]
    },
    {
      "name": "fast",
      "a": [["0", "0"], ["0.5", "0"]],
      "b": ["1/4", "3/4"]
    }
  ],
  "claims": { "order": 1 }
}"#;

/// Replaces one passage of the valid text, which must exist. Single quotes stand for double ones.
fn spoiled(from: &str, to: &str) -> String {
    let [from, to] = [from, to].map(|text| text.replace('\'', "\""));
    assert!(GOOD.contains(&from), "{from}");
    GOOD.replacen(&from, &to, 1)
}

/// Asserts that a text is rejected with the file, the location, and all phrases of `problem`.
fn refused(text: impl AsRef<[u8]>, place: &str, problem: &[&str]) {
    let error = match Method::from_json(text.as_ref(), "some/spoiled.json") {
        Ok(method) => panic!("accepted: {}", method.to_json()),
        Err(error) => error.to_string(),
    };
    assert!(error.starts_with(&format!("some/spoiled.json: at {place}: ")), "{error}");
    for phrase in problem {
        assert!(error.contains(phrase), "{error}\nlacks {phrase}");
    }
    assert!(error.len() < 1000, "an error of {} bytes", error.len());
}

#[test]
fn the_good_text_is_good() {
    let method = Method::from_json(GOOD.as_bytes(), "spoiled.json").unwrap();
    assert_eq!((method.stages(), method.partitions().len()), (2, 2));
}

#[test]
fn texts_that_are_not_json() {
    refused("", "the top level", &["found the end of the text", "value"]);
    refused("rk4", "the top level", &["found \"rk4\"", "expected value at line 1 column 1"]);
    refused("\u{feff}".to_owned() + GOOD, "the top level", &["found \"\\u{feff}\"", "expected value"]);
    refused(GOOD.to_owned() + " more", "the end", &["found \"more\"", "expected the end of the text"]);
    refused(GOOD.to_owned() + GOOD, "the end", &["found \"{\"", "expected the end of the text"]);
    refused(spoiled("'order': 1", "'order': 1,"), "claims", &["found \"}\"", "trailing comma", "line 17"]);
    refused(b"{\"format\": \"\xff\"", "format", &["found", "invalid unicode"]);
    refused(spoiled("1/2", "\\ud800"), "partitions[0].a[1][0]", &["found \"\\\"\\\\ud800\\\"\"", "hex escape"]);
}

#[test]
fn every_truncation() {
    for length in 0..GOOD.len() {
        let error = Method::from_json(&GOOD.as_bytes()[..length], "cut.json").unwrap_err().to_string();
        assert!(error.starts_with("cut.json: at ") && error.contains("found the end of the text"), "{length}: {error}");
    }
}

#[test]
fn coefficients_that_are_not_numbers() {
    let spoil = |to: &str, problem: &[&str]| refused(spoiled("'1/2'", to), "partitions[0].a[1][0]", problem);
    spoil("NaN", &["found \"NaN\"", "expected value"]);
    spoil("-Infinity", &["found \"-Infinity\"", "invalid number"]);
    spoil("'NaN'", &["found \"NaN\"", "`N` at character 1", "expected a number such as"]);
    spoil("'inf'", &["found \"inf\"", "expected a number such as"]);
    spoil("1e999", &["found \"1e999\"", "out of the range of doubles", "expected a number such as"]);
    spoil("'1e200*1e200'", &["found \"1e200*1e200\"", "out of the range of doubles"]);
    spoil("'1/0'", &["found \"1/0\"", "division by zero", "expected a number such as"]);
    spoil("'1/(2-2)'", &["found \"1/(2-2)\"", "division by zero"]);
    spoil("'sqrt(-1)'", &["found \"sqrt(-1)\"", "square root of a negative number", "expected a number such as"]);
    spoil("'1/sqrt(1-sqrt(2))'", &["square root of a negative number at character 3"]);
    spoil("''", &["found \"\"", "the text ends", "expected a number such as"]);
    spoil("'1/2 1/2'", &["found \"1/2 1/2\"", "`1` at character 5"]);
    spoil("'0,5'", &["found \"0,5\"", "`,` at character 2"]);
    for value in ["true", "null", "[1]", "{}", "[[[1]]]"] {
        spoil(value, &[&format!("found {value:?}"), "expected a number or a text such as \"1/3\""]);
    }
}

#[test]
fn bombs() {
    const DEEP: usize = 100_000;
    let nested = "[".repeat(DEEP) + &"]".repeat(DEEP);
    refused("[".repeat(DEEP), "the top level", &["sequence", "expected an object"]);
    refused("{\"format\":".repeat(DEEP), "format", &["map", "expected a string"]);
    refused(spoiled("'1/2'", &nested), "partitions[0].a[1][0]", &["found \"[[[[", "expected a number"]);
    refused(spoiled("'1/2'", &"[".repeat(DEEP)), "partitions[0].a[1][0]", &["found"]);
    refused(spoiled("'Spoiled'", &nested), "name", &["sequence", "expected a string"]);
    let place = "partitions[0].a[1][0]";
    refused(spoiled("1/2", &"(".repeat(4000)), place, &["found \"((((", "nesting deeper", "expected a number"]);
    refused(spoiled("1/2", &"-".repeat(4000)), place, &["found \"----", "nesting deeper"]);
    refused(spoiled("1/2", &"sqrt(".repeat(800)), place, &["found \"sqrt(sqrt(", "nesting deeper"]);
    refused(spoiled("1/2", &"(".repeat(DEEP)), place, &["found \"((((", "expected at most 4096"]);
    refused(spoiled("1/2", &"1".repeat(DEEP)), place, &["found \"1111", "expected at most 4096"]);
    let roots: Vec<String> = (2..40).map(|n| format!("sqrt({n})")).collect();
    refused(spoiled("1/2", &roots.join("+")), place, &["found \"sqrt(2)+", "different square roots"]);
    // Evaluated one after another, quotients of sums of roots would take hours.
    let sum = "(1+sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)+sqrt(19))";
    refused(spoiled("1/2", &vec![sum; 50].join("/")), place, &["found \"(1+sqrt(2)+", "too many digits or products"]);
    refused(spoiled("1/2", &vec!["1e-400"; 500].join("*")), place, &["found \"1e-400*", "too many digits or products"]);
    let long_field = spoiled("'name'", &format!("'{}'", "n".repeat(DEEP)));
    let shortened = format!("{} … {}", "n".repeat(100), "n".repeat(200));
    refused(long_field, &shortened, &["unknown field `nnnn", "expected one of"]);
    refused(spoiled("'order': 1", &format!("'order': '{}'", "n".repeat(DEEP))), "claims.order", &["invalid type"]);
}

#[test]
fn arrays_that_do_not_fit() {
    refused(spoiled("['1/2', '0']", "['1/2']"), "partitions[0].a[1]", &["found length 1", "expected 2"]);
    refused(spoiled("['0.5', '0']", "[]"), "partitions[1].a[1]", &["found length 0", "expected 2"]);
    refused(spoiled("['0', '1']", "['1']"), "partitions[0].b", &["found length 1", "expected 2"]);
    refused(spoiled("['1/4'", "['0', '1/4'"), "partitions[1].b", &["found length 3", "expected 2"]);
    refused(spoiled("'b'", "'c': ['0'], 'b'"), "partitions[0].c", &["found length 1", "expected 2"]);
    let three = "'a': [['0', '0', '0'], ['0', '0', '0'], ['0', '0', '0']]";
    let other_stages = spoiled("'a': [['0', '0'], ['0.5', '0']]", three);
    refused(other_stages, "partitions[1].a", &["found length 3", "expected 2, the number of stages"]);
    let only_one = spoiled("'b'", "'b_hat': ['1', '0'], 'b'");
    refused(
        only_one,
        "partitions[1].b_hat",
        &["found b_hat in some partitions", "expected b_hat in all partitions or in none"],
    );
    let only_one = spoiled("'b'", "'dense': [['1'], ['0']], 'b'");
    refused(
        only_one,
        "partitions[1].dense",
        &["found dense in some partitions", "expected dense in all partitions or in none"],
    );
    refused(spoiled("'b'", "'dense': [['1']], 'b'"), "partitions[0].dense", &["found length 1", "expected 2"]);
    let ragged = spoiled("'b'", "'dense': [['1', '2'], ['0']], 'b'");
    refused(ragged, "partitions[0].dense[1]", &["found length 1", "expected 2, the length of the first row"]);
    let constant = spoiled("'b'", "'dense': [[], []], 'b'");
    refused(
        constant,
        "partitions[0].dense[0]",
        &["found length 0", "expected from 1 to 100 coefficients, those of θ, θ², …"],
    );
    let infinite = spoiled("'b'", "'dense': [['1'], ['1/0']], 'b'");
    refused(infinite, "partitions[0].dense[1][0]", &["found \"1/0\"", "division by zero"]);
    refused(two_degrees(), "partitions[1].dense[0]", &["found length 1", "expected 2"]);
    let no_stages = r#"[{"name": "all", "a": [], "b": []}]"#;
    refused(document(no_stages), "partitions[0].a", &["found 0 stages", "expected at least one"]);
    refused(document("[]"), "partitions", &["found 0 partitions", "expected at least one"]);
    let seventeen: Vec<String> = (0..17).map(|n| format!(r#"{{"name": "{n}", "a": [["0"]], "b": ["1"]}}"#)).collect();
    refused(document(&format!("[{}]", seventeen.join(","))), "partitions", &["found 17", "expected at most 16"]);
    let row = vec!["0"; 257].join(",");
    let long = format!(r#"[{{"name": "all", "a": [[{row}]], "b": []}}]"#);
    refused(document(&long), "partitions[0].a[0]", &["found more than 256 items", "expected at most that many"]);
}

/// Returns dense outputs of degrees 2 and 1.
fn two_degrees() -> String {
    let first = spoiled("'b': ['0', '1']", "'b': ['0', '1'], 'dense': [['1', '-1'], ['0', '1']]");
    let [from, to] = ["'b': ['1/4', '3/4']", "'b': ['1/4', '3/4'], 'dense': [['1/4'], ['3/4']]"]
        .map(|text| text.replace('\'', "\""));
    first.replacen(&from, &to, 1)
}

/// Returns a method file with these partitions.
fn document(partitions: &str) -> String {
    format!(r#"{{"format": "hemiola-method/1", "id": "bad", "name": "Bad", "partitions": {partitions}}}"#)
}

#[test]
fn fields_that_do_not_fit() {
    refused(
        spoiled("method/1", "method/2"),
        "format",
        &["found \"hemiola-method/2\"", "expected \"hemiola-method/1\""],
    );
    for id in ["", "RK4", "rk 4", "rk_4", "-rk4", "rk--4", "../rk4", "rk4.json", "rk４"] {
        refused(spoiled("spoiled", id), "id", &[&format!("found {id:?}"), "expected lower-case words"]);
    }
    refused(spoiled("Spoiled", "  "), "name", &["found an empty text", "expected a display name"]);
    refused(
        spoiled("fast", "slow"),
        "partitions[1].name",
        &["found \"slow\"", "expected a name that no other partition has"],
    );
    refused(spoiled("slow", ""), "partitions[0].name", &["found \"\"", "expected a name"]);
    refused(spoiled("'name'", "'nmae'"), "nmae", &["unknown field `nmae`", "expected one of `format`"]);
    refused(spoiled("'b'", "'d': 1, 'b'"), "partitions[0].d", &["unknown field `d`", "expected one of `name`"]);
    refused(spoiled("'id'", "'name': 'Twice', 'id'"), "the top level", &["duplicate field `name`"]);
    refused(spoiled("'b'", "'a': [], 'b'"), "partitions[0]", &["duplicate field `a`"]);
    refused(spoiled("'id': 'spoiled',", ""), "the top level", &["missing field `id`"]);
    refused(spoiled("'b': ['0', '1']", "'c': []"), "partitions[0]", &["missing field `b`"]);
    refused(spoiled("'Spoiled'", "4"), "name", &["integer `4`", "expected a string"]);
    refused(spoiled("'order': 1", "'order': 1.5"), "claims.order", &["floating point `1.5`", "expected"]);
    refused(spoiled("'order': 1", "'order': -1"), "claims.order", &["integer `-1`", "expected"]);
    refused(spoiled("'order': 1", "'order': 101"), "claims.order", &["found 101", "expected an order of at most 100"]);
    let embedded = spoiled("'order': 1", "'order': 1, 'embedded_order': 1");
    refused(embedded, "claims.embedded_order", &["found a claim", "expected weights b_hat"]);
    let dense = spoiled("'order': 1", "'order': 1, 'dense_order': 1");
    refused(dense, "claims.dense_order", &["found a claim", "expected dense output"]);
    let precision = spoiled("'claims'", "'precision': { 'decimals': 9999 }, 'claims'");
    refused(precision, "precision.decimals", &["found 9999", "expected at most 1000"]);
}

/// Checks that arrays are rejected in place of objects, although serde accepts an array of a struct's fields.
#[test]
fn arrays_in_place_of_objects() {
    let positional = r#"["hemiola-method/1", "bad", "Bad", [], {}, null, {}]"#;
    refused(positional, "the top level", &["sequence", "expected an object"]);
    refused(document(r#"[["all", [["0"]], ["1"], null, null]]"#), "partitions[0]", &["sequence", "expected an object"]);
    refused(spoiled("{ 'order': 1 }", "[1, null, null]"), "claims", &["sequence", "expected an object"]);
    refused(document("{}"), "partitions", &["map", "expected an array"]);
}
