// The terminal UI package: components, keys, measuring.

export { Container, CURSOR_MARKER, isFocusable } from "./tui/component.js";
export { Box } from "./tui/box.js";
export { CancellableLoader } from "./tui/cancellable_loader.js";
export { Editor } from "./tui/editor.js";
export { Image } from "./tui/image.js";
export { Input } from "./tui/input.js";
export { Loader } from "./tui/loader.js";
export { Markdown } from "./tui/markdown.js";
export { SelectList } from "./tui/select_list.js";
export { SettingsList } from "./tui/settings_list.js";
export { Spacer } from "./tui/spacer.js";
export { TabBar } from "./tui/tab_bar.js";
export { Text } from "./tui/text.js";
export { TruncatedText } from "./tui/truncated_text.js";
export { fuzzyFilter, fuzzyMatch } from "./tui/fuzzy.js";
export { getKeybindings, KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "./tui/keybindings.js";
export {
  decodeKittyPrintable,
  isKeyRelease,
  isKeyRepeat,
  isKittyProtocolActive,
  Key,
  matchesKey,
  parseKey,
  setKittyProtocolActive,
} from "./tui/keys.js";
export * from "./tui/key_helpers.js";
export {
  calculateImageRows,
  encodeITerm2,
  encodeKitty,
  getCapabilities,
  getCellDimensions,
  getGifDimensions,
  getImageDimensions,
  getJpegDimensions,
  getPngDimensions,
  getWebpDimensions,
  hyperlink,
  imageFallback,
  renderImage,
  resetCapabilitiesCache,
  setCapabilities,
  setCellDimensions,
} from "./tui/terminal_image.js";
export {
  applyBackgroundToLine,
  Ellipsis,
  padding,
  sliceByColumn,
  sliceWithWidth,
  truncateToWidth,
  visibleWidth,
} from "./tui/width.js";
export { wrapTextWithAnsi } from "./tui/wrap.js";
