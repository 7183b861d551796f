import assert from "node:assert/strict";
import { mkdtempSync, rmSync, mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, describe, test } from "node:test";
import { createBun } from "../../70_bun.js";

const Bun = createBun({ node: (name) => process.getBuiltinModule(`node:${name}`) });
const dir = mkdtempSync(join(tmpdir(), "bun-shim-"));
after(() => rmSync(dir, { recursive: true, force: true }));
const at = (name) => join(dir, name);

describe("values in a command line", () => {
  test("are text inside quotes, too", async () => {
    const value = `$(echo ran) \`echo ran\` $HOME "q" 'q' \\ end`;
    assert.equal(await Bun.$`printf %s ${value}`.quiet().text(), value);
    assert.equal(await Bun.$`printf %s "${value}"`.quiet().text(), value);
    assert.equal(await Bun.$`printf %s '${value}'`.quiet().text(), value);
    assert.equal(await Bun.$`printf %s "a \"${value}\" b"`.quiet().text(), `a "${value}" b`);
    assert.equal(await Bun.$`printf %s- ${["a b", "c"]}`.quiet().text(), "a b-c-");
  });
});

describe("files", () => {
  test("reads in every form", async () => {
    writeFileSync(at("a.json"), '{"k":"ü"}');
    const file = Bun.file(at("a.json"));
    assert.equal(await file.text(), '{"k":"ü"}');
    assert.deepEqual(await file.json(), { k: "ü" });
    assert.equal((await file.bytes()).length, 10);
    assert.equal((await file.arrayBuffer()).byteLength, 10);
    assert.equal(file.size, 10);
    assert.equal(file.name, at("a.json"));
    assert.equal(file.type, "application/json;charset=utf-8");
    assert.ok(Math.abs(file.lastModified - Date.now()) < 60_000);
    assert.equal(await Bun.readableStreamToText(file.stream()), '{"k":"ü"}');
    assert.equal(await file.slice(1, 4).text(), '"k"');
    assert.equal(await file.slice(-2).bytes().then((bytes) => bytes.length), 2);
    assert.equal(await Bun.file(pathToFileURL(at("a.json"))).text(), '{"k":"ü"}');
  });
  test("a missing file is empty until it is read", async () => {
    const file = Bun.file(at("none.bin"));
    assert.equal(file.size, 0);
    assert.equal(file.lastModified, 0);
    assert.equal(await file.exists(), false);
    assert.equal(file.type, "application/octet-stream");
    await assert.rejects(file.text(), { code: "ENOENT" });
    mkdirSync(at("d"));
    assert.equal(await Bun.file(at("d")).exists(), false, "a directory is no file");
  });
  test("writes and makes directories", async () => {
    assert.equal(await Bun.write(at("x/y/z.txt"), "hé"), 3);
    assert.equal(readFileSync(at("x/y/z.txt"), "utf8"), "hé");
    assert.equal(await Bun.write(at("copy.txt"), Bun.file(at("x/y/z.txt"))), 3);
    assert.equal(await Bun.write(Bun.file(at("b.bin")), new Uint8Array([1, 2, 3]).subarray(1)), 2);
    assert.deepEqual([...readFileSync(at("b.bin"))], [2, 3]);
    assert.equal(await Bun.write(at("r.txt"), new Response("web")), 3);
    assert.equal(await Bun.write(at("p.txt"), ["a", new Uint8Array([98])]), 2);
    await assert.rejects(Bun.write(at("q"), { no: 1 }), TypeError);
    await assert.rejects(Bun.write(at("no/dir"), "x", { createPath: false }), { code: "ENOENT" });
    const writer = Bun.file(at("w.txt")).writer();
    writer.write("one ");
    writer.flush();
    writer.write("two");
    writer.end();
    assert.equal(await Bun.file(at("w.txt")).text(), "one two");
    await Bun.file(at("w.txt")).delete();
    assert.equal(await Bun.file(at("w.txt")).exists(), false);
  });
  test("a big file streams whole", async () => {
    await Bun.write(at("big"), "x".repeat(200_000));
    assert.equal((await Bun.readableStreamToBytes(Bun.file(at("big")).stream())).length, 200_000);
  });
});

