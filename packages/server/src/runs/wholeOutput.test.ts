/** Where an output is that this node does not have, in words that say what to do. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callId, type RunEvent, runId } from "@callboard/run-log";
import type { KeptOutput, KeptOutputs } from "@callboard/store";
import { describe, expect, it } from "vitest";
import { quietLogger } from "../testing/place.js";
import { forkedOutputs } from "./forkedOutputs.js";
import { wholeOutput } from "./wholeOutput.js";

const outputs = join(tmpdir(), "callboard-no-outputs");
const call = { runId: "run", callId: "call" };
const inFile = { conversationId: "here", text: "head … tail", fileKey: "key" };

function keptWith(found: KeptOutput | undefined): KeptOutputs {
  const never = async () => {
    throw new Error("nothing is written here");
  };
  return {
    maxBytes: 10,
    keep: never,
    keepCopy: never,
    find: async () => found,
    async *read() {
      yield new Uint8Array();
    },
  };
}

describe("an output that this node does not have", () => {
  it("is in a file of another node where the database knows its size alone", async () => {
    const kept = keptWith({ id: "output", size: 11, hasBytes: false });
    await expect(wholeOutput(call, inFile, { outputs, kept }, undefined)).rejects.toMatchObject({
      status: 404,
      kind: "output-on-another-node",
      message: expect.stringContaining("has 11 bytes"),
    });
  });

  it("is gone where nothing knows of it", async () => {
    for (const kept of [undefined, keptWith(undefined)]) {
      await expect(wholeOutput(call, inFile, { outputs, kept }, undefined)).rejects.toMatchObject({
        status: 404,
        kind: "output-not-here",
      });
    }
  });
});

describe("the closing of a call in a fork", () => {
  const closed = {
    v: 1,
    runId: runId("run"),
    callId: callId("call"),
    seq: 9,
    at: 1,
    type: "call.closed",
    outcome: "ok",
    persistKey: "key",
  } as const satisfies Partial<RunEvent>;
  const options = { outputs, kept: undefined, redactor: undefined, logger: quietLogger };
  const filter = forkedOutputs("here", options).createEventFilter("there");
  const pathIn = (folder: string): string => `/home/outputs/${folder}/key.txt`;
  const said = (path: string): string =>
    `head\n… 9 characters left out; the whole is in ${path} …\ntail`;

  it("names the file of the fork, also in what the model is told", () => {
    const event = { ...closed, output: said(pathIn("here")), filePath: pathIn("here") };
    const moved = { ...closed, output: said(pathIn("there")), filePath: pathIn("there") };
    expect(filter(event)).toEqual(moved);
  });

  it("is left as it is where its file is not one of the conversation's", () => {
    const event = { ...closed, output: said(pathIn("else")), filePath: pathIn("else") };
    expect(filter(event)).toEqual(event);
  });
});
