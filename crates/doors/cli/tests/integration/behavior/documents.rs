//! Documents: the commands in `console` blocks of the book (`docs/book`) and the READMEs are run, and must print what
//! the page shows.
//!
//! The commands of a page run one after another in one empty folder, into which a block ```` ```json file=NAME ````
//! writes a file. `…` in a line of output matches anything in that line, which only times may need. A line of `…` alone
//! matches any lines. The book shows the complete output of commands; in a README a command without output is an
//! instruction to the reader and is not run. With `HEMIOLA_WRITE_BOOK=1` the output of every command that printed
//! something else is written into its page; `scripts/test-book --write` does so.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

/// Matches anything in a line, and any lines if it is alone in a line.
const ANYTHING: char = '…';
const START: &str = "```console";
const END: &str = "```";
/// Command that runs the binary from a checkout, as in the README.
const FROM_SOURCE: &str = "cargo run --release -- ";

/// Page of commands and their output.
struct Page {
    path: PathBuf,
    /// Whether the page shows the complete output of its commands.
    is_chapter: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files
}

fn chapters() -> Vec<PathBuf> {
    let is_chapter = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    files(&root().join("docs/book/src")).into_iter().filter(is_chapter).collect()
}

/// Returns the READMEs of the repository, of each folder in it, and of each crate.
fn readmes() -> Vec<PathBuf> {
    let crates =
        files(&root().join("crates")).iter().filter(|floor| floor.is_dir()).flat_map(|floor| files(floor)).collect();
    let folders = [vec![root()], files(&root()), crates].concat();
    folders.into_iter().map(|folder| folder.join("README.md")).filter(|path| path.is_file()).collect()
}

fn pages() -> Vec<Page> {
    let page = |is_chapter: bool| move |path: PathBuf| Page { path, is_chapter };
    chapters().into_iter().map(page(true)).chain(readmes().into_iter().map(page(false))).collect()
}

/// Splits a command line into words: quotes keep blanks, nothing else is special.
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

/// Runs a command and returns its output, followed by a nonzero exit code as the last line. Commands are `hemiola …`,
/// also from source, and `cat FILE…`.
fn printed(command: &str, folder: &Path) -> String {
    let command = command.strip_prefix(FROM_SOURCE).map_or(command.to_owned(), |rest| format!("hemiola {rest}"));
    let words = words(&command);
    let (program, arguments) = words.split_first().expect("a command");
    if program == "cat" {
        return arguments
            .iter()
            .map(|name| fs::read_to_string(folder.join(name)).expect("a file of the page"))
            .collect();
    }
    assert_eq!(program, "hemiola", "{command}: outputs are those of `hemiola` and `cat` alone");
    let mut binary = cargo_bin_cmd!("hemiola");
    binary.args(arguments).current_dir(folder).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let Output { status, stdout, stderr } = binary.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = status.code().expect("no signal");
    let ending = if code == 0 { String::new() } else { format!("(exit code {code})\n") };
    text(stdout) + &text(stderr) + &ending
}

/// Returns whether a line matches the promised one.
fn fits(promised: &str, found: &str) -> bool {
    let mut pieces = promised.split(ANYTHING);
    let Some(rest) = pieces.next().and_then(|first| found.strip_prefix(first)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    let after = middle.iter().try_fold(rest, |rest, piece| rest.find(piece).map(|place| &rest[place + piece.len()..]));
    after.is_some_and(|rest| rest.ends_with(last))
}

fn is_gap(line: &str) -> bool {
    line.trim().chars().eq([ANYTHING])
}

fn all_fit(promised: &[&str], found: &[&str]) -> bool {
    match (promised.split_first(), found.split_first()) {
        (None, _) => found.is_empty(),
        (Some((line, rest)), _) if is_gap(line) => (0..=found.len()).any(|skipped| all_fit(rest, &found[skipped..])),
        (Some((line, rest)), Some((first, others))) => fits(line, first) && all_fit(rest, others),
        (Some(_), None) => false,
    }
}

/// Returns the beginning of a table line up to two blanks, by which an excerpt finds the line again when its numbers
/// change.
fn label(line: &str) -> &str {
    let line = line.trim_start();
    if line.starts_with('─') { "─" } else { line.split("  ").next().unwrap_or_default() }
}

/// Returns the output to be written into a page: all of it, or, if the page has an excerpt, the lines with the labels
/// of that excerpt.
fn renewed(promised: &[&str], found: &[&str]) -> Vec<String> {
    if !promised.iter().any(|line| is_gap(line)) {
        return found.iter().map(|line| (*line).to_owned()).collect();
    }
    let mut rest = found.iter();
    let mut renew = |line: &str| -> String {
        let again = if is_gap(line) { None } else { rest.find(|found| label(found) == label(line)) };
        again.map_or(line, |again| again).to_owned()
    };
    promised.iter().map(|line| renew(line)).collect()
}

/// Returns the page with the output of its commands, and the commands that printed something else.
fn checked(text: &str, is_chapter: bool, folder: &Path) -> (String, Vec<String>) {
    let (mut written, mut differing) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        if let Some((_, name)) = line.split_once(" file=").filter(|_| line.starts_with(END)) {
            let file: Vec<&str> = std::iter::from_fn(|| lines.next_if(|line| *line != END)).collect();
            let contents = file.join("\n") + "\n";
            fs::write(folder.join(name), &contents).expect("a file of the page");
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
            if promised.is_empty() && !is_chapter {
                written += &format!("{line}\n");
                continue;
            }
            let output = printed(command, folder);
            // Lines in a page have no trailing blanks.
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
            let kept = if fit {
                promised.iter().map(|line| (*line).to_owned()).collect()
            } else {
                renewed(&promised_lines, &found)
            };
            written.extend(kept.iter().map(|line| format!("{line}\n")));
        }
    }
    (written, differing)
}

