/** The part of Bun that the engine has, for authors without `@types/bun`. Anything else of `Bun` is `undefined` in a hook. */
interface BunFile {
	readonly size: number;
	readonly name?: string;
	text(): Promise<string>;
	json(): Promise<any>;
	bytes(): Promise<Uint8Array>;
	arrayBuffer(): Promise<ArrayBuffer>;
	exists(): Promise<boolean>;
}

interface BunSpawnOptions {
	cwd?: string;
	env?: Record<string, string | undefined>;
	stdin?: any;
	stdout?: "pipe" | "inherit" | "ignore" | null;
	stderr?: "pipe" | "inherit" | "ignore" | null;
}

interface BunSubprocess {
	readonly pid: number;
	readonly stdout: ReadableStream<Uint8Array>;
	readonly stderr: ReadableStream<Uint8Array>;
	readonly exited: Promise<number>;
	readonly exitCode: number | null;
	kill(signal?: string | number): void;
}

interface BunSyncSubprocess {
	readonly stdout: Buffer;
	readonly stderr: Buffer;
	readonly exitCode: number;
	readonly success: boolean;
}

interface BunShellOutput {
	readonly stdout: Buffer;
	readonly stderr: Buffer;
	readonly exitCode: number;
	text(): string;
	json(): any;
}

interface BunShellPromise extends Promise<BunShellOutput> {
	text(): Promise<string>;
	json(): Promise<any>;
	lines(): AsyncIterable<string>;
	quiet(): this;
	nothrow(): this;
	cwd(path: string): this;
	env(env: Record<string, string | undefined>): this;
}

declare namespace Bun {
	function file(path: string | URL): BunFile;
	function write(path: string | URL | BunFile, data: string | Uint8Array | ArrayBuffer | BunFile | Response): Promise<number>;
	function spawn(command: string[], options?: BunSpawnOptions): BunSubprocess;
	function spawnSync(command: string[], options?: BunSpawnOptions): BunSyncSubprocess;
	function $(parts: TemplateStringsArray, ...values: unknown[]): BunShellPromise;
	function sleep(ms: number): Promise<void>;
	function which(command: string): string | null;
	const env: Record<string, string | undefined>;
}

declare module "bun" {
	export import file = Bun.file;
	export import write = Bun.write;
	export import spawn = Bun.spawn;
	export import spawnSync = Bun.spawnSync;
	export import $ = Bun.$;
	export import sleep = Bun.sleep;
	export import which = Bun.which;
	export import env = Bun.env;
}

declare module "bun:sqlite" {
	type Parameter = string | number | bigint | boolean | null | undefined | Uint8Array;
	type Parameters = (Parameter | Parameter[] | Record<string, Parameter>)[];

	export const constants: { SQLITE_OPEN_READONLY: number; SQLITE_OPEN_READWRITE: number; SQLITE_OPEN_CREATE: number };

	export interface Changes {
		changes: number;
		lastInsertRowid: number | bigint;
	}

	export class Statement<Row = unknown> {
		private constructor();
		readonly columnNames: string[];
		readonly database: Database;
		all(...parameters: Parameters): Row[];
		get(...parameters: Parameters): Row | null;
		values(...parameters: Parameters): unknown[][];
		run(...parameters: Parameters): Changes;
		iterate(...parameters: Parameters): IterableIterator<Row>;
		as<T>(shape: new (...args: never[]) => T): Statement<T>;
		finalize(): void;
	}

	export interface Transaction<A extends unknown[], R> {
		(...args: A): R;
		default(...args: A): R;
		deferred(...args: A): R;
		immediate(...args: A): R;
		exclusive(...args: A): R;
	}

	export class Database {
		constructor(filename?: string, options?: number | { readonly?: boolean; create?: boolean; readwrite?: boolean; strict?: boolean; safeIntegers?: boolean });
		static open(filename: string, options?: number): Database;
		readonly filename: string;
		readonly inTransaction: boolean;
		prepare<Row = unknown>(sql: string): Statement<Row>;
		query<Row = unknown>(sql: string): Statement<Row>;
		run(sql: string, ...parameters: Parameters): Changes;
		exec(sql: string, ...parameters: Parameters): Changes;
		transaction<A extends unknown[], R>(body: (...args: A) => R): Transaction<A, R>;
		close(): void;
	}
	export default Database;
}

interface ImportMeta {
	/** As `dirname`. */
	dir: string;
	/** As `filename`. */
	path: string;
	/** The last part of `filename`. */
	file: string;
	/** Always false: a hook is never the program. */
	main: boolean;
}

/** Files that are imported for their text. */
declare module "*.md" {
	const text: string;
	export default text;
}

declare module "*.txt" {
	const text: string;
	export default text;
}
