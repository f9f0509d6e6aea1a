//! Questions of the page and their answers as JSON.

use hemiola_number::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::requests::{design, export, library, limits, map, method, polynomial, verdicts};

/// Question of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Question {
    Library,
    Method(method::MethodQuestion),
    Verdicts(verdicts::VerdictsQuestion),
    Trees(verdicts::VerdictsQuestion),
    Limits(limits::LimitsQuestion),
    Map(map::MapQuestion),
    Export(export::ExportQuestion),
    Polynomial(polynomial::PolynomialQuestion),
    Design(design::DesignQuestion),
}

/// Answers a question in JSON with `{"ok": …}`, or `{"error": "…"}` with the message of the command line. `progress`
/// receives the progress of questions that may take seconds.
///
/// ```
/// use hemiola_web::answer;
/// let found = answer(r#"{"ask": "verdicts", "subject": {"method": "rk4"}}"#, &());
/// assert!(found.starts_with(r#"{"ok":"#) && found.contains(r#""order":4"#));
/// assert!(answer(r#"{"ask": "verdicts", "subject": {"method": "rk5"}}"#, &()).contains("rk5"));
/// ```
#[must_use]
pub fn answer(question: &str, progress: &dyn Progress) -> String {
    let answered = serde_json::from_str(question)
        .map_err(|problem| format!("unknown request from the page: {problem}"))
        .and_then(|question| answered(&question, progress));
    let text = match answered {
        Ok(found) => json!({ "ok": found }),
        Err(message) => json!({ "error": message }),
    };
    text.to_string()
}

fn answered(question: &Question, progress: &dyn Progress) -> Result<Value, String> {
    match question {
        Question::Library => value(library::library()?),
        Question::Method(question) => value(question.answer()?),
        Question::Verdicts(question) => value(question.answer()?),
        Question::Trees(question) => value(question.trees()?),
        Question::Limits(question) => value(question.answer()?),
        Question::Map(question) => value(question.answer()?),
        Question::Export(question) => value(question.answer()?),
        Question::Polynomial(question) => value(question.answer()?),
        Question::Design(question) => value(question.answer(progress)?),
    }
}

fn value(found: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(found).map_err(|problem| problem.to_string())
}
