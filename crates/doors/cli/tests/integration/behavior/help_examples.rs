//! Examples of the help texts: each is run, succeeds, and draws something.
//!
//! The examples of a page run one after another in a folder that has the files they read. Two blanks after a command begin
//! a comment, `\` at the end of a line continues it, `> FILE` receives the output, and the program behind `|` is not run.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::documents::words;
use super::run::{hemiola, stdout, text};

/// Beginnings of examples that take more than seconds, such as designs; an ignored test runs them.
const SLOW: [&str; 25] = [
    "check --summary tableaus",
    "lint tableaus",
    "map ars-4-4-3 --slice joint:",
    "map merk43 mis-kw3 --slice joint:",
    "map mis-kw3 mis-kw3:",
    "map rk4 ssp-rk-10-4 --spectrum",
    "simulate planar-vehicle rk4 --end 50",
    "simulate truck",
    "simulate hmmwv",
    "simulate sedan",
    "simulate van-der-pol",
    "converge planar-vehicle",
    "optimize lane-change",
    "optimize problems/",
    "reproduce",
    "atlas",
    "polynomial --stages 2..20",
    "polynomial --stages 8 --order 3 --spectrum rays",
    "polynomial --stages 8 --order 4 --spectrum",
    "design --",
    "design designs/",
    "design four-eight",
    "merge four-eight",
    "sweep",
    "system perk-4-9-5",
];
/// Commands whose `--output` is a figure with curves.
const DRAWING: [&str; 10] =
    ["map", "draw", "stability", "system", "simulate", "converge", "polynomial", "optimize", "identify", "list"];
/// Folders of the repository that examples name.
const FOLDERS: [&str; 4] = ["machines", "problems", "tableaus", "designs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Returns the help of a command in lines that are not broken.
fn help(command: &[&str]) -> String {
    let output = hemiola(&[command, &["--help"]].concat()).env("COLUMNS", "5000").output().expect("the binary runs");
    stdout(&output)
}

/// Returns all examples, by the pages of help in which they stand.
fn pages() -> Vec<Vec<String>> {
    let front = help(&[]);
    let listed = front.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    let commands = listed.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = commands.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    let helps = names.map(|name| help(&[name])).chain([front.clone()]);
    helps.map(|text| examples(&text)).filter(|list| !list.is_empty()).collect()
}

/// Returns the examples of a page without `hemiola` and comments.
fn examples(text: &str) -> Vec<String> {
    let Some((_, list)) = text.split_once("\nExamples:\n") else { return Vec::new() };
    let joined = list.replace("\\\n", " ");
    let commands = joined.lines().filter_map(|line| line.strip_prefix("  hemiola "));
    commands
        .map(|line| {
            // A continued line has many blanks, which begin no comment.
            let is_continued = list.contains('\\');
            let end = if is_continued { line.len() } else { line.find("  ").unwrap_or(line.len()) };
            line[..end].to_owned()
        })
        .collect()
}

/// Writes the files that examples read.
fn prepare(folder: &Path) {
    let write = |name: &str, contents: &str| fs::write(folder.join(name), contents).expect("a file");
    let run = |arguments: &[&str]| {
        let output = hemiola(arguments).current_dir(folder).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    for (kind, file) in [
        ("table", "tableau.csv"),
        ("design", "four-eight.design.json"),
        ("sweep", "pairs.sweep.json"),
        ("drive", "drive.csv"),
    ] {
        run(&["example", kind, "--output", file]);
    }
    run(&["export", "rk4", "--language", "python", "--output", "rk.py"]);
    run(&["simulate", "quarter-car", "rk4", "--step", "0.0125", "--end", "2", "--no-reference", "--data", "run.csv"]);
    // The measurements of a car: times and two of its variables.
    let rows = fs::read_to_string(folder.join("run.csv")).expect("a table");
    let header: Vec<&str> = rows.lines().next().expect("a header").split(',').collect();
    let kept: Vec<usize> = (0..header.len().min(3)).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        kept.iter().map(|&k| cells[k]).collect::<Vec<_>>().join(",") + "\n"
    };
    write("car.csv", &rows.lines().map(row).collect::<String>());
    write("mine.json", &rounded_gauss());
    write("scanned.json", &misprinted());
    for (name, line) in [("A.csv", "0,0\n1/2,0\n"), ("b.csv", "0,1\n"), ("c.csv", "0,1/2\n")] {
        write(name, line);
    }
    fs::create_dir_all(folder.join("src/arkode")).expect("a folder");
    for name in ["arkode_butcher_erk.def", "src/arkode/arkode_butcher_erk.def"] {
        write(name, ARKODE);
    }
    let exported = text(&["export", "mri-gark-erk33a", "--language", "sundials"]);
    write("arkode_mri_tables.def", &exported);
    for name in ["methods", "multirate", "coefficients", "reports", "results", "site", "mine"] {
        fs::create_dir_all(folder.join(name)).expect("a folder");
    }
    write("vehicle.txt", &damped_chain(9));
    write("jacobian.txt", &damped_chain(12));
}

/// A pair in ARKODE's format.
const ARKODE: &str = "ARK_BUTCHER_TABLE(ARKODE_BOGACKI_SHAMPINE_4_2_3, { /* Bogacki-Shampine */
    ARKodeButcherTable B = ARKodeButcherTable_Alloc(4, SUNTRUE);
    B->q = 3;
    B->p = 2;
    B->A[1][0] = RCONST(1.0)/RCONST(2.0);
    B->A[2][1] = RCONST(3.0)/RCONST(4.0);
    B->A[3][0] = RCONST(2.0)/RCONST(9.0);
    B->A[3][1] = RCONST(1.0)/RCONST(3.0);
    B->A[3][2] = RCONST(4.0)/RCONST(9.0);
    B->b[0] = RCONST(2.0)/RCONST(9.0);
    B->b[1] = RCONST(1.0)/RCONST(3.0);
    B->b[2] = RCONST(4.0)/RCONST(9.0);
    B->d[0] = RCONST(7.0)/RCONST(24.0);
    B->d[1] = RCONST(1.0)/RCONST(4.0);
    B->d[2] = RCONST(1.0)/RCONST(3.0);
    B->d[3] = RCONST(1.0)/RCONST(8.0);
    B->c[1] = RCONST(1.0)/RCONST(2.0);
    B->c[2] = RCONST(3.0)/RCONST(4.0);
    B->c[3] = RCONST(1.0);
    return B;
    })
