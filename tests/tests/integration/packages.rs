//! The first look at a release: texts and metadata of each published crate, one version in all files.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lists the folders in a folder.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Returns the folders of all crates with their manifests.
fn manifests() -> Vec<(PathBuf, String)> {
    let crates = folders(&root().join("crates")).iter().flat_map(|floor| folders(floor)).collect::<Vec<_>>();
    let with_text = |folder: PathBuf| (folder.clone(), read(&folder.join("Cargo.toml")));
    crates.into_iter().map(with_text).collect()
}

/// Returns the text between quotes after the first `key = `.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
    line.strip_suffix('"')
}

#[test]
fn published_crates_have_texts_and_metadata() {
    let published: Vec<_> =
        manifests().into_iter().filter(|(_, manifest)| !manifest.contains("publish = false")).collect();
    assert!(published.len() > 20, "{} published crates", published.len());
    for (folder, manifest) in published {
        let place = folder.display();
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert_eq!(read(&folder.join(name)), read(&root().join(name)), "{place}: {name}");
        }
        let title = format!("# {}\n", value(&manifest, "name").expect("a name"));
        assert!(read(&folder.join("README.md")).starts_with(&title), "{place}/README.md: expected {title}");
        assert!(value(&manifest, "description").is_some_and(|text| text.len() > 30), "{place}: description");
        for line in [
            "license.workspace = true",
            "repository.workspace = true",
            "rust-version.workspace = true",
            "authors.workspace = true",
            "readme = \"README.md\"",
            "keywords = [",
            "categories = [",
            "[package.metadata.docs.rs]",
        ] {
            assert!(manifest.lines().any(|found| found.starts_with(line)), "{place}/Cargo.toml: expected {line}");
        }
    }
}

#[test]
fn all_files_state_one_version() {
    let workspace = read(&root().join("Cargo.toml"));
    let version = value(&workspace, "version").expect("the version of the workspace");
    for (folder, manifest) in manifests() {
        assert!(manifest.contains("\nversion.workspace = true\n"), "{}", folder.display());
    }
    // A published crate names the versions of the others.
    let dependencies: Vec<&str> = workspace.lines().filter(|line| line.contains("{ path = \"crates/")).collect();
    assert!(dependencies.len() > 20, "{dependencies:?}");
    let stated = format!("version = \"{version}\"");
    for line in dependencies {
        assert!(line.contains(&stated), "{line}: expected {stated}");
    }
    let locked = read(&root().join("Cargo.lock")).replace("\r\n", "\n");
    assert!(locked.contains(&format!("name = \"hemiola\"\nversion = \"{version}\"\n")), "Cargo.lock");
    // The wheel has the version of its crate.
    let project = read(&root().join("python/pyproject.toml"));
    assert!(project.contains("dynamic = [\"version\"]") && value(&project, "version").is_none(), "pyproject.toml");
    assert!(read(&root().join("python/Cargo.toml")).contains("\nversion.workspace = true\n"), "python/Cargo.toml");
    let citation = read(&root().join("CITATION.cff"));
    assert!(citation.lines().any(|line| line == format!("version: {version}")), "CITATION.cff: expected {version}");
    let changes = read(&root().join("CHANGELOG.md"));
    let newest = changes.lines().find_map(|line| line.strip_prefix("## ")).expect("a section of CHANGELOG.md");
    assert_eq!(newest.split(' ').next(), Some(version), "CHANGELOG.md: {newest}");
}
