//! What all hooks share: prototypes, constructors, the event itself.

use super::Fate::{Allowed, Refused};
use super::Kind;

pub const KINDS: &[Kind] = &[
    ("overrides Promise", "globalThis.Promise = class { constructor() { throw new Error('P') } } as any", Allowed),
    (
        "takes Promise's species away",
        "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species') } })",
        Refused,
    ),
    (
        "takes promises' constructor away",
        "Promise.prototype.then = function (f: any) { return f(undefined) } as any; (Promise.prototype as any).constructor = Object",
        Allowed,
    ),
    ("freezes its event", "Object.freeze(e); Object.freeze(e.input)", Allowed),
    (
        "makes its event its own prototype",
        "Object.setPrototypeOf(e, null); Object.setPrototypeOf(e.input, null)",
        Allowed,
    ),
    (
        "puts then on every object",
        "Object.defineProperty(Object.prototype, 'then', { configurable: true, value(f: any) { f(undefined) } })",
        Refused,
    ),
    (
        "puts block on every object",
        "Object.defineProperty(Object.prototype, 'block', { configurable: true, get: () => false, set() {} })",
        Refused,
    ),
    (
        "puts get and set on every object",
        "(Object.prototype as any).get = () => 1; (Object.prototype as any).value = 2; (Object.prototype as any).writable = false",
        Allowed,
    ),
    (
        "puts setters under every array",
        "for (const i of [0, 1, 2]) Object.defineProperty(Array.prototype, i, { configurable: true, get: () => undefined, set() {} })",
        Allowed,
    ),
    ("takes iteration away", "(Array.prototype as any)[Symbol.iterator] = () => { throw new Error('it') }", Allowed),
    (
        "puts a setter on stack",
        "Object.defineProperty(Error.prototype, 'stack', { get() { throw new Error('s') }, set() { throw new Error('s') } })",
        Allowed,
    ),
    (
        "prepares stack traces badly",
        "(Error as any).prepareStackTrace = () => { throw new Error('trace') }; try { null!.x } catch (x) { (x as any).stack }",
        Refused,
    ),
    (
        "prepares stack traces for ever",
        "(Error as any).prepareStackTrace = () => { for (;;); }; setTimeout(() => { delete (Error as any).prepareStackTrace }, 1); throw new Error('x')",
        Refused,
    ),
    (
        "endless stack traces",
        "Error.stackTraceLimit = Infinity; const f = (n: number): any => n ? f(n - 1) : new Error('deep'); throw f(500)",
        Refused,
    ),
    (
        "no stack traces",
        "(Error as any).stackTraceLimit = 'none'; Error.prototype.toString = () => { throw 1 }; throw new Error('x')",
        Refused,
    ),
    (
        "patches Function.prototype",
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = (() => { throw 1 }) as any",
        Allowed,
    ),
    (
        "patches Symbol.hasInstance",
        "Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } })",
        Allowed,
    ),
    (
        "patches WeakRef",
        "WeakRef.prototype.deref = () => { throw 1 }; (globalThis as any).WeakRef = undefined",
        Allowed,
    ),
    (
        "patches AbortController",
        "AbortController.prototype.abort = () => { throw 1 }; (globalThis as any).AbortSignal = undefined",
        Allowed,
    ),
    (
        "patches Date and Math",
        "Date.now = () => NaN; Math.random = () => { throw 1 }; Number.isFinite = () => true",
        Allowed,
    ),
    (
        "looks for the other hooks",
        "for (const o of [Map, Set, WeakMap, Array]) for (const k of ['get', 'forEach', 'push', 'delete', 'clear', 'splice']) \
         if ((o as any).prototype[k]) (o as any).prototype[k] = function () { this.clear?.(); if (this.length) this.length = 0 }",
        Allowed,
    ),
    (
        "takes pi and ctx apart",
        "for (const o of [pi, ctx]) for (const k of Object.keys(o)) { try { o[k] = null } catch {} delete o[k] }",
        Allowed,
    ),
    (
        "seals what it was given",
        "for (const o of [pi, ctx, ctx.ui, ctx.sessionManager, globalThis]) if (o) Object.preventExtensions(o)",
        Allowed,
    ),
    (
        "removes the async context",
        "const { AsyncLocalStorage } = require('node:async_hooks'); new AsyncLocalStorage().exit(() => {}); new AsyncLocalStorage().enterWith(1)",
        Allowed,
    ),
    ("patches Array.prototype", "Array.prototype.map = Array.prototype.push = () => { throw 1 }", Allowed),
    ("patches Promise.prototype.then", "Promise.prototype.then = () => { throw 1 }", Allowed),
    ("patches JSON", "JSON.stringify = JSON.parse = () => { throw 1 }", Allowed),
    ("patches Map.prototype", "Map.prototype.get = Map.prototype.set = () => { throw 1 }", Allowed),
    ("patches Object.prototype.then", "(Object.prototype as any).toJSON = () => { throw 1 }", Allowed),
    (
        "freezes the globals",
        "for (const o of [Object, Array, Promise, JSON, Map, Set]) { Object.freeze(o); Object.freeze((o as any).prototype) }",
        Allowed,
    ),
    (
        "deletes globals",
        "for (const k of ['setTimeout', 'console', 'Promise', 'JSON', 'AbortController']) delete (globalThis as any)[k]",
        Allowed,
    ),
];
