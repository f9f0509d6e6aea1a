//! Hostile numbers in every option of every command: each run is rejected or succeeds, with little time and memory.
//!
//! The options come from the grammar of the command line, so that new ones are tested, too.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use clap::Arg;
use tempfile::TempDir;

use super::run::text;

const NUMBERS: [&str; 8] = ["0", "-1", "1000000000", "18446744073709551615", "1e308", "nan", "5e-324", "1e-310mm"];

/// Address space of a run in kilobytes. Threads reserve more of it than they use.
const MEMORY: &str = "4000000";
/// Time limit for slow machines; each run takes some tens of milliseconds.
const TIME: Duration = Duration::from_secs(20);

/// Short runs of each command: options are added to them or replaced in them.
const RUNS: [&str; 37] = [
    "list",
    "show rk4 --format latex",
    "expand merk32:inner=rk4,substeps=2",
    "export rk4 --language c",
    "import method.json",
    "check rk4",
    "lint method.json",
    "diagnose rk4",
    "complete heun-2 --embedded 1",
    "polish shome-haug-jay-2-5 --nearest",
    "stability rk4",
    "stability symplectic-euler --damping-ratio 0.1",
    "matrix rk4 --z 1",
    "map rk4 --output map.svg --points 5",
    "map --preset gil --output map.svg --points 5 --alpha 1 --beta 0.2",
    "draw figure.json --output figure.svg --panels 1x1",
    "system rk4 --model kepler",
    "models kepler",
    "simulate kepler rk4 --steps 4 --no-reference",
    "simulate kepler rk4 --step 1 --no-reference",
    "simulate kepler bogacki-shampine-3 --tolerance 0.1 --no-reference",
    "converge kepler rk4 --max-runs 2 --max-steps 100 --time-limit 0.1",
    "optimize lane-change --points 5 --iterations 1",
    "identify kepler --measurements data.csv --free eccentricity --iterations 1",
    "reproduce no-such-paper",
    "atlas --only rk4 --folder no/such/folder",
    "polynomial --stages 5 --order 2 --axis imaginary",
    "polynomial --stages 3 --order 1 --spectrum disk",
    "design --slow 1 --fast 1 --starts 1 --output pair.json --force",
    "design --ssp --stages 2 --order 2 --starts 1 --output ssp.json --force",
    "design --storage 2N --stages 3 --order 3 --starts 1 --output storage.json --force",
    "design --slow 2 --fast exact --order 2 --starts 1 --sector 45=1 --output exact.json --force",
    "design --implicit alone --stages 2 --order 1 --starts 1 --output implicit.json --force",
    "merge no-such-share",
    "sweep no-such-sweep",
    "example jacobian --force",
    "completions bash",
];

/// Help heading of the figure options, which are tested only in `draw`.
const FIGURES: &str = "Figures";

