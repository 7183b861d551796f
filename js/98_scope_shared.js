// Known to node:console under the name it has in Deno's own runtime.
import { globals } from "ext:hookrt/10_globals.js";

export const windowOrWorkerGlobalScope = globals;
