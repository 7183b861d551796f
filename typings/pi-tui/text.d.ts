/** Text in terminal columns: wide characters count two, escape sequences none. */
declare module "@f5-sales-demo/pi-tui" {
	export function visibleWidth(text: string): number;
	/** Cut to `maxWidth` columns; no escape sequence is split. `pad` fills up with spaces. */
	export function truncateToWidth(text: string, maxWidth: number, ellipsis?: string | number | null, pad?: boolean): string;
	/** Lines of at most `width` columns; colours go on in the next line. */
	export function wrapTextWithAnsi(text: string, width: number): string[];
	export function sliceByColumn(line: string, startColumn: number, length: number, strict?: boolean): string;
	export function sliceWithWidth(line: string, startColumn: number, length: number, strict?: boolean): { text: string; width: number };
	export function applyBackgroundToLine(line: string, width: number, paint: (text: string) => string): string;
	export function padding(count: number): string;
	export const Ellipsis: { readonly Unicode: 0; readonly Ascii: 1; readonly Omit: 2 };

	export function fuzzyMatch(query: string, text: string): { matches: boolean; score: number };
	export function fuzzyFilter<T>(items: T[], query: string, getText?: (item: T) => string): T[];
}
