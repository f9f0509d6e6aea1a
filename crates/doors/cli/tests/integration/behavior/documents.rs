//! Documents: the commands in `console` blocks of the book (`docs/book`) and the READMEs are run, and must print what
//! the page shows.
//!
//! The commands of a page run one after another in one empty folder, into which a block ```` ```json file=NAME ````
//! writes a file. `…` in a line of output matches anything in that line, which only times may need. A line of `…` alone
//! matches any lines. Text after ` # ` is a comment. The book shows the complete output of commands. In the README of
//! the repository a command without output must succeed, and the figure that the page shows must be the one that its
//! commands draw. In other READMEs a command without output is an instruction to the reader and is not run. With
//! `HEMIOLA_WRITE_BOOK=1` the output of every command that printed something else is written into its page, and the
//! figure into its file; `scripts/test-book --write` does so.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

/// Matches anything in a line, and any lines if it is alone in a line.
const ANYTHING: char = '…';
/// Beginning of the last line of the output of a command that fails.
const FAILED: &str = "(exit code ";
const START: &str = "```console";
const END: &str = "```";
/// Largest size of the README of the repository in bytes.
const LONGEST_README: usize = 6000;

/// Rule for commands without output.
#[derive(Clone, Copy, PartialEq)]
enum Silence {
    /// The command prints nothing.
    Complete,
    /// The command succeeds; its output is left out.
    LeftOut,
    /// The command is not run.
    NotRun,
}

/// Page of commands and their output.
struct Page {
    path: PathBuf,
    silence: Silence,
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
    let chapters = chapters().into_iter().map(|path| Page { path, silence: Silence::Complete });
    let readme = |path: PathBuf| {
        let silence = if path == root().join("README.md") { Silence::LeftOut } else { Silence::NotRun };
        Page { path, silence }
    };
    chapters.chain(readmes().into_iter().map(readme)).collect()
}

/// Splits a command line into words: quotes keep blanks, and a word `#` begins a comment.
pub(super) fn words(line: &str) -> Vec<String> {
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
    let end = words.iter().position(|word| word == "#").unwrap_or(words.len());
    words.truncate(end);
    words
}

/// Runs a command and returns its output, followed by a nonzero exit code as the last line. Commands are `hemiola …`
/// and `cat FILE…`.
fn printed(command: &str, folder: &Path) -> String {
    let words = words(command);
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
    let ending = if code == 0 { String::new() } else { format!("{FAILED}{code})\n") };
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
fn checked(text: &str, silence: Silence, folder: &Path) -> (String, Vec<String>) {
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
            if promised.is_empty() && silence == Silence::NotRun {
                written += &format!("{line}\n");
                continue;
            }
            let output = printed(command, folder);
            if promised.is_empty() && silence == Silence::LeftOut {
                written += &format!("{line}\n");
                if output.lines().next_back().is_some_and(|last| last.starts_with(FAILED)) {
                    differing.push(format!("$ {command}\nexpected success, found:\n{output}"));
                }
                continue;
            }
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
    let mut outputs = 0;
    for Page { path, silence } in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        outputs += text.match_indices("\n$ ").filter(|(at, _)| has_output(&text[at + 1..])).count();
        let folder = TempDir::new().expect("a temporary folder");
        let (written, mut differing) = checked(&text, silence, folder.path());
        differing.extend(empty_figures(folder.path()));
        if silence == Silence::LeftOut {
            differing.extend(differing_figures(folder.path(), is_writing));
        }
        if is_writing {
            // An excerpt with another first line, for example, is not found again.
            let again = TempDir::new().expect("a temporary folder");
            let (_, stale) = checked(&written, silence, again.path());
            fs::write(&path, written).expect("a page that can be written");
            assert!(stale.is_empty(), "{}: rewrite by hand\n{}", path.display(), stale.join("\n\n"));
        } else {
            assert!(
                differing.is_empty(),
                "{}: `scripts/test-book --write` writes what is found\n{}",
                path.display(),
                differing.join("\n\n")
            );
        }
    }
    assert!(outputs > 40, "{outputs} outputs in READMEs and in the book");
}

