// What hooks have open at the host: dialogs and components. A dialog belongs to the handler call it was opened in and is closed with it;
// one opened later, from a timer or a watcher, stands alone. Whatever is open when the session ends is closed then.
import { core, primordials } from "ext:core/mod.js";
import { push } from "./06_lists.js";

const { SafeSet, SetPrototypeAdd, SetPrototypeDelete, SetPrototypeForEach, SetPrototypeGetSize } = primordials;

/** One handler, command or component call while it runs. */
export class Scope {
  over = false;
  /** Close functions of the dialogs it opened; made when the first one opens. */
  dialogs = undefined;
}

/** Close functions of everything open, in the order it was opened. */
const everything = new SafeSet();

/** The scope of the code that runs now, if its call is not over yet. */
function current() {
  const scope = core.getAsyncContext()?.hookrt?.scope;
  return scope === undefined || scope.over ? undefined : scope;
}

/** Notes an open dialog; the result takes the note back. */
export function trackDialog(close) {
  const scope = current();
  if (scope !== undefined) SetPrototypeAdd(scope.dialogs ??= new SafeSet(), close);
  SetPrototypeAdd(everything, close);
  return () => {
    if (scope !== undefined) SetPrototypeDelete(scope.dialogs, close);
    SetPrototypeDelete(everything, close);
  };
}

/** Notes an open component. It outlives its handler: a hook may show one and go on. */
export function trackComponent(close) {
  SetPrototypeAdd(everything, close);
  return () => SetPrototypeDelete(everything, close);
}

function closeAll(set) {
  const open = [];
  SetPrototypeForEach(set, (close) => push(open, close)); // closing takes itself out of the set
  for (let i = 0; i < open.length; i++) open[i]();
}

/** The call is over – returned, threw or ran out of time: nobody waits for its dialogs any more. */
export function endScope(scope) {
  scope.over = true;
  if (scope.dialogs !== undefined) closeAll(scope.dialogs);
}

/** Whether a person is being asked on behalf of this call. */
export function hasOpenDialogs(scope) {
  return scope.dialogs !== undefined && SetPrototypeGetSize(scope.dialogs) > 0;
}

/** Closes whatever is open. */
export function closeEverything() {
  closeAll(everything);
}
