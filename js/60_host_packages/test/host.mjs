// Stands in for the engine's modules that the packages import. `calls` records what went to the host, `answer`
// decides what comes back.

import { register } from "node:module";

const host = `
  const state = (globalThis.__host ??= { calls: [], answer: () => undefined, cancelled: 0 });
  export const NO_HOOK = -1;
  export const hostAsk = (_hook, _emit, name, args) => {
    state.calls.push([name, ...args]);
    const answer = (async () => state.answer(name, ...args))();
    return { answer, cancel: () => void (state.cancelled += 1) };
  };
  export const hostCall = (name, ...args) => hostAsk(NO_HOOK, 0, name, args).answer;
  export const hostCallSync = (name, ...args) => { state.calls.push([name, ...args]); return state.answer(name, ...args); };
  export const hostNotify = (name, ...args) => void state.calls.push([name, ...args]);
`;
const theme = new URL("../../40_theme.js", import.meta.url);
const instance = `
  import { createTheme } from ${JSON.stringify(theme.href)};
  let theme = createTheme({ env: { COLORTERM: "truecolor" } });
  export const currentTheme = () => theme;
  export const configureTheme = (options) => { theme = createTheme(options); };
`;
const module = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const hooks = `
  const replaced = ${JSON.stringify({ "05_host.js": module(host), "41_theme_instance.js": module(instance) })};
  export function resolve(specifier, context, next) {
    const name = specifier.split("/").pop();
    return replaced[name] ? { url: replaced[name], shortCircuit: true } : next(specifier, context);
  }
`;
register(module(hooks));

globalThis.__host = { calls: [], answer: () => undefined, cancelled: 0 };

/** The stand-in host: `calls` so far and how it answers. */
export const testHost = globalThis.__host;

/** A module of the packages, loaded against the stand-in. */
export const load = (path) => import(new URL(`../${path}`, import.meta.url).href);

export const themeInstance = () => import(module(instance));
