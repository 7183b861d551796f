/** Recognising keys. */
declare module "@f5-sales-demo/pi-tui" {
	type NamedKey =
		| "escape" | "esc" | "enter" | "return" | "tab" | "space" | "backspace" | "delete" | "insert" | "clear" | "home" | "end"
		| "pageUp" | "pageDown" | "up" | "down" | "left" | "right" | "f1" | "f2" | "f3" | "f4" | "f5" | "f6" | "f7" | "f8" | "f9"
		| "f10" | "f11" | "f12";
	type SymbolKey =
		| "backtick" | "hyphen" | "equals" | "leftbracket" | "rightbracket" | "backslash" | "semicolon" | "quote" | "comma" | "period"
		| "slash" | "exclamation" | "at" | "hash" | "dollar" | "percent" | "caret" | "ampersand" | "asterisk" | "leftparen"
		| "rightparen" | "underscore" | "plus" | "pipe" | "tilde" | "leftbrace" | "rightbrace" | "colon" | "lessthan" | "greaterthan"
		| "question";
	type KeyModifier =
		| "ctrl" | "shift" | "alt" | "super" | "ctrlShift" | "shiftCtrl" | "ctrlAlt" | "altCtrl" | "shiftAlt" | "altShift" | "ctrlSuper"
		| "superCtrl" | "shiftSuper" | "superShift" | "altSuper" | "superAlt" | "ctrlShiftAlt" | "ctrlShiftSuper";

	/** A key by name, for example `escape`, `ctrl+c`, `shift+tab`. */
	export type KeyId = string;

	/** Names for `matchesKey`: `Key.escape`, `Key.ctrl("c")`. */
	export const Key: Readonly<Record<NamedKey | SymbolKey, KeyId> & Record<KeyModifier, (key: KeyId) => KeyId>>;

	export function matchesKey(data: string, keyId: KeyId): boolean;
	/** The key's name; `undefined` for what is no key. */
	export function parseKey(data: string): KeyId | undefined;
	export function isKeyRelease(data: string): boolean;
	export function isKeyRepeat(data: string): boolean;
	export function setKittyProtocolActive(active: boolean): void;
	export function isKittyProtocolActive(): boolean;
	export function decodeKittyPrintable(data: string): string | undefined;

	type KeyTest = (data: string) => boolean;
	export const isEnter: KeyTest;
	export const isShiftEnter: KeyTest;
	export const isAltEnter: KeyTest;
	export const isEscape: KeyTest;
	export const isTab: KeyTest;
	export const isShiftTab: KeyTest;
	export const isBackspace: KeyTest;
	export const isAltBackspace: KeyTest;
	export const isDelete: KeyTest;
	export const isHome: KeyTest;
	export const isEnd: KeyTest;
	export const isArrowUp: KeyTest;
	export const isArrowDown: KeyTest;
	export const isArrowLeft: KeyTest;
	export const isArrowRight: KeyTest;
	export const isAltLeft: KeyTest;
	export const isAltRight: KeyTest;
	export const isCtrlLeft: KeyTest;
	export const isCtrlRight: KeyTest;
	export const isCtrlA: KeyTest;
	export const isCtrlC: KeyTest;
	export const isCtrlD: KeyTest;
	export const isCtrlE: KeyTest;
	export const isCtrlG: KeyTest;
	export const isCtrlK: KeyTest;
	export const isCtrlL: KeyTest;
	export const isCtrlO: KeyTest;
	export const isCtrlP: KeyTest;
	export const isCtrlT: KeyTest;
	export const isCtrlU: KeyTest;
	export const isCtrlV: KeyTest;
	export const isCtrlW: KeyTest;
	export const isCtrlY: KeyTest;
	export const isCtrlZ: KeyTest;
	export const isShiftCtrlD: KeyTest;
	export const isShiftCtrlO: KeyTest;
	export const isShiftCtrlP: KeyTest;

	export interface KeybindingDefinition {
		defaultKeys: KeyId | KeyId[];
		description?: string;
	}

	/** Named actions (`tui.select.cancel`) and the keys that trigger them. */
	export class KeybindingsManager {
		constructor(definitions?: Record<string, KeybindingDefinition>, userBindings?: Record<string, KeyId | KeyId[] | undefined>);
		matches(data: string, keybinding: string): boolean;
		getKeys(keybinding: string): KeyId[];
		getDefinition(keybinding: string): KeybindingDefinition | undefined;
		getConflicts(): { key: KeyId; keybindings: string[] }[];
		setUserBindings(userBindings: Record<string, KeyId | KeyId[] | undefined>): void;
		getUserBindings(): Record<string, KeyId | KeyId[] | undefined>;
		getResolvedBindings(): Record<string, KeyId | KeyId[]>;
	}

	export const TUI_KEYBINDINGS: Readonly<Record<string, KeybindingDefinition>>;
	export function getKeybindings(): KeybindingsManager;
	export function setKeybindings(keybindings: KeybindingsManager): void;

	export {};
}
