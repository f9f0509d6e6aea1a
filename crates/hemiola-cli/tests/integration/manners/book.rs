//! The book (`docs/book`): every command of its `console` blocks is run, and prints what the book says.
//!
//! The commands of a chapter run one after the other in one empty folder, into which a block ```` ```json file=NAME ```` writes a
//! file. `…` in a line of output stands for anything in that line:
//! times alone may differ. With `HEMIOLA_WRITE_BOOK=1` the output of every command that printed something else is written into
//! the book; `scripts/test-book --write` does so.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

/// Stands for anything in a line.
const ANYTHING: char = '…';
const START: &str = "```console";
const END: &str = "```";

fn chapters() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    let entries = fs::read_dir(folder).expect("the book").map(|entry| entry.expect("an entry").path());
    let mut chapters: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    chapters.sort();
    chapters
}

/// The words of a command line: quotes hold blanks together, nothing else is special.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter == ' ' => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// What a command prints, its exit code, if it is not 0, in a last line. Commands are `hemiola …` and `cat FILE…`.
fn printed(command: &str, folder: &Path) -> String {
    let words = words(command);
    let (program, arguments) = words.split_first().expect("a command");
    if program == "cat" {
        return arguments
            .iter()
            .map(|name| fs::read_to_string(folder.join(name)).expect("a file of the chapter"))
            .collect();
    }
    assert_eq!(program, "hemiola", "{command}: the book runs `hemiola` and `cat` alone");
    let mut binary = cargo_bin_cmd!("hemiola");
    binary.args(arguments).current_dir(folder).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let Output { status, stdout, stderr } = binary.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = status.code().expect("no signal");
    let ending = if code == 0 { String::new() } else { format!("(exit code {code})\n") };
    text(stdout) + &text(stderr) + &ending
}

/// Whether a line is as promised.
fn fits(promised: &str, found: &str) -> bool {
    let mut pieces = promised.split(ANYTHING);
    let Some(rest) = pieces.next().and_then(|first| found.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    let after = middle.iter().try_fold(rest, |rest, piece| rest.find(piece).map(|place| &rest[place + piece.len()..]));
    after.is_some_and(|rest| rest.ends_with(last))
}

fn all_fit(promised: &[&str], found: &[&str]) -> bool {
    promised.len() == found.len() && promised.iter().zip(found).all(|(promised, found)| fits(promised, found))
}

/// The chapter with the output of its commands, and the commands that printed something else.
fn checked(text: &str, folder: &Path) -> (String, Vec<String>) {
    let (mut written, mut differing) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        if let Some((_, name)) = line.split_once(" file=").filter(|_| line.starts_with(END)) {
            let file: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| *line != END)).collect();
            let contents = file.join("\n") + "\n";
            fs::write(folder.join(name), &contents).expect("a file of the chapter");
            written += &contents;
        }
        if line != START {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != END) {
            let command =
                line.strip_prefix("$ ").unwrap_or_else(|| panic!("`{line}`: a block begins with a command, `$ …`"));
            let is_output = |line: &&str| *line != END && !line.starts_with("$ ");
            let promised: Vec<&str> = std::iter::from_fn(|| lines.next_if(is_output)).collect();
            let output = printed(command, folder);
            // Lines end without blanks in the book.
            let found: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
            let promised_lines: Vec<&str> = promised.iter().map(|line| line.trim_end()).collect();
            let fit = all_fit(&promised_lines, &found);
            if !fit {
                differing.push(format!(
                    "$ {command}\npromised:\n{}\nfound:\n{}",
                    promised.join("\n"),
                    found.join("\n")
                ));
            }
            written += &format!("{line}\n");
            written.extend((if fit { promised_lines } else { found }).iter().map(|line| format!("{line}\n")));
        }
    }
    (written, differing)
}

#[test]
fn every_command_prints_what_the_book_says() {
    let is_writing = env::var_os("HEMIOLA_WRITE_BOOK").is_some();
    let mut commands = 0;
    for chapter in chapters() {
        let text = fs::read_to_string(&chapter).expect("a chapter");
        commands += text.matches("\n$ ").count();
        let folder = TempDir::new().expect("a temporary folder");
        let (written, differing) = checked(&text, folder.path());
        if is_writing {
            fs::write(&chapter, written).expect("a chapter that can be written");
        } else {
            assert!(
                differing.is_empty(),
                "{}: `scripts/test-book --write` writes what is found\n{}",
                chapter.display(),
                differing.join("\n\n")
            );
        }
    }
    assert!(commands > 40, "{commands} commands");
}

#[test]
fn placeholders_stand_for_anything_within_a_line() {
    assert!(fits(" time  …", " time  1.82 s") && fits("a … c … e", "a b c d e") && fits("plain", "plain"));
    assert!(!fits(" time  …", "time  1.82 s") && !fits("a … c", "a b d") && !fits("plain", "plain text"));
    assert_eq!(words("hemiola map 'a b' --x \"-1 2\" c"), ["hemiola", "map", "a b", "--x", "-1 2", "c"]);
}

/// The menu names every chapter, and no other.
#[test]
fn every_chapter_is_in_the_menu() {
    let all = chapters();
    let menu =
        all.iter().find(|path| path.ends_with("SUMMARY.md")).map(|path| fs::read_to_string(path).unwrap()).unwrap();
    for chapter in all.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| *name != "SUMMARY.md") {
        assert!(menu.contains(&format!("({chapter})")), "{chapter}");
    }
    assert_eq!(menu.matches(".md)").count(), all.len() - 1);
}
