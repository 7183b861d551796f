// The private namespace that node polyfills know as `Deno`. It is created before any other extension runs, so that
// every extension script can bind it at its top (see build/transpile.rs); 15_private_ns.js fills it. Hooks never see it.
import { internals } from "ext:core/mod.js";

internals.privateNs = {};
