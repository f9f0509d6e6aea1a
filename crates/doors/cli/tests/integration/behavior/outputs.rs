//! Destinations of results: files, streams and standard output, and text without terminal control sequences.

use std::fs;
use std::fs::File;
use std::process::{Output, Stdio};

use assert_cmd::cargo::cargo_bin;

use super::run::{code, complaint, folder, hemiola, path, run, stdout, text};

/// Runs the binary with its own standard output.
fn write_to(stdout: impl Into<Stdio>, arguments: &[&str]) -> Output {
    let mut command = std::process::Command::new(cargo_bin!("hemiola"));
    command.args(arguments).stdout(stdout).stderr(Stdio::piped()).output().expect("the binary runs")
}

#[test]
fn a_hyphen_is_standard_output() {
    let figure = run(&["map", "rk4", "--points", "20", "--output", "-"]);
    assert_eq!(code(&figure), 0);
    assert!(stdout(&figure).starts_with("<svg") && stdout(&figure).trim_end().ends_with("</svg>"));
    assert!(String::from_utf8_lossy(&figure.stderr).contains("wrote"), "the page goes to standard error");
    // Without a file, the file's contents are printed.
    let program = text(&["export", "rk4", "--language", "c"]);
    assert_eq!(text(&["export", "rk4", "--language", "c", "--output", "-"]), program);
    let data = run(&["simulate", "kepler", "rk4", "--steps", "4", "--no-reference", "--data", "-"]);
    assert!(stdout(&data).starts_with("t,") && stdout(&data).lines().count() == 6, "{}", stdout(&data));
    let method = run(&["polish", "shome-haug-jay-2-5", "--nearest", "--output", "-"]);
    let method: serde_json::Value = serde_json::from_slice(&method.stdout).expect("a method file");
    assert_eq!(method["format"], "hemiola-method/1");
    assert!(complaint(&["design", "--slow", "1", "--fast", "1", "--output", "-"]).contains("--output -"));
}

#[test]
fn standard_output_carries_one_thing() {
    let both = complaint(&["map", "rk4", "--points", "20", "--output", "-", "--json"]);
    assert!(both.contains("--output and --json both write to standard output"), "{both}");
    let twice = complaint(&["map", "rk4", "--points", "20", "--output", "-", "--curves", "-"]);
    assert!(twice.contains("--output and --curves both name -"), "{twice}");
}

#[test]
fn no_file_is_written_twice() {
    let folder = folder();
    let (file, same) = (path(&folder, "x.json"), path(&folder, "./x.json"));
    let error = complaint(&["map", "rk4", "--points", "20", "--output", &file, "--curves", &same]);
    assert!(error.contains("--output and --curves both name"), "{error}");
    assert!(!folder.path().join("x.json").exists());
}

#[cfg(unix)]
#[test]
fn files_keep_their_mode_and_links_their_target() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let (file, link) = (path(&folder, "private.c"), path(&folder, "link.c"));
    fs::write(&file, "old").expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
    symlink("private.c", &link).expect("a link");
    text(&["export", "rk4", "--language", "c", "--output", &link]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), text(&["export", "rk4", "--language", "c"]));
    assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
}

#[cfg(unix)]
#[test]
fn pipes_are_written_through() {
    let folder = folder();
    let pipe = path(&folder, "pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("a pipe")
    });
    // A pipe has no extension; it gets the default format.
    assert_eq!(code(&run(&["map", "rk4", "--points", "20", "--output", &pipe])), 0);
    assert!(reader.join().expect("no panic").starts_with("<svg"));
    use std::os::unix::fs::FileTypeExt;
    assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
    // The shell's >(…) is a descriptor.
    let shell = "$0 export rk4 --to c --output /dev/fd/3 3>&1 >/dev/null";
    let output = std::process::Command::new("sh").args(["-c", shell]).arg(cargo_bin!("hemiola")).output();
    assert_eq!(stdout(&output.expect("a shell")), text(&["export", "rk4", "--language", "c"]));
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_behind_standard_output_is_not_replaced() {
    let folder = folder();
    let place = folder.path().join("out.c");
    let output = write_to(
        File::create(&place).expect("a file"),
        &["export", "rk4", "--language", "c", "--output", "/dev/stdout"],
    );
    assert_eq!((code(&output), output.stderr), (0, Vec::new()));
    assert_eq!(fs::read_to_string(place).expect("a file"), text(&["export", "rk4", "--language", "c"]));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"]] {
        let full = File::options().write(true).open("/dev/full").expect("a device");
        assert_eq!(code(&write_to(full, arguments)), 2, "{arguments:?}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert_eq!(code(&write_to(writer, arguments)), 0, "{arguments:?}");
    }
}

