// What the host says of its screen: the one theme of a runner, made at first use, and the size of the terminal.
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

/** Size of the host's terminal in cells, until a component is drawn at another one. */
export const screen = { columns: 80, rows: 24 };

export function resizeScreen({ columns, rows }) {
  if (columns > 0) screen.columns = columns;
  if (rows > 0) screen.rows = rows;
}
