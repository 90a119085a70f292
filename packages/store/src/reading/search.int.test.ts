import { randomUUID } from "node:crypto";
import { createLife } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";

describe.each(storeKinds)("searching conversations on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const owner = { userId: randomUUID() };
  const guest = { userId: randomUUID() };
  let mine = "";
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
    mine = await kept(owner.userId, "Where is the Ångström harbour?", "x");
  }, slowStartMs);
  afterAll(() => place?.remove());

  /** A conversation with two calls, one of which fails. */
  async function kept(userId: string, question: string, output: string): Promise<string> {
    const life = createLife("search", "Two calls.", ({ user, model, tool, run }) => {
      user.says(question);
      model.begins();
      const found = model.calls("Grep", {
        pattern: "lighthouse",
        depth: 417,
        within: ["src/keeper.ts"],
      });
      const lost = model.calls("Cat", { path: "absent" });
      model.ends();
      tool.starts(found);
      tool.ends(found, `seaweed ${output}`);
      tool.starts(lost);
      tool.fails(lost, "the file was swallowed by a whale");
      run.ends();
    });
    const log = uuidLife(life.log, randomUUID());
    const [first] = log;
    if (first?.type !== "run.started") throw new Error("a life begins with its run");
    await store.log({ userId }).append(first.runId, 0, log);
    return first.conversationId;
  }

  const idsFor = async (userId: string, search: string) =>
    (await store.read.conversations({ as: { userId }, search })).map(({ id }) => id);

  it.each([
    ["a word of what was said", "harbour"],
    ["its beginning, in another case", "HARB"],
    ["letters beyond ASCII", "Ångstr"],
    ["several words, in any order", "harbour where"],
    ["a value of the arguments", "lighthouse"],
    ["a number of the arguments", "417"],
    ["a part of a path in the arguments", "keeper"],
    ["a word of an output", "seaweed"],
    ["a word of an error", "whale"],
    ["the name of a tool", "grep"],
    ["punctuation around a word", "(harbour)?"],
  ])("finds one by %s", async (_what, search) => {
    expect(await idsFor(owner.userId, search)).toEqual([mine]);
    expect((await store.read.conversations({ as: "service", search })).map(({ id }) => id)).toEqual(
      [mine],
    );
  });

  it.each([
    ["a word that is not in it", "airport"],
    ["words of which one is not in it", "harbour airport"],
    ["the name of an argument", "within"],
    ["the end of a word", "bour"],
    ["nothing but punctuation", "!?"],
    ["a character that no text holds", "\u0000"],
  ])("finds none by %s", async (_what, search) => {
    expect(await idsFor(owner.userId, search)).toEqual([]);
  });

  it("finds what is shared, and neither finds nor lists what strangers published", async () => {
    expect(await idsFor(guest.userId, "harbour")).toEqual([]);
    await store.sharing.publish(owner, mine, true);
    expect(await idsFor(guest.userId, "harbour")).toEqual([]);
    expect(await store.read.conversations({ as: guest })).toEqual([]);
    expect(await store.read.conversation({ as: guest, conversationId: mine })).toMatchObject({
      id: mine,
    });
    await store.sharing.publish(owner, mine, false);
    await store.sharing.shareWith(owner, mine, guest.userId, "viewer");
    expect(await idsFor(guest.userId, "harbour")).toEqual([mine]);
    expect((await store.read.conversations({ as: guest })).map(({ id }) => id)).toEqual([mine]);
    await store.sharing.unshareWith(owner, mine, guest.userId);
    expect(await idsFor(guest.userId, "harbour")).toEqual([]);
  });

  it("finds a new title and not the old one, and nothing of what is deleted", async () => {
    const other = await kept(owner.userId, "Anything about gardens", "y");
    await store.conversations.change(owner, other, { title: "Roses\u0000", keywords: ["thorn"] });
    expect(await idsFor(owner.userId, "roses")).toEqual([other]);
    expect(await idsFor(owner.userId, "thorn")).toEqual([other]);
    await store.conversations.change(owner, other, { title: "Tulips", keywords: null });
    expect(await idsFor(owner.userId, "roses")).toEqual([]);
    expect(await store.conversations.remove(owner, other)).toBe(true);
    for (const search of ["tulips", "gardens", "seaweed y"]) {
      expect(await idsFor(owner.userId, search)).toEqual([]);
    }
    const left = await store.database.db
      .selectFrom("cx_search")
      .select("kind")
      .where("conversation_id", "=", other)
      .execute();
    expect(left).toEqual([]);
  });

  it("goes with the conversation when it gets another owner", async () => {
    const next = randomUUID();
    const moved = await kept(owner.userId, "Volcano", "z");
    await store.database.db
      .updateTable("cx_conversation")
      .set({ user_id: next })
      .where("id", "=", moved)
      .execute();
    expect(await idsFor(owner.userId, "volcano")).toEqual([]);
    expect(await idsFor(next, "volcano")).toEqual([moved]);
  });
});
