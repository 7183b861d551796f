// Known to node:console under the name it has in Deno's own runtime: it wants the descriptor of the `console` that hooks see.
import { internals } from "ext:core/mod.js";

export const windowOrWorkerGlobalScope = {
  get console() {
    return { value: internals.hookConsole };
  },
};