/// Returns a complaint for each figure in a folder that shows only its axes.
fn empty_figures(folder: &Path) -> Vec<String> {
    let figures = files(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "svg"));
    let is_empty = |path: &PathBuf| {
        let svg = fs::read_to_string(path).expect("a figure");
        // The frame with its ticks is one shape of a panel, the lines through zero are another.
        let shapes = ["<path", "<circle", "<polyline"].map(|shape| svg.matches(shape).count()).iter().sum::<usize>();
        shapes <= 2 * svg.matches("class=\"panel\"").count()
    };
    figures.filter(is_empty).map(|path| format!("{}: the figure is empty", path.display())).collect()
}

/// Compares the figures in `docs/images` with those that the commands of the README have drawn in a folder, on light and
/// on dark paper, or writes them. Returns the names of those that differ.
fn differing_figures(folder: &Path, is_writing: bool) -> Vec<String> {
    let images = root().join("docs/images");
    let mut names = Vec::new();
    for name in ["regions"] {
        let light = fs::read_to_string(folder.join(format!("{name}.svg"))).expect("a figure of the README");
        for (file, wanted) in [(format!("{name}-dark.svg"), on_dark_paper(&light)), (format!("{name}.svg"), light)] {
            if is_writing {
                fs::write(images.join(&file), &wanted).expect("a figure that can be written");
            } else if fs::read_to_string(images.join(&file)).ok() != Some(wanted) {
                names.push(format!("docs/images/{file} is not the figure that the command draws"));
            }
        }
    }
    names
}

/// Returns a figure with light lines on dark paper.
fn on_dark_paper(svg: &str) -> String {
    const COLORS: [(&str, &str); 7] = [
        ("\"white\"", "\"#0d1117\""),
        ("\"#ffffff\"", "\"#0d1117\""),
        ("\"black\"", "\"#e6edf3\""),
        ("\"#000000\"", "\"#e6edf3\""),
        ("\"#808080\"", "\"#8b949e\""),
        ("\"#0072b2\"", "\"#58a6ff\""),
        ("\"#d55e00\"", "\"#f0883e\""),
    ];
    COLORS.iter().fold(svg.to_owned(), |svg, (light, dark)| svg.replace(light, dark))
}

/// Checks that the README remains a front door: short, with the three paths of the book.
#[test]
fn the_readme_is_short_and_leads_to_the_three_paths() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(text.len() <= LONGEST_README, "{} bytes; expected at most {LONGEST_README}", text.len());
    for path in ["design-methods", "verify-tables", "simulate-vehicles"] {
        assert!(text.contains(&format!("(docs/book/src/{path}.md)")), "{path}");
    }
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    for link in links.filter(|link| !link.starts_with("http")) {
        assert!(root().join(link).exists(), "{link}: no such file");
    }
    let tour = text.match_indices("\n$ hemiola ").count();
    assert!((8..=10).contains(&tour), "{tour} lines of the tour");
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

/// Checks what happens to commands without output.
#[test]
fn commands_without_output_print_nothing_succeed_or_are_not_run() {
    let folder = TempDir::new().expect("a temporary folder");
    let text = "```console\n$ hemiola no-such-command\n```\n";
    assert_eq!(checked(text, Silence::NotRun, folder.path()), (text.to_owned(), vec![]));
    for silence in [Silence::Complete, Silence::LeftOut] {
        assert_eq!(checked(text, silence, folder.path()).1.len(), 1);
    }
    let text = "```console\n$ hemiola list gauss  # a comment\n```\n";
    assert_eq!(checked(text, Silence::LeftOut, folder.path()), (text.to_owned(), vec![]));
    assert_eq!(checked(text, Silence::Complete, folder.path()).1.len(), 1);
    let text = "```console\n$ hemiola show rk4 --format json\n{\n…\n  \"id\": \"rk5\",\n…\n```\n";
    let (written, differing) = checked(text, Silence::NotRun, folder.path());
    assert!(differing.len() == 1 && written == text, "{written}");
    assert_eq!(checked(&text.replace("rk5", "rk4"), Silence::NotRun, folder.path()).1, Vec::<String>::new());
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