describe("spawn", () => {
  test("output as web streams, the exit code as a promise", async () => {
    const child = Bun.spawn(["sh", "-c", "printf out; printf err >&2; exit 3"], { stderr: "pipe" });
    assert.ok(child.pid > 0);
    assert.equal(child.exitCode, null);
    const [out, err, code] = await Promise.all([new Response(child.stdout).text(), child.stderr.text(), child.exited]);
    assert.deepEqual([out, err, code, child.exitCode], ["out", "err", 3, 3]);
  });
  test("a large output arrives whole though it is read late", async () => {
    const child = Bun.spawn(["sh", "-c", "head -c 3000000 /dev/zero"]);
    await Bun.sleep(50);
    assert.equal((await child.stdout.bytes()).length, 3_000_000);
  });
  test("input step by step and at once", async () => {
    const cat = Bun.spawn(["cat"], { stdin: "pipe" });
    cat.stdin.write("a");
    cat.stdin.write(new Uint8Array([98]));
    cat.stdin.end();
    assert.equal(await cat.stdout.text(), "ab");
    assert.equal(await Bun.spawn(["cat"], { stdin: new TextEncoder().encode("given") }).stdout.text(), "given");
    assert.equal(await Bun.spawn(["cat"], { stdin: new Response("body") }).stdout.text(), "body");
    assert.equal(await Bun.spawn({ cmd: ["true"], stdin: new Uint8Array(1_000_000) }).exited, 0, "nobody reads");
  });
  test("cwd, env, kill, timeout, signal, onExit", async () => {
    assert.equal(await Bun.spawn(["pwd"], { cwd: dir }).stdout.text(), `${dir}\n`);
    assert.equal(await Bun.spawn(["sh", "-c", "echo $A"], { env: { ...process.env, A: "v" } }).stdout.text(), "v\n");
    const killed = Bun.spawn(["sleep", "30"]);
    killed.kill();
    assert.equal(await killed.exited, 143);
    assert.deepEqual([killed.exitCode, killed.signalCode, killed.killed], [null, "SIGTERM", true]);
    const late = Bun.spawn(["sleep", "30"], { timeout: 30, killSignal: "SIGKILL" });
    assert.equal(await late.exited, 137);
    const controller = new AbortController();
    const told = [];
    const aborted = Bun.spawn(["sleep", "30"], { signal: controller.signal, onExit: (_, code, signal) => told.push(code, signal) });
    controller.abort();
    await aborted.exited;
    assert.deepEqual(told, [null, "SIGTERM"]);
  });
  test("a missing program throws at once", () => {
    assert.throws(() => Bun.spawn(["no-such-program-here"]), { code: "ENOENT", message: /not found in \$PATH/ });
    assert.throws(() => Bun.spawnSync(["./missing"]), { code: "ENOENT" });
    assert.throws(() => Bun.spawn([]), TypeError);
  });
  test("spawnSync", () => {
    const result = Bun.spawnSync(["sh", "-c", "cat; echo e >&2; exit 2"], { stdin: new TextEncoder().encode("in") });
    assert.deepEqual(
      [result.stdout.toString(), result.stderr.toString(), result.exitCode, result.success],
      ["in", "e\n", 2, false],
    );
    assert.equal(Bun.spawnSync({ cmd: ["true"] }).success, true);
    assert.equal(Bun.spawnSync(["sh", "-c", "kill -9 $$"]).signalCode, "SIGKILL");
  });
});

