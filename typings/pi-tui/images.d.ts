/** Pictures and links in terminals. */
declare module "@f5-sales-demo/pi-tui" {
	export interface TerminalCapabilities {
		images: "kitty" | "iterm2" | null;
		trueColor: boolean;
		hyperlinks: boolean;
	}

	export interface ImageDimensions {
		widthPx: number;
		heightPx: number;
	}

	export type CellDimensions = ImageDimensions;

	/** Nothing is assumed of the terminal until the host says otherwise. */
	export function getCapabilities(): TerminalCapabilities;
	export function setCapabilities(next: TerminalCapabilities): void;
	export function resetCapabilitiesCache(): void;
	/** Size of one terminal cell in pixels. */
	export function getCellDimensions(): CellDimensions;
	export function setCellDimensions(dimensions: CellDimensions): void;
	export function getPngDimensions(base64Data: string): ImageDimensions | null;
	export function getGifDimensions(base64Data: string): ImageDimensions | null;
	export function getJpegDimensions(base64Data: string): ImageDimensions | null;
	export function getWebpDimensions(base64Data: string): ImageDimensions | null;
	export function getImageDimensions(base64Data: string, mimeType: string): ImageDimensions | null;
	/** Rows the picture takes when it is that many columns wide. */
	export function calculateImageRows(dimensions: ImageDimensions, targetWidthCells: number, cell?: CellDimensions): number;
	export function encodeKitty(base64Data: string, options?: { columns?: number; rows?: number; imageId?: number }): string;
	export function encodeITerm2(
		base64Data: string,
		options?: { width?: number | string; height?: number | string; name?: string; preserveAspectRatio?: boolean },
	): string;
	/** `null` when the terminal draws no pictures. */
	export function renderImage(
		base64Data: string,
		dimensions: ImageDimensions,
		options?: { maxWidthCells?: number; imageId?: number },
	): { sequence: string; rows: number; imageId?: number } | null;
	/** What stands for a picture in text. */
	export function imageFallback(mimeType: string, dimensions?: ImageDimensions, filename?: string): string;
	export function hyperlink(text: string, url: string): string;
}
