// The one theme of a runner, made at first use from what the host and the environment say.
import { core } from "ext:core/mod.js";

const load = core.createLazyLoader("ext:hookrt/40_theme.js");
let instance;
let options = {};

/** Chooses palette and symbols: `{mode, symbols, noColor}`; absent fields follow the environment. */
export function configureTheme(chosen) {
  options = chosen ?? {};
  instance = undefined;
}

export function currentTheme() {
  instance ??= load().createTheme(options);
  return instance;
}