describe("$", () => {
  test("interpolations are words, whatever is in them", async () => {
    const evil = `$(touch ${at("pwned")}); 'quote' "two" \`x\` a  b\nnext`;
    assert.equal(await Bun.$`printf %s ${evil}`.text(), evil);
    assert.equal(await Bun.file(at("pwned")).exists(), false);
    assert.equal(await Bun.$`printf '%s|' ${["a b", "c"]} ${1} ${""}`.text(), "a b|c|1||");
    assert.equal(await Bun.$`echo ${{ raw: "$((1 + 2))" }}`.text(), "3\n");
    assert.equal(await Bun.$`cat ${Bun.file(at("x/y/z.txt"))}`.text(), "hé");
    assert.throws(() => Bun.$`echo ${{ a: 1 }}`, TypeError);
    assert.throws(() => Bun.$("echo"), TypeError);
  });
  test("results", async () => {
    assert.deepEqual(await Bun.$`echo '{"a":1}'`.json(), { a: 1 });
    const lines = [];
    for await (const line of Bun.$`printf 'a\nb\n'`.lines()) lines.push(line);
    assert.deepEqual(lines, ["a", "b"]);
    const output = await Bun.$`echo out; echo err >&2`.quiet();
    assert.deepEqual([output.stdout.toString(), output.stderr.toString(), output.exitCode], ["out\n", "err\n", 0]);
    assert.equal(await Bun.$`pwd`.cwd(dir).text(), `${dir}\n`);
    assert.equal(await Bun.$`echo $V`.env({ ...process.env, V: "1" }).text(), "1\n");
  });
  test("a failing command rejects unless told not to", async () => {
    await assert.rejects(Bun.$`echo no >&2; exit 4`.quiet(), (error) => {
      assert.equal(error.exitCode, 4);
      assert.equal(error.stderr.toString(), "no\n");
      return error instanceof Bun.$.ShellError;
    });
    assert.equal((await Bun.$`exit 4`.quiet().nothrow()).exitCode, 4);
    assert.equal(await Bun.$`exit 1`.quiet().catch(() => "caught"), "caught");
  });
  test("runs once, and only when somebody waits", async () => {
    const command = Bun.$`printf x >> ${at("count")}`.quiet();
    await Bun.sleep(20);
    assert.equal(await Bun.file(at("count")).exists(), false);
    await command;
    await command;
    assert.equal(await Bun.file(at("count")).text(), "x");
  });
});

describe("tools", () => {
  test("which", () => {
    assert.match(Bun.which("sh"), /\/sh$/);
    assert.equal(Bun.which("no-such-program-here"), null);
    assert.equal(Bun.which("sh", { PATH: dir }), null);
    assert.equal(Bun.which(""), null);
  });
  test("widths and escapes", () => {
    assert.equal(Bun.stringWidth("中a👨‍👩‍👧\x1b[31mx\x1b[0m"), 6);
    assert.equal(Bun.stripANSI("\x1b]8;;u\x1b\\l\x1b]8;;\x1b\\"), "l");
    assert.equal(Bun.escapeHTML(`<a b="c">&'`), "&lt;a b=&quot;c&quot;&gt;&amp;&#x27;");
  });
  test("deepEquals", () => {
    assert.equal(Bun.deepEquals({ a: [1, { b: new Set([1]) }], u: undefined }, { a: [1, { b: new Set([1]) }] }), true);
    assert.equal(Bun.deepEquals({ u: undefined }, {}, true), false);
    assert.equal(Bun.deepEquals([1, 2], [2, 1]), false);
    assert.equal(Bun.deepEquals(new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])), false);
    const cycle = {};
    cycle.self = cycle;
    const other = {};
    other.self = other;
    assert.equal(Bun.deepEquals(cycle, other), true);
  });
  test("time, urls, environment", async () => {
    const before = Date.now();
    await Bun.sleep(15);
    Bun.sleepSync(15);
    assert.ok(Date.now() - before >= 25);
    const first = Bun.nanoseconds();
    assert.ok(Number.isInteger(first) && Bun.nanoseconds() >= first);
    assert.equal(Bun.fileURLToPath(Bun.pathToFileURL("/a b")), "/a b");
    assert.equal(Bun.env, process.env);
    assert.equal(Bun.argv, process.argv);
    assert.match(Bun.inspect({ a: 1 }), /a: 1/);
  });
  test("what cannot be right is not there", () => {
    for (const name of ["hash", "serve", "password", "build", "version", "main", "sqlite"]) assert.equal(Bun[name], undefined);
  });
});
