// Bytes in all the forms people hand them over.

const encoder = new TextEncoder();

/** Whether the value is a blob of the web platform or a file of `Bun.file`. */
export const isBlobLike = (value) => typeof value?.arrayBuffer === "function";

/**
 * @param {unknown} data string, typed array, buffer, blob, file, response, readable stream, or an array of them
 * @returns {Promise<Uint8Array>}
 * @throws {TypeError} for anything else
 */
export async function toBytes(data) {
  if (Array.isArray(data)) return concat(await Promise.all(data.map(toBytes)));
  if (isBlobLike(data)) return new Uint8Array(await data.arrayBuffer());
  if (typeof data?.getReader === "function") return streamBytes(data);
  return toBytesNow(data);
}

/** {@link toBytes} for what needs no waiting. */
export function toBytesNow(data) {
  if (typeof data === "string") return encoder.encode(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (typeof SharedArrayBuffer === "function" && data instanceof SharedArrayBuffer) return new Uint8Array(data).slice();
  if (typeof data === "number" || typeof data === "bigint" || typeof data === "boolean") return encoder.encode(String(data));
  throw new TypeError("Expected a string, bytes, a blob, a response or a stream");
}

export function concat(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** All bytes of a web stream; text chunks are encoded. */
export async function streamBytes(stream) {
  const reader = stream.getReader();
  const parts = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(toBytesNow(read.value));
  return concat(parts);
}

export const decode = (bytes) => new TextDecoder().decode(bytes);
