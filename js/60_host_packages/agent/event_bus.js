import { logger } from "./logger.js";

/**
 * A bus for extensions to talk to each other. A handler that fails is logged and does not disturb the others.
 *
 * @returns {{ emit(channel: string, data: unknown): void, on(channel: string, handler: (data: unknown) => void): () => void, clear(): void }}
 */
export function createEventBus() {
  const channels = new Map();
  return {
    emit(channel, data) {
      for (const handler of [...(channels.get(channel) ?? [])]) run(channel, handler, data);
    },
    on(channel, handler) {
      if (!channels.has(channel)) channels.set(channel, new Set());
      channels.get(channel).add(handler);
      return () => channels.get(channel)?.delete(handler);
    },
    clear() {
      channels.clear();
    },
  };
}

async function run(channel, handler, data) {
  try {
    await handler(data);
  } catch (error) {
    logger.error(`Event handler failed (${channel})`, { error: String(error?.message ?? error) });
  }
}
