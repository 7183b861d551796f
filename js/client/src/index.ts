/**
 * The hook subsystem of pi agents, with the same names and signatures, backed by `hookrt serve`. An agent takes it by importing from here
 * what it imported from its own `extensibility/hooks`.
 */
export type * from "./hook-types.js";
export { agentRoots, findBinary } from "./binary.js";
export { type ClientLogger, configureEngine, type EngineOptions, shutdownEngine } from "./engine.js";
export { Code as HookrtErrorCode, HookrtError } from "./errors.js";
export { execCommand } from "./exec.js";
export type * from "./handlers.js";
export {
	discoverAndLoadHooks,
	type DiscoverOptions,
	type HookSource,
	loadHooks,
	type LoadHooksOptions,
	type LoadHooksResult,
	type PermissionList,
	type Permissions,
} from "./load.js";
export type { LoadedHook } from "./loaded-hook.js";
export type { DiscoveredItem, Discovery } from "./messages.js";
export { type AnyHookEvent, type EmitReturn, type HookErrorListener, HookRunner } from "./runner.js";
export { HookToolWrapper, type ToolResult, type WrappableTool } from "./tool-wrapper.js";
