/**
 * Which package may import which. Pure: it takes the sources and returns the imports that break a rule.
 * Cycles are the linter's business.
 */
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface ImportFault {
  readonly path: string;
  readonly specifier: string;
  readonly rule: string;
}

/** What each room may import of the other rooms. A room that is not listed may import none. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  "run-log": [],
  "agent-sdk": ["run-log"],
  store: ["run-log", "agent-sdk"],
  server: ["run-log", "agent-sdk", "store"],
  acp: ["run-log", "agent-sdk"],
  client: ["run-log"],
  web: ["run-log", "client"],
  code: ["run-log", "agent-sdk", "store", "server", "acp", "client"],
  testkit: ["run-log", "agent-sdk", "store", "server", "acp", "client"],
};

const databaseDrivers: ReadonlySet<string> = new Set(["pg", "kysely", "@electric-sql/pglite"]);

/**
 * What each folder of a package may import of the package's other folders. A file at the top of `src` may import all
 * of them; a package that is not listed has no such rule. `types` holds types only, so it may name the types of all.
 */
export const foldersMayImport: Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
> = {
  "run-log": {
    values: [],
    lines: ["values"],
    log: ["values"],
    partialJson: ["values"],
    asking: ["values"],
    calls: ["values", "log"],
    http: ["values", "log", "calls"],
    stages: ["values", "log", "calls", "http", "partialJson"],
    projections: ["values", "log", "calls", "http", "partialJson", "asking", "stages"],
    intake: ["values", "log", "lines"],
    checker: ["values", "log", "lines", "intake"],
  },
  "agent-sdk": {
    utils: ["types"],
    redaction: ["types", "utils"],
    tracing: ["types", "utils", "redaction"],
    managers: ["types", "utils"],
    hooks: ["types", "utils"],
    system: ["types", "utils", "redaction"],
    approvals: ["types", "utils", "system"],
    models: ["types", "utils", "system"],
    services: ["types", "utils", "system", "models"],
    sessions: ["types", "utils", "system", "redaction"],
    intake: ["types", "utils", "system", "sessions"],
    tools: ["types", "utils", "system", "approvals", "tracing"],
    mcp: ["types", "utils", "system", "redaction", "approvals", "tools"],
    loop: [
      "types",
      "utils",
      "system",
      "redaction",
      "tracing",
      "managers",
      "hooks",
      "approvals",
      "models",
      "services",
      "sessions",
      "tools",
      "mcp",
    ],
  },
};

/** A reader is tested where its writer is: the pair meets in the tests of the room that writes. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = { server: ["client"] };

const schemaLibrary: ReadonlySet<string> = new Set(["zod/mini", "zod/v4/locales/en.js"]);

const browserRooms: ReadonlySet<string> = new Set(["run-log", "client", "web"]);

export function importsOf(file: SourceFile): readonly string[] {
  const { module } = parseSync(file.path, file.text);
  const reexports = module.staticExports.flatMap((statement) =>
    statement.entries.map((entry) => entry.moduleRequest?.value),
  );
  // One whose argument is no literal names nothing that could be checked.
  const dynamic = module.dynamicImports
    .map(({ moduleRequest: { start, end } }) => file.text.slice(start, end))
    .filter((argument) => /^["'`]/.test(argument))
    .map((argument) => argument.slice(1, -1));
  const found = [...module.staticImports.map((one) => one.moduleRequest.value), ...reexports];
  return [...new Set([...found, ...dynamic].filter((specifier) => specifier !== undefined))];
}

/** `exportsOf` gives the specifiers under which a package may be imported. */
export function importFaultsOf(
  file: SourceFile,
  exportsOf: (packageName: string) => readonly string[],
): readonly ImportFault[] {
  const isTest = /\.test(-d)?\.tsx?$|\/testing\//.test(file.path);
  return importsOf(file).flatMap((specifier) => {
    const rule = specifier.startsWith(".")
      ? relativeRule(file.path, specifier, isTest)
      : packageRule(file.path, specifier, isTest, exportsOf);
    return rule === undefined ? [] : [{ path: file.path, specifier, rule }];
  });
}

function roomOf(path: string): string | undefined {
  return /^packages\/([^/]+)\/src\//.exec(path)?.[1];
}

function relativeRule(path: string, specifier: string, isTest: boolean): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  if (roomOf(path) !== roomOf(target)) return "an import by path stays inside its package";
  if (isTest) return undefined;
  const from = projectionOf(path);
  const to = projectionOf(target);
  if (from !== undefined && to !== undefined && from !== to) {
    return "a projection never imports another projection";
  }
  return folderRule(path, target);
}

/** The projection that a file belongs to: `toolEvent` for `projections/toolEvent.ts` and its folder. */
function projectionOf(path: string): string | undefined {
  const [, name] = /^packages\/run-log\/src\/projections\/([^/.]+)/.exec(path) ?? [];
  return name === "shared" || name === "index" ? undefined : name;
}

function folderRule(path: string, target: string): string | undefined {
  const room = roomOf(path);
  const from = folderOf(path);
  const to = folderOf(target);
  if (room === undefined || from === undefined || from === to) return undefined;
  const allowed = foldersMayImport[room]?.[from];
  if (allowed === undefined) return undefined;
  if (to === undefined) return `${room}/${from} may not import the top of its package`;
  return allowed.includes(to) ? undefined : `${room}/${from} may not import ${room}/${to}`;
}

/** The folder right below `src`; none for a file that is there itself. */
function folderOf(path: string): string | undefined {
  return /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
}

function packageRule(
  path: string,
  specifier: string,
  isTest: boolean,
  exportsOf: (packageName: string) => readonly string[],
): string | undefined {
  const room = roomOf(path);
  const [, other] = /^@callboard\/([^/]+)/.exec(specifier) ?? [];
  if (other !== undefined) {
    if (!exportsOf(`@callboard/${other}`).includes(specifier)) {
      return "a package is imported by what it exports, not by its files";
    }
    if (room === undefined || (isTest && other === "testkit")) return undefined;
    if (isTest && (other === room || testsMayImport[room]?.includes(other))) return undefined;
    return mayImport[room]?.includes(other) ? undefined : `${room} may not import ${other}`;
  }
  if (isTest || room === undefined) return undefined;
  if (browserRooms.has(room) && specifier === "zod") {
    return "a room that runs in a browser imports zod/mini: a bundler cannot shake zod";
  }
  if (room === "run-log" && !schemaLibrary.has(specifier)) {
    return "the heart imports only its schema library";
  }
  if (databaseDrivers.has(specifier) && room !== "store" && room !== "testkit") {
    return "only the store speaks to a database";
  }
  if (browserRooms.has(room) && specifier.startsWith("node:")) return `${room} runs in a browser`;
  return undefined;
}
