/** A long output has a link with its size where a server has it, and a sentence where none has. */
import { CallboardProvider } from "@callboard/client/react";
import { callId, runId } from "@callboard/run-log";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { WholeOutput } from "./WholeOutput.js";

const track = { runId: runId("r 1"), callId: callId("c/1"), persistKey: "key", closedAt: 5 };

function pageWith(answer: () => Response, asked: string[] = []) {
  const fake = async (input: unknown, init?: RequestInit): Promise<Response> => {
    asked.push(`${init?.method} ${String(input)}`);
    return answer();
  };
  return (
    <CallboardProvider options={{ baseUrl: "http://there", fetch: fake }}>
      <WholeOutput track={track} />
    </CallboardProvider>
  );
}

it("links to the whole, and says how large it is", async () => {
  const asked: string[] = [];
  const headers = { "content-length": "56300" };
  const drawing = await drawn(pageWith(() => new Response(null, { headers }), asked));
  const path = "http://there/api/agent/runs/r%201/calls/c%2F1/output";
  expect(asked).toEqual([`HEAD ${path}`]);
  expect(drawing.querySelector("a")?.getAttribute("href")).toBe(path);
  expect(drawing.textContent).toBe("Head and tail. Open the whole output (56 KB)");
});

it("names the key where the server does not have it, and where there is no server", async () => {
  const sentence = "Head and tail. The whole output is kept under key.";
  const missing = await drawn(pageWith(() => new Response(null, { status: 404 })));
  expect(missing.textContent).toBe(sentence);
  expect((await drawn(<WholeOutput track={track} />)).textContent).toBe(sentence);
});
