// What `require` finds when Node's own rules find nothing: TypeScript files, tsconfig paths, and the modules the engine ships.
import { core, primordials } from "ext:core/mod.js";
import { op_require_found, op_require_resolve } from "ext:core/ops";
import { loadHostPackage } from "./60_host_packages.js";

const { ObjectAssign, StringPrototypeSlice, StringPrototypeStartsWith } = primordials;
const SHIPPED = "hookrt:";
const loadBun = core.createLazyLoader("ext:hookrt/71_bun_global.js");

function load(name) {
  if (name === "bun") {
    const { Bun } = loadBun();
    return { ...Bun, default: Bun };
  }
  if (name === "bun-sqlite") {
    const members = loadBun().sqlite();
    return { ...members, default: members.Database };
  }
  return loadHostPackage(name);
}

/**
 * The file name behind `require(request)` in `filename`; undefined when there is none. Called by `node:module` (see build/transpile.rs).
 * @param Module its `Module`, whose cache answers for shipped modules
 */
export function requireResolve(request, filename, Module) {
  if (typeof filename !== "string") return undefined;
  let found;
  try {
    found = op_require_resolve(request, filename);
  } catch (error) {
    if (StringPrototypeStartsWith(request, "bun:")) throw error;
    return undefined; // Node's own error carries the code that callers look for
  }
  if (found === null || found === undefined) return undefined;
  if (StringPrototypeStartsWith(found, SHIPPED)) {
    const name = StringPrototypeSlice(found, SHIPPED.length);
    Module._cache[found] ??= ObjectAssign(new Module(found), { exports: load(name), loaded: true });
  }
  return found;
}

/** Tells the loader which file Node's rules found for a `require` in `filename`; the answer is that file. */
export function requireFound(found, filename) {
  if (typeof filename === "string") op_require_found(found, filename);
  return found;
}
