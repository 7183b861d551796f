// The module `bun:sqlite` over `node:sqlite`: `Database`, `Statement` and the flags that open one.

const OPEN_READONLY = 1;
const OPEN_READWRITE = 2;
const OPEN_CREATE = 4;

/** Flags of `new Database(path, flags)`. */
export const constants = { SQLITE_OPEN_READONLY: OPEN_READONLY, SQLITE_OPEN_READWRITE: OPEN_READWRITE, SQLITE_OPEN_CREATE: OPEN_CREATE };

/**
 * @param {(name: string) => any} node gives a node builtin
 * @returns {{ Database: Function, Statement: Function, constants: object }}
 */
export function createSqlite(node) {
  class Statement {
    #statement;
    #shape = undefined;
    #database;
    #safeIntegers;

    constructor(statement, database, safeIntegers) {
      this.#statement = statement;
      this.#database = database;
      this.#safeIntegers = safeIntegers;
      // Read exactly, and handed out as numbers unless exactness is asked for: an integer past 2^53 is no error.
      statement.setReadBigInts(true);
    }

    get columnNames() {
      return this.#statement.columns().map((column) => column.name);
    }

    /** Rows become objects with this class's prototype; its constructor does not run. */
    as(shape) {
      this.#shape = shape;
      return this;
    }

    /** A value as it is handed out. */
    #out(value) {
      return typeof value === "bigint" && !this.#safeIntegers ? Number(value) : value;
    }

    #row(row) {
      for (const name in row) row[name] = this.#out(row[name]);
      return this.#shape === undefined ? row : Object.assign(Object.create(this.#shape.prototype), row);
    }

    all(...parameters) {
      return this.#statement.all(...bound(parameters)).map((row) => this.#row(row));
    }

    get(...parameters) {
      const row = this.#statement.get(...bound(parameters));
      return row === undefined ? null : this.#row(row);
    }

    values(...parameters) {
      this.#statement.setReturnArrays(true);
      try {
        return this.#statement.all(...bound(parameters)).map((row) => row.map((value) => this.#out(value)));
      } finally {
        this.#statement.setReturnArrays(false);
      }
    }

    run(...parameters) {
      const { changes, lastInsertRowid } = this.#statement.run(...bound(parameters));
      return { changes: Number(changes), lastInsertRowid: this.#out(lastInsertRowid) };
    }

    *iterate(...parameters) {
      for (const row of this.#statement.iterate(...bound(parameters))) yield this.#row(row);
    }

    [Symbol.iterator]() {
      return this.iterate();
    }

    /** The statement ends with its database; nothing has to be done for it before. */
    finalize() {}

    [Symbol.dispose]() {}

    toString() {
      return this.#statement.expandedSQL;
    }

    get database() {
      return this.#database;
    }
  }

  class Database {
    #database;
    #queries = new Map();
    #options;
    #depth = 0;

    constructor(filename = ":memory:", options = {}) {
      const settings = typeof options === "number" ? ofFlags(options) : options ?? {};
      this.filename = String(filename || ":memory:");
      this.#options = settings;
      const readOnly = settings.readonly === true;
      // Flags or options that name neither `create` nor `readwrite` but something else do not create a file.
      const creates = readOnly ? false : settings.create ?? (settings.readwrite === undefined || settings.readwrite === true && typeof options !== "number");
      if (!creates && !inMemory(this.filename) && !node("fs").existsSync(this.filename)) {
        throw new Error(`unable to open database file: ${this.filename} does not exist`);
      }
      const { DatabaseSync } = node("sqlite");
      this.#database = new DatabaseSync(this.filename, { readOnly, allowExtension: false });
    }

    static open(filename, options) {
      return new Database(filename, options);
    }

    get inTransaction() {
      return this.#database.isTransaction;
    }

    /** A new statement. Its parameters are bound when it runs. */
    prepare(sql) {
      const statement = this.#database.prepare(sql);
      // Bun binds `{ $name: … }`, with the prefix, unless it is strict; sqlite takes both.
      statement.setAllowUnknownNamedParameters(this.#options.strict !== true);
      return new Statement(statement, this, this.#options.safeIntegers === true);
    }

    /** The statement for this text, made once. */
    query(sql) {
      let statement = this.#queries.get(sql);
      if (statement === undefined) this.#queries.set(sql, statement = this.prepare(sql));
      return statement;
    }

    /** Runs one statement with parameters, or several without. */
    run(sql, ...parameters) {
      if (parameters.length > 0) return this.prepare(sql).run(...parameters);
      this.#database.exec(sql);
      return this.query("SELECT changes() AS changes, last_insert_rowid() AS lastInsertRowid").get();
    }

    exec(sql, ...parameters) {
      return this.run(sql, ...parameters);
    }

    /** A function that runs `body` inside a transaction: committed when it returns, undone when it throws. Nested ones are savepoints. */
    transaction(body) {
      const database = this;
      const begun = (how) =>
        function (...args) {
          const outermost = database.#depth === 0 && !database.inTransaction;
          const name = `hookrt_${database.#depth}`;
          database.#database.exec(outermost ? `BEGIN ${how}` : `SAVEPOINT ${name}`);
          database.#depth++;
          try {
            const result = body.apply(this, args);
            database.#database.exec(outermost ? "COMMIT" : `RELEASE ${name}`);
            return result;
          } catch (error) {
            // SQLite may have undone everything by itself already.
            if (database.inTransaction) database.#database.exec(outermost ? "ROLLBACK" : `ROLLBACK TO ${name}; RELEASE ${name}`);
            throw error;
          } finally {
            database.#depth--;
          }
        };
      return Object.assign(begun(""), { default: begun(""), deferred: begun("DEFERRED"), immediate: begun("IMMEDIATE"), exclusive: begun("EXCLUSIVE") });
    }

    /** Closes the database; a second time does nothing. */
    close() {
      this.#queries.clear();
      if (this.#database.isOpen) this.#database.close();
    }

    [Symbol.dispose]() {
      this.close();
    }
  }

  return { Database, Statement, constants };
}

function ofFlags(flags) {
  return { readonly: (flags & OPEN_READONLY) !== 0, readwrite: (flags & OPEN_READWRITE) !== 0, create: (flags & OPEN_CREATE) !== 0 };
}

function inMemory(filename) {
  return filename === ":memory:" || filename.startsWith("file:");
}

/** Parameters as sqlite takes them: one list stands for its items, booleans are numbers, nothing is NULL. */
function bound(parameters) {
  const list = parameters.length === 1 && Array.isArray(parameters[0]) ? parameters[0] : parameters;
  return list.map((value) => {
    const named = typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date);
    return named ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, storable(item)])) : storable(value);
  });
}

function storable(value) {
  if (value === undefined) return null;
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Date) return value.toISOString();
  return value;
}
