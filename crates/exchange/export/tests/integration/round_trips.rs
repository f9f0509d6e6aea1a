//! Exports can be imported: exactly if the format is exact, otherwise to forty digits.

use hemiola_export::{Language, read, write};
use hemiola_tableau::{Butcher, Coefficient, Exact, Method, library};

fn all() -> impl Iterator<Item = Method> {
    library::ids().map(|id| library::method(id).expect("a method of the library"))
}

fn back(method: &Method, language: Language, file: &str) -> Method {
    let reading = read(write(method, language).expect("any method").as_bytes(), file, None)
        .unwrap_or_else(|e| panic!("{}: {e}", method.id()));
    assert!(reading.failures.is_empty(), "{}: {:?}", method.id(), reading.failures);
    let [method] = &reading.methods[..] else { panic!("{}: {} methods", method.id(), reading.methods.len()) };
    method.clone()
}

fn values(coefficients: &[Coefficient]) -> Vec<String> {
    coefficients.iter().map(|coefficient| coefficient.value().to_string()).collect()
}

#[test]
fn csv_is_exact() {
    for method in all() {
        let read = back(&method, Language::Csv, "any.csv");
        assert_eq!(read.id(), method.id());
        assert_eq!(read.exact(), method.exact(), "{}", method.id());
        assert_eq!((read.claims(), read.precision()), (method.claims(), method.precision()), "{}", method.id());
        for (mine, theirs) in read.partitions().iter().zip(method.partitions()) {
            assert_eq!(mine.name, theirs.name);
            // Texts are kept as published.
            assert_eq!((&mine.a, &mine.b), (&theirs.a, &theirs.b), "{}", method.id());
            assert_eq!((&mine.b_hat, &mine.dense), (&theirs.b_hat, &theirs.dense), "{}", method.id());
        }
    }
}

#[test]
fn latex_is_exact() {
    for method in all() {
        let read = back(&method, Language::Latex, "any.tex");
        assert_eq!(read.id(), method.id());
        assert_eq!(read.exact(), method.exact(), "{}", method.id());
        for (mine, theirs) in read.partitions().iter().zip(method.partitions()) {
            assert_eq!(mine.name, theirs.name, "{}", method.id());
            assert_eq!(mine.b_hat.as_deref().map(values), theirs.b_hat.as_deref().map(values), "{}", method.id());
        }
        // The tableau does not contain the dense output.
        assert_eq!(read.claims().order, method.claims().order);
        assert_eq!(read.claims().dense_order, None);
    }
}

/// Returns whether two numbers agree to the digits of the exports.
fn agree(x: f64, y: f64) -> bool {
    (x - y).abs() <= 4.0 * f64::EPSILON * x.abs().max(y.abs())
}

fn assert_close(read: &Method, method: &Method, what: &str) {
    // Abscissae that are row sums are exact before they are rounded.
    let (mine, theirs) = (read.exact(), method.exact());
    assert_eq!(mine.partitions.len(), theirs.partitions.len(), "{what} {}", method.id());
    for (k, (mine, theirs)) in mine.partitions.iter().zip(&theirs.partitions).enumerate() {
        let flat = |butcher: &Butcher<Exact>| {
            butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c).map(Exact::to_f64).collect::<Vec<f64>>()
        };
        let (x, y) = (flat(mine), flat(theirs));
        assert_eq!(x.len(), y.len(), "{what} {}", method.id());
        assert!(x.iter().zip(&y).all(|(x, y)| agree(*x, *y)), "{what} {}", method.id());
        let hat = |method: &Method| {
            method.partitions()[k]
                .b_hat
                .as_deref()
                .map(|hat| hat.iter().map(|b| b.value().to_f64()).collect::<Vec<_>>())
        };
        match (hat(read), hat(method)) {
            (None, None) => {}
            (Some(x), Some(y)) => assert!(x.iter().zip(&y).all(|(x, y)| agree(*x, *y)), "{what} {}", method.id()),
            _ => panic!("{what} {}: embedded weights of one", method.id()),
        }
    }
}

#[test]
fn arrays_beside_steps_are_read_back() {
    let languages = [(Language::Python, "method.py"), (Language::Julia, "method.jl"), (Language::Matlab, "method.m")];
    for method in all() {
        for (language, file) in languages {
            assert_close(&back(&method, language, file), &method, file);
        }
    }
}

#[test]
fn tables_for_arkode_are_read_back() {
    for method in all().filter(|method| method.partitions().len() == 1) {
        let read = back(&method, Language::Sundials, "method.c");
        assert_close(&read, &method, "sundials");
        assert_eq!(read.claims().order, method.claims().order, "{}", method.id());
    }
}

/// Tables without an embedded method have differences of zero, which may be texts.
#[test]
fn zeros_are_no_embedded_method() {
    let text =
        r#"{"A": [[0, 0], ["1/2", 0]], "b": [0, "1.0"], "error": ["0.0", "0.0"], "order": 2, "embedded_order": 1}"#;
    let reading = read(text.as_bytes(), "m.json", None).expect("a method");
    assert!(reading.methods[0].partitions()[0].b_hat.is_none());
    assert_eq!(reading.methods[0].claims().embedded_order, None);
}

#[test]
fn json_tables_have_one_partition() {
    let mut refused = 0;
    for method in all() {
        match write(&method, Language::Json) {
            Ok(_) => {
                let read = back(&method, Language::Json, "any.json");
                assert_close(&read, &method, "json");
                assert_eq!((read.name(), read.claims().order), (method.name(), method.claims().order));
            }
            Err(error) => {
                assert!(method.partitions().len() > 1, "{error}");
                assert!(error.to_string().contains("differential-equations-rs takes one"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50);
}
