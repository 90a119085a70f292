/**
 * Clients without a page: the `openai` package and the client of the MCP SDK. Each feature throws with the reason
 * where it does not work; what a protocol has no words for is omitted, with the reason.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import OpenAI from "openai";

const model = "default";

function openaiOf({ url, token }) {
  return new OpenAI({ apiKey: token, baseURL: `${url}/v1`, maxRetries: 0 });
}

const user = (content) => ({ role: "user", content });

async function completed({ callboard }, messages, more = {}) {
  const stream = await openaiOf(callboard).chat.completions.create({
    model,
    messages,
    stream: true,
    ...more,
  });
  let text = "";
  const calls = [];
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta ?? {};
    text += delta.content ?? "";
    for (const { index, id, function: piece } of delta.tool_calls ?? []) {
      calls[index] ??= { id, type: "function", function: { name: piece.name, arguments: "" } };
      calls[index].function.arguments += piece.arguments ?? "";
    }
  }
  return { text, calls };
}

const completionTool = {
  type: "function",
  function: { name: "page_weather", parameters: { type: "object" } },
};

const noPage = "a program has no page to load again";
const noEdit = "the program sends what was said with each request";

/** @type {readonly Program[]} */
export const programs = [
  {
    name: "openai, chat completions",
    versions: ["openai"],
    without: {
      "approval, allowed":
        "the protocol has no words for a question: the completion says where to answer",
      "approval, denied":
        "the protocol has no words for a question: the completion says where to answer",
      "reload in the middle": noPage,
      "reload at a question": noPage,
      regenerate: noEdit,
      edit: noEdit,
    },
    features: {
      async text(stage) {
        same((await completed(stage, [user("say hello")])).text, "Rehearsal: hello");
      },
      async "server tool"(stage) {
        const { text, calls } = await completed(stage, [
          user('call echo {"text":"again"}\nsay bye'),
        ]);
        same([text, calls.length], ["Rehearsal: bye", 0]);
      },
      async "client tool"(stage) {
        const asked = user('call page_weather {"city":"Ghent"}\nsay warm');
        const more = { tools: [completionTool] };
        const { calls } = await completed(stage, [asked], more);
        const [call] = calls;
        same(call?.function.name, "page_weather");
        const called = { role: "assistant", content: null, tool_calls: calls };
        const result = { role: "tool", tool_call_id: call.id, content: "21" };
        same((await completed(stage, [asked, called, result], more)).text, "Rehearsal: warm");
      },
      async "stop, next message"(stage) {
        const { callboard, label } = stage;
        const leaving = new AbortController();
        const script = `call wait_for_test {"name":"${label}"}\nsay late`;
        const stream = await openaiOf(callboard).chat.completions.create(
          { model, messages: [user(script)], stream: true },
          { signal: leaving.signal },
        );
        await callboard.tools.waits(label);
        leaving.abort();
        for await (const _ of stream) same("a chunk", "nothing after leaving");
        same((await completed(stage, [user("say next")])).text, "Rehearsal: next");
      },
      async "provider error"(stage) {
        const failed = completed(stage, [user("say half\nfail")]).then(
          () => "nothing",
          (error) => error.message,
        );
        includes(await failed, "asked to fail");
        same((await completed(stage, [user("say recovered")])).text, "Rehearsal: recovered");
      },
    },
  },
  {
    name: "openai, responses",
    versions: ["openai"],
    without: {
      "reload in the middle": noPage,
      "reload at a question": noPage,
      regenerate: noEdit,
      edit: noEdit,
    },
    features: {
      async text(stage) {
        same((await responded(stage, "say hello")).output_text, "Rehearsal: hello");
      },
      async "server tool"(stage) {
        const { output } = await responded(stage, 'call echo {"text":"again"}\nsay bye');
        same(
          output.map(({ type }) => type),
          ["mcp_call", "message"],
        );
        same(output[0].output, "again");
      },
      "approval, allowed": (stage) => answeredQuestion(stage, true, 1),
      "approval, denied": (stage) => answeredQuestion(stage, false, undefined),
      async "client tool"(stage) {
        const tools = [{ type: "function", name: "page_weather", parameters: {}, strict: false }];
        const asked = await responded(stage, 'call page_weather {"city":"Ghent"}\nsay warm', {
          tools,
        });
        const call = asked.output.find(({ type }) => type === "function_call");
        const input = [{ type: "function_call_output", call_id: call?.call_id, output: "21" }];
        const done = await responded(stage, input, { tools, previous_response_id: asked.id });
        same(done.output_text, "Rehearsal: warm");
      },
      async "stop, next message"(stage) {
        const { callboard, label } = stage;
        const leaving = new AbortController();
        const input = `call wait_for_test {"name":"${label}"}\nsay late`;
        const stream = await openaiOf(callboard).responses.create(
          { model, input, stream: true },
          { signal: leaving.signal },
        );
        await callboard.tools.waits(label);
        leaving.abort();
        for await (const { type } of stream) if (type === "response.completed") same(type, "");
        same((await responded(stage, "say next")).output_text, "Rehearsal: next");
      },
      async "provider error"(stage) {
        const { status, error } = await responded(stage, "say half\nfail");
        same(status, "failed");
        includes(error?.message, "asked to fail");
        same((await responded(stage, "say recovered")).output_text, "Rehearsal: recovered");
      },
    },
  },
  {
    name: "MCP client",
    versions: ["@modelcontextprotocol/sdk"],
    without: {
      "approval, allowed": "an agent is a tool here: its questions are answered on the board",
      "approval, denied": "an agent is a tool here: its questions are answered on the board",
      "client tool": "an MCP client offers no tools",
      "reload in the middle": noPage,
      "reload at a question": noPage,
      regenerate: "each call is a new message",
      edit: "each call is a new message",
    },
    features: {
      text: (stage) => asked(stage, "say hello", "Rehearsal: hello"),
      "server tool": (stage) =>
        asked(stage, 'call echo {"text":"again"}\nsay bye', "Rehearsal: bye"),
      async "stop, next message"(stage) {
        const { callboard, label } = stage;
        await withMcp(stage, async (client) => {
          const leaving = new AbortController();
          const message = `call wait_for_test {"name":"${label}"}\nsay late`;
          const call = { name: model, arguments: { message } };
          const calling = client.callTool(call, undefined, { signal: leaving.signal }).then(
            () => "an answer",
            () => "cancelled",
          );
          await callboard.tools.waits(label);
          leaving.abort("enough");
          same(await calling, "cancelled");
        });
        await asked(stage, "say next", "Rehearsal: next");
      },
      async "provider error"(stage) {
        await withMcp(stage, async (client) => {
          const message = "say half\nfail";
          const result = await client.callTool({ name: model, arguments: { message } });
          same(result.isError, true);
          includes(JSON.stringify(result.content), "asked to fail");
        });
        await asked(stage, "say recovered", "Rehearsal: recovered");
      },
    },
  },
];

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {readonly string[]} versions
 * @property {Readonly<Record<string, string>>} without
 * @property {Readonly<Record<string, (stage: { callboard: any, label: string }) => Promise<void>>>} features
 */

async function responded({ callboard }, input, more = {}) {
  return await openaiOf(callboard).responses.create({ model, input, ...more });
}

async function answeredQuestion(stage, approve, count) {
  const { callboard, label } = stage;
  const first = await responded(stage, `call ask_first {"command":"${label}"}\nsay done`);
  const question = first.output.find(({ type }) => type === "mcp_approval_request");
  const input = [{ type: "mcp_approval_response", approval_request_id: question?.id, approve }];
  const done = await responded(stage, input, { previous_response_id: first.id });
  same([done.output_text, callboard.tools.counts.get(label)], ["Rehearsal: done", count]);
}

async function withMcp({ callboard: { url, token } }, use) {
  const client = new Client({ name: "callboard-clients", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

async function asked(stage, message, expected) {
  await withMcp(stage, async (client) => {
    const { content } = await client.callTool({ name: model, arguments: { message } });
    same(content, [{ type: "text", text: expected }]);
  });
}

function same(actual, expected) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

function includes(text, expected) {
  if (!String(text).includes(expected)) throw new Error(`${text} instead of … ${expected} …`);
}
