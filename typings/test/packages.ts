// Every scope and name resolves, with subpaths, to the same types.
import type { HookAPI as A1 } from "@f5-sales-demo/xcsh";
import type { HookAPI as A2 } from "@f5-sales-demo/xcsh/hooks";
import type { HookAPI as A3 } from "@f5-sales-demo/xcsh/extensibility/hooks";
import type { HookAPI as A4 } from "@f5-sales-demo/pi-coding-agent";
import type { HookAPI as A5 } from "@f5-sales-demo/pi-coding-agent/hooks";
import type { HookAPI as A6 } from "@f5-sales-demo/pi-coding-agent/extensibility/hooks";
import type { HookAPI as A7 } from "@oh-my-pi/xcsh";
import type { HookAPI as A8 } from "@oh-my-pi/xcsh/hooks";
import type { HookAPI as A9 } from "@oh-my-pi/xcsh/extensibility/hooks";
import type { HookAPI as A10 } from "@oh-my-pi/pi-coding-agent";
import type { HookAPI as A11 } from "@oh-my-pi/pi-coding-agent/hooks";
import type { HookAPI as A12 } from "@oh-my-pi/pi-coding-agent/extensibility/hooks";
import type { HookAPI as A13 } from "@mariozechner/xcsh";
import type { HookAPI as A14 } from "@mariozechner/xcsh/hooks";
import type { HookAPI as A15 } from "@mariozechner/xcsh/extensibility/hooks";
import type { HookAPI as A16 } from "@mariozechner/pi-coding-agent";
import type { HookAPI as A17 } from "@mariozechner/pi-coding-agent/hooks";
import type { HookAPI as A18 } from "@mariozechner/pi-coding-agent/extensibility/hooks";
import type { HookAPI as A19 } from "@earendil-works/xcsh";
import type { HookAPI as A20 } from "@earendil-works/xcsh/hooks";
import type { HookAPI as A21 } from "@earendil-works/xcsh/extensibility/hooks";
import type { HookAPI as A22 } from "@earendil-works/pi-coding-agent";
import type { HookAPI as A23 } from "@earendil-works/pi-coding-agent/hooks";
import type { HookAPI as A24 } from "@earendil-works/pi-coding-agent/extensibility/hooks";
import type { HookAPI as A25 } from "@f5xc-salesdemos/xcsh";
import type { HookAPI as A26 } from "@f5xc-salesdemos/xcsh/hooks";
import type { HookAPI as A27 } from "@f5xc-salesdemos/xcsh/extensibility/hooks";
import type { HookAPI as A28 } from "@f5xc-salesdemos/pi-coding-agent";
import type { HookAPI as A29 } from "@f5xc-salesdemos/pi-coding-agent/hooks";
import type { HookAPI as A30 } from "@f5xc-salesdemos/pi-coding-agent/extensibility/hooks";
import { complete as complete1, StringEnum as StringEnum1, type Model as M1 } from "@f5-sales-demo/pi-ai";
import { Text as Text1, visibleWidth as width1 } from "@f5-sales-demo/pi-tui";
import { logger as logger1 } from "@f5-sales-demo/pi-utils";
import type { AgentTool as T1 } from "@f5-sales-demo/pi-agent-core";
import { complete as complete2, StringEnum as StringEnum2, type Model as M2 } from "@oh-my-pi/pi-ai";
import { Text as Text2, visibleWidth as width2 } from "@oh-my-pi/pi-tui";
import { logger as logger2 } from "@oh-my-pi/pi-utils";
import type { AgentTool as T2 } from "@oh-my-pi/pi-agent-core";
import { complete as complete3, StringEnum as StringEnum3, type Model as M3 } from "@mariozechner/pi-ai";
import { Text as Text3, visibleWidth as width3 } from "@mariozechner/pi-tui";
import { logger as logger3 } from "@mariozechner/pi-utils";
import type { AgentTool as T3 } from "@mariozechner/pi-agent-core";
import { complete as complete4, StringEnum as StringEnum4, type Model as M4 } from "@earendil-works/pi-ai";
import { Text as Text4, visibleWidth as width4 } from "@earendil-works/pi-tui";
import { logger as logger4 } from "@earendil-works/pi-utils";
import type { AgentTool as T4 } from "@earendil-works/pi-agent-core";
import { complete as complete5, StringEnum as StringEnum5, type Model as M5 } from "@f5xc-salesdemos/pi-ai";
import { Text as Text5, visibleWidth as width5 } from "@f5xc-salesdemos/pi-tui";
import { logger as logger5 } from "@f5xc-salesdemos/pi-utils";
import type { AgentTool as T5 } from "@f5xc-salesdemos/pi-agent-core";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { TypeCompiler } from "@sinclair/typebox/compiler";

