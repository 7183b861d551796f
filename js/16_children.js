// Child processes of hooks (`child_process.spawn` and what builds on it), kept so that the end of the session can end them. One that the hook
// let go – detached, or `unref()`ed – outlives the session as it would outlive Node.
import { core, primordials } from "ext:core/mod.js";
import { op_in_host } from "ext:core/ops";
import { settings } from "./30_context.js";

const { FunctionPrototypeCall, PromisePrototypeThen, SafeSet, SetPrototypeAdd, SetPrototypeDelete, SetPrototypeForEach } = primordials;

/** `{child, outlives}` of every child that runs. */
const running = new SafeSet();

/** Notes every child from now on; must run before node's `child_process` is loaded, which takes its functions from there once. */
export function watchChildren() {
  const process = core.loadExtScript("ext:deno_process/40_process.js");
  const spawn = process.nodeSpawnChild;
  process.nodeSpawnChild = (command, options) => {
    const child = spawn(command, options);
    const { ref, unref } = child;
    const entry = { child, outlives: options?.detached === true };
    child.ref = () => {
      entry.outlives = false;
      FunctionPrototypeCall(ref, child);
    };
    child.unref = () => {
      entry.outlives = true;
      FunctionPrototypeCall(unref, child);
    };
    SetPrototypeAdd(running, entry);
    const ended = () => SetPrototypeDelete(running, entry);
    PromisePrototypeThen(child.status, ended, ended);
    return child;
  };
  const spawnSync = process.nodeSpawnSyncChild;
  // The isolate stands still meanwhile: the child's time is not the handler's, and it is limited.
  process.nodeSpawnSyncChild = (options) => {
    op_in_host(true);
    try {
      const timeout = options.timeout > 0 ? options.timeout : settings.syncChildTimeoutMs;
      // `env` is all of it, as for children that are not waited for.
      return spawnSync({ __proto__: null, ...options, clearEnv: true, timeout });
    } finally {
      op_in_host(false);
    }
  };
}

/** Kills every child that was not let go. */
export function killChildren() {
  SetPrototypeForEach(running, ({ child, outlives }) => {
    if (outlives) return;
    try {
      child.kill("SIGKILL");
    } catch { /* it has ended meanwhile */ }
  });
}
