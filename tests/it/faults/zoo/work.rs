//! Work without end, and memory without end.

use super::Fate::{Allowed, Refused};
use super::Kind;

pub const KINDS: &[Kind] = &[
    ("awaits null for ever", "while (true) await null", Refused),
    ("awaits thenables for ever", "while (true) await { then(f: any) { f() } }", Refused),
    ("queueMicrotask storm", "const f = () => queueMicrotask(f); f(); return new Promise(() => {})", Refused),
    (
        "microtasks that double",
        "const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); return new Promise(() => {})",
        Refused,
    ),
    ("storm after its answer", "const f = () => queueMicrotask(f); setTimeout(f, 0); return undefined", Allowed),
    (
        "race storm",
        "const f = (): any => Promise.race([Promise.resolve(), Promise.resolve()]).then(f); return f()",
        Refused,
    ),
    (
        "nested races",
        "let p: any = new Promise(() => {}); for (let i = 0; i < 2e4; i++) p = Promise.race([p, new Promise(() => {})]); return p",
        Refused,
    ),
    ("thousand intervals", "for (let i = 0; i < 1000; i++) setInterval(() => {}, 0)", Allowed),
    ("thousands of timers", "for (let i = 0; i < 3000; i++) setTimeout(() => {}, 60000 + i)", Allowed),
    ("immediates without end", "const f = () => setImmediate(f); f()", Allowed),
    (
        "message channel that plays with itself",
        "const c = new MessageChannel(); c.port1.onmessage = () => c.port2.postMessage(1); c.port2.onmessage = () => c.port1.postMessage(1); c.port1.postMessage(1)",
        Allowed,
    ),
    ("timer that spins after its answer", "setTimeout(() => { for (;;); }, 0)", Allowed),
    ("toString that spins", "`${{ toString() { for (;;); } }}`", Refused),
    ("sort that spins", "[3, 1, 2].sort(() => { for (;;); })", Refused),
    ("replace that spins", "'abc'.replace(/b/, () => { for (;;); })", Refused),
    ("JSON reviver that spins", "JSON.parse('[1]', () => { for (;;); })", Refused),
    ("eval that spins", "(0, eval)('for (;;);')", Refused),
    ("function constructor that spins", "new Function('for (;;);')()", Refused),
    ("JSON text of 100 MB", "const s = '[' + '1,'.repeat(4e7) + '1]'; JSON.parse(s)", Refused),
    ("BigInt without end", "let n = 3n; for (;;) n *= n", Refused),
    ("registers a million handlers", "for (let i = 0; i < 1e6; i++) pi.on('tool_result', () => {})", Refused),
    (
        "registers itself without end",
        "const f = (later: any) => { if (later.input.m === 'bad') pi.on('tool_call', f) }; f(e)",
        Refused,
    ),
    (
        "registers a gate while it runs",
        "pi.on('tool_call', (later: any) => later.input.m === 'bad' ? { block: true } : undefined)",
        Refused,
    ),
    (
        "registers a million commands",
        "for (let i = 0; i < 1e6; i++) pi.registerCommand('c' + i, { handler() {} })",
        Refused,
    ),
    (
        "sends messages without end",
        "for (;;) pi.sendMessage({ customType: 'x', content: 'x'.repeat(1e4), display: false })",
        Refused,
    ),
    ("prints without end", "for (;;) console.log('x'.repeat(1e5))", Refused),
    (
        "weak references without end",
        "const r = new FinalizationRegistry(() => {}); for (;;) { const o = {}; r.register(o, 1, o); new WeakRef(o) }",
        Refused,
    ),
    (
        "finaliser that throws",
        "const r = new FinalizationRegistry(() => { throw new Error('fin') }); for (let i = 0; i < 1e4; i++) r.register({}, 1)",
        Allowed,
    ),
    (
        "shared buffers without end",
        "const a = []; for (;;) { const b = new SharedArrayBuffer(1 << 24); new Uint8Array(b).fill(1); a.push(b) }",
        Refused,
    ),
    (
        "growing buffers without end",
        "const a = []; for (;;) { const b = new ArrayBuffer(1, { maxByteLength: 1 << 24 }); b.resize(1 << 24); new Uint8Array(b).fill(1); a.push(b) }",
        Refused,
    ),
    ("blobs without end", "const a = []; for (;;) a.push(new Blob([new Uint8Array(1 << 22)]))", Refused),
    (
        "WebAssembly that loops",
        "const code = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]); \
         new WebAssembly.Instance(new WebAssembly.Module(code)).exports.f()",
        Refused,
    ),
    (
        "WebAssembly memory without end",
        "const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(m.buffer).fill(1); a.push(m) }",
        Refused,
    ),
    (
        "WebAssembly memory that grows",
        "const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(256); new Uint8Array(m.buffer).fill(1) }",
        Refused,
    ),
    ("not WebAssembly", "await WebAssembly.compile(new Uint8Array([1, 2, 3]))", Refused),
];
