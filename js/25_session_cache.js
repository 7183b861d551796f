// Reads of the session manager, kept until the host says that the session changed: a hook that looks through thousands of entries again and
// again crosses once per change.
import { primordials } from "ext:core/mod.js";
import { op_host_session_version } from "ext:core/ops";
import { hostCallSyncFor } from "./05_host.js";

const { ArrayIsArray, ArrayPrototypeSlice, JSONStringify, MapPrototypeClear, MapPrototypeGet, MapPrototypeHas, MapPrototypeSet, SafeMap } = primordials;

const answers = new SafeMap();
let version = -1;

/** `hostCallSyncFor` with a memory. Lists are handed out as copies, so that a hook may sort or reverse its own. */
export function cachedRead(hook, emit, name, args) {
  const now = op_host_session_version();
  if (now < 0) return hostCallSyncFor(hook, emit, name, args); // the host does not count its changes
  if (now !== version) {
    MapPrototypeClear(answers);
    version = now;
  }
  const key = args.length === 0 ? name : `${name} ${JSONStringify(args)}`;
  if (!MapPrototypeHas(answers, key)) MapPrototypeSet(answers, key, hostCallSyncFor(hook, emit, name, args));
  const answer = MapPrototypeGet(answers, key);
  return ArrayIsArray(answer) ? ArrayPrototypeSlice(answer) : answer;
}
