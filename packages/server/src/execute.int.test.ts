import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describePlaces } from "./testing/place.js";
import { fieldOf, linesOf, readUntil, textAtPath, valuesOf } from "./testing/reading.js";

describePlaces("executing", (use) => {
  it("streams the envelope of the interface, each line with its seq, and ends with end", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const user_input = 'say hello\ncall echo {"text":"again"}\nsay bye';
    const response = await ask(user, "POST", "/api/agent/execute", { user_input });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const runId = response.headers.get("x-request-id");
    const conversationId = response.headers.get("x-conversation-id");
    const values = await valuesOf(response);
    const told = values.map((value) => {
      const event = fieldOf(value, "event");
      return event === "tool_event" ? fieldOf(value, "data", "event") : event;
    });
    expect(told.filter((name, index) => name !== "chunk" || told[index - 1] !== "chunk")).toEqual([
      "status_update",
      "chunk",
      "tool_started",
      "tool_progress",
      "tool_completed",
      "chunk",
      "data",
      "end",
    ]);
    expect(fieldOf(values[0], "data", "metadata")).toMatchObject({
      run_id: runId,
      conversation_id: conversationId,
    });
    const chunks = values.filter((value) => fieldOf(value, "event") === "chunk");
    expect(chunks.map((value) => textAtPath(value, "data")).join("")).toBe(
      "Rehearsal: helloRehearsal: bye",
    );
    const seqs = values.map((value) => Number(fieldOf(value, "seq")));
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    expect(fieldOf(values.at(-1), "data")).toBe(true);
    expect(fieldOf(values.at(-2), "data", "output")).toBe("Rehearsal: bye");
  });

  it("answers once, at the end, with stream: false", async () => {
    const { ask, newUser } = use();
    const body = { user_input: 'call echo {"text":"x"}\nsay done', stream: false };
    const response = await ask(await newUser(), "POST", "/api/agent/execute", body);
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      conversation_id: response.headers.get("x-conversation-id"),
      outcome: "ok",
      output: "Rehearsal: done",
      tool_calls: 1,
    });
  });

  it("continues with a conversation, on whichever node", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const conversation_id = randomUUID();
    for (const text of ["one", "two", "three"]) {
      const body = { conversation_id, user_input: `say ${text}`, stream: false };
      const answer: unknown = await (await ask(user, "POST", "/api/agent/execute", body)).json();
      expect(answer).toMatchObject({ conversation_id, output: `Rehearsal: ${text}` });
    }
    const page: unknown = await (
      await ask(user, "GET", `/api/conversations/${conversation_id}/messages`)
    ).json();
    expect(fieldOf(page, "next")).toBe(null);
    const items = fieldOf(page, "items");
    const rows = Array.isArray(items) ? items : [];
    expect(rows.map((row) => [fieldOf(row, "position"), fieldOf(row, "role")])).toEqual([
      [0, "user"],
      [1, "assistant"],
      [2, "user"],
      [3, "assistant"],
      [4, "user"],
      [5, "assistant"],
    ]);
  });

  it("refuses a second run of a conversation while one is under way", async () => {
    const { ask, newUser, tools } = use();
    const user = await newUser();
    const conversation_id = randomUUID();
    const gate = randomUUID();
    const user_input = `call wait_for_test {"name":"${gate}"}\nsay over`;
    const first = await ask(user, "POST", "/api/agent/execute", { conversation_id, user_input });
    await tools.waits(gate);
    for (const _ of [1, 2]) {
      const second = await ask(user, "POST", "/api/agent/execute", {
        conversation_id,
        user_input: "say no",
      });
      expect(second.status).toBe(409);
      expect(await second.json()).toMatchObject({
        type: "urn:callboard:problem:conversation-busy",
      });
    }
    tools.release(gate);
    expect(fieldOf((await valuesOf(first)).at(-1), "event")).toBe("end");
  });

  it("lets the run continue when its reader leaves, and ends it when the request asked for that", async () => {
    const { ask, newUser, tools } = use();
    const user = await newUser();
    for (const on_disconnect of ["continue", "cancel"]) {
      const gate = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}\nsay over`;
      const body = { user_input, on_disconnect };
      const response = await ask(user, "POST", "/api/agent/execute", body);
      const runId = response.headers.get("x-request-id");
      await tools.waits(gate);
      await readUntil(response, (value) => fieldOf(value, "event") === "tool_event");
      if (on_disconnect === "continue") tools.release(gate);
      const resumed = await ask(user, "GET", `/api/agent/runs/${runId}/events`);
      const values = await valuesOf(resumed);
      expect(fieldOf(values.at(-1), "event")).toBe("end");
      const run: unknown = await (await ask(user, "GET", `/api/agent/runs/${runId}`)).json();
      const outcome = on_disconnect === "continue" ? "ok" : "cancelled";
      expect(run).toMatchObject({ status: "closed", outcome, pending_calls: [] });
    }
  });

  it("ends with end when the model fails", async () => {
    const { ask, newUser } = use();
    const body = { user_input: "say first\nfail" };
    const response = await ask(await newUser(), "POST", "/api/agent/execute", body);
    const values = await valuesOf(response);
    const names = values.map((value) => fieldOf(value, "event"));
    expect(names.slice(-3)).toEqual(["error", "data", "end"]);
  });

  it("takes images and variables, and refuses what an agent does not offer", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const image = { type: "input_image", data: "iVBORw0KGgo=", media_type: "image/png" };
    const parts = [{ type: "input_text", text: "say seen" }, image];
    const fine = await ask(user, "POST", "/api/agent/execute", {
      user_input: parts,
      variables: { tone: "calm" },
      stream: false,
    });
    expect(await fine.json()).toMatchObject({ outcome: "ok", output: "Rehearsal: seen" });
    const refused = [
      [{ prompt_id: "nobody" }, "prompt_id"],
      [{ config_overrides: { model: "openai:gpt-5" } }, "config_overrides.model"],
      [{ config_overrides: { temperature: 2 } }, "config_overrides"],
      [{ user_input: 3 }, "user_input"],
      [{ user_input: "" }, "user_input"],
      [{ user_input: [] }, "user_input"],
      [{ user_input: undefined, user_inpt: "say it" }, "user_input"],
      [{ conversation_id: "x" }, "conversation_id"],
      [{ client_tools: [{ name: "mine" }, { name: "echo" }] }, "client_tools.1"],
      [{ client_tools: [{ name: "mine" }, { name: "mine" }] }, "client_tools.1"],
      [{ client_tools: [{ name: "mine", input_schema: { type: "zzz" } }] }, "client_tools.0"],
      [{ client_tools: [{ name: "mine", input_schema: { $ref: "#/x" } }] }, "client_tools.0"],
      [{ client_tools: [{ name: "mine", input_schema: { pattern: "(" } }] }, "client_tools.0"],
      [{ user_input: [{ type: "input_image", image_url: "http://x/y.png" }] }, "user_input.0"],
    ] as const;
    for (const [body, field] of refused) {
      const response = await ask(user, "POST", "/api/agent/execute", {
        user_input: "say it",
        ...body,
      });
      expect(response.status).toBe(422);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(fieldOf(await response.json(), "errors", 0, "field")).toBe(field);
    }
  });

  it("sends legacy lines, both, and argument text where they are asked for", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const user_input = 'call echo {"text":"a longer text, so that it comes in pieces"}';
    const namesFor = async (more: object): Promise<ReadonlySet<string>> => {
      const body = { user_input, ...more };
      const response = await ask(user, "POST", "/api/agent/execute?rate=all", body);
      const values = await valuesOf(response);
      return new Set(
        values.map((value) =>
          fieldOf(value, "data", "data", "arguments_delta") === undefined
            ? textAtPath(value, "event")
            : "arguments",
        ),
      );
    };
    const always = ["status_update", "chunk", "data", "end"];
    expect(await namesFor({})).toEqual(new Set([...always, "tool_event"]));
    expect(await namesFor({ tool_events: "legacy" })).toEqual(new Set([...always, "tool_update"]));
    expect(await namesFor({ tool_events: "both" })).toEqual(
      new Set([...always, "tool_event", "tool_update"]),
    );
    expect(await namesFor({ stream_arguments: true })).toEqual(
      new Set([...always, "tool_event", "arguments"]),
    );
  });

  it("compresses where it is accepted, flushed so that nothing waits", async () => {
    const { ask, newUser, tools } = use();
    const user = await newUser();
    for (const encoding of ["gzip", "br"]) {
      const gate = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}\nsay over`;
      const headers = { "accept-encoding": encoding };
      const response = await ask(user, "POST", "/api/agent/execute", { user_input }, headers);
      expect(response.headers.get("content-encoding")).toBe(encoding);
      const lines = linesOf(response);
      let line = "";
      // The call waits for us: what was said before it must have come.
      while (!line.includes("waiting for")) line = (await lines.next()).value ?? "";
      tools.release(gate);
      while (!line.includes('"event":"end"')) line = (await lines.next()).value ?? "";
    }
  });
});