export default function (pi: A1): void {
	pi satisfies A1;
	pi satisfies A2;
	pi satisfies A3;
	pi satisfies A4;
	pi satisfies A5;
	pi satisfies A6;
	pi satisfies A7;
	pi satisfies A8;
	pi satisfies A9;
	pi satisfies A10;
	pi satisfies A11;
	pi satisfies A12;
	pi satisfies A13;
	pi satisfies A14;
	pi satisfies A15;
	pi satisfies A16;
	pi satisfies A17;
	pi satisfies A18;
	pi satisfies A19;
	pi satisfies A20;
	pi satisfies A21;
	pi satisfies A22;
	pi satisfies A23;
	pi satisfies A24;
	pi satisfies A25;
	pi satisfies A26;
	pi satisfies A27;
	pi satisfies A28;
	pi satisfies A29;
	pi satisfies A30;
	width1(new Text1("x").render(10)[0] ?? "");
	logger1.debug("x");
	void ([complete1, StringEnum1(["a", "b"]).static] satisfies [unknown, "a" | "b"]);
	null as M1 | null;
	null as T1 | null;
	width2(new Text2("x").render(10)[0] ?? "");
	logger2.debug("x");
	void ([complete2, StringEnum2(["a", "b"]).static] satisfies [unknown, "a" | "b"]);
	null as M2 | null;
	null as T2 | null;
	width3(new Text3("x").render(10)[0] ?? "");
	logger3.debug("x");
	void ([complete3, StringEnum3(["a", "b"]).static] satisfies [unknown, "a" | "b"]);
	null as M3 | null;
	null as T3 | null;
	width4(new Text4("x").render(10)[0] ?? "");
	logger4.debug("x");
	void ([complete4, StringEnum4(["a", "b"]).static] satisfies [unknown, "a" | "b"]);
	null as M4 | null;
	null as T4 | null;
	width5(new Text5("x").render(10)[0] ?? "");
	logger5.debug("x");
	void ([complete5, StringEnum5(["a", "b"]).static] satisfies [unknown, "a" | "b"]);
	null as M5 | null;
	null as T5 | null;

	const schema = Type.Object({
		name: Type.String({ description: "d" }),
		count: Type.Optional(Type.Integer({ minimum: 0 })),
		kind: Type.Union([Type.Literal("a"), Type.Literal("b")]),
		tags: Type.Array(Type.String()),
		pair: Type.Tuple([Type.Number(), Type.Boolean()]),
		more: Type.Record(Type.String(), Type.Unknown()),
	});
	type Shape = Static<typeof schema>;
	const shape: Shape = { name: "n", kind: "a", tags: ["t"], pair: [1, true], more: { x: 1 } };
	// @ts-expect-error name is required
	const missing: Shape = { kind: "a", tags: [], pair: [1, true], more: {} };
	// @ts-expect-error not one of the literals
	const wrong: Shape = { ...shape, kind: "c" };
	const value: unknown = shape;
	if (Value.Check(schema, value)) value.tags.length;
	if (TypeCompiler.Compile(schema).Check(value)) value.pair[1] satisfies boolean;
	void [missing, wrong];
}

// An unknown name of a known package is an error.
// @ts-expect-error no such export
import { SomethingWeDoNotHave } from "@mariozechner/pi-coding-agent";
void SomethingWeDoNotHave;
