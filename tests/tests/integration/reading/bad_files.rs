//! Files and folders without a usable method are rejected with their name and the problem.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use hemiola_tableau::library::{self, Library};
use hemiola_tableau::{Method, MethodError};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes the classical method under another id to a file.
fn write(folder: &TempDir, file: &str, id: &str) -> PathBuf {
    let path = folder.path().join(file);
    let rk4 = library::method("rk4").expect("a method of the library");
    fs::write(&path, rk4.to_json().replace("\"rk4\"", &format!("{id:?}"))).expect("a file in a temporary folder");
    path
}

/// Asserts that a file is rejected with its path and all phrases of `problem`.
fn refused(path: &Path, problem: &[&str]) -> MethodError {
    let error = Method::read(path).expect_err("a bad file");
    let message = error.to_string();
    assert!(message.starts_with(&format!("{}: ", path.display())), "{message}");
    for phrase in problem {
        assert!(message.contains(phrase), "{message}\nlacks {phrase}");
    }
    error
}

#[test]
fn a_good_file_and_a_good_folder() {
    let folder = folder();
    let path = write(&folder, "mine.json", "mine");
    assert_eq!(Method::read(&path).unwrap().id(), "mine");
    // Designs, certificates and searches beside a designed method are not methods.
    for other in ["certificate", "design", "search"] {
        fs::write(folder.path().join(format!("mine.{other}.json")), "{}").unwrap();
    }
    let library = Library::with_folders(vec![folder.path().to_owned(), folder.path().join("absent")]);
    assert_eq!(library.ids().unwrap().len(), library::ids().count() + 1);
    assert_eq!(library.load("mine").unwrap(), library.load(path.to_str().unwrap()).unwrap());
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder();
    for path in [folder.path(), &folder.path().join("absent.json")] {
        let error = refused(path, &[]);
        assert!(matches!(error, MethodError::File { .. }), "{error}");
    }
    let large = folder.path().join("large.json");
    File::create(&large).unwrap().set_len(200 << 20).unwrap();
    refused(&large, &["found 209715200 bytes", "expected at most 8388608"]);
    let blank = folder.path().join("blank.json");
    File::create(&blank).unwrap().set_len(1 << 20).unwrap();
    refused(&blank, &["at the top level: found \"\\0", "expected value"]);
}

/// Checks that endless files are read up to the limit only.
#[cfg(unix)]
#[test]
fn endless_files() {
    refused(Path::new("/dev/zero"), &["found 8388609 bytes", "expected at most 8388608"]);
}

/// Checks that a single file may have any name, while a method in a folder is found by its file name, which must be its
/// id.
#[test]
fn ids_that_are_not_the_name_of_the_file() {
    let folder = folder();
    let file = write(&folder, "mine.json", "yours");
    assert_eq!(Method::read(&file).unwrap().id(), "yours");
    let library = Library::with_folders(vec![folder.path().to_owned()]);
    assert_eq!(library.load("mine").unwrap().id(), "mine");
    assert!(library.load("yours").is_err());
    // A file whose name cannot be an id cannot be found by it, but can be read.
    let file = write(&folder, "Mine too.json", "mine");
    assert_eq!(Method::read(&file).unwrap().id(), "mine");
    let message = library.load("Mine too").unwrap_err().to_string();
    assert!(message.contains("at id: found \"Mine too\"; expected lower-case words"), "{message}");
}

#[test]
fn ids_defined_twice() {
    let (first, second) = (folder(), folder());
    // Under the id of an embedded method.
    let mine = write(&first, "rk4.json", "rk4");
    let library = Library::with_folders(vec![first.path().to_owned()]);
    let error = library.ids().unwrap_err();
    assert!(matches!(&error, MethodError::DuplicateId { id, second, .. } if id == "rk4" && *second == mine), "{error}");
    let message = error.to_string();
    assert!(message.contains("tableaus/rk4.json (embedded)") && message.contains("rename one of them"), "{message}");
    // The ambiguity is reported for every requested method rather than resolved silently; the file itself can be read.
    assert!(library.load("rk4").is_err() && library.load("heun-2").is_err());
    assert!(library.load(mine.to_str().unwrap()).is_ok());
    // In two folders.
    let folders = [&second, &first].map(|folder| folder.path().to_owned());
    let (one, other) = (write(&second, "mine.json", "mine"), write(&first, "mine.json", "mine"));
    fs::remove_file(&mine).unwrap();
    let message = Library::with_folders(folders.to_vec()).ids().unwrap_err().to_string();
    for path in [one, other] {
        assert!(message.contains(&path.display().to_string()), "{message}");
    }
}

#[test]
fn folders_that_are_none() {
    let folder = folder();
    let file = write(&folder, "mine.json", "mine");
    let error = Library::with_folders(vec![file.clone()]).ids().unwrap_err();
    assert!(matches!(&error, MethodError::File { file: named, .. } if *named == file.display().to_string()), "{error}");
}

#[test]
fn bad_files_in_a_folder_spoil_only_themselves() {
    let folder = folder();
    write(&folder, "good.json", "good");
    fs::write(folder.path().join("bad.json"), "{").unwrap();
    fs::write(folder.path().join("notes.txt"), "not a method").unwrap();
    fs::create_dir(folder.path().join("subfolder.json")).unwrap();
    let library = Library::with_folders(vec![folder.path().to_owned()]);
    assert!(library.load("good").is_ok() && library.load("rk4").is_ok());
    let error = library.load("bad").unwrap_err().to_string();
    assert!(error.contains("bad.json: at the top level: found the end of the text"), "{error}");
    assert!(library.load("subfolder").is_err());
}

#[test]
fn names_that_are_unknown() {
    for (name, near) in [("rk4x", "`rk4`"), ("gauss", "`gauss-1`"), ("dormand-prince", "`dormand-prince-5`")] {
        let error = library::method(name).unwrap_err().to_string();
        assert!(error.contains(&format!("no method `{name}`")) && error.contains(near), "{error}");
    }
    for name in ["", "§", "zzzzzz", "../../etc/passwd", "a\0b.json", "rk4.json"] {
        assert!(library::method(name).is_err(), "{name}");
    }
}
