// Custom components and message renderers: JavaScript objects that draw, driven by the host through a component id.
import { primordials } from "ext:core/mod.js";
import { hostAsk, hostNotifyFor, runnerId } from "./05_host.js";
import { trackComponent } from "./35_scope.js";
import { currentTheme, screen } from "./41_theme_instance.js";
import { callOwned, reportError } from "./47_hooks.js";
import { loadHostPackage } from "./60_host_packages.js";

const {
  ArrayIsArray,
  ArrayPrototypeMap,
  Error,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeSet,
  ObjectDefineProperty,
  Promise,
  PromisePrototypeThen,
  RegExpPrototypeTest,
  SafeMap,
  SafeRegExp,
  String,
} = primordials;

/** Open components by id: `{component, columns, rows, hook, emit, close}`. */
const open = new SafeMap();
let nextComponent = 1;

function lines(rendered) {
  return ArrayIsArray(rendered) ? ArrayPrototypeMap(rendered, (line) => String(line)) : [];
}

/** Runs `ctx.ui.custom`: the component lives until the hook calls `done` or the host closes it; gives what `done` was given. */
export async function showComponent(hook, emit, factory, options) {
  const id = runnerId(nextComponent++);
  const slot = { component: undefined, columns: screen.columns, rows: screen.rows, hook, emit, close: undefined };
  let finish, fail;
  const finished = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const tell = (name) => hostNotifyFor(hook.index, emit, name, [id]);
  const tui = {
    requestRender: () => tell("ui.customRender"),
    start: () => tell("ui.customStart"),
    stop: () => tell("ui.customStop"),
    terminal: {
      get columns() {
        return slot.columns;
      },
      get rows() {
        return slot.rows;
      },
    },
  };
  let ended = false;
  const done = (value) => {
    ended = true;
    finish(value);
  };
  slot.close = () => done(undefined);
  const untrack = trackComponent(slot.close);
  MapPrototypeSet(open, id, slot);
  let cancel;
  try {
    const both = withKeybindings(done);
    slot.component = await factory(tui, currentTheme(), both, both);
    if (!ended) {
      const shown = hostAsk(hook.index, emit, "ui.custom", options === undefined ? [id] : [id, options]);
      cancel = shown.cancel;
      PromisePrototypeThen(shown.answer, finish, fail); // the host closed it without an answer of the hook's
    }
    return await finished;
  } finally {
    untrack();
    cancel?.();
    MapPrototypeDelete(open, id);
    slot.component?.dispose?.();
  }
}

const KEYBINDINGS = ["matches", "getKeys", "getDefinition", "getConflicts", "setUserBindings", "getUserBindings", "getResolvedBindings"];

/** Newer agents hand their keybindings over before `done`: what stands in both places is both. */
function withKeybindings(done) {
  for (let i = 0; i < KEYBINDINGS.length; i++) {
    const name = KEYBINDINGS[i];
    const value = (first, second) => loadHostPackage("pi-tui").getKeybindings()[name](first, second);
    ObjectDefineProperty(done, name, { __proto__: null, value });
  }
  return done;
}

/** A component the host names that is not there (any more). */
export class NotOpen extends Error {}

function component(id) {
  const slot = MapPrototypeGet(open, id);
  if (slot?.component === undefined) throw new NotOpen(`component ${id} is not open`);
  return slot;
}

/** Calls into an open component as its hook; a throw goes to the error listeners and to the caller. */
function within(slot, body) {
  try {
    return callOwned(slot.hook, slot.emit, body, slot.component);
  } catch (error) {
    reportError(slot.hook, "ui.custom", error);
    throw error;
  }
}

/** Draws component `id` at `width` columns: one string a line. */
export function renderComponent(id, width, rows) {
  const slot = component(id);
  slot.columns = width;
  if (rows) slot.rows = rows;
  return within(slot, (shown) => lines(shown.render(width)));
}

/** The release of a key, as terminals with the kitty protocol tell it. */
const KEY_RELEASE = new SafeRegExp("^\\x1b\\[[0-9;:]*:3[u~A-HPQS]$");

/** Hands terminal input to component `id`; releases of keys only to one that wants them. */
export function inputComponent(id, data) {
  within(component(id), (shown) => {
    if (!shown.wantsKeyRelease && RegExpPrototypeTest(KEY_RELEASE, data)) return;
    shown.handleInput?.(data);
  });
}

export function invalidateComponent(id) {
  within(component(id), (shown) => shown.invalidate?.());
}

/** Ends component `id` from the host's side: the hook gets `undefined`. */
export function disposeComponent(id) {
  component(id).close();
}

/** Draws a custom message with a hook's renderer; `undefined` means the host's default. */
export async function renderMessage(renderer, message, expanded, width) {
  const drawn = await renderer(message, { expanded }, currentTheme());
  if (drawn === undefined || drawn === null) return undefined;
  try {
    return lines(drawn.render(width));
  } finally {
    drawn.dispose?.();
  }
}
