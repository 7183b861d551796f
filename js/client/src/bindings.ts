import type { HookContext, HookError, HookUIContext, ModelRegistry, ReadonlySessionManager } from "./hook-types.js";
import type { HookRunnerOptions } from "./handlers.js";
import { plainTheme } from "./theme.js";

/** What the host supplies to one runner: set by `HookRunner`, read by everything that answers the engine. */
export interface Bindings extends Required<Omit<HookRunnerOptions, "complete" | "sendMessageHandler" | "appendEntryHandler">> {
	cwd: string;
	sessionManager: ReadonlySessionManager;
	modelRegistry: ModelRegistry;
	complete: HookRunnerOptions["complete"];
	initialized: boolean;
	emitError(error: HookError): void;
}

/** No user interface: the documented default of every member. */
export function headlessUi(): HookUIContext {
	let theme: ReturnType<typeof plainTheme> | undefined;
	return {
		select: async () => undefined,
		confirm: async () => false,
		input: async () => undefined,
		editor: async () => undefined,
		notify: () => {},
		setStatus: () => {},
		custom: async () => undefined as never,
		setEditorText: () => {},
		getEditorText: () => "",
		get theme() {
			theme ??= plainTheme();
			return theme;
		},
	};
}

const stays = async (): Promise<{ cancelled: boolean }> => ({ cancelled: false });

/** Bindings of a runner that the host has not initialised. */
export function headlessBindings(
	cwd: string,
	sessionManager: ReadonlySessionManager,
	modelRegistry: ModelRegistry,
	emitError: (error: HookError) => void,
): Bindings {
	return {
		cwd,
		sessionManager,
		modelRegistry,
		emitError,
		initialized: false,
		getModel: () => undefined,
		isIdle: () => true,
		waitForIdle: async () => {},
		abort: () => {},
		hasQueuedMessages: () => false,
		newSessionHandler: stays,
		branchHandler: stays,
		navigateTreeHandler: stays,
		uiContext: headlessUi(),
		hasUI: false,
		complete: undefined,
		requestRender: () => {},
	};
}

/** The `ctx` of handlers that run in the host. */
export function contextOf(bindings: Bindings): HookContext {
	return {
		ui: bindings.uiContext,
		hasUI: bindings.hasUI,
		cwd: bindings.cwd,
		sessionManager: bindings.sessionManager,
		modelRegistry: bindings.modelRegistry,
		model: bindings.getModel(),
		isIdle: () => bindings.isIdle(),
		abort: () => bindings.abort(),
		hasQueuedMessages: () => bindings.hasQueuedMessages(),
	};
}
