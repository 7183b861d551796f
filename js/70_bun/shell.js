// `Bun.$`: command lines as tagged templates, run by the system's shell.

import { decode } from "./data.js";

/** A command that ended with a code other than 0. */
export class ShellError extends Error {
  constructor(output) {
    super(`Failed with exit code ${output.exitCode}`);
    this.name = "ShellError";
    Object.assign(this, { exitCode: output.exitCode, stdout: output.stdout, stderr: output.stderr });
  }

  text(encoding) {
    return this.stdout.toString(encoding);
  }

  json() {
    return JSON.parse(this.text());
  }
}

/** The text as one word of a command line. */
export function escape(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The quote that is open after `text`, if one is. */
function openQuote(text, quote) {
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === "\\" && quote !== "'") i++;
    else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === "'" || char === '"')) quote = char;
  }
  return quote;
}

/** The text inside quotes that are open already. */
function within(quote, text) {
  return quote === "'" ? text.replaceAll("'", `'\\''`) : text.replace(/[\\"$`]/g, "\\$&");
}

/** The command line of a template: what stands between the braces is text, whatever is in it and whatever quotes stand around it. */
function commandLine(parts, values, isFile) {
  let quote;
  let line = parts[0];
  for (let i = 0; i < values.length; i++) {
    quote = openQuote(parts[i], quote);
    const inQuotes = quote;
    line += word(values[i], isFile, inQuotes === undefined ? escape : (text) => within(inQuotes, text)) + parts[i + 1];
  }
  return line;
}

function word(value, isFile, escape) {
  if (Array.isArray(value)) return value.map((item) => word(item, isFile, escape)).join(" ");
  if (isFile(value)) return escape(value.name);
  if (value !== null && typeof value === "object") {
    if (typeof value.raw === "string") return value.raw;
    if (Object.getPrototypeOf(value) !== Object.prototype && typeof value.toString === "function" && !ArrayBuffer.isView(value)) {
      return escape(value.toString());
    }
    throw new TypeError("Bun.$ takes strings, numbers, arrays of them, files and { raw } between the braces");
  }
  return escape(String(value));
}

/**
 * @param {(name: string) => any} node gives a node builtin
 * @param {(value: unknown) => boolean} isFile whether a value comes from `Bun.file`
 */
export function createShell(node, isFile) {
  const defaults = { cwd: undefined, env: undefined, throws: true };

  function run(commandLine, { cwd, env, quiet }) {
    const { spawn } = node("child_process");
    const { Buffer } = node("buffer");
    return new Promise((resolve, reject) => {
      const child = spawn("/bin/sh", ["-c", commandLine], { cwd, env: env ?? { ...globalThis.process?.env }, stdio: ["ignore", "pipe", "pipe"] });
      const collect = (name) => {
        const parts = [];
        child[name].on("data", (chunk) => {
          parts.push(chunk);
          if (!quiet) globalThis.process?.[name]?.write(chunk);
        });
        return () => Buffer.concat(parts);
      };
      const [stdout, stderr] = [collect("stdout"), collect("stderr")];
      child.on("error", reject);
      child.on("close", (code, signal) => {
        const exitCode = code ?? 128 + (node("os").constants.signals[signal] ?? 0);
        resolve(new ShellOutput(stdout(), stderr(), exitCode));
      });
    });
  }

  /** A command that starts when somebody waits for it. */
  class ShellPromise {
    #commandLine;
    #settings = { ...defaults };
    #quiet = false;
    #started;

    constructor(commandLine) {
      this.#commandLine = commandLine;
    }

    cwd(directory) {
      this.#settings.cwd = directory;
      return this;
    }

    env(variables) {
      this.#settings.env = variables;
      return this;
    }

    /** Keeps the output from the log; it is in the result either way. */
    quiet() {
      this.#quiet = true;
      return this;
    }

    nothrow() {
      return this.throws(false);
    }

    throws(enabled) {
      this.#settings.throws = enabled;
      return this;
    }

    run() {
      this.#started ??= run(this.#commandLine, { ...this.#settings, quiet: this.#quiet }).then((output) => {
        if (output.exitCode !== 0 && this.#settings.throws) throw new ShellError(output);
        return output;
      });
      return this.#started;
    }

    then(onFulfilled, onRejected) {
      return this.run().then(onFulfilled, onRejected);
    }

    catch(onRejected) {
      return this.run().catch(onRejected);
    }

    finally(onFinally) {
      return this.run().finally(onFinally);
    }

    async text(encoding) {
      return (await this.quiet().run()).text(encoding);
    }

    async json() {
      return (await this.quiet().run()).json();
    }

    async bytes() {
      return (await this.quiet().run()).bytes();
    }

    async arrayBuffer() {
      return (await this.quiet().run()).arrayBuffer();
    }

    async blob() {
      return (await this.quiet().run()).blob();
    }

    /** The lines of the output, as an async iterable. */
    async *lines() {
      const lines = (await this.text()).split("\n");
      if (lines[lines.length - 1] === "") lines.pop();
      yield* lines;
    }

    get [Symbol.toStringTag]() {
      return "ShellPromise";
    }
  }

  function $(strings, ...values) {
    if (!Array.isArray(strings?.raw)) throw new TypeError("Bun.$ is a template tag: $`command ${argument}`");
    return new ShellPromise(commandLine(strings.raw, values, isFile));
  }

  const chain = (change) => (value) => {
    change(value);
    return $;
  };
  return Object.assign($, {
    cwd: chain((directory) => (defaults.cwd = directory)),
    env: chain((variables) => (defaults.env = variables)),
    throws: chain((enabled) => (defaults.throws = enabled)),
    nothrow: chain(() => (defaults.throws = false)),
    escape: (text) => escape(String(text)),
    ShellError,
  });
}

/** What a command left behind. */
class ShellOutput {
  constructor(stdout, stderr, exitCode) {
    Object.assign(this, { stdout, stderr, exitCode });
  }

  text(encoding) {
    return encoding ? this.stdout.toString(encoding) : decode(this.stdout);
  }

  json() {
    return JSON.parse(this.text());
  }

  bytes() {
    return new Uint8Array(this.stdout);
  }

  arrayBuffer() {
    return this.bytes().buffer;
  }

  blob() {
    return new Blob([this.stdout]);
  }
}
