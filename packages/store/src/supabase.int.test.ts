import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSupabase, type SupabaseStage, type SupabaseUser } from "./testing/supabase.js";
import { seedConversation } from "./testing/supabaseSeed.js";

/** The seed of a page: what a front end does with supabase-js. Against `SUPABASE_URL` where it is set. */
describe("supabase-js on this schema", () => {
  let stage: SupabaseStage;
  let owner: SupabaseUser;
  let guest: SupabaseUser;
  let conversationId: string;

  beforeAll(async () => {
    // The server inside this process prints every refusal, and refusals are what is tested here.
    vi.spyOn(console, "error").mockImplementation(() => {});
    stage = await openSupabase();
    owner = await stage.signUp();
    guest = await stage.signUp();
    ({ conversationId } = await seedConversation(stage.service, owner.userId));
  });
  afterAll(async () => {
    await stage.close();
    vi.restoreAllMocks();
  });

  it("loads messages and tool calls, joined by call_id", async () => {
    const supabase = owner.client;
    const { data: messages } = await supabase
      .from("cx_message")
      .select("*")
      .eq("conversation_id", conversationId)
      .order("position");
    const { data: toolCalls } = await supabase
      .from("cx_tool_call")
      .select("*")
      .eq("conversation_id", conversationId)
      .is("deleted_at", null)
      .order("created_at");
    const toolCallMap = new Map(toolCalls?.map((tc) => [tc.call_id, tc]) ?? []);
    expect(messages?.map(({ role, position }) => [role, position])).toEqual([
      ["user", 0],
      ["assistant", 1],
      ["tool", 2],
      ["tool", 3],
    ]);
    const made: readonly { readonly id: string }[] = messages?.[1]?.content ?? [];
    expect(made.map(({ id }) => toolCallMap.get(id)?.output)).toEqual(["headlines", "results"]);
    expect(messages?.slice(2).map(({ content }) => content)).toEqual([[], []]);
  });

  it("embeds what belongs together", async () => {
    const { data: messages, error } = await owner.client
      .from("cx_message")
      .select("position, cx_tool_call(call_id, output)")
      .eq("conversation_id", conversationId)
      .order("position");
    expect(error).toBeNull();
    expect(messages).toEqual([
      { position: 0, cx_tool_call: [] },
      { position: 1, cx_tool_call: [] },
      { position: 2, cx_tool_call: [{ call_id: "call_a", output: "headlines" }] },
      { position: 3, cx_tool_call: [{ call_id: "call_b", output: "results" }] },
    ]);
    const { data: conversation } = await owner.client
      .from("cx_conversation")
      .select("title, message_count, cx_user_request(status, cx_tool_call(tool_name))")
      .eq("id", conversationId)
      .single();
    expect(conversation).toEqual({
      title: "The news",
      message_count: 4,
      cx_user_request: [
        {
          status: "completed",
          cx_tool_call: [{ tool_name: "get_news_headlines" }, { tool_name: "web_search" }],
        },
      ],
    });
  });

  it("finds calls by what is in them", async () => {
    const { data } = await owner.client
      .from("cx_message")
      .select("position")
      .eq("conversation_id", conversationId)
      .contains("content", JSON.stringify([{ type: "tool_call", id: "call_b" }]));
    expect(data).toEqual([{ position: 1 }]);
  });

  it.each(["guest", "anon"] as const)("shows nothing of it to a stranger: %s", async (who) => {
    const client = who === "anon" ? stage.anon : guest.client;
    for (const table of ["cx_message", "cx_tool_call", "cx_user_request", "cx_run"]) {
      const { data, error } = await client
        .from(table)
        .select("*")
        .eq("conversation_id", conversationId);
      expect([table, data, error]).toEqual([table, [], null]);
    }
    const { data } = await client.from("cx_conversation").select("*").eq("id", conversationId);
    expect(data).toEqual([]);
  });

  it("refuses to write tool calls, messages and the log, to their owner too", async () => {
    for (const { client, userId } of [owner, guest]) {
      const of = { conversation_id: conversationId };
      const writes = [
        client
          .from("cx_tool_call")
          .insert({ ...of, user_id: userId, tool_name: "x", call_id: "y" }),
        client.from("cx_message").insert({ ...of, role: "user", position: 9 }),
        client.from("cx_run").insert({ ...of, id: randomUUID(), user_id: userId }),
        client.from("cx_permission").insert({
          resource_type: "cx_conversation",
          resource_id: conversationId,
          granted_to_user_id: userId,
        }),
        client.from("cx_conversation").insert({ user_id: randomUUID(), title: "Another's" }),
      ];
      for (const { error } of await Promise.all(writes)) expect(error?.code).toBe("42501");
    }
    const { data } = await stage.service
      .from("cx_tool_call")
      .select("call_id, output")
      .eq("conversation_id", conversationId)
      .order("call_id");
    expect(data).toEqual([
      { call_id: "call_a", output: "headlines" },
      { call_id: "call_b", output: "results" },
    ]);
  });

  it("shares, changes and closes again by functions", async () => {
    const share = (level: string) =>
      owner.client.rpc("cx_share_conversation", {
        p_conversation_id: conversationId,
        p_user_id: guest.userId,
        p_level: level,
      });
    const rename = () =>
      guest.client
        .from("cx_conversation")
        .update({ title: "Our news" })
        .eq("id", conversationId)
        .select("title");
    const seen = async () => {
      const { data } = await guest.client
        .from("cx_message")
        .select("position")
        .eq("conversation_id", conversationId);
      return data?.length;
    };
    expect((await share("viewer")).error).toBeNull();
    expect(await seen()).toBe(4);
    expect((await rename()).data).toEqual([]);
    expect((await share("editor")).error).toBeNull();
    expect((await rename()).data).toEqual([{ title: "Our news" }]);
    const { data: may } = await guest.client.rpc("cx_has_permission", {
      p_resource_type: "cx_conversation",
      p_resource_id: conversationId,
      p_required_permission: "editor",
    });
    expect(may).toBe(true);
    const { data: grants } = await owner.client.rpc("cx_conversation_grants", {
      p_conversation_id: conversationId,
    });
    expect(grants).toMatchObject([{ user_id: guest.userId, permission_level: "editor" }]);
    const { error } = await guest.client.rpc("cx_conversation_grants", {
      p_conversation_id: conversationId,
    });
    expect(error?.code).toBe("42501");
    const { data: unshared } = await owner.client.rpc("cx_unshare_conversation", {
      p_conversation_id: conversationId,
      p_user_id: guest.userId,
    });
    expect(unshared).toBe(true);
    expect(await seen()).toBe(0);
  });

  it("shows a public conversation to whoever has not signed in", async () => {
    const publish = (isPublic: boolean) =>
      owner.client.rpc("cx_publish_conversation", {
        p_conversation_id: conversationId,
        p_is_public: isPublic,
      });
    const seen = async () =>
      (
        await stage.anon
          .from("cx_tool_call")
          .select("call_id")
          .eq("conversation_id", conversationId)
          .order("call_id")
      ).data;
    expect((await publish(true)).error).toBeNull();
    expect(await seen()).toEqual([{ call_id: "call_a" }, { call_id: "call_b" }]);
    expect((await publish(false)).error).toBeNull();
    expect(await seen()).toEqual([]);
  });

  it("lets a user keep conversations, delete them, and remember", async () => {
    const { data: created, error } = await guest.client
      .from("cx_conversation")
      .insert({ user_id: guest.userId, title: "Mine" })
      .select("id, user_id")
      .single();
    expect(error).toBeNull();
    expect(created?.user_id).toBe(guest.userId);
    const { data: found } = await guest.client.rpc("cx_search_conversations", { p_query: "min" });
    expect(found).toEqual([created?.id]);
    const { data: deleted } = await guest.client
      .from("cx_conversation")
      .delete()
      .eq("id", created?.id)
      .select("title");
    expect(deleted).toEqual([{ title: "Mine" }]);
    const { data: living } = await stage.service
      .from("cx_conversation")
      .select("id")
      .eq("id", created?.id);
    expect(living).toEqual([]);
    const remembered = await guest.client.rpc("cx_remember", {
      p_key: "colour",
      p_content: "blue",
    });
    expect(remembered.error).toBeNull();
    const { data: recalled } = await guest.client.rpc("cx_recall", { p_key: "colour" });
    expect(recalled).toMatchObject([{ content: "blue", access_count: 1 }]);
    expect((await owner.client.rpc("cx_recall", { p_key: "colour" })).data).toEqual([]);
  });

  it("counts for each reader what is theirs", async () => {
    const statistics = async ({ client }: SupabaseUser) =>
      (await client.from("cx_tool_statistics").select("tool_name, model, calls").order("tool_name"))
        .data;
    expect(await statistics(owner)).toEqual([
      { tool_name: "get_news_headlines", model: "rehearsal", calls: 1 },
      { tool_name: "web_search", model: "rehearsal", calls: 1 },
    ]);
    expect(await statistics(guest)).toEqual([]);
  });
});
