//! What `node:` modules and imports are good for when they are misused.

use super::Fate::{Allowed, Refused};
use super::Kind;

pub const KINDS: &[Kind] = &[
    ("exits in a timer", "setTimeout(() => process.exit(3), 0)", Allowed),
    ("exits in nextTick", "process.nextTick(() => process.exit(3))", Allowed),
    ("exits by exit code", "process.exitCode = 7", Allowed),
    (
        "throws in nextTick while it waits",
        "process.nextTick(() => { throw new Error('tick') }); await new Promise((r) => setTimeout(r, 20))",
        Allowed,
    ),
    ("emits an error nobody hears", "new (require('node:events'))().emit('error', new Error('nobody'))", Refused),
    (
        "emits an error later",
        "const x = new (require('node:events'))(); setTimeout(() => x.emit('error', new Error('nobody')), 0)",
        Allowed,
    ),
    ("destroys a stream", "new (require('node:stream').Readable)({ read() {} }).destroy(new Error('stream'))", Allowed),
    (
        "stream that throws",
        "new (require('node:stream').Readable)({ read() { throw new Error('read') } }).resume()",
        Allowed,
    ),
    (
        "stream that never ends",
        "for await (const x of new (require('node:stream').Readable)({ read() { this.push('x') } }));",
        Refused,
    ),
    ("starts a worker", "new (require('node:worker_threads').Worker)('1', { eval: true })", Refused),
    ("starts a web worker", "new (globalThis as any).Worker('data:text/javascript,1')", Refused),
    ("asks a database for nonsense", "new (require('node:sqlite').DatabaseSync)(':memory:').exec('x y z')", Refused),
    ("loads an addon", "process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6')", Refused),
    ("binding of the process", "(process as any).binding('spawn_sync')", Allowed),
    ("imports what is not there", "await import('./nowhere.ts')", Refused),
    ("imports without end", "for (let i = 0; ; i++) await import(`data:text/javascript,export default ${i}`)", Refused),
    ("imports a module that spins", "await import('data:text/javascript,for(;;);')", Refused),
    ("imports a module that never ends", "await import('data:text/javascript,await new Promise(()=>{})')", Refused),
    ("imports over the network", "await import('https://127.0.0.1:1/x.js')", Refused),
    ("fetches what is not there", "await fetch('http://127.0.0.1:1/')", Refused),
    ("script in another context", "require('node:vm').runInNewContext('for (;;);')", Refused),
    ("script in this context", "require('node:vm').runInThisContext('for (;;);')", Refused),
    ("spawns what is not there", "require('node:child_process').spawn('/nowhere/at/all')", Allowed),
    ("kills its child", "const c = require('node:child_process').spawn('sleep', ['30']); c.kill('SIGKILL')", Allowed),
    (
        "child that floods",
        "require('node:child_process').execSync('yes | head -c 100000000', { maxBuffer: 1e6 })",
        Refused,
    ),
    (
        "writes to a closed pipe",
        "const c = require('node:child_process').spawn('true'); c.stdin.write('x'.repeat(1e6))",
        Allowed,
    ),
    ("server nobody closes", "require('node:net').createServer().listen(0)", Allowed),
    ("watches what is not there", "require('node:fs').watch('/nowhere/at/all', () => {})", Allowed),
    (
        "closes every descriptor",
        "for (let i = 0; i < 64; i++) try { require('node:fs').closeSync(i) } catch {}",
        Allowed,
    ),
    ("reads its standard input", "require('node:fs').readFileSync(0)", Allowed),
    ("writes to standard output by number", "require('node:fs').writeSync(1, 'noise\\n')", Allowed),
    ("sets the title and umask", "process.title = 'x'; process.umask(0o777)", Allowed),
    ("changes its user", "process.setuid?.(0 / 0)", Refused),
    (
        "unhandled listener that throws",
        "process.on('unhandledRejection', () => { throw new Error('again') }); Promise.reject(new Error('stray'))",
        Allowed,
    ),
    (
        "uncaught listener that throws",
        "process.on('uncaughtException', () => { throw new Error('again') }); setTimeout(() => { throw new Error('late') }, 0)",
        Allowed,
    ),
    (
        "worker pool of scrypt",
        "for (let i = 0; i < 4; i++) require('node:crypto').scrypt('a', 'b', 64, () => { throw new Error('done') })",
        Allowed,
    ),
    (
        "domain and async hooks",
        "require('node:async_hooks').createHook({ init() { throw new Error('hook') } }).enable()",
        Allowed,
    ),
];
