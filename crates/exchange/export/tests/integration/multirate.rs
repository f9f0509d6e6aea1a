//! Coupling tables of multirate methods, written and read.

use hemiola_export::{ImportedMethods, Language, read, write_multirate};
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, library};

fn reading(text: &str, file: &str) -> ImportedMethods {
    read(text.as_bytes(), file, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn method(id: &str) -> InfinitesimalMethod {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the name of a method as comments of programs have it.
fn ascii(method: &InfinitesimalMethod) -> String {
    method.name().replace('–', "-").replace('°', "deg").replace('≥', ">=")
}

/// Returns the forcing and corrections of a method without zeros at the ends of rows.
fn entries(method: &InfinitesimalMethod) -> Vec<Vec<String>> {
    let zero = hemiola_tableau::Exact::from(0);
    let rows = method.exact_rows().into_iter().map(|row| {
        let mut entries = vec![format!("from {} for {}", row.from, row.interval)];
        for (r, powers) in row.forcing.iter().enumerate() {
            for (k, power) in powers.iter().enumerate() {
                let nonzero = power.iter().enumerate().filter(|(_, value)| **value != zero);
                entries.extend(nonzero.map(|(j, value)| format!("γ {r} {k} {j} {value}")));
            }
        }
        for (r, columns) in row.correction.iter().enumerate() {
            let nonzero = columns.iter().enumerate().filter(|(_, value)| **value != zero);
            entries.extend(nonzero.map(|(j, value)| format!("Γ {r} {j} {value}")));
        }
        entries
    });
    rows.collect()
}

/// Returns whether two methods have the same entries, up to the 39 decimals of a table.
fn is_same(back: &InfinitesimalMethod, method: &InfinitesimalMethod) -> bool {
    if method.precision().is_none_or(|known| known.decimals < 40) {
        return entries(back) == entries(method);
    }
    let (back, method) = (entries(back).concat(), entries(method).concat());
    let number = |text: &str| hemiola_tableau::parse_number(text).expect("a number");
    let is_near = |(a, b): (&String, &String)| {
        let ((place, a), (same, b)) = (a.rsplit_once(' ').expect("a place"), b.rsplit_once(' ').expect("a place"));
        place == same && (number(a) - number(b)).to_f64().abs() < 1e-38
    };
    back.len() == method.len() && back.iter().zip(&method).all(is_near)
}

#[test]
fn tables_of_sundials_are_read_back() {
    // The tables have no place for starts and drifts.
    let fitting =
        library::ids().map(method).filter(|method| method.exact_rows().iter().all(InfinitesimalStage::is_simple));
    for method in fitting {
        let id = method.id();
        let text = match write_multirate(&method, Language::Sundials) {
            Ok(text) => text,
            Err(error) => {
                // Stages that restart and are implicit, or two slow partitions with forcing of their own.
                let is_ours = ["hemiola-mri-imex-", "hemiola-mri-implicit-"].iter().any(|start| id.starts_with(start));
                assert!(is_ours && error.to_string().contains("MRIStep of SUNDIALS has tables of"), "{error}");
                continue;
            }
        };
        let reading = reading(&text, "table.c");
        let [back] = &reading.multirate[..] else { panic!("{id}: {} methods", reading.multirate.len()) };
        assert!(reading.warnings.is_empty() && reading.failures.is_empty() && reading.methods.is_empty(), "{id}");
        assert!(is_same(back, &method), "{id}");
        assert_eq!((back.id(), back.name(), back.claims()), (id, ascii(&method).as_str(), method.claims()));
        assert_eq!(back.partitions(), method.partitions(), "{id}");
    }
}

#[test]
fn tables_of_julia_are_read_back() {
    let mut fitting = Vec::new();
    for id in library::ids() {
        let method = method(id);
        let Ok(text) = write_multirate(&method, Language::Julia) else { continue };
        let reading = reading(&text, "table.jl");
        let [back] = &reading.multirate[..] else { panic!("{id}: {} methods", reading.multirate.len()) };
        assert!(is_same(back, &method), "{id}");
        assert_eq!((back.id(), back.name(), back.claims()), (id, ascii(&method).as_str(), method.claims()));
        fitting.push(id);
    }
    // All methods with one slow partition whose stages follow each other.
    let expected = [
        "hemiola-mri-2-2",
        "hemiola-mri-5-4-continued",
        "mis-kw3",
        "mis-rk43",
        "mri-gark-backward-euler",
        "mri-gark-erk22a",
        "mri-gark-erk22b",
        "mri-gark-erk33a",
        "mri-gark-erk45a",
        "mri-gark-esdirk34a",
        "mri-gark-esdirk46a",
        "mri-gark-forward-euler",
        "mri-gark-implicit-midpoint",
        "mri-gark-irk21a",
        "mri-gark-ralston2",
        "mri-gark-ralston3",
    ];
    assert_eq!(fitting, expected);
}

#[test]
fn json_tables_are_read_back() {
    let mut refused = Vec::new();
    for id in library::ids() {
        let method = method(id);
        let Ok(text) = write_multirate(&method, Language::Json) else {
            refused.push(id);
            continue;
        };
        let reading = reading(&text, "table.json");
        let [back] = &reading.multirate[..] else { panic!("{id}: {} methods", reading.multirate.len()) };
        assert!(is_same(back, &method), "{id}");
        assert_eq!((back.name(), back.claims().order), (method.name(), method.claims().order));
        assert!(back.embedded().is_some() == method.embedded().is_some(), "{id}");
        let combined = |method: &InfinitesimalMethod| -> Vec<_> {
            method.exact_rows().into_iter().map(|row| (trimmed(row.start), trimmed(row.drift))).collect()
        };
        assert_eq!(combined(back), combined(&method), "{id}");
    }
    // The form has neither stages that restart without starts of their own, nor two slow partitions, nor corrections.
    let is_other = |id: &&str| ["merk", "imex-", "hemiola-mri-"].iter().any(|start| id.starts_with(start));
    assert!(refused.iter().all(is_other), "{refused:?}");
    assert!(!refused.contains(&"mis4a") && !refused.contains(&"mri-gark-esdirk46a"), "{refused:?}");
}

fn trimmed(mut row: Vec<hemiola_tableau::Exact>) -> Vec<hemiola_tableau::Exact> {
    while row.last().is_some_and(|last| *last == hemiola_tableau::Exact::from(0)) {
        row.pop();
    }
    row
}

/// Tables as differential-equations-rs has them (src/tableau/resources/mri, commit 229a8f4), with the coefficients of the papers.
#[test]
fn tables_of_differential_equations_rs_are_methods_of_the_library() {
    let esdirk = r#"{
        "name": "MRIGARKESDIRK34a", "order": 3, "inner_order": 3, "dc": ["1 / 3", 0, "1 / 3", 0, "1 / 3", 0],
        "W0": [
            ["1 / 3", 0, 0, 0, 0, 0],
            [-0.435866521508459, 0, 0, 0, 0, 0],
            [-0.3045790611944505, 0, 0.6379123945277838, 0, 0, 0],
            [0.21169131056402666, 0, -0.6475578320724857, 0, 0, 0],
            [0.4454209388055495, 0, 0.8813784805616198, 0, -0.993466086033836, 0],
            [-0.435866521508459, 0, 0, 0, 0, 0]],
        "W1": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
        "embedded0": null, "embedded1": null, "gamma": [0, 0.435866521508459, 0, 0.435866521508459, 0, 0.435866521508459]}"#;
    let mis = r#"{
        "name": "MIS", "order": 3,
        "alpha": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0.53694656671, 0, 0], [0, 0.480892968551, 0.500561163566, 0]],
        "beta": [[0, 0, 0, 0], [0.126848494553, 0, 0, 0], [-0.784838278826, 1.37442675268, 0, 0],
                 [-0.0456727081749, -0.0087508227119, 0.524775788629, 0]],
        "gamma": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0.652465126004, 0, 0], [0, -0.0732769849457, 0.14490243042, 0]],
        "d": [0, 0.126848494553, 0.589588473854, 0.4703522577422],
        "c": [0, 0.126848494553, 0.7404635564785064, 1], "c_tilde": [0, 0, 0.0681108636425655, 0.4316478485109172]}"#;
    for (text, id) in [(esdirk, "mri-gark-esdirk34a"), (mis, "mis2")] {
        let reading = reading(text, "table.json");
        let [read] = &reading.multirate[..] else { panic!("{id}: {} methods", reading.multirate.len()) };
        assert_eq!(read.claims().order, Some(3));
        let (read, known) = (read.exact_rows(), method(id).exact_rows());
        // The column of the stage itself and the embedded row are those of the library alone.
        for (read, known) in read.iter().zip(&known) {
            let numbers = |row: &InfinitesimalStage<hemiola_tableau::Exact>| {
                let kinds = [row.forcing[0].first().cloned().unwrap_or_default(), row.start.clone(), row.drift.clone()];
                let rows = kinds.map(|row| trimmed(row).iter().map(hemiola_tableau::Exact::to_f64).collect::<Vec<_>>());
                (row.interval.to_f64(), rows)
            };
            let (read, known) = (numbers(read), numbers(known));
            assert!((read.0 - known.0).abs() < 1e-11, "{id}");
            for (read, known) in read.1.iter().zip(&known.1) {
                assert_eq!(read.len(), known.len(), "{id}: {read:?}, {known:?}");
                assert!(read.iter().zip(known).all(|(x, y)| (x - y).abs() < 1e-11), "{id}: {read:?}, {known:?}");
            }
        }
    }
}

