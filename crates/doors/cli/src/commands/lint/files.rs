//! Files denoted by the arguments.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola::export::{ImportFormat, ReadOptions};
use hemiola::lint::{BASELINE_FORMAT, FileContents, LintFile};
use hemiola::multirate::FORMAT as MULTIRATE_FORMAT;
use hemiola::multirate::microsteps::MICRO_STEP_FORMAT;
use hemiola::tableau::FORMAT;
use hemiola::tableau::json::{names_format, read_bounded};
use thiserror::Error;

use crate::arguments::input_file::{FolderError, is_method};
use crate::arguments::methods;
use crate::arguments::source::is_json_table;
use crate::failure::{CommandError, Failure};

/// Folder without anything to check.
#[derive(Debug, Error)]
#[error("{folder}: no method file (*.json) and no program with tables in this folder")]
struct NoTables {
    folder: PathBuf,
}

impl CommandError for NoTables {}

/// Returns the given files, and the method files and programs in the given folders, in the order of the arguments and
/// without duplicates. Designs, certificates and schemas matched by a shell's `*.json` are skipped.
pub(crate) fn files(paths: &[String], options: ReadOptions) -> Result<Vec<LintFile>, Failure> {
    let found = methods::each(paths, |path| of(Path::new(path), options))?;
    let mut files: Vec<LintFile> = found.into_iter().flatten().collect();
    let mut seen = Vec::new();
    files.retain(|file: &LintFile| {
        let is_new = !seen.contains(&file.path);
        seen.push(file.path.clone());
        is_new
    });
    Ok(files)
}

fn of(path: &Path, options: ReadOptions) -> Result<Vec<LintFile>, Failure> {
    if path.is_dir() {
        return folder(path, options);
    }
    fs::metadata(path).map_err(|problem| FolderError::Unreadable { folder: path.to_owned(), problem })?;
    let ending = ending(path);
    // Any extension is accepted unless the name marks the file as something other than a method.
    let is_skipped = ending == "json" && !is_method(path);
    let is_program = ending != "json" && (options.format.is_some() || endings(None).contains(&ending.as_str()));
    let is_table = is_program || (ending == "json" && is_json_table(path));
    let contents = if is_table { FileContents::Tables(options) } else { FileContents::Method };
    Ok(Some(LintFile { path: path.to_owned(), contents }).filter(|_| !is_skipped).into_iter().collect())
}

/// Returns the method files and the programs in a folder. JSON files in other formats are skipped, unless the folder contains method files;
/// then they count as method files.
fn folder(path: &Path, options: ReadOptions) -> Result<Vec<LintFile>, Failure> {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |problem| FolderError::Unreadable { folder: folder.clone(), problem };
        let entries = fs::read_dir(&folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        for entry in entries {
            let inner = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // A link to a folder could lead back to one around it.
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(inner);
            } else if is_method(&inner) {
                match json_format(&inner) {
                    JsonFormat::Method => files.push(LintFile::from(inner)),
                    JsonFormat::Other
                        if matches!(options.format, None | Some(ImportFormat::Json)) && is_json_table(&inner) =>
                    {
                        files.push(LintFile { path: inner, contents: FileContents::Tables(options) });
                    }
                    JsonFormat::Other if folder == path => others.push(LintFile::from(inner)),
                    JsonFormat::Other | JsonFormat::Baseline => {}
                }
            } else if endings(options.format).contains(&ending(&inner).as_str()) && inner.is_file() {
                files.push(LintFile { path: inner, contents: FileContents::Program(options) });
            }
        }
    }
    let is_beside = |file: &LintFile| file.path.parent() == Some(path) && file.contents == FileContents::Method;
    if files.iter().any(is_beside) {
        files.append(&mut others);
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    if files.is_empty() { Err(NoTables { folder: path.to_owned() }.into()) } else { Ok(files) }
}

/// Returns the extensions of the files that are searched for tables.
fn endings(format: Option<ImportFormat>) -> &'static [&'static str] {
    match format {
        None => &["def", "jl", "py", "c", "h", "csv"],
        Some(ImportFormat::Csv) => &["csv", "tsv"],
        Some(ImportFormat::Numpy | ImportFormat::NodePy) => &["py"],
        Some(ImportFormat::Julia) => &["jl"],
        Some(ImportFormat::Matlab | ImportFormat::RkOpt) => &["m", "txt"],
        Some(ImportFormat::C | ImportFormat::Sundials | ImportFormat::Petsc) => {
            &["def", "c", "h", "cc", "cpp", "cxx", "hpp"]
        }
        Some(ImportFormat::Latex) => &["tex"],
        // The contents of JSON files determine their format.
        Some(ImportFormat::Json) => &[],
        Some(_) => &["txt", "dat"],
    }
}

fn ending(file: &Path) -> String {
    file.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Format that a JSON file names.
enum JsonFormat {
    Method,
    Baseline,
    Other,
}

fn json_format(file: &Path) -> JsonFormat {
    let text = read_bounded(file).unwrap_or_default();
    let names = |format: &str| names_format(&text, format);
    match (names(BASELINE_FORMAT), [FORMAT, MULTIRATE_FORMAT, MICRO_STEP_FORMAT].into_iter().any(names)) {
        (true, _) => JsonFormat::Baseline,
        (false, true) => JsonFormat::Method,
        (false, false) => JsonFormat::Other,
    }
}
