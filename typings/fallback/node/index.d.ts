/**
 * A small part of Node for authors without `@types/node`. `tsconfig.json` names `@types` folders before this one in `typeRoots`, so
 * that an installed `@types/node` wins and this file is not read at all. Modules without a declaration of their own here
 * are importable but untyped.
 */
/// <reference path="./globals.d.ts" />
/// <reference path="./files.d.ts" />
/// <reference path="./system.d.ts" />

declare module "node:*";
declare module "assert";
declare module "async_hooks";
declare module "buffer";
declare module "dns";
declare module "http";
declare module "https";
declare module "module";
declare module "net";
declare module "perf_hooks";
declare module "process";
declare module "querystring";
declare module "readline";
declare module "readline/promises";
declare module "stream";
declare module "stream/promises";
declare module "string_decoder";
declare module "timers";
declare module "timers/promises";
declare module "tls";
declare module "tty";
declare module "vm";
declare module "worker_threads";
declare module "zlib";
declare module "node:sqlite";
