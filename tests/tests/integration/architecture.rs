//! Architecture rules: no cycles between the files of a crate, no long files, no crowded folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hemiola_tests::architecture::{Crate, crowded_folders, long_files};

const MOST_LINES: usize = 500;
const MOST_FILES: usize = 15;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the `src` folders of all crates.
fn sources() -> Vec<PathBuf> {
    let folders = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect()
    };
    let crates = folders(&root().join("crates")).into_iter().flat_map(|floor| folders(&floor));
    let mut sources: Vec<PathBuf> = crates.map(|folder| folder.join("src")).filter(|folder| folder.is_dir()).collect();
    sources.extend(["tests/src", "python/src"].map(|source| root().join(source)));
    sources.sort();
    sources
}

#[test]
fn no_crate_has_circles() {
    let sources = sources();
    assert!(sources.len() > 15, "{sources:?}");
    for source in sources {
        let circles = Crate::read(&source).expect("readable sources").circles();
        assert!(circles.is_empty(), "{}: these files use each other in a circle: {circles:?}", source.display());
    }
}

#[test]
fn files_are_short_and_folders_are_not_crowded() {
    for folder in ["crates", "python/src", "tests", "fuzz"] {
        let folder = root().join(folder);
        let long = long_files(&folder, MOST_LINES).expect("readable files");
        assert!(long.is_empty(), "files of more than {MOST_LINES} lines: {long:?}");
        let crowded = crowded_folders(&folder, MOST_FILES).expect("readable folders");
        assert!(crowded.is_empty(), "folders with more than {MOST_FILES} files: {crowded:?}");
    }
}

/// Builds a crate of modules `a::b` from their texts.
fn made_of(files: &[(&str, &str)]) -> Crate {
    let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let texts: BTreeMap<Vec<String>, String> =
        files.iter().map(|(path, text)| (module(path), (*text).to_owned())).collect();
    Crate::new(&texts)
}

#[test]
fn a_circle_is_found() {
    let upper = ("upper", "use crate::folder::lower::Lower;\npub struct Upper(Lower);");
    let front = ("", "mod folder;\nmod upper;\npub use upper::Upper;");
    let folder = ("folder", "pub(crate) mod lower;\npub use lower::Lower;");
    let downwards = [front, folder, upper, ("folder::lower", "pub struct Lower;")];
    assert!(made_of(&downwards).circles().is_empty());
    let circle = vec![vec!["folder::lower".to_owned(), "upper".to_owned()]];
    for back in [
        "use crate::upper::Upper;\npub struct Lower;",
        "pub fn f() -> super::super::upper::Upper { todo!() }",
        // By a name that the root re-exports, and in braces.
        "use crate::{Upper, folder};",
        "pub struct Lower;\nimpl From<crate::Upper> for Lower {}",
    ] {
        assert_eq!(made_of(&[front, folder, upper, ("folder::lower", back)]).circles(), circle, "{back}");
    }
}

#[test]
fn a_circle_through_a_module_that_re_exports_is_found() {
    let front = ("", "mod error;\nmod command;");
    let error = ("error", "use crate::command::Reason;\npub struct Error(Reason);");
    let reason = ("command::reason", "pub struct Reason;");
    let facade = ("command", "mod reason;\n#[cfg(unix)]\nmod run;\npub(crate) use reason::Reason;");
    let run = ("command::run", "use crate::error::Error;\npub fn run() -> Error { todo!() }");
    assert!(made_of(&[front, error, reason, facade, run]).circles().is_empty());
    let module = ("command", "mod reason;\npub(crate) use reason::Reason;\nuse crate::error::Error;\npub fn run() {}");
    let circle = vec![vec!["command".to_owned(), "error".to_owned()]];
    assert_eq!(made_of(&[front, error, reason, module]).circles(), circle);
}

#[test]
fn tests_and_comments_close_no_circle() {
    let upper = ("upper", "use crate::lower::Lower;");
    for harmless in [
        "#[cfg(test)]\nmod tests {\n    use crate::upper::Upper;\n    fn f() { let x = 1; }\n}\npub struct Lower;",
        "#[cfg(test)]\nuse crate::upper::Upper;\npub struct Lower;",
        "/// See [`Upper`](crate::upper::Upper).\npub struct Lower;",
    ] {
        assert!(made_of(&[("", ""), upper, ("lower", harmless)]).circles().is_empty(), "{harmless}");
    }
    let hidden = "#[cfg(test)]\nmod tests;\nuse crate::upper::Upper;";
    assert_eq!(made_of(&[("", ""), upper, ("lower", hidden)]).circles().len(), 1);
}