#[test]
fn formats_without_multirate_methods_say_so() {
    let error =
        |id: &str, language| write_multirate(&method(id), language).map_or_else(|e| e.to_string(), |_| String::new());
    assert!(error("merk32", Language::Fortran).starts_with("merk32 is a multirate method; expected sundials, julia"));
    assert_eq!(
        error("merk32", Language::Julia),
        "merk32: its stages restart; OrdinaryDiffEqMultirate.jl has continued stages of one slow partition, with forcing \
         of degree 0 or 1"
    );
    // Fields that the languages have no place for.
    for (language, format) in
        [(Language::Julia, "OrdinaryDiffEqMultirate.jl"), (Language::Sundials, "MRIStep of SUNDIALS")]
    {
        let found = error("mis4a", language);
        assert!(found.starts_with(&format!("mis4a: its stage 3 has a `start`; {format} has ")), "{found}");
    }
    let drifting = method("mis4a").to_json().replace("\"start\": [\"0\", \"0.52349249922385610\"],", "");
    let drifting =
        InfinitesimalMethod::from_json(drifting.as_bytes(), "changed").unwrap_or_else(|error| panic!("{error}"));
    let found = write_multirate(&drifting, Language::Julia).map_or_else(|error| error.to_string(), |_| String::new());
    assert!(found.starts_with("mis4a: its stage 3 has a `drift`"), "{found}");
}

