/** Whose question it is: that of the call in whose stream it came, or of the only one; never of another. */
import { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { createGate } from "../testing/gate.js";
import type { LiveServer } from "./liveServer.js";
import { createCallsInFlight, type RemoteCall } from "./remoteCall.js";

const elicited = { message: "Sure?", requestedSchema: { type: "object", properties: {} } };

function staged() {
  const asked: string[] = [];
  const gate = createGate();
  const client = new Client({ name: "c", version: "1" });
  Object.assign(client, { request: () => gate.opened.then(() => ({ content: [] })) });
  const live: LiveServer = {
    ...{ client, lastWords: () => "" },
    abandon: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const calls = createCallsInFlight({
    ...{ server: "s", timeoutMs: 1_000, clock: createFakeClock() },
    reach: () => Promise.resolve(live),
  });
  const begun = (effectKey: string, canAsk = true): Promise<unknown> => {
    const askUser: RemoteCall["askUser"] = () => {
      asked.push(effectKey);
      return Promise.resolve({ status: "answered", answer: {} });
    };
    return calls.make(live, {
      ...{ toolName: "t", input: {}, isRepeatable: false, effectKey, meta: {} },
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
      ...(canAsk ? { askUser } : {}),
    });
  };
  return { calls, begun, asked, gate };
}

it("is asked within the call in whose stream it came", async () => {
  const { calls, begun, asked, gate } = staged();
  const made = [begun("a"), begun("b")];
  expect(await calls.elicit(elicited, "b")).toEqual({ action: "accept", content: {} });
  expect(asked).toEqual(["b"]);
  gate.open();
  await Promise.all(made);
});

it("is refused where it is not known whose it is", async () => {
  const { calls, begun, asked, gate } = staged();
  const none = "No call is under way that a question could belong to.";
  await expect(calls.elicit(elicited, undefined)).rejects.toThrow(none);
  const first = begun("a");
  await calls.elicit(elicited, undefined);
  const second = begun("b", false);
  const several = "Several calls are under way, and it is not known which of them asks.";
  await expect(calls.elicit(elicited, undefined)).rejects.toThrow(several);
  await expect(calls.elicit(elicited, "c")).rejects.toThrow(none);
  await expect(calls.elicit(elicited, "b")).rejects.toThrow("No person can be asked here.");
  expect(asked).toEqual(["a"]);
  gate.open();
  await Promise.all([first, second]);
});

it.each([
  [{ message: "" }, "Invalid input"],
  [
    { message: "m", requestedSchema: { type: "object", properties: { a: { type: "object" } } } },
    "requestedSchema: give a flat object",
  ],
  [
    {
      message: "m",
      requestedSchema: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 101 }, (_, index) => [`f${index}`, { type: "string" }]),
        ),
      },
    },
    "more than 100 fields",
  ],
  [
    { message: "m".repeat(70_000), requestedSchema: { type: "object", properties: {} } },
    "more than 65536 characters",
  ],
  [
    { mode: "url", message: "m", url: "javascript:alert(1)" },
    "an address of http or https is needed",
  ],
])("is refused where it is no question: %j", async (params, reason) => {
  const { calls, begun, asked, gate } = staged();
  const made = begun("a");
  await expect(calls.elicit(params, "a")).rejects.toThrow(reason);
  expect(asked).toEqual([]);
  gate.open();
  await made;
});
