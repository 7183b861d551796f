// The end of a session: once every `session_shutdown` handler has run, what hooks left behind ends too – timers, watchers, servers, child
// processes, dialogs. The hooks stay loaded and answer later events.
import { core, primordials } from "ext:core/mod.js";
import { op_session_over } from "ext:core/ops";
import { killChildren } from "./16_children.js";
import { closeEverything } from "./35_scope.js";

const { Number } = primordials;
const nodeTimers = core.createLazyLoader("node:timers");
const { clearTimeout, setTimeout } = core.loadExtScript("ext:deno_web/02_timers.js");

/** Ids are given in order and shared by every kind of timer: the next one says how many there have been. */
let cleared = 0;

function clearTimers() {
  const next = Number(setTimeout(() => {}, 1));
  clearTimeout(next);
  // The timers of hooks are Node's. To load those only to find that there are none would cost every short session its end.
  if (next > cleared + 1) {
    const ofNode = nodeTimers();
    for (let id = cleared + 1; id < next; id++) ofNode.clearTimeout(id);
  }
  cleared = next;
}

/** Ends all that hooks have running. */
export function disposeSession() {
  closeEverything();
  clearTimers();
  killChildren();
  op_session_over();
}