#[test]
fn tables_for_papers_have_starts_and_drifts() {
    let latex = |id: &str| write_multirate(&method(id), Language::Latex).unwrap_or_else(|error| panic!("{error}"));
    let text = latex("mis4a");
    for part in ["\\alpha =", "\\gamma =", "1 & 0.6152168565501782 & 0 & 0.5234924992238561 & 0 & 0 \\\\"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!latex("mis-kw3").contains("\\alpha"));
}

/// A list of tables as SUNDIALS has it: each kind, a Butcher table by name and one in the text.
const TABLES: &str = r"
ARK_MRI_TABLE(ARKODE_MRI_NONE, { return NULL; })
ARK_MRI_TABLE(ARKODE_HEUN, {
    ARKodeButcherTable B = ARKodeButcherTable_LoadERK(ARKODE_HEUN_EULER_2_1_2);
    MRIStepCoupling C = MRIStepCoupling_MIStoMRI(B, B->q, B->p);
    return C;
  })
ARK_MRI_TABLE(ARKODE_TRAPEZOIDAL, {
    ARKodeButcherTable B = ARKodeButcherTable_Alloc(3, SUNTRUE);
    B->q = 2; B->p = 1;
    B->c[1] = ONE; B->c[2] = ONE;
    B->A[1][0] = ONE;
    B->A[2][0] = ONE/TWO; B->A[2][2] = ONE/TWO;
    B->b[0] = ONE/TWO; B->b[2] = ONE/TWO;
    B->d[2] = ONE;
    MRIStepCoupling C = MRIStepCoupling_MIStoMRI(B, B->q, B->p);
    return C;
  })
