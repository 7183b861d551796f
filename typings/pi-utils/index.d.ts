/** Small helpers of the agents. */
declare module "@f5-sales-demo/pi-utils" {
	export interface Logger {
		error(message: string, context?: Record<string, unknown>): void;
		warn(message: string, context?: Record<string, unknown>): void;
		/** Not in every agent. */
		info(message: string, context?: Record<string, unknown>): void;
		debug(message: string, context?: Record<string, unknown>): void;
	}

	/** Writes to the engine's log, never to stdout. */
	export const logger: Logger;

	export const CONFIG_DIR_NAME: string;
	export function getAgentDir(): string;
	export function getProjectDir(): string;
	/** The first of these environment variables that is set and not empty. */
	export function $pickenv(...names: string[]): string | undefined;
	export function tryParseJson<T = unknown>(text: string): T | null;
	export function structuredCloneJSON<T>(value: T): T;
	export function parseFrontmatter(content: string): { frontmatter: Record<string, unknown>; body: string };

	export function isRecord(value: unknown): value is Record<string, unknown>;
	export function asRecord(value: unknown): Record<string, unknown> | null;
	export function toError(value: unknown): Error;
	export function isFsError(error: unknown): error is Error & { code: string };
	export function hasFsCode(error: unknown, code: string): error is Error & { code: string };
	export function isEnoent(error: unknown): error is Error & { code: string };
	export function isEacces(error: unknown): error is Error & { code: string };
	export function isEisdir(error: unknown): error is Error & { code: string };
	export function isEnotdir(error: unknown): error is Error & { code: string };
	export function isEexist(error: unknown): error is Error & { code: string };
	export function isEnotempty(error: unknown): error is Error & { code: string };

	export class AbortError extends Error {
		constructor(signal?: AbortSignal);
	}
	/** Rejects with `AbortError` when the signal fires first. */
	export function untilAborted<T>(signal: AbortSignal | null | undefined, work: Promise<T> | (() => Promise<T>)): Promise<T>;
	export function withTimeout<T>(promise: Promise<T>, ms: number, message?: string): Promise<T>;
	export function once<T>(compute: () => T): () => T;

	export function formatDuration(ms: number): string;
	export function formatNumber(count: number): string;
	export function formatBytes(bytes: number): string;
	export function formatCount(label: string, count: number): string;
	export function formatAge(seconds: number | undefined): string;
	export function formatPercent(ratio: number): string;
	export function pluralize(label: string, count: number): string;
	/** Cuts by characters; for columns see `truncateToWidth` of the TUI package. */
	export function truncate(text: string, maxLength: number, ellipsis?: string): string;
}