#[test]
fn hostile_numbers_are_refused_or_done() {
    let folder = folder();
    let cases = cases();
    // Each option with each number; a misread grammar would yield few cases.
    assert!(cases.len() > 500, "{}", cases.len());
    let (next, failures) = (Mutex::new(cases.iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(case) = { next.lock().expect("no panic").next() } {
            if let Some(problem) = problem(case, folder.path()) {
                failures.lock().expect("no panic").push(format!("{}: {problem}", case.join(" ")));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

/// Creates a folder with the input files of the runs.
fn folder() -> TempDir {
    let folder = super::run::folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("method.json", &text(&["show", "rk4", "--json"]).replace("\"rk4\"", "\"method\""));
    write("data.csv", "t,x\n0,0.7\n0.5,0.4\n1,0.1\n2,-0.5\n");
    let figure = folder.path().join("figure.json").display().to_string();
    text(&["map", "rk4", "--points", "5", "--output", &figure]);
    folder
}

/// Returns every run with every number in every option.
fn cases() -> Vec<Vec<String>> {
    let mut grammar = hemiola_cli::command();
    grammar.build();
    for command in grammar.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        assert!(RUNS.iter().any(|run| run.split(' ').next() == Some(name)), "{name}: expected a run in RUNS");
    }
    RUNS.iter().flat_map(|run| cases_of(run, &grammar)).collect()
}

fn cases_of(run: &str, grammar: &clap::Command) -> Vec<Vec<String>> {
    let words: Vec<&str> = run.split(' ').collect();
    let mut command = grammar;
    for word in &words {
        let Some(below) = command.find_subcommand(word) else { break };
        command = below;
    }
    let takes_value = |argument: &&Arg| argument.get_action().takes_values() && argument.get_long().is_some();
    let is_tried = |argument: &&Arg| {
        let is_look = argument.get_help_heading() == Some(FIGURES);
        !argument.is_global_set() && (!is_look || command.get_name() == "draw")
    };
    let options = command.get_arguments().filter(takes_value).filter(is_tried);
    options.flat_map(|option| NUMBERS.map(|number| with(&words, option, number))).collect()
}

/// Returns a run with a number as the value of an option.
fn with(words: &[&str], option: &Arg, number: &str) -> Vec<String> {
    let long = format!("--{}", option.get_long().unwrap_or_default());
    let values = option.get_num_args().map_or(1, |range| range.min_values().max(1));
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(place) = words.iter().position(|word| *word == long) {
        words.drain(place..place + 1 + values);
    }
    words.push(long);
    words.extend(vec![number.to_owned(); values]);
    words
}

/// Describes what is wrong with the end of a run, if anything.
fn problem(arguments: &[String], folder: &Path) -> Option<String> {
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(cargo_bin!("hemiola")).args(arguments).current_dir(folder);
    command.env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent").env("RUST_BACKTRACE", "0");
    let output = assert_cmd::Command::from_std(command).timeout(TIME).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        None => Some(format!("takes longer than {} s", TIME.as_secs())),
        Some(0 | 1) if !said.contains("panicked") => None,
        Some(2) if !said.trim().is_empty() && !said.contains("panicked") => None,
        Some(code) => Some(format!("code {code}: {said}")),
    }
}

#[test]
fn work_is_estimated_before_it_begins() {
    let folder = super::run::folder();
    let claim = |id: &str, new: &str, from: &str| {
        super::run::variant(folder.path(), id, new, &[(from, &from.replace(|c: char| c.is_ascii_digit(), "25"))])
    };
    let (small, large) = (claim("rk4", "small", "\"order\": 4"), claim("mprk-p3", "large", "\"order\": 3"));
    let [small, large] = [small, large].map(|file| file.display().to_string());
    // Four stages cannot have an order beyond eight: conditions up to order nine refute the claim.
    let refuted = super::run::run(&["check", &small]);
    assert_eq!(super::run::code(&refuted), 1);
    assert!(super::run::stdout(&refuted).contains("claim order 25: FAILS (order 4)"));
    let site = folder.path().join("site").display().to_string();
    for (arguments, expected) in [
        (&["check", &large][..], "the claim of order 25 has"),
        (&["atlas", "--only", &large, "--folder", &site], "25"),
        (&["polynomial", "--stages", "1..1000000", "--order", "2", "--axis", "real"], "at most 2000"),
        (&["simulate", "kepler", "rk4", "--steps", "1000000000000", "--no-reference"], "equal steps of rk4"),
    ] {
        let error = super::run::complaint(arguments);
        assert!(error.contains(expected), "{error}");
    }
    let partition = |k: usize| format!("{{ \"name\": \"p{k}\", \"a\": {A}, \"b\": {B} }}");
    const A: &str = "[[\"0\", \"0\", \"0\"], [\"1/2\", \"0\", \"0\"], [\"-1\", \"2\", \"0\"]]";
    const B: &str = "[\"1/6\", \"2/3\", \"1/6\"]";
    let partitions = (0..16).map(partition).collect::<Vec<_>>().join(", ");
    let head = "\"format\": \"hemiola-method/1\", \"id\": \"sixteen\", \"name\": \"Sixteen\"";
    let file = folder.path().join("sixteen.json");
    std::fs::write(&file, format!("{{ {head}, \"partitions\": [{partitions}] }}")).expect("a file");
    let gammas = vec!["0.1"; 20].join(",");
    let error = super::run::complaint(&["stability", file.to_str().expect("UTF-8"), "--gammas", &gammas]);
    assert!(error.contains("120 pairs of partitions"), "{error}");
}
