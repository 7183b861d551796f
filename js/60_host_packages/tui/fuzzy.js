// Fuzzy search: all letters of the query in order, close together and at word starts is better.

/**
 * @param {string} query
 * @param {string} text
 * @returns {{ matches: boolean, score: number }} lower scores are better
 */
export function fuzzyMatch(query, text) {
  const wanted = [...String(query).toLowerCase()].filter((character) => character !== " ");
  const given = String(text).toLowerCase();
  let score = 0;
  let from = 0;
  let last = -1;
  for (const character of wanted) {
    const at = given.indexOf(character, from);
    if (at < 0) return { matches: false, score: 0 };
    const wordStart = at === 0 || /[\s\-_./:]/.test(given[at - 1]);
    if (last >= 0) score += at === last + 1 ? -4 : (at - last - 1) * 2;
    score += at * 0.1 - (wordStart ? 8 : 0);
    last = at;
    from = at + character.length;
  }
  return { matches: true, score };
}

/**
 * The items that match every word of the query, best first; all of them for an empty query.
 *
 * @template T
 * @param {T[]} items
 * @param {string} query
 * @param {(item: T) => string} [getText]
 * @returns {T[]}
 */
export function fuzzyFilter(items, query, getText = String) {
  const words = String(query).trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const found = [];
  for (const item of items) {
    const results = words.map((word) => fuzzyMatch(word, getText(item)));
    if (results.every((result) => result.matches)) {
      found.push({ item, score: results.reduce((sum, result) => sum + result.score, 0) });
    }
  }
  return found.sort((a, b) => a.score - b.score).map(({ item }) => item);
}
