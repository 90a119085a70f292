import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "./store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "./testing/testStore.js";

const hourMs = 3_600_000;

describe.each(storeKinds)("a link to a conversation on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const owner = { userId: randomUUID() };
  let id = "";
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());
  beforeEach(async () => {
    id = randomUUID();
    await store.conversations.create(owner, id, { title: "The news" });
  });
  // The grant of a link ends by the clock of the database.
  const inAnHour = () => new Date(Date.now() + hourMs);
  const made = (until = inAnHour()) => store.shareLinks.create(owner, id, until);
  const isSeenBy = async (userId: string) =>
    (await store.conversations.find({ userId }, id)) !== undefined;

  it("lets its visitors read that conversation alone, and change nothing", async () => {
    const other = randomUUID();
    await store.conversations.create(owner, other, {});
    const until = inAnHour();
    const { id: linkId, key } = await made(until);
    expect(key).toMatch(/^[0-9a-f-]{36}\.[\w-]{43}$/);
    expect(await store.shareLinks.open(key, Date.now())).toEqual({
      status: "open",
      linkId,
      conversationId: id,
      expiresAt: until.getTime(),
    });
    const visitor = { userId: linkId };
    const { items } = await store.conversations.list(visitor, { limit: 10 });
    expect(items.map((row) => row.id)).toEqual([id]);
    expect(await store.conversations.change(visitor, id, { title: "Mine" })).toBeUndefined();
    await expect(store.conversations.remove(visitor, id)).rejects.toThrow("may delete it");
    await expect(store.shareLinks.list(visitor, id)).rejects.toThrow("you have no conversation");
  });

  it("keeps the hash of its secret, never the secret, and lists neither", async () => {
    const { id: linkId, key } = await made();
    const [, secret = ""] = key.split(".");
    const { rows } = await sql<{ row: string; hash: string }>`
      select link::text as row, encode(secret_hash, 'hex') as hash
      from cx_share_link as link where id = ${linkId}
    `.execute(store.database.db);
    expect(rows.map(({ hash }) => hash)).toEqual([
      createHash("sha256").update(secret).digest("hex"),
    ]);
    expect(rows[0]?.row).not.toContain(secret);
    const links = await store.shareLinks.list(owner, id);
    expect(links.map((link) => [link.id, link.revoked_at])).toEqual([[linkId, null]]);
    expect(Object.keys(links[0] ?? {})).toEqual(["id", "created_at", "expires_at", "revoked_at"]);
    // It is no user that the conversation is shared with.
    expect(await store.sharing.list(owner, id)).toEqual([]);
  });

  it("is unknown with another secret, a broken key or a deleted conversation", async () => {
    const { id: linkId, key } = await made();
    const { key: second } = await made();
    const [, otherSecret = ""] = second.split(".");
    const keys = [`${linkId}.${otherSecret}`, key.slice(0, -1), `${key}x`, linkId, "", "a.b"];
    for (const wrong of [...keys, `${randomUUID()}.${otherSecret}`]) {
      expect([wrong, await store.shareLinks.open(wrong, Date.now())]).toEqual([
        wrong,
        { status: "unknown" },
      ]);
    }
    await store.conversations.remove(owner, id);
    expect(await store.shareLinks.open(key, Date.now())).toEqual({ status: "unknown" });
  });

  it("ends at its time", async () => {
    const until = inAnHour();
    const { key } = await made(until);
    const statusAt = async (now: number) => (await store.shareLinks.open(key, now)).status;
    expect(await statusAt(until.getTime() - 1)).toBe("open");
    expect(await statusAt(until.getTime())).toBe("expired");
    const { id: pastId } = await made(new Date(Date.now() - hourMs));
    expect(await isSeenBy(pastId)).toBe(false);
  });

  it("is revoked once, and the other links hold on", async () => {
    const [first, second] = [await made(), await made()];
    expect(await isSeenBy(first.id)).toBe(true);
    expect(await store.shareLinks.revoke(owner, id, first.id)).toBe(true);
    expect(await store.shareLinks.revoke(owner, id, first.id)).toBe(false);
    expect(await store.shareLinks.open(first.key, Date.now())).toEqual({ status: "revoked" });
    expect([await isSeenBy(first.id), await isSeenBy(second.id)]).toEqual([false, true]);
    const links = await store.shareLinks.list(owner, id);
    const isRevoked = new Map(links.map((link) => [link.id, link.revoked_at !== null]));
    expect([isRevoked.get(first.id), isRevoked.get(second.id)]).toEqual([true, false]);
  });

  it("is its owner's to make, list and revoke, not even an admin's", async () => {
    const { id: linkId } = await made();
    const admin = { userId: randomUUID() };
    await store.sharing.shareWith(owner, id, admin.userId, "admin");
    const until = inAnHour();
    for (const other of [admin, { userId: randomUUID() }]) {
      const refusal = `you have no conversation ${id} to share`;
      await expect(store.shareLinks.create(other, id, until)).rejects.toThrow(refusal);
      await expect(store.shareLinks.list(other, id)).rejects.toThrow(refusal);
      await expect(store.shareLinks.revoke(other, id, linkId)).rejects.toThrow(refusal);
    }
    expect(await isSeenBy(linkId)).toBe(true);
  });
});
