// `watchFs` for node's `fs.watch`: an async iterator over the events of a watcher.
(function () {
const { core, primordials } = __bootstrap;
const { op_fs_events_open, op_fs_events_poll } = core.ops;
const { ArrayIsArray, PromiseResolve, SymbolAsyncIterator } = primordials;

class FsWatcher {
  #rid;
  #pending;
  #closed = false;

  constructor(paths, recursive) {
    this.#rid = op_fs_events_open(recursive, paths);
  }

  ref() {
    if (this.#pending) core.refOpPromise(this.#pending);
  }

  unref() {
    if (this.#pending) core.unrefOpPromise(this.#pending);
  }

  async next() {
    if (this.#closed) return { value: undefined, done: true };
    this.#pending = op_fs_events_poll(this.#rid);
    const value = await this.#pending;
    return value ? { value, done: false } : { value: undefined, done: true };
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    core.tryClose(this.#rid);
  }

  return(value) {
    this.close();
    return PromiseResolve({ value, done: true });
  }

  [SymbolAsyncIterator]() {
    return this;
  }
}

function watchFs(paths, options) {
  return new FsWatcher(ArrayIsArray(paths) ? paths : [paths], options?.recursive ?? true);
}

return { watchFs };
})();
