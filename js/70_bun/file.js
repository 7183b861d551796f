// `Bun.file` and `Bun.write`.

import { decode, streamBytes, toBytes, toBytesNow } from "./data.js";

const TYPES = {
  txt: "text/plain;charset=utf-8", md: "text/markdown", html: "text/html;charset=utf-8", htm: "text/html;charset=utf-8",
  css: "text/css;charset=utf-8", js: "text/javascript;charset=utf-8", mjs: "text/javascript;charset=utf-8",
  cjs: "text/javascript;charset=utf-8", ts: "text/javascript;charset=utf-8", tsx: "text/javascript;charset=utf-8",
  jsx: "text/javascript;charset=utf-8", json: "application/json;charset=utf-8", xml: "text/xml", csv: "text/csv",
  yaml: "text/yaml", yml: "text/yaml", toml: "application/toml", svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg",
  jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", ico: "image/x-icon", pdf: "application/pdf",
  zip: "application/zip", gz: "application/gzip", wasm: "application/wasm", mp4: "video/mp4", mp3: "audio/mpeg",
};
const OTHER_TYPE = "application/octet-stream";
const CHUNK_BYTES = 64 * 1024;

/**
 * @param {(name: string) => any} node gives a node builtin
 * @returns {{ file: Function, write: Function, isFile: (value: unknown) => boolean }}
 */
export function createFiles(node) {
  const fs = () => node("fs");
  const promises = () => node("fs").promises;

  function pathOf(target) {
    if (target instanceof URL) return node("url").fileURLToPath(target);
    if (target instanceof BunFile) return target.name;
    const path = typeof target === "string" ? target : decode(toBytesNow(target));
    return path.startsWith("file://") ? node("url").fileURLToPath(path) : path;
  }

  /** A file by name; nothing is read before it is asked for. */
  class BunFile {
    #path;
    #type;
    #start;
    #end;

    constructor(path, type, start = 0, end = Infinity) {
      this.#path = path;
      this.#type = type;
      this.#start = start;
      this.#end = end;
    }

    get name() {
      return this.#path;
    }

    get type() {
      return this.#type ?? TYPES[/\.([^./\\]+)$/.exec(this.#path)?.[1]?.toLowerCase()] ?? OTHER_TYPE;
    }

    /** Bytes; 0 for a file that is not there. */
    get size() {
      const size = fs().statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
      return Math.max(0, Math.min(size, this.#end) - this.#start);
    }

    /** Milliseconds since 1970; 0 for a file that is not there. */
    get lastModified() {
      return Math.floor(fs().statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    }

    async bytes() {
      const all = await promises().readFile(this.#path);
      const part = all.subarray(this.#start, Math.min(this.#end, all.length));
      return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
    }

    async arrayBuffer() {
      return (await this.bytes()).buffer;
    }

    async text() {
      return decode(await this.bytes());
    }

    async json() {
      return JSON.parse(await this.text());
    }

    stream() {
      let handle;
      let at = this.#start;
      const end = this.#end;
      const open = () => promises().open(this.#path, "r");
      return new ReadableStream({
        async pull(controller) {
          handle ??= await open();
          const { bytesRead, buffer } = await handle.read(new Uint8Array(Math.min(CHUNK_BYTES, end - at)), 0, undefined, at);
          at += bytesRead;
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
          if (bytesRead > 0 && at < end) return;
          controller.close();
          await handle.close();
        },
        cancel: () => handle?.close(),
      });
    }

    /** Whether there is such a file; a directory is none. */
    async exists() {
      try {
        return !(await promises().stat(this.#path)).isDirectory();
      } catch {
        return false;
      }
    }

    stat() {
      return promises().stat(this.#path);
    }

    slice(start = 0, end = Infinity, type = this.#type) {
      const { size } = this;
      const absolute = (index) => (index < 0 ? Math.max(0, size + index) : index);
      return new BunFile(this.#path, type, this.#start + absolute(start), Math.min(this.#end, this.#start + absolute(end)));
    }

    async delete() {
      await promises().unlink(this.#path);
    }

    unlink() {
      return this.delete();
    }

    write(data, options) {
      return write(this, data, options);
    }

    /** Writes piece by piece, from an empty file on. */
    writer() {
      const path = this.#path;
      const parts = [];
      let started = false;
      const flush = () => {
        const size = parts.reduce((sum, part) => sum + part.length, 0);
        const data = node("buffer").Buffer.concat(parts.splice(0));
        fs()[started ? "appendFileSync" : "writeFileSync"](path, data);
        started = true;
        return size;
      };
      return {
        write(data) {
          const bytes = toBytesNow(data).slice();
          parts.push(bytes);
          return bytes.length;
        },
        flush,
        end(data) {
          if (data !== undefined) this.write(data);
          return flush();
        },
        start() {},
        ref() {},
        unref() {},
      };
    }
  }

  function file(target, options = {}) {
    if (typeof target === "number") throw new TypeError("Bun.file takes a path here, not a file descriptor");
    return new BunFile(pathOf(target), options.type);
  }

  /**
   * Writes a file; directories on the way are made.
   *
   * @returns {Promise<number>} bytes written
   */
  async function write(target, data, options = {}) {
    const path = pathOf(target);
    const bytes = await toBytes(data);
    const settings = options.mode === undefined ? undefined : { mode: options.mode };
    try {
      await promises().writeFile(path, bytes, settings);
    } catch (error) {
      if (error?.code !== "ENOENT" || options.createPath === false) throw error;
      await promises().mkdir(node("path").dirname(path), { recursive: true });
      await promises().writeFile(path, bytes, settings);
    }
    return bytes.length;
  }

  return { file, write, isFile: (value) => value instanceof BunFile };
}

/** Readers of whole streams: `Bun.readableStreamToText` and its kin. */
export const streamReaders = Object.freeze({
  readableStreamToBytes: streamBytes,
  readableStreamToText: async (stream) => decode(await streamBytes(stream)),
  readableStreamToJSON: async (stream) => JSON.parse(decode(await streamBytes(stream))),
  readableStreamToArrayBuffer: async (stream) => (await streamBytes(stream)).buffer,
  async readableStreamToArray(stream) {
    const parts = [];
    const reader = stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
    return parts;
  },
});
