import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createJsonFileMemoryStore } from "./jsonFileMemoryStore.js";
import { createMemoryTool } from "./memory.js";
import { createInMemoryStore, type MemoryEntry, type MemoryStore } from "./memoryStore.js";
import { failureOf } from "./testing/failureOf.js";
import { testContext, testFolder } from "./testing/testContext.js";
import { createTodoTool } from "./todo.js";

const hour = 3_600_000;
const context = testContext("/project");

function memoryOn(store: MemoryStore) {
  let time = 1000;
  const tool = createMemoryTool({ store, now: () => time });
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    call: async (input: JsonObject) => (await tool.execute(input, context)).output,
    failure: (input: JsonObject) => failureOf(tool.execute(input, context)),
  };
}

const entryOf = (key: string) => ({ key, text: "b", term: "long", storedAt: 0 }) as const;

const stores: readonly [string, (entries?: readonly MemoryEntry[]) => Promise<MemoryStore>][] = [
  [
    "in memory",
    async (entries = []) => {
      const store = createInMemoryStore();
      for (const entry of entries) await store.put(entry, 0);
      return store;
    },
  ],
  [
    "in a file",
    async (entries = []) => {
      const path = join(await testFolder(), "deep/memory.json");
      await mkdir(dirname(path));
      if (entries.length > 0) await writeFile(path, JSON.stringify({ v: 1, entries }));
      return createJsonFileMemoryStore(path);
    },
  ],
];

describe.each(stores)("memory %s", (_name, create) => {
  it("stores, recalls, replaces and forgets", async () => {
    const { call, failure } = memoryOn(await create());
    expect(await call({ action: "store", key: "a", text: "one" })).toBe('Stored "a" (long term).');
    await call({ action: "store", key: "a", text: "two" });
    await call({ action: "store", key: "__proto__", text: "harmless" });
    expect(await call({ action: "recall", key: "a" })).toBe("two");
    expect(await call({ action: "recall", key: "__proto__" })).toBe("harmless");
    expect(await call({ action: "forget", key: "a" })).toBe('Forgot "a".');
    expect((await failure({ action: "recall", key: "a" })).errorType).toBe("not_found");
    expect((await failure({ action: "forget", key: "a" })).errorType).toBe("not_found");
  });

  it("lets go of what its time is up for", async () => {
    const { call, failure, pass } = memoryOn(await create());
    for (const term of ["short", "medium", "long"]) {
      await call({ action: "store", key: term, text: "note", term });
    }
    pass(hour - 1);
    expect(await call({ action: "search", query: "note" })).toBe(
      "long: note\nmedium: note\nshort: note",
    );
    pass(1);
    expect((await failure({ action: "recall", key: "short" })).errorType).toBe("not_found");
    pass(7 * 24 * hour);
    expect(await call({ action: "search", query: "NOTE" })).toBe("long: note");
  });

  it("finds the best match first", async () => {
    const { call } = memoryOn(await create());
    await call({ action: "store", key: "a", text: "red apple" });
    await call({ action: "store", key: "b", text: "red car" });
    expect(await call({ action: "search", query: "apple red" })).toBe("a: red apple\nb: red car");
    expect(await call({ action: "search", query: "blue" })).toBe("No notes.");
  });
});

describe("memory", () => {
  it("says which field an action needs", async () => {
    const { failure } = memoryOn(createInMemoryStore());
    expect((await failure({ action: "store", key: "a" })).message).toBe(
      'The arguments of memory are not valid. "text": required for action "store", but missing.',
    );
    expect((await failure({ action: "search" })).message).toContain('"query": required');
  });

  it.each(stores)("%s keeps a bounded number", async (_name, create) => {
    const store = await create(Array.from({ length: 1000 }, (_, at) => entryOf(`k${at}`)));
    await store.put(entryOf("new"), 0);
    const entries = await store.list(0);
    expect([entries.length, entries[0]?.key, entries.at(-1)?.key]).toEqual([1000, "new", "k1"]);
  });

  it("leaves a file alone that it cannot understand", async () => {
    const path = join(await testFolder(), "memory.json");
    await writeFile(path, '{"v":2}');
    const store = createJsonFileMemoryStore(path);
    const entry = entryOf("a");
    await expect(store.put(entry, 0)).rejects.toThrow("cannot be understood");
    expect(await readFile(path, "utf8")).toBe('{"v":2}');
  });

  it("in a file is there for the next process", async () => {
    const path = join(await testFolder(), "memory.json");
    const entry = entryOf("a");
    await createJsonFileMemoryStore(path).put(entry, 0);
    expect(await createJsonFileMemoryStore(path).get("a", 0)).toEqual(entry);
  });
});

describe("todo", () => {
  const items = [
    { text: "look", status: "completed" },
    { text: "do", status: "in_progress" },
    { text: "check", status: "pending" },
  ];
  it("shows the plan", async () => {
    const tool = createTodoTool();
    expect(await tool.execute({ items }, context)).toEqual({
      output: "[x] look\n[>] do\n[ ] check",
      summary: "1 of 3 done",
      metadata: { plan: items },
    });
    expect(tool.compactParams({ items })).toBe("3 items");
  });
});
