/**
 * Every name the host packages go by. The modules are the same ones under each scope; subpaths give the whole package.
 */

// @f5-sales-demo
declare module "@f5-sales-demo/xcsh/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/xcsh/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-coding-agent" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-coding-agent/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-coding-agent/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-ai/*" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@f5-sales-demo/pi-tui/*" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@f5-sales-demo/pi-utils/*" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@f5-sales-demo/pi-agent-core/*" {
	export * from "@f5-sales-demo/pi-agent-core";
}

// @oh-my-pi
declare module "@oh-my-pi/xcsh" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/xcsh/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/xcsh/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-coding-agent" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-coding-agent/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-coding-agent/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-ai" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@oh-my-pi/pi-ai/*" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@oh-my-pi/pi-tui" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@oh-my-pi/pi-tui/*" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@oh-my-pi/pi-utils" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@oh-my-pi/pi-utils/*" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@oh-my-pi/pi-agent-core" {
	export * from "@f5-sales-demo/pi-agent-core";
}
declare module "@oh-my-pi/pi-agent-core/*" {
	export * from "@f5-sales-demo/pi-agent-core";
}

// @mariozechner
declare module "@mariozechner/xcsh" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/xcsh/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/xcsh/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-coding-agent" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-coding-agent/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-coding-agent/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-ai" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@mariozechner/pi-ai/*" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@mariozechner/pi-tui" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@mariozechner/pi-tui/*" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@mariozechner/pi-utils" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@mariozechner/pi-utils/*" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@mariozechner/pi-agent-core" {
	export * from "@f5-sales-demo/pi-agent-core";
}
declare module "@mariozechner/pi-agent-core/*" {
	export * from "@f5-sales-demo/pi-agent-core";
}

// @earendil-works
declare module "@earendil-works/xcsh" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/xcsh/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/xcsh/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-coding-agent" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-coding-agent/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-coding-agent/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-ai" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@earendil-works/pi-ai/*" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@earendil-works/pi-tui" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@earendil-works/pi-tui/*" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@earendil-works/pi-utils" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@earendil-works/pi-utils/*" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@earendil-works/pi-agent-core" {
	export * from "@f5-sales-demo/pi-agent-core";
}
declare module "@earendil-works/pi-agent-core/*" {
	export * from "@f5-sales-demo/pi-agent-core";
}

// @f5xc-salesdemos
declare module "@f5xc-salesdemos/xcsh" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/xcsh/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/xcsh/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-coding-agent" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-coding-agent/hooks" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-coding-agent/*" {
	export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-ai" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@f5xc-salesdemos/pi-ai/*" {
	export * from "@f5-sales-demo/pi-ai";
}
declare module "@f5xc-salesdemos/pi-tui" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@f5xc-salesdemos/pi-tui/*" {
	export * from "@f5-sales-demo/pi-tui";
}
declare module "@f5xc-salesdemos/pi-utils" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@f5xc-salesdemos/pi-utils/*" {
	export * from "@f5-sales-demo/pi-utils";
}
declare module "@f5xc-salesdemos/pi-agent-core" {
	export * from "@f5-sales-demo/pi-agent-core";
}
declare module "@f5xc-salesdemos/pi-agent-core/*" {
	export * from "@f5-sales-demo/pi-agent-core";
}
declare module "typebox" {
	export * from "@sinclair/typebox";
}
declare module "typebox/value" {
	export * from "@sinclair/typebox/value";
}
declare module "typebox/compiler" {
	export * from "@sinclair/typebox/compiler";
}
