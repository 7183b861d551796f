import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "./host.mjs";

const { default: byDefault, FormatRegistry, Hint, Kind, OptionalKind, ReadonlyKind, TransformKind, Type, TypeRegistry } = await load("typebox.js");
const { Value, AssertError, TransformDecodeCheckError } = await load("typebox-value.js");
const { TypeCompiler, Compile } = await load("typebox-compiler.js");

const string = { type: "string" };
const number = { type: "number" };
const A = Type.Object({ a: Type.String({ description: "d" }), b: Type.Optional(Type.Number({ minimum: 1 })), c: Type.Readonly(Type.Boolean()) }, { $id: "A", title: "t" });
const B = Type.Object({ b: Type.String(), d: Type.Optional(Type.Null()) });
const U = Type.Union([Type.Literal("x"), Type.Literal("y"), Type.Literal(1)]);
const a = { description: "d", type: "string" };
const b = { minimum: 1, type: "number" };
const boolean = { type: "boolean" };

// Every expectation is the JSON text of what @sinclair/typebox 0.34 makes.
const SCHEMAS = [
  ["String", Type.String({ minLength: 1, default: "q" }), { minLength: 1, default: "q", type: "string" }],
  ["Integer", Type.Integer({ maximum: 3 }), { maximum: 3, type: "integer" }],
  ["Null, Any, Unknown", [Type.Null(), Type.Any(), Type.Unknown()], [{ type: "null" }, {}, {}]],
  ["Never, Not", [Type.Never(), Type.Not(Type.String())], [{ not: {} }, { not: string }]],
  ["Literal", Type.Literal(5, { description: "five" }), { description: "five", const: 5, type: "number" }],
  ["Object", A, { $id: "A", title: "t", type: "object", required: ["a", "c"], properties: { a, b, c: boolean } }],
  ["Object without required", Type.Object({ a: Type.Optional(Type.String()) }), { type: "object", properties: { a: string } }],
  ["Array", Type.Array(Type.String(), { minItems: 1 }), { minItems: 1, type: "array", items: string }],
  ["Tuple", Type.Tuple([Type.String(), Type.Number()]), { type: "array", items: [string, number], additionalItems: false, minItems: 2, maxItems: 2 }],
  ["empty Tuple", Type.Tuple([]), { type: "array", minItems: 0, maxItems: 0 }],
  ["Union", Type.Union([Type.String(), Type.Null()], { default: null }), { default: null, anyOf: [string, { type: "null" }] }],
  ["Union of one and of none", [Type.Union([Type.String()], { title: "u" }), Type.Union([])], [{ title: "u", type: "string" }, { not: {} }]],
  ["Intersect of objects", Type.Intersect([B, B]), { type: "object", allOf: [B, B] }],
  ["Intersect with others", Type.Intersect([B, Type.String()]), { allOf: [B, string] }],
  ["Intersect closed", Type.Intersect([B, Type.String()], { unevaluatedProperties: false }), { unevaluatedProperties: false, type: "object", allOf: [B, string] }],
  ["Record", Type.Record(Type.String(), Type.Number()), { type: "object", patternProperties: { "^(.*)$": number } }],
  ["Record of integers", Type.Record(Type.Integer(), Type.Number()), { type: "object", patternProperties: { "^(0|[1-9][0-9]*)$": number } }],
  ["Record of literals", Type.Record(U, Type.Number()), { type: "object", required: ["1", "x", "y"], properties: { 1: number, x: number, y: number } }],
  ["Record by pattern", Type.Record(Type.String({ pattern: "^q" }), Type.Any()), { type: "object", patternProperties: { "^q": {} } }],
  ["Enum", Type.Enum({ A: "a", B: "b" }), { anyOf: [{ const: "a", type: "string" }, { const: "b", type: "string" }] }],
  ["Enum of TypeScript", Type.Enum({ 0: "P", P: 0, R: "r" }), { anyOf: [{ const: 0, type: "number" }, { const: "r", type: "string" }] }],
  ["Partial", Type.Partial(A), { title: "t", type: "object", properties: { a, b, c: boolean } }],
  ["Required", Type.Required(Type.Partial(B)), { type: "object", required: ["b", "d"], properties: { b: string, d: { type: "null" } } }],
  ["Pick", Type.Pick(A, ["b", "a", "none"]), { title: "t", type: "object", required: ["a"], properties: { b, a } }],
  ["Pick by type", Type.Pick(A, Type.Union([Type.Literal("a"), Type.Literal("c")]), { title: "p" }), { title: "p", type: "object", required: ["a", "c"], properties: { a, c: boolean } }],
  ["Omit", Type.Omit(A, ["a"]), { title: "t", type: "object", required: ["c"], properties: { b, c: boolean } }],
  ["Composite", Type.Composite([A, B]), { type: "object", required: ["a", "b", "c"], properties: { a, b: { allOf: [b, string] }, c: boolean, d: { type: "null" } } }],
  ["KeyOf", Type.KeyOf(B), { anyOf: [{ const: "b", type: "string" }, { const: "d", type: "string" }] }],
  ["Index", [Type.Index(A, ["a"]), Type.Index(Type.Array(Type.String()), Type.Number())], [a, string]],
  ["Exclude, Extract", [Type.Exclude(U, Type.String()), Type.Extract(U, Type.String())], [{ const: 1, type: "number" }, { anyOf: [{ const: "x", type: "string" }, { const: "y", type: "string" }] }]],
  ["Const", Type.Const({ a: 1, b: ["x"] }), {
    type: "object", required: ["a", "b"],
    properties: { a: { const: 1, type: "number" }, b: { type: "array", items: [{ const: "x", type: "string" }], additionalItems: false, minItems: 1, maxItems: 1 } },
  }],
  ["Date, RegExp", [Type.Date(), Type.RegExp(/a+/i)], [{ type: "Date" }, { type: "RegExp", source: "a+", flags: "i" }]],
  ["TemplateLiteral", Type.TemplateLiteral("v${number}-${'a' | b}"), { type: "string", pattern: "^v(0|[1-9][0-9]*)-(a|b)$" }],
  ["TemplateLiteral of types", Type.TemplateLiteral([Type.Literal("a.b"), Type.Boolean()]), { type: "string", pattern: "^a\\.b(true|false)$" }],
  ["Unsafe", Type.Unsafe({ type: "string", enum: ["a"] }), { type: "string", enum: ["a"] }],
  ["Ref", [Type.Ref("X"), Type.Ref(A)], [{ $ref: "X" }, { $ref: "A" }]],
  ["Recursive", Type.Recursive((This) => Type.Object({ n: Type.Array(This) }), { $id: "Node" }), {
    $id: "Node", type: "object", required: ["n"], properties: { n: { type: "array", items: { $ref: "Node" } } },
  }],
  ["Capitalize", Type.Capitalize(Type.Literal("abc")), { const: "Abc", type: "string" }],
];

