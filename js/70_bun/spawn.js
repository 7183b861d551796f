// `Bun.spawn` and `Bun.spawnSync` over node's child processes.

import { concat, decode, isBlobLike, toBytesNow } from "./data.js";

/**
 * @param {(name: string) => any} node gives a node builtin
 * @param {(command: string, options?: object) => string | null} which
 */
export function createSpawn(node, which) {
  const environment = () => globalThis.process?.env ?? {};

  /** `spawn(command, options)` and `spawn({ cmd, …options })`. */
  function parse(first, second) {
    const options = Array.isArray(first) ? (second ?? {}) : (first ?? {});
    const command = Array.isArray(first) ? first : options.cmd;
    if (!Array.isArray(command) || command.length === 0) throw new TypeError("cmd must be an array with the program first");
    const [program, ...args] = command.map(String);
    const env = Object.fromEntries(Object.entries(options.env ?? environment()).filter(([, value]) => value !== undefined));
    const cwd = options.cwd === undefined ? undefined : String(options.cwd);
    const path = which(program, { PATH: env.PATH ?? environment().PATH, cwd });
    if (path === null) {
      throw Object.assign(new Error(`Executable not found in $PATH: "${program}"`), { code: "ENOENT", path: program });
    }
    const settings = { cwd, env, detached: options.detached === true };
    if (options.argv0 !== undefined) settings.argv0 = options.argv0;
    return { path, args, options, settings };
  }

  /**
   * What a stream option means. Output to be inherited is passed on to the hook's own streams: those of the
   * process may be a protocol.
   */
  function output(option, otherwise) {
    const kind = option === undefined ? otherwise : option;
    if (kind === null || kind === "ignore") return "ignore";
    if (kind === "inherit" || kind === "pipe" || typeof kind === "object") return kind;
    throw new TypeError(`Unsupported output: ${String(kind)}`);
  }

  const pass = (name, chunk) => globalThis.process?.[name]?.write(chunk);

  function spawnSync(first, second) {
    const { path, args, options, settings } = parse(first, second);
    const [, stdin, stdout, stderr] = streams(options, "pipe");
    const input = stdin === "ignore" || stdin === "inherit" ? undefined : toBytesNow(stdin);
    const result = node("child_process").spawnSync(path, args, {
      ...settings,
      input,
      stdio: [input === undefined ? "ignore" : "pipe", stdout === "ignore" ? "ignore" : "pipe", stderr === "ignore" ? "ignore" : "pipe"],
      timeout: options.timeout,
      killSignal: options.killSignal,
      maxBuffer: options.maxBuffer ?? 256 * 1024 * 1024,
    });
    if (result.error && result.status === null && !result.signal) throw result.error;
    if (stdout === "inherit") pass("stdout", result.stdout);
    if (stderr === "inherit") pass("stderr", result.stderr);
    const signalCode = result.signal ?? undefined;
    return {
      stdout: stdout === "pipe" ? result.stdout : undefined,
      stderr: stderr === "pipe" ? result.stderr : undefined,
      exitCode: result.status ?? exitCodeOf(signalCode),
      signalCode,
      success: result.status === 0,
      pid: result.pid,
      ...(result.error?.code === "ETIMEDOUT" ? { exitedDueToTimeout: true } : {}),
    };
  }

  function exitCodeOf(signal) {
    return signal ? 128 + (node("os").constants.signals[signal] ?? 0) : null;
  }

  function streams(options, stderrDefault) {
    const stdio = options.stdio ?? [];
    const stdin = options.stdin ?? stdio[0] ?? "ignore";
    return [options, stdin, output(options.stdout ?? stdio[1], "pipe"), output(options.stderr ?? stdio[2], stderrDefault)];
  }

  function spawn(first, second) {
    const { path, args, options, settings } = parse(first, second);
    const [, stdin, stdout, stderr] = streams(options, "inherit");
    const noInput = stdin === "ignore" || stdin === "inherit";
    const child = node("child_process").spawn(path, args, {
      ...settings,
      stdio: [noInput ? "ignore" : "pipe", stdout === "ignore" ? "ignore" : "pipe", stderr === "ignore" ? "ignore" : "pipe"],
    });
    return new Subprocess({ child, options, stdin, stdout, stderr, exitCodeOf, pass });
  }

  return { spawn, spawnSync };
}

/** A running program. */
class Subprocess {
  #child;
  #exitCode = null;
  #signalCode = null;
  #killed = false;

