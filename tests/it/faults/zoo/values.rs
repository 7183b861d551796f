//! What a handler hands back or throws: answers that bite when they are read.

use super::Fate::{Allowed, Refused};
use super::Kind;

pub const KINDS: &[Kind] = &[
    ("block getter that says yes once", "let n = 0; return { get block() { return n++ === 0 } }", Refused),
    ("reason getter that throws", "return { block: true, get reason() { throw new Error('r') } }", Refused),
    ("foreign getter that throws", "return { get extra() { throw new Error('x') } }", Refused),
    ("proxy of a block", "return new Proxy({ block: true, reason: 'p' }, {})", Refused),
    ("proxy without keys", "return new Proxy({ block: true }, { ownKeys() { throw new Error('k') } })", Refused),
    ("proxy with endless keys", "return new Proxy({ block: true }, { ownKeys() { for (;;); } })", Refused),
    (
        "proxy with many keys",
        "return new Proxy({ block: true }, { ownKeys: () => Array.from({ length: 5e4 }, (_, i) => 'k' + i), \
         getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })",
        Refused,
    ),
    ("proxy with an endless prototype", "return new Proxy({}, { getPrototypeOf() { for (;;); } })", Allowed),
    ("thenable that never calls back", "return { then() {} }", Refused),
    ("thenable that calls back twice", "return { then(f: any) { f({ block: true }); f(undefined) } }", Refused),
    (
        "thenable that answers and throws",
        "return { then(f: any) { f({ block: true }); throw new Error('t') } }",
        Refused,
    ),
    ("thenable of itself", "const t = { then(f: any) { f(t) } }; return t", Refused),
    ("promise of itself", "const p: any = new Promise((f) => setTimeout(() => f(p), 1)); return p", Refused),
    (
        "then that is there once",
        "let n = 0; return { block: true, get then() { return n++ ? undefined : undefined } }",
        Refused,
    ),
    (
        "then that changes",
        "let n = 0; return { block: true, get then() { return n++ ? undefined : (f: any) => f({ block: true }) } }",
        Refused,
    ),
    (
        "promise with a then of its own",
        "const p: any = Promise.resolve({ block: true }); p.then = () => {}; return p",
        Refused,
    ),
    (
        "subclass of Promise",
        "class P extends Promise<any> { then(f: any) { return super.then(() => { throw new Error('p') }) as any } } return new P((f) => f(1))",
        Refused,
    ),
    (
        "toPrimitive that throws",
        "return { block: true, reason: { [Symbol.toPrimitive]() { throw new Error('t') } } }",
        Refused,
    ),
    ("throws what cannot be text", "throw { [Symbol.toPrimitive]() { throw new Error('t') } }", Refused),
    ("throws what is text for ever", "throw { toString() { for (;;); } }", Refused),
    (
        "throws an error whose stack throws",
        "const x = new Error('m'); Object.defineProperty(x, 'stack', { get() { throw new Error('s') } }); throw x",
        Refused,
    ),
    (
        "throws an error whose stack never ends",
        "const x = new Error('m'); Object.defineProperty(x, 'stack', { get() { for (;;); } }); throw x",
        Refused,
    ),
    ("throws a huge error", "throw new Error('m'.repeat(2 ** 24))", Refused),
    ("throws an error chain of itself", "const x: any = new Error('m'); x.cause = x; x.errors = [x]; throw x", Refused),
    ("throws null", "throw null", Refused),
    ("throws a function", "throw () => 1", Refused),
    ("throws its event", "throw e", Refused),
    ("reason of 256 MB", "return { block: true, reason: 'x'.repeat(2 ** 28) }", Refused),
    ("reason of 512 MB", "return { block: true, reason: 'x'.repeat(2 ** 29 - 64) }", Refused),
    ("reason that is no text", "return { block: true, reason: { deep: [1, 2] } }", Refused),
    ("reason with lone surrogates", "return { block: true, reason: '\\ud800 \\udc00' }", Refused),
    ("cyclic block", "const o: any = { block: true }; o.o = o; return o", Refused),
    ("BigInt in a block", "return { block: true, n: 10n ** 400n }", Refused),
    ("BigInt as block", "return { block: 1n }", Refused),
    ("returns a BigInt", "return 10n", Allowed),
    ("returns a generator", "return (function* () { for (;;) yield 1 })()", Allowed),
    ("returns an async generator", "return (async function* () { for (;;) yield 1 })()", Allowed),
    ("returns a map with a block", "return new Map([['block', true]])", Allowed),
    ("returns its event", "return e", Allowed),
    ("array of four billion", "const a: any[] = []; a.length = 2 ** 32 - 1; return { block: true, a }", Refused),
    ("bytes of 64 MB", "return { block: true, b: new Uint8Array(1 << 26) }", Refused),
    (
        "buffer that was given away",
        "const b = new ArrayBuffer(8); structuredClone(b, { transfer: [b] }); return { block: true, b }",
        Refused,
    ),
    ("shared buffer", "return { block: true, b: new SharedArrayBuffer(8) }", Refused),
    ("class with a private block", "class G { #b = true; get block() { return this.#b } } return new G()", Refused),
    ("toJSON that says no", "return { block: true, toJSON: () => ({ block: false }) }", Refused),
    ("recursive toJSON", "const o: any = { block: true, o: { toJSON() { return { o } } } }; return o", Refused),
];
