import { randomUUID } from "node:crypto";
import { createLife } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, type TestPlace } from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";
import { mostPageBytes } from "./boundedPage.js";

describe("pages of a conversation", () => {
  let place: TestPlace | undefined;
  let store: Store;
  beforeAll(async () => {
    place = await createTestPlace("PostgreSQL");
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  /** One run: what the user says, and calls with this output. */
  async function kept(
    userId: string,
    said: string,
    calls: number,
    output: string,
  ): Promise<string> {
    const life = createLife("pages", "Long texts.", ({ user, model, tool, run }) => {
      user.says(said);
      for (let count = 0; count < calls; count += 1) {
        model.begins();
        const call = model.calls("Grep", { pattern: "x" });
        model.ends();
        tool.starts(call);
        tool.ends(call, output);
      }
      run.ends();
    });
    const log = uuidLife(life.log, randomUUID());
    const [first] = log;
    if (first?.type !== "run.started") throw new Error("a life begins with its run");
    await store.log({ userId }).append(first.runId, 0, log);
    return first.conversationId;
  }

  async function pagesOf(
    userId: string,
    id: string,
    rows: "messages" | "toolCalls",
    limit: number,
  ) {
    const pages: string[][] = [];
    let after: string | undefined;
    while (pages.length < 1_000) {
      const { items, next } = await store.conversations[rows](
        { userId },
        id,
        after === undefined ? { limit } : { after, limit },
      );
      pages.push(items.map((item) => item.id));
      if (next === null) return pages;
      after = next;
    }
    throw new Error("the pages have no end");
  }

  it("end where they have enough bytes, and lose nothing", async () => {
    const userId = randomUUID();
    const id = await kept(userId, "x".repeat(mostPageBytes + 1), 90, "y".repeat(99_000));
    for (const [rows, first] of [
      ["messages", 1],
      ["toolCalls", 84],
    ] as const) {
      const pages = await pagesOf(userId, id, rows, 1_000);
      expect([rows, pages.length, pages[0]?.length]).toEqual([rows, 2, first]);
      const short = await pagesOf(userId, id, rows, 40);
      expect(pages.flat()).toEqual(short.flat());
    }
  });

  it("have as many rows as asked for where these are short", async () => {
    const userId = randomUUID();
    const id = await kept(userId, "x", 5, "y");
    expect((await pagesOf(userId, id, "toolCalls", 2)).map((page) => page.length)).toEqual([
      2, 2, 1,
    ]);
    const messages = await pagesOf(userId, id, "messages", 1_000);
    expect(messages.length).toBe(1);
    expect(await pagesOf(userId, randomUUID(), "messages", 10)).toEqual([[]]);
  });
});
