// The modules the engine ships under the names of the agents' own packages (decision 13). All are loaded at first use.
import { core, primordials } from "ext:core/mod.js";

const { MapPrototypeGet, MapPrototypeSet, SafeMap } = primordials;
const loaders = new SafeMap();

/** The namespace of a shipped package, e.g. "pi-tui". */
export function loadHostPackage(name) {
  let load = MapPrototypeGet(loaders, name);
  if (load === undefined) {
    load = core.createLazyLoader(`ext:hookrt/60_host_packages/${name}.js`);
    MapPrototypeSet(loaders, name, load);
  }
  return load();
}
