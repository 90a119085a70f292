import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SqlRow } from "../migrations/sqlSession.js";
import { type DatabaseStage, openStage, stageKinds } from "../testing/stage.js";

describe.each(stageKinds)("the memory of agents on %s", (kind) => {
  let stage: DatabaseStage;
  let user: { readonly userId: string };
  beforeAll(async () => {
    stage = await openStage(kind);
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    user = { userId: randomUUID() };
  });

  async function ask(
    statement: string,
    ...parameters: readonly unknown[]
  ): Promise<readonly SqlRow[]> {
    return await stage.as(user, (session) => session.query(statement, parameters));
  }

  it("keeps one content for a key, and counts its use", async () => {
    await ask("select cx_remember('colour', 'blue')");
    await ask("select cx_remember('colour', 'green', p_importance => 0.9)");
    await ask("select cx_recall('colour')");
    expect(await ask("select content, importance, access_count from cx_recall('colour')")).toEqual([
      { content: "green", importance: 0.9, access_count: 2 },
    ]);
    expect(await ask("select * from cx_recall('shape')")).toEqual([]);
  });

  it("keeps short memories an hour, medium ones a week and long ones for good", async () => {
    for (const type of ["short", "medium", "long"]) {
      await ask("select cx_remember($1, 'x', $1)", type);
    }
    expect(
      await ask(
        "select key, (extract(epoch from expires_at - updated_at) / 3600)::int as hours from cx_agent_memory order by key",
      ),
    ).toEqual([
      { key: "long", hours: null },
      { key: "medium", hours: 168 },
      { key: "short", hours: 1 },
    ]);
  });

  it("lets go of what has expired or is forgotten, and learns it again", async () => {
    await ask("select cx_remember('old', 'x', 'short')");
    await ask("update cx_agent_memory set expires_at = now() - interval '1 second'");
    expect(await ask("select * from cx_recall('old')")).toEqual([]);
    expect(await ask("select cx_forget('old') as forgot")).toEqual([{ forgot: false }]);
    await ask("select cx_remember('new', 'x')");
    expect(await ask("select cx_forget('new') as forgot")).toEqual([{ forgot: true }]);
    expect(await ask("select * from cx_recall('new')")).toEqual([]);
    await ask("select cx_remember('new', 'y')");
    expect(await ask("select content from cx_recall('new')")).toEqual([{ content: "y" }]);
    expect(
      await stage.service((session) => session.query("select cx_sweep_memories() as swept")),
    ).toEqual([{ swept: 1 }]);
  });

  it("finds what has all the words, the most important first", async () => {
    await ask("select cx_remember('a', 'the red door', p_importance => 0.2)");
    await ask("select cx_remember('b', 'a DOOR, painted red', p_importance => 0.8)");
    await ask("select cx_remember('c', 'a red roof')");
    expect(await ask("select key from cx_search_memories('Red door')")).toEqual([
      { key: "b" },
      { key: "a" },
    ]);
    expect(await ask("select key from cx_search_memories('100% _')")).toEqual([]);
    expect(await ask("select key from cx_search_memories('red', 1)")).toEqual([{ key: "b" }]);
  });

  it("has scopes beside one another", async () => {
    const project = randomUUID();
    await ask("select cx_remember('style', 'mine')");
    await ask(
      "select cx_remember('style', 'ours', p_scope => 'project', p_scope_id => $1)",
      project,
    );
    expect(await ask("select content from cx_recall('style')")).toEqual([{ content: "mine" }]);
    expect(await ask("select content from cx_recall('style', 'project', $1)", project)).toEqual([
      { content: "ours" },
    ]);
    await expect(ask("select cx_remember('x', 'y', p_scope => 'project')")).rejects.toThrow(
      "cx_agent_memory_scope",
    );
  });

  it("belongs to its user", async () => {
    await ask("select cx_remember('colour', 'blue')");
    user = { userId: randomUUID() };
    expect(await ask("select * from cx_agent_memory")).toEqual([]);
    expect(await ask("select cx_forget('colour') as forgot")).toEqual([{ forgot: false }]);
    await expect(
      stage.as("nobody", (session) => session.query("select cx_remember('x', 'y')")),
    ).rejects.toThrow();
    await expect(
      stage.as("anon", (session) => session.query("select cx_remember('x', 'y')")),
    ).rejects.toThrow("permission denied");
  });
});
