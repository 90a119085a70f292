/** The `openai` package against a real server. */
import { randomUUID } from "node:crypto";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { textAtPath } from "./testing/reading.js";

function clientOf(place: TestPlace, { headers }: TestUser): OpenAI {
  const apiKey = `${headers.authorization}`.slice("Bearer ".length);
  return new OpenAI({ apiKey, baseURL: place.url("/v1"), maxRetries: 0 });
}

const user = (content: string) => ({ role: "user", content }) as const;

describePlaces("OpenAI's client", (use) => {
  async function opened() {
    const place = use();
    return { place, openai: clientOf(place, await place.newUser()) };
  }

  it("lists agents as models, and completes", async () => {
    const { openai } = await opened();
    const models = await openai.models.list();
    expect(models.data.map(({ id }) => id)).toEqual(["default"]);
    const messages = [user('say hello\ncall echo {"text":"again"}\nsay bye')];
    const { choices, usage } = await openai.chat.completions.create({ model: "default", messages });
    expect(choices[0]?.message.content).toBe("Rehearsal: hello\n\nRehearsal: bye");
    expect([choices[0]?.finish_reason, choices[0]?.message.tool_calls]).toEqual([
      "stop",
      undefined,
    ]);
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  it("streams a completion", async () => {
    const { openai } = await opened();
    const messages = [user("say hello")];
    const request = { model: "default", messages, stream: true } as const;
    const stream = await openai.chat.completions.create(request);
    let text = "";
    const ends: (string | null)[] = [];
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
      if (choices[0]?.finish_reason) ends.push(choices[0].finish_reason);
    }
    expect([text, ends]).toEqual(["Rehearsal: hello", ["stop"]]);
  });

  it("runs its own function between two requests of one run", async () => {
    const { place, openai } = await opened();
    const name = randomUUID();
    const tools = [
      { type: "function", function: { name: "weather", parameters: { type: "object" } } },
    ] as const;
    const first = user(`call count {"name":"${name}"}\ncall weather {}\nsay warm`);
    const request = { model: "default", tools: [...tools] };
    const asked = await openai.chat.completions.create({ ...request, messages: [first] });
    const message = asked.choices[0]?.message;
    if (!message) throw new Error("nothing was answered");
    expect(asked.choices[0]?.finish_reason).toBe("tool_calls");
    const [call] = message.tool_calls ?? [];
    expect(textAtPath(call, "function", "name")).toBe("weather");
    const result = { role: "tool", tool_call_id: call?.id ?? "", content: "21 degrees" } as const;
    const messages = [first, message, result];
    const done = await openai.chat.completions.create({ ...request, messages });
    expect(done.choices[0]?.message.content).toBe("Rehearsal: warm");
    expect([done.id, place.tools.counts.get(name)]).toEqual([asked.id, 1]);
  });

  it("continues with a response, streams it, and answers its questions", async () => {
    const { place, openai } = await opened();
    const command = randomUUID();
    const input = `call ask_first {"command":"${command}"}\nsay done`;
    const stream = await openai.responses.create({ model: "default", input, stream: true });
    const types: string[] = [];
    let response: OpenAI.Responses.Response | undefined;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.completed") response = event.response;
    }
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.output_item.done",
      "response.completed",
    ]);
    const [item] = response?.output ?? [];
    expect([item?.type, place.tools.counts.get(command)]).toEqual([
      "mcp_approval_request",
      undefined,
    ]);
    const done = await openai.responses.create({
      model: "default",
      previous_response_id: response?.id ?? "",
      input: [
        { type: "mcp_approval_response", approval_request_id: item?.id ?? "", approve: true },
      ],
    });
    expect(done.output.map(({ type }) => type)).toEqual(["mcp_call", "message"]);
    expect([done.output_text, place.tools.counts.get(command)]).toEqual(["Rehearsal: done", 1]);
  });

  it("sends a request again, and gets the run that it started", async () => {
    const { place, openai } = await opened();
    const name = randomUUID();
    let requests = 0;
    const retrying = openai.withOptions({
      maxRetries: 1,
      // The first answer is lost on its way.
      async fetch(url, init) {
        const answer = await fetch(url, init);
        requests += 1;
        if (requests > 1) return answer;
        await answer.text();
        return new Response("", { status: 503, headers: { "retry-after-ms": "1" } });
      },
    });
    const messages = [user(`call count {"name":"${name}"}\nsay once`)];
    const request = { model: "default", messages };
    const first = await retrying.chat.completions.create(request);
    expect(first.choices[0]?.message.content).toBe("Rehearsal: once");
    expect([requests, place.tools.counts.get(name)]).toEqual([2, 1]);
    const second = await openai.chat.completions.create(request);
    expect([second.id === first.id, place.tools.counts.get(name)]).toEqual([false, 2]);
  });

  it("is told why a request cannot be used", async () => {
    const { openai } = await opened();
    const request = { model: "default", messages: [user("say it")], temperature: 0.5 };
    await expect(openai.chat.completions.create(request)).rejects.toThrow(/temperature/);
    const other = { ...request, temperature: 1, model: "nobody" };
    await expect(openai.chat.completions.create(other)).rejects.toThrow(/There is no agent/);
    const refused = openai.responses.create({ model: "nobody", input: "say it" });
    await expect(refused).rejects.toMatchObject({
      ...{ status: 422, code: "unknown-agent", type: "invalid_request_error" },
      message: expect.stringContaining("There is no agent"),
    });
  });
});
