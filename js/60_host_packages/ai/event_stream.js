// A stream of events with a final result.

/** Events to read with `for await`, and the promise of what they end in. */
export class EventStream {
  #isComplete;
  #extractResult;
  #queue = [];
  #waiting = [];
  #ended = false;
  #resolve;
  #result;

  /**
   * @param {(event: object) => boolean} isComplete whether the event is the last one
   * @param {(event: object) => unknown} extractResult what the last event says
   */
  constructor(isComplete, extractResult) {
    this.#isComplete = isComplete;
    this.#extractResult = extractResult;
    this.#result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  push(event) {
    if (this.#ended) return;
    const last = this.#isComplete(event);
    if (last) this.#resolve(this.#extractResult(event));
    const reader = this.#waiting.shift();
    if (reader) reader({ value: event, done: false });
    else this.#queue.push(event);
    if (last) this.#close();
  }

  /** Ends the stream without a last event. */
  end(result) {
    if (result !== undefined) this.#resolve(result);
    this.#close();
  }

  result() {
    return this.#result;
  }

  [Symbol.asyncIterator]() {
    return {
      next: () => {
        if (this.#queue.length > 0) return Promise.resolve({ value: this.#queue.shift(), done: false });
        if (this.#ended) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve) => this.#waiting.push(resolve));
      },
      return: () => Promise.resolve({ value: undefined, done: true }),
    };
  }

  #close() {
    this.#ended = true;
    for (const reader of this.#waiting.splice(0)) reader({ value: undefined, done: true });
  }
}

/** The events of one answer of a model; ends with `done` or `error`. */
export class AssistantMessageEventStream extends EventStream {
  constructor() {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) => event.message ?? event.error,
    );
  }
}

export function createAssistantMessageEventStream() {
  return new AssistantMessageEventStream();
}