#[test]
fn every_command_prints_what_its_page_says() {
    let is_writing = env::var_os("HEMIOLA_WRITE_BOOK").is_some();
    let mut outputs = [0, 0];
    for Page { path, is_chapter } in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let shown = text.match_indices("\n$ ").filter(|(at, _)| has_output(&text[at + 1..])).count();
        outputs[usize::from(is_chapter)] += shown;
        let folder = TempDir::new().expect("a temporary folder");
        let (written, differing) = checked(&text, is_chapter, folder.path());
        if is_writing {
            fs::write(&path, written).expect("a page that can be written");
        } else {
            assert!(
                differing.is_empty(),
                "{}: `scripts/test-book --write` writes what is found\n{}",
                path.display(),
                differing.join("\n\n")
            );
        }
    }
    assert!(outputs[0] > 0 && outputs[1] > 40, "{outputs:?} outputs in READMEs and in the book");
}

/// Returns whether a command is followed by its output.
fn has_output(text: &str) -> bool {
    text.lines().nth(1).is_some_and(|line| line != END && !line.starts_with("$ "))
}

/// Checks that no output stands in a separate block, where it would belong to no command and not be compared.
#[test]
fn outputs_stand_below_their_commands() {
    for Page { path, .. } in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let mut is_open = false;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with(END)) {
            let is_output = !is_open && (line == END || line.starts_with("```text") && !line.contains(" file="));
            assert!(
                !is_output,
                "{}:{}: an output is not in a block `{START}`, below `$ COMMAND`",
                path.display(),
                number + 1
            );
            is_open = !is_open;
        }
        assert!(!is_open, "{}: a block does not end", path.display());
    }
}

#[test]
fn excerpts_leave_lines_out_and_find_their_lines_again() {
    let found = [
        "title",
        "",
        " norm  0.25",
        "",
        "      this design   other",
        "───────────",
        " norm         0.25       1",
        " limit           4       5",
    ];
    let excerpt = [" …", "      this design   other", "───────────", " norm         0.25       1", "…"];
    assert!(all_fit(&excerpt, &found) && all_fit(&["…"], &[]) && all_fit(&["title", "…", " limit  …"], &found));
    assert!(
        !all_fit(&excerpt[1..], &found)
            && !all_fit(&excerpt[..4], &found)
            && !all_fit(&["…", " norm  0.26", "…"], &found)
    );
    let old = excerpt.map(|line| line.replace("0.25", "0.5"));
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    assert!(!all_fit(&old, &found));
    assert_eq!(renewed(&old, &found), excerpt);
    assert_eq!(renewed(&["title"], &found), found);
}

#[test]
fn placeholders_stand_for_anything_within_a_line() {
    assert!(fits(" time  …", " time  1.82 s") && fits("a … c … e", "a b c d e") && fits("plain", "plain"));
    assert!(!fits(" time  …", "time  1.82 s") && !fits("a … c", "a b d") && !fits("plain", "plain text"));
    assert_eq!(words("hemiola map 'a b' --x \"-1 2\" c"), ["hemiola", "map", "a b", "--x", "-1 2", "c"]);
}

/// Checks that instructions in a README are not run.
#[test]
fn commands_without_output_are_run_in_the_book_alone() {
    let folder = TempDir::new().expect("a temporary folder");
    let text = "```console\n$ hemiola no-such-command\n```\n";
    assert_eq!(checked(text, false, folder.path()), (text.to_owned(), vec![]));
    assert_eq!(checked(text, true, folder.path()).1.len(), 1);
    // The command from source is the same command.
    let text = "```console\n$ cargo run --release -- show rk4 --format json\n{\n…\n  \"id\": \"rk5\",\n…\n```\n";
    let (written, differing) = checked(text, false, folder.path());
    assert!(differing.len() == 1 && written == text, "{written}");
    assert_eq!(checked(&text.replace("rk5", "rk4"), false, folder.path()).1, Vec::<String>::new());
}

/// Checks that the menu contains exactly the chapters.
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