";

/// Returns a method file with twelve decimals, of order four.
fn rounded_gauss() -> String {
    let json = text(&["show", "gauss-2", "--id", "mine", "--json"]);
    let mut file: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let a = [["0.25", "-0.038675134595"], ["0.538675134595", "0.25"]];
    file["partitions"][0]["a"] = serde_json::json!(a);
    file["partitions"][0]["b"] = serde_json::json!(["0.5", "0.5"]);
    file["partitions"][0]["c"] = serde_json::json!(["0.211324865405", "0.788675134595"]);
    file["precision"] = serde_json::json!({ "decimals": 12 });
    file.to_string()
}

/// Returns the 2–5 method of Shome, Haug & Jay with one wrong digit in the fast part.
fn misprinted() -> String {
    let json = text(&["show", "shome-haug-jay-2-5", "--id", "scanned", "--json"]);
    assert!(json.contains("0.43737671"), "{json}");
    json.replace("0.43737671", "0.43737677")
}

/// Returns the Jacobian of damped oscillators in a chain, or its beginning, with increasing frequencies.
fn damped_chain(size: usize) -> String {
    let entry = |i: usize, j: usize| {
        let frequency = 1.0 + (i / 2) as f64;
        match (i % 2, i.cmp(&j)) {
            (_, std::cmp::Ordering::Equal) => -0.2 * frequency,
            (0, std::cmp::Ordering::Less) if j == i + 1 => frequency,
            (1, std::cmp::Ordering::Greater) if i == j + 1 => -frequency,
            _ => 0.0,
        }
    };
    let row = |i: usize| (0..size).map(|j| entry(i, j).to_string()).collect::<Vec<_>>().join(" ") + "\n";
    (0..size).map(row).collect()
}

/// Returns the files that a word with `*` stands for, in order, or the word.
fn expanded(word: &str, folder: &Path) -> Vec<String> {
    let Some((before, after)) = word.split_once('*') else { return vec![word.to_owned()] };
    let (path, start) = before.rsplit_once('/').map_or(("", before), |(path, start)| (path, start));
    let place = if path.is_empty() { folder.to_owned() } else { PathBuf::from(path) };
    let Ok(entries) = fs::read_dir(&place) else { return vec![word.to_owned()] };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut found: Vec<String> = names
        .filter(|name| name.starts_with(start) && name.ends_with(after))
        .map(|name| if path.is_empty() { name } else { format!("{path}/{name}") })
        .collect();
    found.sort();
    if found.is_empty() { vec![word.to_owned()] } else { found }
}

