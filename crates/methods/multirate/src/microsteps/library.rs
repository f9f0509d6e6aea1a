//! The library of methods with micro-steps: the embedded files of `tableaus/microsteps/`.

use hemiola_tableau::MethodError;

use super::method::MicroStepMethod;

const FILES: [(&str, &[u8]); 13] = [
    ("mrgark-ex2-ex2", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex2-ex2.json")),
    ("mrgark-ex2-im2", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex2-im2.json")),
    ("mrgark-ex3-ex3", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex3-ex3.json")),
    ("mrgark-ex4-ex4", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex4-ex4.json")),
    ("mrgark-ex5-ex5", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex5-ex5.json")),
    ("mrgark-ex6-im5", include_bytes!("../../../../../tableaus/microsteps/mrgark-ex6-im5.json")),
    ("mrgark-im2-ex2", include_bytes!("../../../../../tableaus/microsteps/mrgark-im2-ex2.json")),
    ("mrgark-im2-im2", include_bytes!("../../../../../tableaus/microsteps/mrgark-im2-im2.json")),
    ("mrgark-im3-im3", include_bytes!("../../../../../tableaus/microsteps/mrgark-im3-im3.json")),
    ("mrgark-im6-ex4", include_bytes!("../../../../../tableaus/microsteps/mrgark-im6-ex4.json")),
    ("multirate-midpoint", include_bytes!("../../../../../tableaus/microsteps/multirate-midpoint.json")),
    ("shome-haug-jay-euler", include_bytes!("../../../../../tableaus/microsteps/shome-haug-jay-euler.json")),
    (
        "shome-haug-jay-euler-averaged",
        include_bytes!("../../../../../tableaus/microsteps/shome-haug-jay-euler-averaged.json"),
    ),
];

/// Loads a method of the embedded library by its id.
///
/// # Errors
/// Returns [`MethodError::Unknown`] if there is no such method.
pub fn method(id: &str) -> Result<MicroStepMethod, MethodError> {
    let file = FILES.iter().find(|(name, _)| *name == id);
    let (_, text) = file.ok_or_else(|| MethodError::Unknown { name: id.to_owned(), suggestion: names() })?;
    MicroStepMethod::from_json(text, &format!("tableaus/microsteps/{id}.json (embedded)"))
}

/// Iterates over the ids of the embedded library in alphabetical order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(id, _)| *id)
}

/// Returns the ids, as a phrase.
fn names() -> String {
    let all: Vec<String> = ids().map(|id| format!("`{id}`")).collect();
    format!(" of methods with micro-steps ({})", all.join(", "))
}
