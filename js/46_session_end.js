// The end of a session: once every `session_shutdown` handler has run, what hooks left behind ends too – timers, watchers, servers, child
// processes, dialogs. The hooks stay loaded and answer later events.
import { core, primordials } from "ext:core/mod.js";
import { op_session_over } from "ext:core/ops";
import { killChildren } from "./16_children.js";
import { closeEverything } from "./35_scope.js";

const { Number } = primordials;
const timers = core.createLazyLoader("node:timers");

/** Ids are given in order and shared by every kind of timer: the next one says how many there have been. */
let cleared = 0;

/** Ends all that hooks have running. */
export function disposeSession() {
  closeEverything();
  const { clearTimeout, setTimeout } = timers();
  const next = Number(setTimeout(() => {}, 1));
  for (let id = cleared + 1; id <= next; id++) clearTimeout(id);
  cleared = next;
  killChildren();
  op_session_over();
}
