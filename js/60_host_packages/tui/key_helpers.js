// One function per key, as older versions of the package exported them, and their table of sequences.

import { matchesKey } from "./keys.js";

const is = (...keys) => (data) => keys.some((key) => matchesKey(data, key));

export const isEnter = is("enter");
export const isShiftEnter = is("shift+enter");
export const isAltEnter = is("alt+enter");
export const isEscape = is("escape");
export const isTab = is("tab");
export const isShiftTab = is("shift+tab");
export const isBackspace = is("backspace");
export const isAltBackspace = is("alt+backspace");
export const isDelete = is("delete");
export const isHome = is("home");
export const isEnd = is("end");
export const isArrowUp = is("up");
export const isArrowDown = is("down");
export const isArrowLeft = is("left");
export const isArrowRight = is("right");
export const isAltLeft = is("alt+left");
export const isAltRight = is("alt+right");
export const isCtrlLeft = is("ctrl+left");
export const isCtrlRight = is("ctrl+right");
export const isCtrlA = is("ctrl+a");
export const isCtrlC = is("ctrl+c");
export const isCtrlD = is("ctrl+d");
export const isCtrlE = is("ctrl+e");
export const isCtrlG = is("ctrl+g");
export const isCtrlK = is("ctrl+k");
export const isCtrlL = is("ctrl+l");
export const isCtrlO = is("ctrl+o");
export const isCtrlP = is("ctrl+p");
export const isCtrlT = is("ctrl+t");
export const isCtrlU = is("ctrl+u");
export const isCtrlV = is("ctrl+v");
export const isCtrlW = is("ctrl+w");
export const isCtrlY = is("ctrl+y");
export const isCtrlZ = is("ctrl+z");
export const isShiftCtrlD = is("shift+ctrl+d");
export const isShiftCtrlO = is("shift+ctrl+o");
export const isShiftCtrlP = is("shift+ctrl+p");
