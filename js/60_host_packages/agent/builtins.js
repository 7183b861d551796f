// Node's builtins, asked for only when something needs them: the packages themselves load without any.

/** @param {string} name e.g. `"fs"` @returns {any} the builtin module */
export function builtin(name) {
  const module = globalThis.process?.getBuiltinModule?.(`node:${name}`);
  if (!module) throw new Error(`node:${name} is not available here`);
  return module;
}

/** The process environment, empty where there is none. */
export function environment() {
  return globalThis.process?.env ?? {};
}
