import { mkdir, readdir, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRandom, type Random } from "@callboard/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SessionIdRefusedError, SessionPlaceRefusedError } from "./sessionErrors.js";
import { createTestHome, type TestHome } from "./testing/testHome.js";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome({ flush: "never" });
});
afterEach(() => home.remove());

const nasty = [
  ...[
    "",
    ".",
    "..",
    "...",
    "a..b",
    "a..",
    "..a",
    "/",
    "//",
    "/etc/passwd",
    "~",
    "~root",
    "-a",
    "_a",
  ],
  ...[".hidden", ".removed-a", "a/b", "a/../b", "a\\b", "..\\a", "C:\\a", "C:a", "a:b", "\\\\a\\b"],
  ...[
    "a\0",
    "\0a",
    "a\0/../b",
    "a\n",
    "a\r",
    "\na",
    " a",
    "a ",
    "a\t",
    "%2e%2e%2f",
    "a%00",
    "a%2fb",
  ],
  ...["．．／a", "‥/a", "a∕b", "ä", "a\u202e", "\ufeffa", "🎭", "a\ud800", "$HOME", "`a`", "$(a)"],
  ...[
    "a;b",
    "a|b",
    "a&b",
    "a*",
    "a?",
    "a<b",
    "a>b",
    'a"b',
    "a'b",
    "a,b",
    "a@b",
    "a+b",
    "a=b",
    "a#b",
  ],
  ...["a".repeat(129), "a".repeat(10_000), `${"../".repeat(40)}a`, "constructor/", "__proto__/a"],
];
const bits = [
  "..",
  "/",
  "\\",
  "\0",
  "%2f",
  "\n",
  "‥",
  "~",
  ":",
  " ",
  ".../",
  "./",
  "lock",
  "log.jsonl",
];
const poison = ["/", "\\", "\0", "..", "\n", " ", "%", ":", "é", "*"];

/** Always holds one thing that no id may hold. */
function hostileId(random: Random): string {
  if (random.int(4) === 0) return random.pick(nasty);
  const pieces = Array.from({ length: 1 + random.int(6) }, () =>
    random.int(2) === 0 ? random.pick(bits) : random.int(36 ** 6).toString(36),
  );
  pieces.splice(random.int(pieces.length + 1), 0, random.pick(poison));
  return pieces.join("");
}

it("refuses 10,000 hostile ids and makes no file for any of them", async () => {
  const random = createRandom(17);
  for (let count = 0; count < 10_000; count += 1) {
    const id = hostileId(random);
    await expect(home.store.open(id), JSON.stringify(id)).rejects.toThrow(SessionIdRefusedError);
    await expect(home.store.remove(id)).rejects.toThrow(SessionIdRefusedError);
  }
  expect(await readdir(dirname(home.home))).toEqual([]);
});

it("keeps what it lets through inside the root, for the owner alone", async () => {
  const ids = ["a", "A9", "0", "a.b", "a-_.b", "lock", "log.jsonl", "con", "a".repeat(128)];
  for (const id of ids) await (await home.store.open(id)).close();
  expect(await readdir(dirname(home.home))).toEqual(["home"]);
  expect(await readdir(home.home)).toEqual(["sessions"]);
  const folders = await readdir(join(home.home, "sessions"));
  expect(new Set(folders)).toEqual(new Set(ids));
  const modes = await Promise.all(
    [home.home, join(home.home, "sessions"), home.path("a", "."), home.path("a")].map(
      async (path) => ((await stat(path)).mode & 0o777).toString(8),
    ),
  );
  expect(modes).toEqual(["700", "700", "700", "600"]);
});

it("takes back what others were let to see", async () => {
  await mkdir(home.path("wide", "."), { recursive: true, mode: 0o755 });
  await writeFile(home.path("wide"), "", { mode: 0o644 });
  const log = await home.store.open("wide");
  expect(((await stat(home.path("wide", "."))).mode & 0o777).toString(8)).toBe("700");
  expect(((await stat(home.path("wide"))).mode & 0o777).toString(8)).toBe("600");
  expect(((await stat(home.path("wide", "lock"))).mode & 0o777).toString(8)).toBe("600");
  await log.close();
});

it("refuses links instead of a session or of its log", async () => {
  const outside = join(dirname(home.home), "outside");
  await mkdir(outside);
  await writeFile(join(outside, "log.jsonl"), "");
  await mkdir(home.path("linked-log", "."), { recursive: true });
  await symlink(join(outside, "log.jsonl"), home.path("linked-log"));
  await symlink(outside, join(home.home, "sessions", "linked"));
  await mkdir(home.path("linked-tail", "."), { recursive: true });
  await writeFile(home.path("linked-tail"), "");
  await symlink(join(outside, "log.jsonl"), home.path("linked-tail", "tail.jsonl"));
  await writeFile(join(home.home, "sessions", "file"), "");
  for (const id of ["linked", "linked-log", "linked-tail", "file"]) {
    await expect(home.store.open(id), id).rejects.toThrow(SessionPlaceRefusedError);
  }
  for (const id of ["linked", "file"]) {
    await expect(home.store.remove(id), id).rejects.toThrow(SessionPlaceRefusedError);
  }
  expect(await readdir(outside)).toEqual(["log.jsonl"]);
  const listed = await home.store.list();
  expect(listed.map(({ sessionId, warning }) => [sessionId, warning]).sort()).toEqual([
    ["file", "session file is refused: its place is not a folder"],
    ["linked", "session linked is refused: its place is a symbolic link"],
    ["linked-log", "session linked-log is refused: its log.jsonl is a symbolic link"],
    ["linked-tail", "session linked-tail is refused: its tail.jsonl is a symbolic link"],
  ]);
  // A refusal leaves no file open.
  expect(await openFilesIn(home.home)).toEqual([]);
});

/** Where the platform tells: the paths in a folder that this process has open. */
async function openFilesIn(folder: string): Promise<readonly string[]> {
  const descriptors = "/proc/self/fd";
  if (process.platform !== "linux") return [];
  const links = (await readdir(descriptors)).map((name) =>
    readlink(join(descriptors, name)).catch(() => ""),
  );
  return (await Promise.all(links)).filter((path) => path.startsWith(folder));
}
