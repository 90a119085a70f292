/** Tools that run in the client: once, only while the call waits, and their failures are answers. */
import type { RunEvent } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.js";
import { type ClientTool, createClientTools } from "./clientTools.js";
import { createFakeServer, problem } from "./testing/fakeServer.js";

const log = lifeNamed("delegated-call")?.log ?? [];
const opened = log.find((event) => event.type === "call.opened");
const call = opened?.type === "call.opened" ? opened : undefined;
const begun = log.slice(0, log.findIndex(({ type }) => type === "call.run.started") + 1);

/** A server with the call pending (or not), and the tools given. */
function createStage(tool: Partial<ClientTool>, pending = true, refusal?: () => Response) {
  const answers: unknown[] = [];
  const errors: unknown[] = [];
  const server = createFakeServer({
    onOther({ path, body }) {
      if (path.endsWith("/result")) {
        answers.push(body);
        return refusal?.() ?? Response.json({ status: "taken" });
      }
      const { callId: call_id, toolName: tool_name } = call ?? {};
      return Response.json({
        id: "r",
        conversation_id: "c",
        status: "open",
        last_seq: begun.length,
        pending_approvals: [],
        pending_calls: pending ? [{ call_id, tool_name, arguments: {}, expires_at: 1 }] : [],
      });
    },
  });
  const tools = createClientTools({
    client: createClient({ fetch: server.fetch }),
    tools: [{ name: call?.toolName ?? "", run: () => "done", ...tool }],
    onError: (error) => errors.push(error),
  });
  return { tools, answers, errors };
}

async function run(stage: ReturnType<typeof createStage>, events: readonly RunEvent[]) {
  for (const event of events) stage.tools.push(event);
  await stage.tools.settled();
  return stage.answers;
}

describe("a call that is delegated to the client", () => {
  it("is executed with its arguments and answered, once", async () => {
    const inputs: unknown[] = [];
    const stage = createStage({
      run(input) {
        inputs.push(input);
        return { found: 3 };
      },
    });
    expect(await run(stage, [...begun, ...begun])).toEqual([{ output: { found: 3 } }]);
    const [closed] = log.flatMap((event) =>
      event.type === "call.input.closed" && event.parsed ? [event.input] : [],
    );
    expect(inputs).toEqual([closed]);
  });

  it("is answered with what the tool threw", async () => {
    const stage = createStage({ run: () => Promise.reject(new Error("no camera")) });
    expect(await run(stage, begun)).toEqual([{ is_error: true, error_message: "no camera" }]);
  });

  it("is left alone when nobody waits for it any more", async () => {
    expect(await run(createStage({}, false), log)).toEqual([]);
  });

  it("is left alone when it is another tool's", async () => {
    expect(await run(createStage({ name: "other" }), begun)).toEqual([]);
  });

  it("that somebody else has answered is no error, a failing server is one", async () => {
    const late = createStage({}, true, () => problem(409, "Answered already."));
    await run(late, begun);
    expect(late.errors).toEqual([]);
    const broken = createStage({}, true, () => problem(500, "Broken."));
    await run(broken, begun);
    expect(broken.errors).toHaveLength(1);
  });

  it("is told to the server with its definition", () => {
    const { tools } = createStage({ name: "camera", description: "Takes a picture." });
    expect(tools.definitions).toEqual([{ name: "camera", description: "Takes a picture." }]);
  });
});