ARK_MRI_TABLE(ARKODE_RESTART, {
    MRIStepCoupling C = MRIStepCoupling_Alloc(2, 3, MRISTEP_MERK);
    sunrealtype c2 = SUN_RCONST(0.5);
    C->q = 2; C->p = 0; C->ngroup = 2; C->group[0][0] = 1; C->group[1][0] = 2;
    C->c[1] = c2; C->c[2] = ONE;
    C->W[0][1][0] = ONE; C->W[0][2][0] = ONE;
    C->W[1][2][0] = -ONE/c2; C->W[1][2][1] = ONE/c2;
    return C;
  })
ARK_MRI_TABLE(ARKODE_ROUNDED, {
    MRIStepCoupling C = MRIStepCoupling_Alloc(1, 3, MRISTEP_IMEX);
    sunrealtype beta = SUN_RCONST(0.4358665215084589994);
    C->q = 1;
    C->c[1] = beta; C->c[2] = ONE;
    C->W[0][1][0] = beta; C->W[0][2][0] = ONE-beta; C->G[0][1][0] = beta; C->G[0][2][0] = -beta; C->G[0][2][1] = ONE;
    return C;
  })
ARK_MRI_TABLE(ARKODE_LOADED, {
    ARKodeButcherTable B = ARKodeButcherTable_LoadERK(ARKODE_UNKNOWN_3_3);
    MRIStepCoupling C = MRIStepCoupling_MIStoMRI(B, B->q, B->p);
    return C;
  })
";

#[test]
fn lists_of_tables_become_methods() {
    let reading = reading(TABLES, "arkode_mri_tables.def");
    let ids: Vec<&str> = reading.multirate.iter().map(InfinitesimalMethod::id).collect();
    assert_eq!(ids, ["heun", "trapezoidal", "restart", "rounded"]);
    let [heun, trapezoidal, restart, rounded] = &reading.multirate[..] else { panic!("four methods") };
    assert_eq!(entries(heun), entries(&method("mri-gark-erk22b")));
    assert_eq!(heun.claims(), method("mri-gark-erk22b").claims());
    assert_eq!(entries(trapezoidal), entries(&method("mri-gark-irk21a")));
    assert_eq!(entries(restart), entries(&method("merk21"))[..2]);
    assert!(restart.source().note.as_ref().is_some_and(|note| note.contains("converted to polynomials in τ")));
    // Decimals keep their digits, and differences of decimals are decimals.
    assert_eq!(rounded.stages()[0].interval.text(), "0.4358665215084589994");
    assert_eq!(rounded.stages()[1].interval.text(), "0.5641334784915410006");
    let failures: Vec<String> = reading.failures.iter().map(ToString::to_string).collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0].contains("ARKODE_LOADED: found `ARKODE_UNKNOWN_3_3`; expected a table whose"), "{failures:?}");
}

#[test]
fn tables_that_are_none_name_the_place() {
    let table = |alloc: &str, body: &str| {
        format!(
            "ARK_MRI_TABLE(T, {{\n  MRIStepCoupling C = MRIStepCoupling_Alloc({alloc});\n  {body}\n  return C;\n}})\n"
        )
    };
    let cases = [
        (table("1, 0, MRISTEP_EXPLICIT", ""), "t.def:2:23: T: found `0`; expected from 1 to 128 stages"),
        (table("1, 99999999, MRISTEP_EXPLICIT", ""), "expected from 1 to 128 stages"),
        (table("1, 3, MRISTEP_OTHER", ""), "found `MRISTEP_OTHER`; expected MRISTEP_EXPLICIT"),
        (table("1, n, MRISTEP_EXPLICIT", ""), "found `n`; expected a number"),
        (table("1, 2", "C->c[1] = ONE;"), "expected more arguments"),
        (table("1, 2, MRISTEP_EXPLICIT", "C->c[1] = -ONE;"), "found \"-1\"; expected an interval"),
        (table("1, 2, MRISTEP_EXPLICIT", "C->c[1] = ONE; C->W[0][1][0] = x;"), "found `x`; expected a number"),
        (table("1, 1, MRISTEP_EXPLICIT", ""), "found 0 stages"),
    ];
    for (text, expected) in cases {
        let error = read(text.as_bytes(), "t.def", None).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}
