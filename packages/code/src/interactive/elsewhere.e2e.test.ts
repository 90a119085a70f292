/** What the terminal asks is answered by the server of the same home while the terminal has the session open. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { createTestPlace, type RunningProgram, type TestPlace } from "../testing/program.js";
import { startInTerminal } from "../testing/pseudoTerminal.js";

let place: TestPlace;
let server: RunningProgram;
let headers: Readonly<Record<string, string>>;
let url: string;

beforeEach(async () => {
  place = createTestPlace();
  server = place.start(["serve", "--port", "0"]);
  await server.untilSaid("http://127.0.0.1:");
  const file = readFileSync(join(place.home, "server.json"), "utf8");
  const entry = z.object({ url: z.string(), token: z.string() }).parse(JSON.parse(file));
  url = entry.url;
  headers = { authorization: `Bearer ${entry.token}`, "content-type": "application/json" };
});
afterEach(async () => {
  server.child.kill("SIGTERM");
  await server.ended;
  place.remove();
});

async function asked(path: string, body?: object): Promise<{ status: number; text: string }> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

const listSchema = z.object({ items: z.array(z.object({ id: z.string() })) });
const runSchema = z.object({
  pending_approvals: z.array(z.object({ approval_id: z.string() })),
  pending_calls: z.array(z.object({ call_id: z.string() })),
});

/** The newest run of the only conversation. */
async function newestRun(): Promise<string | undefined> {
  const { items } = listSchema.parse(JSON.parse((await asked("/api/conversations")).text));
  const [conversation] = items;
  if (conversation === undefined) return undefined;
  const { text } = await asked(`/api/conversations/${conversation.id}/runs`);
  return listSchema.parse(JSON.parse(text)).items.at(-1)?.id;
}

/** Where the question of the newest run is answered, once the server has it. */
async function question(): Promise<string> {
  for (;;) {
    const id = await newestRun();
    const path = id === undefined ? undefined : await questionOf(`/api/agent/runs/${id}`);
    if (path !== undefined) return path;
    await systemClock.sleep(20);
  }
}

async function questionOf(run: string): Promise<string | undefined> {
  const { pending_approvals, pending_calls } = runSchema.parse(JSON.parse((await asked(run)).text));
  const [approval] = pending_approvals;
  const [call] = pending_calls;
  if (approval) return `${run}/approvals/${approval.approval_id}`;
  return call && `${run}/calls/${call.call_id}/result`;
}

const status = async (path: string, body: object): Promise<number> =>
  (await asked(path, body)).status;

it("takes each answer once, changed arguments too, and a cancel", async () => {
  const run = startInTerminal(place, [], { columns: 120, rows: 40 });
  await run.untilShown("Ask for something");

  run.type('call shell {"command":"echo asked >> ran.txt"}\r');
  await run.untilShown("[e] edit, then run");
  const approval = await question();
  const changed = { option_id: "allow_once", input: { command: "echo changed >> ran.txt" } };
  expect(await status(approval, { ...changed, input: { command: 7 } })).toBe(422);
  expect(await status(approval, changed)).toBe(200);
  expect(await status(approval, { option_id: "reject_once" })).toBe(409);
  await run.untilShown("Ran echo changed >> ran.txt · changed from echo asked >> ran.txt");
  await run.untilShown("— done");
  expect(readFileSync(join(place.workdir, "ran.txt"), "utf8")).toBe("changed\n");

  run.type('call ask_user {"question":"Which?","choices":["red","green"]}\r');
  await run.untilShown("[2] green");
  const result = await question();
  expect(await status(result, { output: "blue" })).toBe(422);
  expect(await status(result, { output: "green" })).toBe(200);
  await run.untilShown("Asked Which? · answer: green");

  run.type('call ask_user {"question":"Who?"}\r');
  await run.untilShown("Write an answer and Enter");
  expect(await status(await question(), { is_error: true, error_message: "not now" })).toBe(200);
  await run.untilShown("not now");

  run.type('call shell {"command":"touch never.txt"}\r');
  await run.untilShown("touch never.txt");
  const [cancelled = ""] = (await question()).split("/approvals/");
  expect(await status(`${cancelled}/cancel`, { reason: "stopped on the page" })).toBe(202);
  await run.untilShown("stopped on the page");
  run.type("\u0004");
  expect(await run.ended).toBe(0);
});
