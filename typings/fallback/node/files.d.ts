/** `fs`, `fs/promises`, `path`, `os`, `url`. */
declare module "fs" {
	export interface Stats {
		isFile(): boolean;
		isDirectory(): boolean;
		isSymbolicLink(): boolean;
		size: number;
		mode: number;
		mtime: Date;
		/** Milliseconds since the epoch. */
		mtimeMs: number;
		ctimeMs: number;
		atimeMs: number;
		birthtimeMs: number;
	}

	export interface Dirent {
		name: string;
		parentPath: string;
		isFile(): boolean;
		isDirectory(): boolean;
		isSymbolicLink(): boolean;
	}

	export interface FSWatcher {
		close(): void;
		ref(): this;
		unref(): this;
		on(event: "change", listener: (eventType: string, filename: string) => void): this;
		on(event: "error", listener: (error: Error) => void): this;
		on(event: "close", listener: () => void): this;
	}

	type Encoded = BufferEncoding | { encoding: BufferEncoding; flag?: string };
	type WriteOptions = BufferEncoding | { encoding?: BufferEncoding; mode?: number | string; flag?: string };
	export type PathLike = string | URL | Uint8Array;

	export const constants: { readonly F_OK: number; readonly R_OK: number; readonly W_OK: number; readonly X_OK: number };
	export const promises: typeof import("fs/promises");
	export function existsSync(path: PathLike): boolean;
	export function accessSync(path: PathLike, mode?: number): void;
	export function readFileSync(path: PathLike | number, options: Encoded): string;
	export function readFileSync(path: PathLike | number): Buffer;
	export function writeFileSync(path: PathLike | number, data: string | Uint8Array, options?: WriteOptions): void;
	export function appendFileSync(path: PathLike | number, data: string | Uint8Array, options?: WriteOptions): void;
	export function mkdirSync(path: PathLike, options?: { recursive?: boolean; mode?: number | string }): string | undefined;
	export function mkdtempSync(prefix: string): string;
	export function readdirSync(path: PathLike, options: { withFileTypes: true; recursive?: boolean }): Dirent[];
	export function readdirSync(path: PathLike, options?: { recursive?: boolean } | BufferEncoding): string[];
	export function statSync(path: PathLike, options: { throwIfNoEntry: false }): Stats | undefined;
	export function statSync(path: PathLike): Stats;
	export function lstatSync(path: PathLike): Stats;
	export function realpathSync(path: PathLike): string;
	export function readlinkSync(path: PathLike): string;
	export function symlinkSync(target: PathLike, path: PathLike): void;
	export function renameSync(from: PathLike, to: PathLike): void;
	export function copyFileSync(from: PathLike, to: PathLike): void;
	export function chmodSync(path: PathLike, mode: number | string): void;
	export function unlinkSync(path: PathLike): void;
	export function rmSync(path: PathLike, options?: { recursive?: boolean; force?: boolean }): void;
	export function rmdirSync(path: PathLike): void;
	export function openSync(path: PathLike, flags: string, mode?: number): number;
	export function closeSync(fd: number): void;
	export function watch(
		path: PathLike,
		options: { persistent?: boolean; recursive?: boolean; signal?: AbortSignal },
		listener?: (eventType: "rename" | "change", filename: string | null) => void,
	): FSWatcher;
	export function watch(path: PathLike, listener?: (eventType: "rename" | "change", filename: string | null) => void): FSWatcher;
	export function createReadStream(path: PathLike, options?: any): any;
	export function createWriteStream(path: PathLike, options?: any): any;
	export {};
}

declare module "fs/promises" {
	import type { Dirent, PathLike, Stats } from "fs";
	export function access(path: PathLike, mode?: number): Promise<void>;
	export function readFile(path: PathLike, options: BufferEncoding | { encoding: BufferEncoding }): Promise<string>;
	export function readFile(path: PathLike): Promise<Buffer>;
	export function writeFile(path: PathLike, data: string | Uint8Array, options?: BufferEncoding | { mode?: number; flag?: string }): Promise<void>;
	export function appendFile(path: PathLike, data: string | Uint8Array): Promise<void>;
	export function mkdir(path: PathLike, options?: { recursive?: boolean }): Promise<string | undefined>;
	export function mkdtemp(prefix: string): Promise<string>;
	export function readdir(path: PathLike, options: { withFileTypes: true; recursive?: boolean }): Promise<Dirent[]>;
	export function readdir(path: PathLike, options?: { recursive?: boolean }): Promise<string[]>;
	export function stat(path: PathLike): Promise<Stats>;
	export function lstat(path: PathLike): Promise<Stats>;
	export function realpath(path: PathLike): Promise<string>;
	export function rename(from: PathLike, to: PathLike): Promise<void>;
	export function copyFile(from: PathLike, to: PathLike): Promise<void>;
	export function chmod(path: PathLike, mode: number | string): Promise<void>;
	export function unlink(path: PathLike): Promise<void>;
	export function rm(path: PathLike, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
}

declare module "path" {
	export function join(...parts: string[]): string;
	export function resolve(...parts: string[]): string;
	export function normalize(path: string): string;
	export function dirname(path: string): string;
	export function basename(path: string, suffix?: string): string;
	export function extname(path: string): string;
	export function relative(from: string, to: string): string;
	export function isAbsolute(path: string): boolean;
	export function parse(path: string): { root: string; dir: string; base: string; ext: string; name: string };
	export function format(path: { root?: string; dir?: string; base?: string; ext?: string; name?: string }): string;
	export const sep: string;
	export const delimiter: string;
	export const posix: typeof import("path");
	export const win32: typeof import("path");
}

declare module "os" {
	export function homedir(): string;
	export function tmpdir(): string;
	export function hostname(): string;
	export function platform(): NodeJS.Platform;
	export function type(): string;
	export function release(): string;
	export function arch(): string;
	export function uptime(): number;
	export function totalmem(): number;
	export function freemem(): number;
	export function loadavg(): number[];
	export function cpus(): { model: string; speed: number; times: Record<string, number> }[];
	export function userInfo(): { username: string; uid: number; gid: number; homedir: string; shell: string | null };
	export const EOL: string;
}

declare module "url" {
	export function fileURLToPath(url: string | URL): string;
	export function pathToFileURL(path: string): URL;
	const URLClass: typeof globalThis.URL;
	const URLSearchParamsClass: typeof globalThis.URLSearchParams;
	export { URLClass as URL, URLSearchParamsClass as URLSearchParams };
}

declare module "node:fs" {
	export * from "fs";
	import * as self from "fs";
	export default self;
}
declare module "node:fs/promises" {
	export * from "fs/promises";
	import * as self from "fs/promises";
	export default self;
}
declare module "node:path" {
	export * from "path";
	import * as self from "path";
	export default self;
}
declare module "node:os" {
	export * from "os";
	import * as self from "os";
	export default self;
}
declare module "node:url" {
	export * from "url";
}
