//! What JavaScript calls: one function that answers questions, and one that also tells how far it has got.

use std::cell::RefCell;
use std::ops::ControlFlow;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answers;
use crate::progress::Progress;

thread_local! {
    /// The listener to a search. Searches report from any thread, of which there is one here; a function of JavaScript stays on its own.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// [`answers::answer`].
#[wasm_bindgen]
#[must_use]
pub fn answer(question: &str) -> String {
    answers::answer(question)
}

/// [`answers::answer_with_progress`]: `listener` is called with the phase, what is done of it, how much there is, and the best value so
/// far.
#[wasm_bindgen(js_name = answerWithProgress)]
#[must_use]
pub fn answer_with_progress(question: &str, listener: Function) -> String {
    LISTENER.set(Some(listener));
    let found = answers::answer_with_progress(question, &tell);
    LISTENER.set(None);
    found
}

fn tell(Progress { phase, done, all, best }: Progress) -> ControlFlow<()> {
    let [done, all, best] = [done as f64, all as f64, best].map(JsValue::from);
    LISTENER.with_borrow(|listener| {
        // A listener that fails does not stop a search.
        let _ = listener.as_ref().map(|listener| listener.call4(&JsValue::NULL, &phase.into(), &done, &all, &best));
    });
    ControlFlow::Continue(())
}
