// The engines: workers that answer questions with the Rust libraries.

let compiled;

// The module is loaded and compiled once for all workers.
function module() {
  compiled ??= (async () => {
    const file = new URL("../engine/hemiola_bg.wasm", import.meta.url);
    try {
      return await WebAssembly.compileStreaming(fetch(file));
    } catch {
      // A server that does not know the type of the file.
      return WebAssembly.compile(await (await fetch(file)).arrayBuffer());
    }
  })();
  return compiled;
}

export class Engine {
  #worker;
  #ready;
  #pending = new Map();
  #next = 0;

  // The worker with its module, which it must have before the first question.
  #started() {
    this.#ready ??= (async () => {
      const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
      this.#worker = worker;
      worker.onmessage = ({ data }) => this.#receive(data);
      worker.onerror = (event) => this.#fail(event.message || "the engine could not be started");
      worker.postMessage({ module: await module() });
      return worker;
    })();
    return this.#ready;
  }

  #receive({ number, answer, progress, failure }) {
    const pending = this.#pending.get(number);
    if (!pending) return;
    if (progress) return pending.report?.(progress);
    this.#pending.delete(number);
    if (failure) return this.#fail(failure, pending);
    const { ok, error } = JSON.parse(answer);
    if (error === undefined) pending.resolve(ok);
    else pending.reject(new Error(error));
  }

  // An engine that has stopped answers nothing any more: the next question starts a new one.
  #fail(message, pending) {
    const waiting = [pending, ...this.#pending.values()].filter(Boolean);
    this.#pending.clear();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = undefined;
    for (const { reject } of waiting) reject(new Error(message));
  }

  async ask(question, report) {
    const worker = await this.#started();
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject, report });
      worker.postMessage({ number, question: JSON.stringify(question), watched: report !== undefined });
    });
  }

  stop() {
    this.#fail("stopped");
  }
}

// Asks each engine one question at a time; of those that come while all are busy only the last is asked. Answers that later ones have overtaken
// are not told.
export class Latest {
  #idle;
  #waiting;
  #asked = 0;
  #told = 0;

  constructor(...engines) {
    // The first is asked first: the others are started where it is not enough.
    this.#idle = engines.reverse();
  }

  async ask(question, then, otherwise) {
    const engine = this.#idle.pop();
    if (!engine) {
      this.#waiting = [question, then, otherwise];
      return;
    }
    const number = ++this.#asked;
    const tell = (what, how) => {
      if (number < this.#told) return;
      this.#told = number;
      how(what);
    };
    try {
      tell(await engine.ask(question), then);
    } catch (problem) {
      tell(problem.message, otherwise);
    } finally {
      this.#idle.push(engine);
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) this.ask(...waiting);
    }
  }
}

// Figures that move have engines of their own, so that they need not wait for a check, and the next need not wait for the last.
export const drawing = new Engine();
export const alongside = new Engine();
export const reckoning = new Engine();
export const searching = new Engine();
