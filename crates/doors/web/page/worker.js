// A worker with the Rust libraries: it answers one question after the other.
import { answer, answerWithProgress, initSync } from "./engine/hemiola.js";

self.onmessage = ({ data: { module, number, question, watched } }) => {
  if (module) return initSync({ module });
  try {
    const report = (phase, done, all, best) => self.postMessage({ number, progress: { phase, done, all, best } });
    self.postMessage({ number, answer: watched ? answerWithProgress(question, report) : answer(question) });
  } catch (problem) {
    self.postMessage({ number, failure: `the engine stopped: ${problem.message}` });
  }
};