  constructor({ child, options, stdin, stdout, stderr, exitCodeOf, pass }) {
    this.#child = child;
    this.pid = child.pid;
    this.stdout = outputOf(child.stdout, stdout, (chunk) => pass("stdout", chunk));
    this.stderr = outputOf(child.stderr, stderr, (chunk) => pass("stderr", chunk));
    this.stdin = stdin === "pipe" ? new FileSink(child.stdin) : null;
    if (child.stdin && stdin !== "pipe") feed(child.stdin, stdin);
    const timer = options.timeout > 0 ? setTimeout(() => this.kill(options.killSignal), options.timeout) : undefined;
    const onAbort = () => this.kill(options.killSignal);
    if (options.signal?.aborted) onAbort();
    else options.signal?.addEventListener("abort", onAbort, { once: true });
    this.exited = new Promise((resolve, reject) => {
      child.on("error", (error) => {
        options.onExit?.(this, null, null, error);
        reject(error);
      });
      child.on("exit", (code, signal) => {
        if (timer !== undefined) clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        this.#exitCode = code;
        this.#signalCode = signal;
        options.onExit?.(this, code, signal, undefined);
        resolve(code ?? exitCodeOf(signal));
      });
    });
    // Whoever does not wait for the end does not want to hear of its failure either.
    this.exited.catch(() => {});
  }

  /** null while it runs, and when a signal ended it. */
  get exitCode() {
    return this.#exitCode;
  }

  get signalCode() {
    return this.#signalCode;
  }

  get killed() {
    return this.#killed || this.#exitCode !== null || this.#signalCode !== null;
  }

  get readable() {
    return this.stdout;
  }

  kill(signal = "SIGTERM") {
    if (this.#exitCode !== null || this.#signalCode !== null) return;
    this.#killed = true;
    this.#child.kill(signal);
  }

  ref() {
    this.#child.ref?.();
  }

  unref() {
    this.#child.unref?.();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    this.kill();
    await this.exited.catch(() => {});
  }
}

function outputOf(readable, option, pass) {
  if (!readable) return option === "ignore" ? null : undefined;
  if (option === "inherit") {
    readable.on("data", pass);
    return undefined;
  }
  const stream = webStream(readable);
  if (option === "pipe") return stream;
  // A file or another writer as the target.
  pump(stream, option);
  return undefined;
}

async function pump(stream, target) {
  const reader = stream.getReader();
  const parts = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
  await target.write(concat(parts));
}

/** The node stream as a web stream that reads no faster than it is read, with the shortcuts Bun's have. */
function webStream(readable) {
  const stream = new ReadableStream({
    start(controller) {
      let open = true;
      const finish = (end) => () => {
        if (open) end();
        open = false;
      };
      readable.on("data", (chunk) => {
        if (!open) return;
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if (controller.desiredSize <= 0) readable.pause();
      });
      readable.on("end", finish(() => controller.close()));
      readable.on("close", finish(() => controller.close()));
      readable.on("error", (error) => finish(() => controller.error(error))());
    },
    pull: () => void readable.resume(),
    cancel: () => void readable.destroy(),
  });
  const bytes = async () => {
    const reader = stream.getReader();
    const parts = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
    return concat(parts);
  };
  const shortcuts = { bytes, text: async () => decode(await bytes()), json: async () => JSON.parse(decode(await bytes())) };
  for (const [name, value] of Object.entries(shortcuts)) {
    if (!(name in stream)) Object.defineProperty(stream, name, { value, configurable: true, writable: true });
  }
  return stream;
}

async function feed(writable, data) {
  writable.on("error", () => {}); // the program may end without reading
  try {
    if (typeof data?.getReader === "function" || typeof data?.body?.getReader === "function") {
      const reader = (data.body ?? data).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) writable.write(toBytesNow(read.value));
      writable.end();
    } else {
      writable.end(isBlobLike(data) ? new Uint8Array(await data.arrayBuffer()) : toBytesNow(data));
    }
  } catch (error) {
    writable.destroy(error);
  }
}

/** The input of a program that is written to step by step. */
class FileSink {
  #writable;

  constructor(writable) {
    this.#writable = writable;
    writable.on("error", () => {}); // a program that ended reads no more
  }

  /** @returns {number} bytes */
  write(data) {
    const bytes = toBytesNow(data).slice();
    this.#writable.write(bytes);
    return bytes.length;
  }

  flush() {
    return 0;
  }

  end(data) {
    if (data === undefined) this.#writable.end();
    else this.#writable.end(toBytesNow(data).slice());
    return 0;
  }

  start() {}
  ref() {}
  unref() {}
}
