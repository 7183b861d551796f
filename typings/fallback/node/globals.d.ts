/** Globals of Node that hooks see. Web globals (`fetch`, `URL`, `AbortSignal`, …) come from the compiler's own library. */
type BufferEncoding = "ascii" | "utf8" | "utf-8" | "utf16le" | "ucs2" | "base64" | "base64url" | "latin1" | "binary" | "hex";

declare namespace NodeJS {
	interface Timeout {
		ref(): this;
		unref(): this;
		hasRef(): boolean;
		refresh(): this;
		[Symbol.toPrimitive](): number;
	}

	interface ErrnoException extends Error {
		errno?: number;
		code?: string;
		path?: string;
		syscall?: string;
	}

	interface ProcessEnv {
		[name: string]: string | undefined;
	}

	type Platform = "aix" | "android" | "darwin" | "freebsd" | "linux" | "openbsd" | "sunos" | "win32";

	interface Process {
		readonly platform: Platform;
		readonly arch: string;
		readonly pid: number;
		readonly ppid: number;
		readonly version: string;
		readonly versions: Record<string, string | undefined>;
		readonly argv: string[];
		readonly execPath: string;
		/** A copy: writes stay inside the engine. */
		env: ProcessEnv;
		exitCode?: number | string | null;
		cwd(): string;
		/** Ends the handler with an error, not the host. */
		exit(code?: number): never;
		hrtime: { (time?: [number, number]): [number, number]; bigint(): bigint };
		uptime(): number;
		memoryUsage(): { rss: number; heapTotal: number; heapUsed: number; external: number; arrayBuffers: number };
		nextTick(callback: (...args: any[]) => void, ...args: any[]): void;
		/** Goes to the engine's log. */
		readonly stdout: { write(text: string | Uint8Array): boolean; readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
		readonly stderr: { write(text: string | Uint8Array): boolean; readonly isTTY?: boolean };
		kill(pid: number, signal?: string | number): true;
		on(event: string, listener: (...args: any[]) => void): this;
		once(event: string, listener: (...args: any[]) => void): this;
		off(event: string, listener: (...args: any[]) => void): this;
	}

	interface Require {
		(id: string): any;
		resolve(id: string): string;
	}
}

declare var process: NodeJS.Process;
declare var global: typeof globalThis;
declare var require: NodeJS.Require;
declare var module: { exports: any };
declare var exports: any;
declare var __filename: string;
declare var __dirname: string;

interface ImportMeta {
	url: string;
	filename: string;
	dirname: string;
	main: boolean;
	resolve(specifier: string): string;
}

interface Buffer extends Uint8Array {
	toString(encoding?: BufferEncoding, start?: number, end?: number): string;
	toJSON(): { type: "Buffer"; data: number[] };
	equals(other: Uint8Array): boolean;
	write(text: string, offset?: number, length?: number, encoding?: BufferEncoding): number;
	readUInt8(offset?: number): number;
	readUInt16LE(offset?: number): number;
	readUInt16BE(offset?: number): number;
	readUInt32LE(offset?: number): number;
	readUInt32BE(offset?: number): number;
}

interface BufferConstructor {
	from(data: string, encoding?: BufferEncoding): Buffer;
	from(data: ArrayLike<number> | ArrayBufferLike | Iterable<number>): Buffer;
	alloc(size: number, fill?: string | number, encoding?: BufferEncoding): Buffer;
	concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
	byteLength(text: string | ArrayBufferView | ArrayBufferLike, encoding?: BufferEncoding): number;
	isBuffer(value: unknown): value is Buffer;
}

declare var Buffer: BufferConstructor;

declare function setImmediate<T extends any[]>(callback: (...args: T) => void, ...args: T): { ref(): void; unref(): void };
declare function clearImmediate(immediate: unknown): void;

// Inside a module so that these come before the compiler library's own overloads, which give numbers.
declare module "hookrt:timers" {
	global {
		function setTimeout<T extends any[]>(callback: (...args: T) => void, delayMs?: number, ...args: T): NodeJS.Timeout;
		function setInterval<T extends any[]>(callback: (...args: T) => void, delayMs?: number, ...args: T): NodeJS.Timeout;
		function clearTimeout(timer: NodeJS.Timeout | number | string | undefined): void;
		function clearInterval(timer: NodeJS.Timeout | number | string | undefined): void;
	}
}
