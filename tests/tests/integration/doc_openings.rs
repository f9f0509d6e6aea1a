//! Doc comments open with a verb or a noun phrase, not with a clause ("What is asked …", "Where results go").

use std::path::{Path, PathBuf};

const CLAUSES: &[&str] = &[
    "What", "How", "Where", "Wherever", "When", "Who", "Whose", "Whom", "Which", "Why", "That", "Whatever", "Whoever",
    "Those", "If", "To", "Not", "Of", "In", "Is", "Are", "From", "At", "With", "Without", "Such", "As many", "As much",
    "As long", "As far", "The same",
];

/// Returns the lines of a source at which doc blocks open with a clause, and the number of doc blocks.
fn openings(source: &str) -> (Vec<usize>, usize) {
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let doc = |line: &str| ["///", "//!"].into_iter().find(|mark| line.starts_with(mark));
    let (mut found, mut blocks, mut before) = (Vec::new(), 0, None);
    for (k, line) in lines.iter().enumerate() {
        let mark = doc(line);
        if let Some(mark) = mark.filter(|mark| before != Some(*mark)) {
            let text = line[mark.len()..].trim();
            blocks += 1;
            let opens = |word: &&str| {
                text.strip_prefix(*word).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', '?']))
            };
            // Fields and variants may say "Whether …"; functions return it.
            let item = lines[k..].iter().find(|line| doc(line).is_none() && !line.starts_with("#["));
            let is_function = item.is_some_and(|line| line.starts_with("fn ") || line.contains(" fn "));
            if CLAUSES.iter().any(opens) || opens(&"Whether") && is_function {
                found.push(k + 1);
            }
        }
        before = mark;
    }
    (found, blocks)
}

/// Collects the Rust files below a folder.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn no_doc_comment_opens_with_a_clause() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    ["crates", "tests", "python/src", "fuzz/fuzz_targets"]
        .iter()
        .for_each(|folder| rust_files(&root.join(folder), &mut files));
    let (mut all, mut blocks) = (Vec::new(), 0);
    for file in files {
        let (found, count) = openings(&std::fs::read_to_string(&file).expect("a source"));
        blocks += count;
        all.extend(found.into_iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(blocks > 5_000, "{blocks} doc blocks");
    assert!(all.is_empty(), "{} of {blocks} doc blocks open with a clause: {all:#?}", all.len());
}

#[test]
fn clauses_are_found() {
    let source = "//! Whose module this is.\n\n/// What is asked.\nstruct A {\n    /// Whether it holds.\n    x: bool,\n}\n\
                  /// Whether it holds.\npub fn holds() {}\n/// Whatever happens.\n/// What is meant.\nfn f() {}\n/// Inverts.\nfn g() {}\n";
    assert_eq!(openings(source), (vec![1, 3, 8, 10], 6));
}
