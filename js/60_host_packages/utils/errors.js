// Errors of files and of stopped work, and small guards.

export const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const asRecord = (value) => (isRecord(value) ? value : null);
export const toError = (value) => (value instanceof Error ? value : new Error(String(value)));

/** An error of a file operation: one with a `code`. */
export const isFsError = (error) => error instanceof Error && typeof error.code === "string";
export const hasFsCode = (error, code) => isFsError(error) && error.code === code;
export const isEnoent = (error) => hasFsCode(error, "ENOENT");
export const isEacces = (error) => hasFsCode(error, "EACCES");
export const isEisdir = (error) => hasFsCode(error, "EISDIR");
export const isEnotdir = (error) => hasFsCode(error, "ENOTDIR");
export const isEexist = (error) => hasFsCode(error, "EEXIST");
export const isEnotempty = (error) => hasFsCode(error, "ENOTEMPTY");

/** What work stopped by a signal fails with. */
export class AbortError extends Error {
  constructor(signal) {
    const reason = signal?.reason;
    super(`Aborted: ${reason instanceof Error ? reason.message : "Cancelled"}`, { cause: reason });
    this.name = "AbortError";
  }
}

/**
 * Waits for work, but no longer than the signal lets it.
 *
 * @template T
 * @param {AbortSignal | null | undefined} signal
 * @param {Promise<T> | (() => Promise<T>)} work
 * @returns {Promise<T>} rejects with {@link AbortError} when the signal fires first
 */
export async function untilAborted(signal, work) {
  if (signal?.aborted) throw new AbortError(signal);
  const running = typeof work === "function" ? work() : work;
  if (!signal) return running;
  let stop;
  const stopped = new Promise((_, reject) => {
    stop = () => reject(new AbortError(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([running, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A function that computes once and gives the same result afterwards. */
export function once(compute) {
  let result;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/**
 * Waits for a promise for at most `ms` milliseconds.
 *
 * @throws {Error} with the message when the time is over
 */
export async function withTimeout(promise, ms, message = `Timed out after ${ms}ms`) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