/// Runs an example; returns what is wrong.
fn fault(example: &str, folder: &Path) -> Option<String> {
    let example_words = words(example);
    let end = example_words.iter().position(|word| word == ">" || word == "|").unwrap_or(example_words.len());
    let target = (example_words.get(end).map(String::as_str) == Some(">")).then(|| example_words[end + 1].clone());
    let in_repository = |word: &String| {
        let first = word.split('/').next().unwrap_or_default();
        if FOLDERS.contains(&first) { format!("{}/{word}", root().display()) } else { word.clone() }
    };
    let mut arguments: Vec<String> =
        example_words[..end].iter().map(in_repository).flat_map(|word| expanded(&word, folder)).collect();
    let output = arguments.iter().position(|word| word == "--output").and_then(|k| arguments.get(k + 1)).cloned();
    let is_input = |file: &str| example_words[..end].iter().filter(|word| *word == file).count() > 1;
    if let Some(file) = output.iter().find(|file| !is_input(file) && folder.join(file).is_file()) {
        fs::remove_file(folder.join(file)).expect("a file");
    }
    let is_figure = |file: &String| [".svg", ".pdf", ".png", ".tex"].iter().any(|end| file.ends_with(end));
    let curves = DRAWING.contains(&arguments[0].as_str()) && output.as_ref().is_some_and(is_figure);
    if curves {
        arguments.extend(["--curves".to_owned(), "curves.csv".to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = hemiola(&arguments).current_dir(folder).output().expect("the binary runs");
    if done.status.code() != Some(0) {
        return Some(format!("hemiola {example}: {:?}\n{}", done.status, String::from_utf8_lossy(&done.stderr)));
    }
    if let Some(file) = target.filter(|file| !file.starts_with('~')) {
        fs::write(folder.join(file), &done.stdout).expect("a file");
    }
    let file = output.filter(|_| !example.starts_with("export") || !example.contains("trixi"))?;
    if fs::metadata(folder.join(&file)).map_or(0, |data| data.len()) == 0 {
        return Some(format!("hemiola {example}: {file} is empty"));
    }
    if curves { blank(&fs::read_to_string(folder.join("curves.csv")).expect("curves"), example) } else { None }
}

/// Returns a complaint if a legend entry of a figure has no extent, or nothing is drawn.
fn blank(curves: &str, example: &str) -> Option<String> {
    let mut marks: Vec<(String, Vec<String>)> = Vec::new();
    for line in curves.lines().skip(1) {
        // The label may contain commas: the last four columns do not.
        let columns: Vec<&str> = line.rsplitn(5, ',').collect();
        let (name, point) = (columns[4].to_owned(), format!("{},{}", columns[1], columns[0]));
        match marks.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => marks.push((name, vec![point])),
        }
    }
    let has_extent = |(name, points): &&(String, Vec<String>)| {
        name.contains(",points,") || points.iter().any(|point| *point != points[0])
    };
    match marks.iter().find(|mark| !has_extent(mark)) {
        Some((name, _)) => Some(format!("hemiola {example}: nothing is seen of {name}")),
        None if marks.is_empty() => Some(format!("hemiola {example}: the figure is empty")),
        None => None,
    }
}

fn is_slow(example: &str) -> bool {
    SLOW.iter().any(|start| example.starts_with(start))
}

fn run_all(is_chosen: impl Fn(&str) -> bool) -> usize {
    let (mut count, mut faults) = (0, Vec::new());
    for page in pages() {
        let chosen: Vec<&String> = page.iter().filter(|example| is_chosen(example)).collect();
        if chosen.is_empty() {
            continue;
        }
        let folder = TempDir::new().expect("a temporary folder");
        prepare(folder.path());
        for example in chosen {
            count += 1;
            faults.extend(fault(example, folder.path()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    count
}

#[test]
fn quick_examples_of_the_help_do_what_they_say() {
    let count = run_all(|example| !is_slow(example));
    assert!(count > 80, "{count} examples");
}

#[test]
#[ignore = "designs, long runs and all reports: about an hour"]
fn slow_examples_of_the_help_do_what_they_say() {
    assert!(run_all(is_slow) > 30);
}

#[test]
fn each_slow_example_is_one() {
    let all: Vec<String> = pages().into_iter().flatten().collect();
    for start in SLOW {
        assert!(all.iter().any(|example| example.starts_with(start)), "{start}: no example");
    }
}
