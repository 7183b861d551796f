import type {
	AssistantMessage,
	Context,
	HookMessageInput,
	HookUIContext,
	Model,
	SendMessageOptions,
	SessionManager,
} from "./hook-types.js";

export type SendMessageHandler = <T = unknown>(message: HookMessageInput<T>, options?: SendMessageOptions) => void;
export type AppendEntryHandler = <T = unknown>(customType: string, data?: T) => void;
export type NewSessionHandler = (options?: {
	parentSession?: string;
	setup?: (sessionManager: SessionManager) => Promise<void> | void;
}) => Promise<{ cancelled: boolean }>;
export type BranchHandler = (entryId: string) => Promise<{ cancelled: boolean }>;
export type NavigateTreeHandler = (targetId: string, options?: { summarize?: boolean }) => Promise<{ cancelled: boolean }>;
/** Not in the reference: model calls of hooks (`complete`, `stream` of pi-ai). */
export type CompleteHandler = (
	request: { model: Model; context: Context; options?: Record<string, unknown> },
	signal: AbortSignal,
) => Promise<AssistantMessage>;

/** What `HookRunner.initialize` takes. */
export interface HookRunnerOptions {
	getModel: () => Model | undefined;
	sendMessageHandler: SendMessageHandler;
	appendEntryHandler: AppendEntryHandler;
	newSessionHandler?: NewSessionHandler;
	branchHandler?: BranchHandler;
	navigateTreeHandler?: NavigateTreeHandler;
	isIdle?: () => boolean;
	waitForIdle?: () => Promise<void>;
	abort?: () => void;
	hasQueuedMessages?: () => boolean;
	uiContext?: HookUIContext;
	hasUI?: boolean;
	/** Answers the model calls of hooks; without it they fail with an error that says so. */
	complete?: CompleteHandler;
	/** Draws the screen again when lines of a message that a hook renders have arrived. */
	requestRender?: () => void;
}
