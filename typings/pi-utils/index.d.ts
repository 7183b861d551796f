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
}