describe("schemas", () => {
  for (const [name, schema, expected] of SCHEMAS) {
    test(name, () => assert.equal(JSON.stringify(schema), JSON.stringify(expected)));
  }
  test("marks", () => {
    assert.equal(byDefault, Type);
    assert.deepEqual([Type.String()[Kind], Type.Enum({ A: 1, B: 2 })[Hint]], ["String", "Enum"]);
    assert.equal(Type.String()[Symbol.for("TypeBox.Kind")], "String");
    assert.deepEqual([A.properties.b[OptionalKind], A.properties.c[ReadonlyKind]], ["Optional", "Readonly"]);
    assert.equal(Type.Optional(Type.Optional(Type.String()), false)[OptionalKind], undefined);
    assert.equal(typeof Type.Transform(Type.String()).Decode((v) => v).Encode((v) => v)[TransformKind].Decode, "function");
    assert.equal(Type.Extends, undefined);
  });
});

describe("Check and Errors", () => {
  const closed = Type.Object({ s: Type.String({ minLength: 2 }), n: Type.Optional(Type.Number()), u: U }, { additionalProperties: false });
  const cases = [
    [closed, { s: "ab", u: "x" }, true], [closed, { s: "ab", u: "x", n: undefined }, true], [closed, { s: "a", u: "x" }, false], [closed, { s: "ab", u: 2 }, false],
    [closed, { s: "ab", u: "x", z: 1 }, false], [closed, null, false], [closed, [], false], [Type.Object({ x: Type.Any() }), {}, false], [Type.Object({ x: Type.Any() }), { x: undefined }, true],
    [Type.Number(), NaN, false], [Type.Number(), Infinity, false], [Type.Integer(), 1.5, false], [Type.Number({ multipleOf: 0.1 }), 0.3, true], [Type.Number({ exclusiveMinimum: 1 }), 1, false],
    [Type.Array(Type.Number(), { maxItems: 2, uniqueItems: true }), [1, 2], true], [Type.Array(Type.Any(), { uniqueItems: true }), [{ a: 1 }, { a: 1 }], false],
    [Type.Array(Type.Any(), { contains: Type.String() }), [1], false], [Type.Tuple([Type.String()]), ["a", "b"], false], [Type.Tuple([Type.String()]), ["a"], true],
    [Type.Record(Type.String(), Type.Number()), { a: 1 }, true], [Type.Record(Type.String(), Type.Number()), { a: "1" }, false], [Type.Record(Type.String(), Type.Number()), new Date(), false],
    [Type.Record(Type.Integer(), Type.Any(), { additionalProperties: false }), { x: 1 }, false],
    [Type.Intersect([B, Type.Object({ z: Type.Number() })], { unevaluatedProperties: false }), { b: "", z: 1, y: 1 }, false],
    [Type.Not(Type.String()), 1, true], [Type.Not(Type.String()), "x", false], [Type.Never(), 1, false], [Type.Date(), new Date(NaN), false], [Type.RegExp(/^A/i), "abc", true],
    [Type.Unsafe({ type: "string", enum: ["a"] }), "b", false], [Type.Unsafe({ type: "string", enum: ["a"] }), "a", true], [Type.Undefined(), undefined, true], [Type.BigInt(), 1n, true],
    [Type.Recursive((N) => Type.Object({ kids: Type.Array(N) })), { kids: [{ kids: [] }] }, true], [Type.Recursive((N) => Type.Object({ kids: Type.Array(N) })), { kids: [{}] }, false],
    [Type.TemplateLiteral("v${number}"), "v10", true], [Type.TemplateLiteral("v${number}"), "v01", false], [Type.String({ format: "unknown" }), "x", false],
  ];
  test("a table", () => {
    for (const [schema, value, expected] of cases) assert.equal(Value.Check(schema, value), expected, `${JSON.stringify(schema)} ${String(value)}`);
  });
  test("plain JSON Schema works as well", () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: ["string", "null"] }, e: { enum: [1, "x"] }, f: { type: "string", format: "email" } }, additionalProperties: false };
    assert.equal(Value.Check(schema, { a: null, e: "x", f: "any" }), true);
    assert.equal(Value.Check(schema, { a: 1 }), false);
    assert.equal(Value.Check(schema, { a: "", e: 2 }), false);
    assert.equal(Value.Check({ oneOf: [{ type: "number" }, { minimum: 5 }] }, 7), false);
    assert.equal(Value.Check({ items: [{ type: "number" }], additionalItems: false }, [1, 2]), false);
    assert.equal(Value.Check(true, 1), true);
  });
  test("errors say where and what", () => {
    const errors = [...Value.Errors(closed, { s: 1, n: "x", "a/b": 1 })].map(({ path, message }) => `${path} ${message}`);
    assert.deepEqual(errors, ["/u Expected required property", "/a~1b Unexpected property", "/s Expected string", "/n Expected number", "/u Expected union value"]);
    const first = Value.Errors(U, 9).First();
    assert.deepEqual([first.path, first.value, first.errors.length], ["", 9, 3]);
    assert.equal(Value.Errors(U, "x").First(), undefined);
  });
  test("references", () => {
    assert.equal(Value.Check(Type.Ref("A"), [A], { a: "x", c: true }), true);
    assert.throws(() => Value.Check(Type.Ref("missing"), {}), /missing/);
  });
  test("registries", () => {
    FormatRegistry.Set("even", (text) => text.length % 2 === 0);
    TypeRegistry.Set("Odd", (_schema, value) => value % 2 === 1);
    assert.equal(Value.Check(Type.String({ format: "even" }), "ab"), true);
    assert.equal(Value.Check(Type.String({ format: "even" }), "abc"), false);
    assert.equal(Value.Check(Type.Unsafe({ [Kind]: "Odd" }), 3), true);
    FormatRegistry.Delete("even");
    TypeRegistry.Clear();
  });
  test("compiled types", () => {
    const check = TypeCompiler.Compile(closed);
    assert.equal(check.Check({ s: "ab", u: 1 }), true);
    assert.equal([...check.Errors({})].length > 0, true);
    assert.equal(check.Schema(), closed);
    assert.equal(Compile, TypeCompiler.Compile);
    assert.throws(() => TypeCompiler.Compile("no"));
  });
});

