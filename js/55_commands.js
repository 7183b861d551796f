// Slash commands and message renderers: the first hook in load order that has the name answers (hooks.md §8).
import { primordials } from "ext:core/mod.js";
import { op_emit_done } from "ext:core/ops";
import { hostCallSyncFor } from "./05_host.js";
import { thrownText, toText } from "./07_values.js";
import { createCommandContext, settings } from "./30_context.js";
import { endScope, Scope } from "./35_scope.js";
import { NotOpen, disposeComponent, inputComponent, invalidateComponent, renderComponent, renderMessage } from "./42_components.js";
import { callOwned, hooks, isError, reportError, stackOf } from "./47_hooks.js";
import { running, Waiting } from "./50_dispatch.js";

const { Error, JSONParse, MapPrototypeDelete, MapPrototypeGet, MapPrototypeSet } = primordials;

function first(kind, name) {
  for (let i = 0; i < hooks.length; i++) {
    const found = hooks[i] === undefined ? undefined : MapPrototypeGet(hooks[i][kind], name);
    if (found !== undefined) return { hook: hooks[i], found };
  }
  return undefined;
}

/** Runs `body` and reports its value or its error as the envelope of call `id`. */
async function answer(id, body) {
  let out;
  const waiting = new Waiting();
  MapPrototypeSet(running, id, waiting);
  try {
    const value = await waiting.settle(body());
    out = waiting.cancelled ? '{"cancelled":true}' : `{"result":${toText(value === undefined ? null : value)}}`;
  } catch (error) {
    out = `{"notFound":${error instanceof NotOpen},"thrown":${toText({ message: thrownText(error), isError: isError(error), stack: stackOf(error) })}}`;
  }
  MapPrototypeDelete(running, id);
  op_emit_done(id, out);
}

function commandOf(index, name) {
  const found = hooks[index] === undefined ? undefined : MapPrototypeGet(hooks[index].commands, name);
  return found === undefined ? undefined : { hook: hooks[index], found };
}

async function runCommand(id, { name, args, hook }) {
  const hit = hook === undefined ? first("commands", name) : commandOf(hook, name);
  if (hit === undefined) throw new Error(`no hook registers the command "${name}"`);
  const model = settings.hasHost ? hostCallSyncFor(hit.hook.index, id, "ctx.getModel", []) : undefined;
  const scope = new Scope();
  try {
    await callOwned(hit.hook, id, hit.found.handler, args, createCommandContext(hit.hook, id, model), scope);
  } catch (error) {
    reportError(hit.hook, `command:${name}`, error);
    throw error;
  } finally {
    endScope(scope);
  }
  return undefined;
}

async function render({ type, message, expanded, width }) {
  const hit = first("renderers", type);
  if (hit === undefined) return undefined;
  try {
    return await renderMessage((...args) => callRenderer(hit, args), message, expanded, width);
  } catch (error) {
    reportError(hit.hook, `renderer:${type}`, error);
    throw error;
  }
}

function callRenderer(hit, [message, options, theme]) {
  return callOwned(hit.hook, 0, (a, b) => hit.found(a, b, theme), message, options);
}

const CALLS = {
  __proto__: null,
  command: (params, id) => runCommand(id, params),
  render,
  componentRender: ({ id, width, rows }) => renderComponent(id, width, rows),
  componentInput: ({ id, data }) => inputComponent(id, data),
  componentInvalidate: ({ id }) => invalidateComponent(id),
  componentDispose: ({ id }) => disposeComponent(id),
};

/** A call from the host that is not an emit: `kind` names it, `text` holds its parameters as JSON. Never throws. */
export function call(id, kind, text) {
  return answer(id, async () => CALLS[kind](JSONParse(text), id));
}

