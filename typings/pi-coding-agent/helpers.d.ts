/** Functions of the agent's package that hooks use. */
declare module "@f5-sales-demo/xcsh" {
	import type { AgentMessage, AgentTool } from "@f5-sales-demo/pi-agent-core";
	import type { Usage } from "@f5-sales-demo/pi-ai";
	import type { KeyId } from "@f5-sales-demo/pi-tui";
	import type { TSchema } from "@sinclair/typebox";

	export { StringEnum } from "@f5-sales-demo/pi-ai";
	export { Container, Markdown, Spacer, Text } from "@f5-sales-demo/pi-tui";
	export { logger } from "@f5-sales-demo/pi-utils";
	export { Type } from "@sinclair/typebox";

	/** Gives the tool back unchanged; it is there for the compiler. */
	export function defineTool<TParameters extends TSchema, TDetails = any>(
		tool: AgentTool<TParameters, TDetails>,
	): AgentTool<TParameters, TDetails>;

	// Sessions and tokens.
	export const CURRENT_SESSION_VERSION: number;
	export function parseSessionEntries(content: string): (SessionHeader | SessionEntry)[];
	export function getLatestCompactionEntry(entries: SessionEntry[]): CompactionEntry | null;

	export interface SessionContext {
		messages: AgentMessage[];
		thinkingLevel?: string | null;
		model: { provider: string; modelId: string } | null;
		[field: string]: any;
	}

	/** What a model sees of a session; `leafId` null: before its first entry. */
	export function buildSessionContext(
		entries: SessionEntry[],
		leafId?: string | null,
		byId?: Map<string, SessionEntry>,
	): SessionContext;

	export const DEFAULT_COMPACTION_SETTINGS: Readonly<CompactionSettings>;
	/** A rough number of tokens. */
	export function estimateTokens(message: AgentMessage): number;
	export function calculateContextTokens(usage: Usage): number;
	export function getLastAssistantUsage(entries: SessionEntry[]): Usage | undefined;
	export function shouldCompact(contextTokens: number, contextWindow: number, settings: CompactionSettings): boolean;

	// Long output.
	export const DEFAULT_MAX_LINES: number;
	/** Bytes of UTF-8. */
	export const DEFAULT_MAX_BYTES: number;
	export interface TruncationOptions {
		maxLines?: number;
		maxBytes?: number;
	}
	export function formatSize(bytes: number): string;
	/** Whole lines from the start. */
	export function truncateHead(content: string, options?: TruncationOptions): TruncationResult;
	/** Whole lines from the end. */
	export function truncateTail(content: string, options?: TruncationOptions): TruncationResult;
	export function truncateLine(line: string, maxChars?: number): { text: string; wasTruncated: boolean };
	export function truncateToVisualLines(
		text: string,
		maxVisualLines: number,
		width: number,
		paddingX?: number,
	): { visualLines: string[]; skippedCount: number };

	// Text for the screen.
	/** Colours a diff whose lines are sign, line number, text. */
	export function renderDiff(diffText: string): string;
	export function getLanguageFromPath(filePath: string): string | undefined;
	export function highlightCode(code: string, lang?: string): string[];
	export function keyText(keybinding: string): string;
	export function keyHint(keybinding: string, description: string): string;
	export function rawKeyHint(key: KeyId, description: string): string;

	// Files and the system.
	export const CONFIG_DIR_NAME: string;
	export function getAgentDir(): string;
	export function getShellConfig(customShellPath?: string): { shell: string; args: string[] };
	export function copyToClipboard(text: string): Promise<void>;
	/** Changes of one file run one after the other. */
	export function withFileMutationQueue<T>(filePath: string, change: () => Promise<T>): Promise<T>;
	export function parseFrontmatter(content: string): { frontmatter: Record<string, unknown>; body: string };
	export function stripFrontmatter(content: string): string;

	export interface EventBus {
		emit(channel: string, data: unknown): void;
		on(channel: string, handler: (data: unknown) => void): () => void;
		clear(): void;
	}
	export function createEventBus(): EventBus;
}