describe("changing values", () => {
  const schema = Type.Object({ a: Type.String({ default: "d" }), n: Type.Optional(Type.Number({ default: 7 })), l: Type.Array(Type.Object({ z: Type.Boolean({ default: true }) })) });
  test("Default, Clean, Convert", () => {
    assert.deepEqual(Value.Default(schema, { l: [{}] }), { a: "d", n: 7, l: [{ z: true }] });
    assert.deepEqual(Value.Clean(schema, { a: "x", l: [{ z: 1, extra: 1 }], more: 1 }), { a: "x", l: [{ z: 1 }] });
    assert.deepEqual(Value.Convert(schema, { a: 1, n: "2.5", l: [{ z: "false" }] }), { a: "1", n: 2.5, l: [{ z: false }] });
    assert.deepEqual(Value.Convert(Type.Union([Type.Number(), Type.Null()]), "null"), null);
    assert.deepEqual(Value.Convert(Type.Date(), "2020-01-01"), new Date("2020-01-01T00:00:00Z"));
    assert.equal(Value.Convert(Type.Number(), "x"), "x");
  });
  test("Parse runs all steps on a copy", () => {
    const input = { n: "3", l: [], extra: 1 };
    assert.deepEqual(Value.Parse(schema, input), { a: "d", n: 3, l: [] });
    assert.deepEqual(input, { n: "3", l: [], extra: 1 });
    assert.throws(() => Value.Parse(schema, { l: 1 }), (error) => error instanceof AssertError && error.error.path === "/l/0");
    assert.equal(Value.Parse(["Convert"], Type.Number(), "4"), 4);
    assert.throws(() => Value.Parse(["Nothing"], Type.Number(), 4), /Nothing/);
  });
  test("Create", () => {
    assert.deepEqual(Value.Create(schema), { a: "d", l: [] });
    assert.deepEqual(Value.Create(Type.Tuple([Type.Number({ minimum: 3 }), Type.Literal("x"), Type.Union([Type.Null(), Type.String()])])), [3, "x", null]);
    assert.throws(() => Value.Create(Type.Never()));
    assert.throws(() => Value.Create(Type.String({ pattern: "x" })));
  });
  test("transforms decode inside out and encode back", () => {
    const date = Type.Transform(Type.String()).Decode((text) => new Date(text)).Encode((value) => value.toISOString());
    const wrapped = Type.Transform(Type.Object({ at: date })).Decode((value) => value.at).Encode((at) => ({ at }));
    const text = "2020-01-01T00:00:00.000Z";
    assert.deepEqual(Value.Decode(wrapped, { at: text }), new Date(text));
    assert.deepEqual(Value.Encode(wrapped, new Date(text)), { at: text });
    assert.throws(() => Value.Decode(wrapped, { at: 1 }), TransformDecodeCheckError);
    assert.deepEqual(Value.Decode(Type.Union([Type.Number(), date]), text), new Date(text));
  });
  test("Clone and Equal", () => {
    const value = { a: [1, new Date(5)], m: new Map([[1, { x: 1 }]]), f: Math.max };
    const copy = Value.Clone(value);
    assert.equal(Value.Equal(value, copy), true);
    copy.a[0] = 2;
    assert.equal(Value.Equal(value, copy), false);
    assert.equal(value.a[0], 1);
  });
});
