//! Questions of the page and their answers as JSON.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::requests::{design, export, library, limits, map, method, polynomial, verdicts};
use crate::progress::ProgressCallback;

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

/// Answers a question in JSON with `{"ok": …}`, or `{"error": "…"}` with the message of the command line.
///
/// ```
/// use hemiola_web::answer;
/// let found = answer(r#"{"ask": "verdicts", "subject": {"method": "rk4"}}"#);
/// assert!(found.starts_with(r#"{"ok":"#) && found.contains(r#""order":4"#));
/// assert!(answer(r#"{"ask": "verdicts", "subject": {"method": "rk5"}}"#).contains("rk5"));
/// ```
#[must_use]
pub fn answer(question: &str) -> String {
    answer_with_progress(question, &|_| ControlFlow::Continue(()))
}

/// Answers as [`answer`] does, for questions that may take seconds. `report` is called periodically and can stop the
/// search.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_web::answer_with_progress;
/// let question = r#"{"ask": "design", "slow": 2, "fast": 4, "starts": 8}"#;
/// let found = answer_with_progress(question, &|_| ControlFlow::Continue(()));
/// assert!(found.contains("dual-rate-2-4"));
/// ```
#[must_use]
pub fn answer_with_progress(question: &str, report: &ProgressCallback<'_>) -> String {
    let answered = serde_json::from_str(question)
        .map_err(|problem| format!("unknown request from the page: {problem}"))
        .and_then(|question| answered(&question, report));
    let text = match answered {
        Ok(found) => json!({ "ok": found }),
        Err(message) => json!({ "error": message }),
    };
    text.to_string()
}

fn answered(question: &Question, report: &ProgressCallback<'_>) -> Result<Value, String> {
    match question {
        Question::Library => value(library::library()?),
        Question::Method(question) => value(question.answer()?),
        Question::Verdicts(question) => value(question.answer()?),
        Question::Trees(question) => value(question.trees()?),
        Question::Limits(question) => value(question.answer()?),
        Question::Map(question) => value(question.answer()?),
        Question::Export(question) => value(question.answer()?),
        Question::Polynomial(question) => value(question.answer()?),
        Question::Design(question) => value(question.answer(report)?),
    }
}

fn value(found: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(found).map_err(|problem| problem.to_string())
}