#[test]
fn one_design_is_made_once_at_a_time() {
    let folder = folder();
    let file = path(&folder, "pair.json");
    let design = ["design", "--slow", "1", "--fast", "1", "--starts", "1", "--output", &file];
    let lock = File::create(folder.path().join(".pair.json.lock")).expect("a file");
    lock.lock().expect("a lock");
    let error = complaint(&design);
    assert!(error.contains("another process is writing this file"), "{error}");
    drop(lock);
    text(&design);
    assert!(folder.path().join("pair.json").exists() && !folder.path().join(".pair.json.lock").exists());
}

/// Characters that a terminal obeys or hides: an escape sequence, NUL, a control character beyond ASCII, direction
/// marks, a new line.
const HOSTILE: &str = "\\u001b[31mred\\u0000\\u009b2J\\u202eback\\u2066\\nsecond line";

#[test]
fn names_are_shown_without_what_commands_a_terminal() {
    let folder = folder();
    let method = text(&["show", "mprk-p3", "--json"]);
    let name = method.lines().find(|line| line.starts_with("  \"name\"")).expect("a name");
    let hostile = method
        .replace(name, &format!("  \"name\": \"{HOSTILE}\","))
        .replace("\"mprk-p3\"", "\"hostile\"")
        .replacen("\"slow\"", &format!("\"{HOSTILE}\""), 1);
    let file = path(&folder, "hostile.json");
    fs::write(&file, hostile).expect("a file");
    let place = folder.path().to_str().expect("UTF-8");
    for arguments in [
        &["show", &file][..],
        &["show", &file, "--json"],
        &["show", &file, "--format", "latex", "--digits", "3"],
        &["list", "hostile", "--methods", place],
        &["check", &file],
        &["check", &file, "--json"],
        &["stability", &file],
        &["stability", &file, "--json"],
        &["diagnose", &file, "--given", "no-such-partition"],
        &["lint", &file],
        &["export", &file, "--language", "csv"],
        &["export", &file, "--language", "python"],
        &["export", &file, "--language", "latex"],
    ] {
        let output = run(arguments);
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(stream.clone()).expect("UTF-8");
            let raw = |c: char| c.is_control() && c != '\n' && c != '\t' || "\u{202e}\u{2066}".contains(c);
            assert!(!text.contains(raw), "{arguments:?}: {text:?}");
            assert!(!text.contains("\nsecond line"), "{arguments:?}: {text}");
        }
    }
    assert!(text(&["show", &file]).contains("\\u{1b}[31mred\\u{0}\\u{9b}2J\\u{202e}back"));
    // JSON escapes them in its own syntax.
    let shown: serde_json::Value = serde_json::from_str(&text(&["show", &file, "--json"])).expect("JSON");
    assert_eq!(shown["name"], "\u{1b}[31mred\0\u{9b}2J\u{202e}back\u{2066}\nsecond line");
    // Arguments are repeated in errors, including those of the parser.
    for (arguments, shown) in [
        (&["show", "\u{1b}[31m"][..], "\\u{1b}"),
        (&["\u{202e}x"], "\\u{202e}"),
        // The argument parser drops color sequences.
        (&["check", "rk4", "--order", "\u{1b}[31m"], "''"),
    ] {
        let error = complaint(arguments);
        assert!(error.contains(shown) && !error.contains(['\u{1b}', '\u{202e}']), "{error:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_end_are_refused() {
    for arguments in [
        &["check", "rk4", "--certificate", "/dev/zero"][..],
        &["check", "/dev/zero"],
        &["polynomial", "--stages", "4", "--order", "2", "--spectrum", "/dev/zero"],
        &["draw", "/dev/zero", "--output", "-"],
    ] {
        let output = hemiola(arguments).timeout(std::time::Duration::from_secs(60)).output().expect("the binary runs");
        assert_eq!(code(&output), 2, "{arguments:?}");
    }
}
