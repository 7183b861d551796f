// The global `Bun`, made at first use over node's builtins.
import { core } from "ext:core/mod.js";
import { createBun } from "./70_bun.js";
import { createSqlite } from "./70_bun/sqlite.js";

const builtins = { __proto__: null };

/** A node builtin's namespace, loaded once. */
function node(name) {
  builtins[name] ??= core.createLazyLoader(`node:${name}`);
  return builtins[name]();
}

export const Bun = createBun({ node });

let database;

/** The members of `bun:sqlite`, made at first use. */
export function sqlite() {
  return database ??= createSqlite(node);
}
