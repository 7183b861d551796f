// The host's models.

import { hostCallSync } from "../../05_host.js";

const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"];

/**
 * @param {string} provider
 * @param {string} modelId
 * @returns {object | undefined} `undefined` when the host has no such model
 */
export function getModel(provider, modelId) {
  return hostCallSync("models.find", provider, modelId) ?? undefined;
}

/** @param {string} [provider] default: of all */
/**
 * The lookup of older agents.
 *
 * @param {string} provider
 * @param {string} modelId
 * @returns {{ model: object | null, error: string | null }}
 */
export function findModel(provider, modelId) {
  try {
    return { model: getModel(provider, modelId) ?? null, error: null };
  } catch (error) {
    return { model: null, error: String(error?.message ?? error) };
  }
}

export function getModels(provider) {
  const all = hostCallSync("models.getAll") ?? [];
  return provider === undefined ? all : all.filter((model) => model.provider === provider);
}

export function getProviders() {
  return [...new Set(getModels().map((model) => model.provider))];
}

/** Writes what a call cost into `usage.cost` (the model's prices are dollars for a million tokens) and returns it. */
export function calculateCost(model, usage) {
  const parts = ["input", "output", "cacheRead", "cacheWrite"];
  usage.cost ??= {};
  for (const part of parts) usage.cost[part] = ((model.cost[part] ?? 0) / 1e6) * (usage[part] ?? 0);
  usage.cost.total = parts.reduce((sum, part) => sum + usage.cost[part], 0);
  return usage.cost;
}

export function modelsAreEqual(a, b) {
  return Boolean(a && b) && a.id === b.id && a.provider === b.provider;
}

/** Thinking levels a model knows: `off` alone when it does not reason, `xhigh` only when its map names it. */
export function getSupportedThinkingLevels(model) {
  if (!model.reasoning) return ["off"];
  const map = model.thinkingLevelMap ?? {};
  return LEVELS.filter((level) => map[level] !== null && (level !== "xhigh" || map[level] !== undefined));
}

/** The level itself when the model knows it, else the next higher one, else the next lower one. */
export function clampThinkingLevel(model, level) {
  const known = getSupportedThinkingLevels(model);
  const wanted = LEVELS.indexOf(level);
  if (wanted < 0) return known[0] ?? "off";
  const higher = LEVELS.slice(wanted).find((candidate) => known.includes(candidate));
  return higher ?? LEVELS.slice(0, wanted).reverse().find((candidate) => known.includes(candidate)) ?? "off";
}
