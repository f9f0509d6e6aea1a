//! JavaScript bindings: a function that answers questions, and one that also reports progress.

use std::cell::RefCell;
use std::ops::ControlFlow;

use hemiola_number::Update;
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answers;

thread_local! {
    /// Listener of a search. In general, searches report from any thread; here there is only one, to which the JavaScript function is
    /// bound.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Answers a question: see [`answers::answer`].
#[wasm_bindgen]
#[must_use]
pub fn answer(question: &str) -> String {
    answers::answer(question, &())
}

/// Answers a question with progress: see [`answers::answer`]. `listener` is called with the phase, the
/// completed and the total amount of work, and the best value so far.
#[wasm_bindgen(js_name = answerWithProgress)]
#[must_use]
pub fn answer_with_progress(question: &str, listener: Function) -> String {
    LISTENER.set(Some(listener));
    let found = answers::answer(question, &report_progress);
    LISTENER.set(None);
    found
}

fn report_progress(update: Update<'_>) -> ControlFlow<()> {
    let best = update.values.first().map_or(f64::INFINITY, |(_, value)| *value);
    let [done, all, best] = [update.done as f64, update.total.unwrap_or_default() as f64, best].map(JsValue::from);
    LISTENER.with_borrow(|listener| {
        // An exception in the listener does not stop the search.
        let _ =
            listener.as_ref().map(|listener| listener.call4(&JsValue::NULL, &update.phase.into(), &done, &all, &best));
    });
    ControlFlow::Continue(())
}
