//! Properties of readers under fuzzing. For arbitrary bytes a reader ends soon and does not panic; accepted input
//! survives writing and reading again, and rejected input yields a short message.

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use hemiola_design::{Certificate, Checkpoint, DesignFile, SweepFile};
use hemiola_export::read;
use hemiola_figure::Drawing;
use hemiola_multibody::Machine;
use hemiola_optimize::ProblemFile;
use hemiola_plot::Slice;
use hemiola_tableau::{Method, butcher_latex, butcher_text};

/// Reader under test.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Name of the program in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Folder with the seed texts, and the ending of their names.
    pub seeds: (&'static str, &'static str),
    /// Reads bytes and returns whether they were accepted. Panics if the property does not hold.
    pub check: fn(&[u8]) -> bool,
}

/// All readers under test.
pub const TARGETS: [FuzzTarget; 10] = [
    FuzzTarget { name: "method_file", seeds: ("tableaus", ".json"), check: method_file },
    FuzzTarget { name: "import", seeds: ("fuzz/seeds/import", ""), check: import },
    FuzzTarget { name: "certificate", seeds: ("designs", ".certificate.json"), check: certificate },
    FuzzTarget { name: "design", seeds: ("designs", ".design.json"), check: design },
    FuzzTarget { name: "search", seeds: ("fuzz/seeds/search", ".json"), check: search },
    FuzzTarget { name: "sweep", seeds: ("docs/clusters", ".sweep.json"), check: sweep },
    FuzzTarget { name: "machine", seeds: ("machines", ".json"), check: machine },
    FuzzTarget { name: "problem", seeds: ("problems", ".json"), check: problem },
    FuzzTarget { name: "figure", seeds: ("fuzz/seeds/figure", ".json"), check: figure },
    FuzzTarget { name: "slice", seeds: ("fuzz/seeds/slice", ""), check: slice },
];

impl FuzzTarget {
    /// Returns the seed texts of a target, the shortest first.
    ///
    /// # Panics
    /// If a file cannot be read.
    #[must_use]
    pub fn texts(&self) -> Vec<Vec<u8>> {
        let (folder, ending) = self.seeds;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let name =
            |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| name(path).ends_with(ending) && !name(path).ends_with("schema.json"));
        files.sort();
        let read = |path: &PathBuf| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut texts: Vec<Vec<u8>> = files.iter().map(read).collect();
        texts.sort_by_key(Vec::len);
        texts
    }
}

const FILE: &str = "fuzzed.json";

/// Returns the value if bytes were accepted; asserts that a rejection has a short message with the given beginning.
fn accepted<T, E: Display>(result: Result<T, E>, beginning: &str) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 4000, "{message}");
            assert!(message.starts_with(beginning), "{message}");
            None
        }
    }
}

/// Checks the reader of method files: accepted methods can be shown in every form.
pub fn method_file(bytes: &[u8]) -> bool {
    let Some(method) = accepted(Method::from_json(bytes, FILE), "fuzzed.json: ") else { return false };
    survives(&method);
    assert!(butcher_text(&method).contains('┼'));
    assert!(butcher_latex(&method).contains("\\hline"));
    true
}

/// Asserts that a method survives writing and reading and that its doubles are finite.
fn survives(method: &Method) {
    let json = method.to_json();
    let again = Method::from_json(json.as_bytes(), "again.json").unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(&again, method, "after a round trip");
    assert_eq!(again.to_json(), json);
    for butcher in &method.to_f64().partitions {
        assert!(butcher.a.iter().flatten().chain(&butcher.b).all(|value| value.is_finite()), "{json}");
    }
}

/// Checks the import of a table or program, whose first line is the name of its file. Every warning concerns one of the
/// methods.
pub fn import(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (name, text) = (String::from_utf8_lossy(&bytes[..end]), bytes.get(end + 1..).unwrap_or_default());
    let name: String = name.chars().take(40).collect();
    let Some(reading) = accepted(read(text, &name, None), &name) else { return false };
    assert!(!reading.methods.is_empty());
    reading.methods.iter().for_each(survives);
    for warning in &reading.warnings {
        assert!(reading.methods.iter().any(|method| method.id() == warning.id), "{warning}");
    }
    for failure in reading.failures {
        accepted::<(), _>(Err(failure), &name);
    }
    true
}

/// Checks the reader of design certificates.
pub fn certificate(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Some(certificate) = accepted(Certificate::from_json(text), "") else { return false };
    let json = certificate.to_json().to_string();
    let again = Certificate::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again.to_json().to_string(), json);
    true
}

/// Checks the reader of design files.
pub fn design(bytes: &[u8]) -> bool {
    let Some(design) = accepted(DesignFile::from_json(bytes, FILE), FILE) else { return false };
    let json = design.to_json();
    let again = DesignFile::from_json(json.as_bytes(), "again.json").unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again.to_json(), json);
    true
}

/// Checks the reader of search states.
pub fn search(bytes: &[u8]) -> bool {
    let Some(search) = accepted(Checkpoint::from_json(bytes, FILE), FILE) else { return false };
    let json = search.to_json();
    let again = Checkpoint::from_json(json.as_bytes(), "again.json").unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again.to_json(), json);
    true
}

/// Checks the reader of sweeps, which builds every design of the grid.
pub fn sweep(bytes: &[u8]) -> bool {
    accepted(SweepFile::from_json(bytes, "fuzzed", FILE), FILE).is_some()
}

/// Checks the reader of machines.
pub fn machine(bytes: &[u8]) -> bool {
    let Some(machine) = accepted(Machine::from_json(bytes, FILE), FILE) else { return false };
    accepted(machine.build(), "").is_some()
}

/// Checks the reader of optimal control problems, whose model is one of the library or invalid.
pub fn problem(bytes: &[u8]) -> bool {
    // A name, or a name with one parameter, which is a number.
    let model = |text: &str| -> Result<_, Box<dyn Error>> {
        let Some((name, (key, value))) =
            text.split_once(':').and_then(|(name, rest)| Some((name, rest.split_once('=')?)))
        else {
            return Ok(hemiola_models::model(text, &[])?);
        };
        Ok(hemiola_models::model(name, &[(key, value.parse()?)])?)
    };
    accepted(ProblemFile::from_json(bytes, FILE, &model), FILE).is_some()
}

/// Checks the reader of figures: accepted figures are drawn if possible and can be written again.
pub fn figure(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Some(drawing) = accepted(Drawing::from_json(text), "") else { return false };
    if accepted(drawing.scene(), "").is_none() {
        return false;
    }
    let json = drawing.to_json().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Drawing::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}")), drawing);
    true
}

/// Checks the parser of slices, including maps with an expression: the displayed text can be parsed again.
pub fn slice(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Some(slice) = accepted(text.parse::<Slice>(), "") else { return false };
    let shown = slice.to_string();
    let again: Slice = shown.parse().unwrap_or_else(|error| panic!("{error}\n{shown}"));
    assert_eq!(again.to_string(), shown);
    true
}
