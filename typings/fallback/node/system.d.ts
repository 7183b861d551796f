/** `child_process`, `events`, `util`, `crypto`. */
declare module "child_process" {
	import { EventEmitter } from "events";

	export interface SpawnOptions {
		cwd?: string;
		env?: NodeJS.ProcessEnv;
		stdio?: any;
		shell?: boolean | string;
		detached?: boolean;
		signal?: AbortSignal;
		/** Milliseconds. */
		timeout?: number;
	}

	export interface ExecOptions extends SpawnOptions {
		/** Bytes. */
		maxBuffer?: number;
		input?: string | Uint8Array;
	}

	export interface ChildProcess extends EventEmitter {
		readonly pid?: number;
		readonly exitCode: number | null;
		readonly killed: boolean;
		readonly stdin: any;
		readonly stdout: any;
		readonly stderr: any;
		kill(signal?: string | number): boolean;
		ref(): void;
		unref(): void;
	}

	export interface SpawnSyncReturns<T> {
		pid: number;
		stdout: T;
		stderr: T;
		status: number | null;
		signal: string | null;
		error?: Error;
	}

	type Callback = (error: (Error & { code?: number | string }) | null, stdout: string, stderr: string) => void;
	export function spawn(command: string, args?: readonly string[], options?: SpawnOptions): ChildProcess;
	export function exec(command: string, callback?: Callback): ChildProcess;
	export function exec(command: string, options: ExecOptions, callback?: Callback): ChildProcess;
	export function execFile(file: string, args?: readonly string[], callback?: Callback): ChildProcess;
	export function execFile(file: string, args: readonly string[], options: ExecOptions, callback?: Callback): ChildProcess;
	export function execSync(command: string, options: ExecOptions & { encoding: BufferEncoding }): string;
	export function execSync(command: string, options?: ExecOptions): Buffer;
	export function execFileSync(file: string, args: readonly string[], options: ExecOptions & { encoding: BufferEncoding }): string;
	export function execFileSync(file: string, args?: readonly string[], options?: ExecOptions): Buffer;
	export function spawnSync(
		command: string,
		args: readonly string[],
		options: ExecOptions & { encoding: BufferEncoding },
	): SpawnSyncReturns<string>;
	export function spawnSync(command: string, args?: readonly string[], options?: ExecOptions): SpawnSyncReturns<Buffer>;
	export {};
}

declare module "events" {
	export class EventEmitter {
		on(event: string | symbol, listener: (...args: any[]) => void): this;
		once(event: string | symbol, listener: (...args: any[]) => void): this;
		off(event: string | symbol, listener: (...args: any[]) => void): this;
		addListener(event: string | symbol, listener: (...args: any[]) => void): this;
		removeListener(event: string | symbol, listener: (...args: any[]) => void): this;
		removeAllListeners(event?: string | symbol): this;
		emit(event: string | symbol, ...args: any[]): boolean;
		listenerCount(event: string | symbol): number;
	}
	export function once(emitter: EventEmitter, event: string | symbol): Promise<any[]>;
	export default EventEmitter;
}

declare module "util" {
	export function inspect(value: unknown, options?: any): string;
	export function format(format?: unknown, ...args: unknown[]): string;
	export function promisify(fn: typeof import("child_process").exec): (
		command: string,
		options?: import("child_process").ExecOptions,
	) => Promise<{ stdout: string; stderr: string }>;
	export function promisify(fn: typeof import("child_process").execFile): (
		file: string,
		args?: readonly string[],
		options?: import("child_process").ExecOptions,
	) => Promise<{ stdout: string; stderr: string }>;
	export function promisify(fn: Function): (...args: any[]) => Promise<any>;
	export function isDeepStrictEqual(a: unknown, b: unknown): boolean;
	export function stripVTControlCharacters(text: string): string;
	export function parseArgs(config?: any): { values: Record<string, any>; positionals: string[] };
	export const types: any;
}

declare module "crypto" {
	export interface Hash {
		update(data: string | ArrayBufferView, encoding?: BufferEncoding): this;
		digest(encoding: BufferEncoding): string;
		digest(): Buffer;
	}
	export function createHash(algorithm: string): Hash;
	export function createHmac(algorithm: string, key: string | ArrayBufferView): Hash;
	export function randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
	export function randomBytes(size: number): Buffer;
	export function randomInt(max: number): number;
	export function randomInt(min: number, max: number): number;
	export function timingSafeEqual(a: ArrayBufferView, b: ArrayBufferView): boolean;
	export const webcrypto: Crypto;
}

declare module "node:child_process" {
	export * from "child_process";
	import * as self from "child_process";
	export default self;
}
declare module "node:events" {
	export * from "events";
	export { default } from "events";
}
declare module "node:util" {
	export * from "util";
	import * as self from "util";
	export default self;
}
declare module "node:crypto" {
	export * from "crypto";
	import * as self from "crypto";
	export default self;
}
