//! The methods that a command is given: all that cannot be found are named at once.

use hemiola::tableau::Method;
use hemiola::tableau::library::file_id;

use crate::failure::Failure;
use crate::output::writer::Output;

/// What each of the texts stands for; where some stand for nothing, all the faults.
pub(crate) fn each<T>(texts: &[String], read: impl Fn(&str) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for text in texts {
        match read(text) {
            Ok(one) => found.push(one),
            Err(fault) => faults.push(fault),
        }
    }
    match faults.len() {
        0 => Ok(found),
        1 => Err(faults.swap_remove(0)),
        _ => Err(Failure::Several(faults)),
    }
}

/// Says on the standard error where a method in a file has another id than the file's name.
pub(crate) fn warn_of_id(name: &str, method: &Method, output: &mut Output) -> Result<(), Failure> {
    match file_id(name, method) {
        Some(expected) => output.warn(&format!(
            "{name}: the id is `{}`, the file's name `{expected}`; in a folder of methods the name is the id \
             (`hemiola show {name} --id NEW --json` writes another)",
            method.id()
        )),
        None => Ok(()),
    }
}
