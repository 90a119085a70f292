/** Requests between two programs on one home: each is taken once, by the process that has the session open, or by nobody. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../system/systemClock.js";
import { receiveRequests, type SessionRequest, sendRequest } from "./sessionRequests.js";
import { createListener } from "./testing/testSession.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-requests-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const request: SessionRequest = { type: "cancelCall", callId: "c1", reason: "enough" };
const requests = (): string => join(folder, "requests");

/** A receiver that takes everything. */
function receiver() {
  const heard: SessionRequest[] = [];
  const logger = createListener();
  const stop = receiveRequests(
    folder,
    async (one) => {
      heard.push(one);
      return { status: "taken" };
    },
    logger,
  );
  return { heard, stop, warnings: logger.heard };
}

it("are taken once, with a reply, and leave nothing", async () => {
  const { heard, stop, warnings } = receiver();
  const sent = expect.poll(() => sendRequest(folder, request, systemClock));
  await sent.toEqual({ status: "taken" });
  expect(heard).toEqual([request]);
  expect(readdirSync(requests())).toEqual([]);
  await stop();
  expect([readdirSync(folder), warnings]).toEqual([[], []]);
  expect(await sendRequest(folder, request, systemClock)).toBeUndefined();
});

it("are withdrawn where no process takes them", async () => {
  // Left by a process that was killed.
  mkdirSync(requests());
  let passed = 0;
  const hurried = { ...systemClock, monotonic: () => (passed += 1_000) };
  expect(await sendRequest(folder, request, hurried)).toBeUndefined();
  expect(readdirSync(requests())).toEqual([]);
});

it("of before, of links and of other shapes are not obeyed", async () => {
  mkdirSync(requests());
  writeFileSync(join(requests(), "old.json"), JSON.stringify(request));
  const { heard, stop } = receiver();
  await expect.poll(() => readdirSync(requests())).toEqual([]);
  const elsewhere = join(folder, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(request));
  symlinkSync(elsewhere, join(requests(), "link.json"));
  const drafted = join(requests(), "wrong.json");
  writeFileSync(drafted, '{"type":"everything"}');
  const reply = expect.poll(() =>
    readFile(join(requests(), "wrong.reply"), "utf8").catch(() => ""),
  );
  await reply.toContain('"status":"refused"');
  expect(heard).toEqual([]);
  await stop();
});
