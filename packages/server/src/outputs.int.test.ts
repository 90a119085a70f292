/** Whole outputs: read by a link and in parts, by whom they belong to, and gone with their conversation. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@callboard/agent-sdk";
import { expect, it } from "vitest";
import { z } from "zod";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { textAtPath } from "./testing/reading.js";

const secret = "sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const long = `${"one line of output\n".repeat(3_000)}TOKEN=${secret}\nthe end`;

/** More than two parts of what the database keeps. */
const huge = `${"0123456789abcdef".repeat(40_000)}\nTOKEN=${secret}\nthe end`;
const texts = { little: "short", much: long, huge };

const speak = defineTool({
  name: "speak",
  description: "Says much, or little.",
  kind: "other",
  input: z.object({ how: z.enum(["little", "much", "huge"]) }),
  run: ({ how }) => texts[how],
});

const agents = { default: { tools: [speak], limits: { maxOutputChars: 1_000 } } };

async function spoken(place: TestPlace, user: TestUser, how: keyof typeof texts) {
  const made: unknown = await (await place.ask(user, "POST", "/api/conversations", {})).json();
  const conversationId = textAtPath(made, "id");
  const body = { tool_name: "speak", arguments: { how }, stream: false };
  const path = `/api/conversations/${conversationId}`;
  const answer: unknown = await (await place.ask(user, "POST", `${path}/calls`, body)).json();
  expect(textAtPath(answer, "request_id")).not.toBe("");
  return { conversationId, output: (await firstCall(place, user, conversationId)).output };
}

async function firstCall(place: TestPlace, user: TestUser, conversationId: string) {
  const path = `/api/conversations/${conversationId}/tool-calls`;
  const rows: unknown = await (await place.ask(user, "GET", path)).json();
  const [runId, callId] = ["request_id", "call_id"].map((name) =>
    textAtPath(rows, "items", 0, name),
  );
  return {
    output: `/api/agent/runs/${runId}/calls/${callId}/output`,
    filePath: textAtPath(rows, "items", 0, "file_path"),
  };
}

async function forkOf(place: TestPlace, user: TestUser, conversationId: string): Promise<string> {
  const path = `/api/conversations/${conversationId}/fork`;
  const answer = await place.ask(user, "POST", path, { position: 0 });
  expect(answer.status).toBe(201);
  return textAtPath(await answer.json(), "id");
}

describePlaces(
  "whole outputs",
  (use) => {
    it("are read whole, in parts, and not again while they are unchanged", async () => {
      const place = use();
      const user = await place.newUser();
      const { output } = await spoken(place, user, "much");
      const read = (headers: Record<string, string> = {}) =>
        place.ask(user, "GET", output, undefined, headers);
      const whole = await read();
      expect(whole.status).toBe(200);
      expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(whole.headers.get("accept-ranges")).toBe("bytes");
      expect(whole.headers.get("content-length")).toBe(String(long.length));
      expect(await whole.text()).toBe(long);
      const etag = whole.headers.get("etag") ?? "";
      const part = await read({ range: "bytes=-7", "if-range": etag });
      expect(part.status).toBe(206);
      expect(part.headers.get("content-range")).toBe(
        `bytes ${long.length - 7}-${long.length - 1}/${long.length}`,
      );
      expect(await part.text()).toBe("the end");
      const changed = await read({ range: "bytes=-7", "if-range": '"other"' });
      expect([changed.status, (await changed.text()).length]).toEqual([200, long.length]);
      const beyond = await read({ range: `bytes=${long.length}-` });
      expect(beyond.status).toBe(416);
      expect(beyond.headers.get("content-range")).toBe(`bytes */${long.length}`);
      expect((await read({ "if-none-match": etag })).status).toBe(304);
      const head = await place.ask(user, "HEAD", output);
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(long.length)]);
    });

    it("are read where their file is not: on other nodes, in parts and without secrets", async () => {
      const place = use();
      const user = await place.newUser();
      const viewer = await place.newUser();
      const { conversationId, output } = await spoken(place, user, "huge");
      const etag = (await place.ask(user, "HEAD", output)).headers.get("etag") ?? "";
      await rm(join(place.home, "outputs", conversationId), { recursive: true });
      if (place.nodes.length === 1) {
        const gone: unknown = await (await place.ask(user, "GET", output)).json();
        expect(textAtPath(gone, "type")).toBe("urn:callboard:problem:output-not-here");
        return;
      }
      const range = { range: "bytes=262142-524290", "if-range": etag };
      const part = await place.ask(user, "GET", output, undefined, range);
      expect(part.status).toBe(206);
      expect(part.headers.get("content-range")).toBe(`bytes 262142-524290/${huge.length}`);
      expect(await part.text()).toBe(huge.slice(262_142, 524_291));
      expect(await (await place.ask(user, "GET", output)).text()).toBe(huge);
      const path = `/api/conversations/${conversationId}`;
      await place.ask(user, "POST", `${path}/shares`, { user_id: viewer.userId, level: "viewer" });
      const shown = await (await place.ask(viewer, "GET", output)).text();
      const before = huge.slice(0, huge.indexOf(secret));
      expect([shown.slice(0, before.length), shown.slice(-8)]).toEqual([before, "\nthe end"]);
      expect(shown).not.toContain(secret);
      expect((await place.ask(user, "DELETE", path)).status).toBe(204);
      expect((await place.ask(user, "GET", output)).status).toBe(404);
    });

    it("that are short come from the log", async () => {
      const place = use();
      const user = await place.newUser();
      const { output } = await spoken(place, user, "little");
      const answer = await place.ask(user, "GET", output, undefined, { range: "bytes=1-2" });
      expect([answer.status, await answer.text()]).toEqual([206, "ho"]);
    });

    it("are without secrets for viewers, and nothing for strangers", async () => {
      const place = use();
      const owner = await place.newUser();
      const viewer = await place.newUser();
      const { output, conversationId } = await spoken(place, owner, "much");
      expect((await place.ask(viewer, "GET", output)).status).toBe(404);
      const share = { user_id: viewer.userId, level: "viewer" };
      await place.ask(owner, "POST", `/api/conversations/${conversationId}/shares`, share);
      const shown = await (await place.ask(viewer, "GET", output)).text();
      expect(shown).not.toContain(secret);
      expect(shown).toContain("TOKEN=[redacted");
      expect(shown.endsWith("the end")).toBe(true);
    });

    it("are copied to a fork, without secrets for others, and outlive the other side", async () => {
      const place = use();
      const [owner, viewer] = [await place.newUser(), await place.newUser()];
      const { output, conversationId } = await spoken(place, owner, "huge");
      const path = `/api/conversations/${conversationId}`;
      await place.ask(owner, "POST", `${path}/shares`, {
        user_id: viewer.userId,
        level: "viewer",
      });
      const first = await forkOf(place, owner, conversationId);
      const second = await forkOf(place, owner, conversationId);
      const ofViewer = await forkOf(place, viewer, conversationId);
      expect((await place.ask(owner, "DELETE", `/api/conversations/${first}`)).status).toBe(204);
      expect(await (await place.ask(owner, "GET", output)).text()).toBe(huge);
      expect((await place.ask(owner, "DELETE", path)).status).toBe(204);
      const copy = await firstCall(place, owner, second);
      expect(await (await place.ask(owner, "GET", copy.output)).text()).toBe(huge);
      expect(copy.filePath.startsWith(join(place.home, "outputs", second))).toBe(true);
      expect(await readFile(copy.filePath, "utf8")).toBe(huge);
      const shown = await firstCall(place, viewer, ofViewer);
      const redacted = await (await place.ask(viewer, "GET", shown.output)).text();
      const before = huge.slice(0, huge.indexOf(secret));
      expect(redacted.slice(0, before.length)).toBe(before);
      expect(redacted.slice(before.length)).toMatch(/^\[redacted:[^\]]+\]\nthe end$/);
      expect(await readFile(shown.filePath, "utf8")).toBe(redacted);
      if (place.nodes.length === 1) return;
      await rm(join(place.home, "outputs"), { recursive: true });
      expect(await (await place.ask(owner, "GET", copy.output)).text()).toBe(huge);
      expect(await (await place.ask(viewer, "GET", shown.output)).text()).toBe(redacted);
    });

    it("are 404 for a call that is not there", async () => {
      const place = use();
      const user = await place.newUser();
      const { output } = await spoken(place, user, "little");
      const other = output.replace(/[^/]+\/output$/, "nothing/output");
      expect((await place.ask(user, "GET", other)).status).toBe(404);
      const path = `/api/agent/runs/${randomUUID()}/calls/x/output`;
      expect((await place.ask(user, "GET", path)).status).toBe(404);
    });

    it("are gone with their conversation", async () => {
      const place = use();
      const user = await place.newUser();
      const { conversationId, output } = await spoken(place, user, "much");
      const folder = join(place.home, "outputs", conversationId);
      expect(existsSync(folder)).toBe(true);
      const path = `/api/conversations/${conversationId}`;
      expect((await place.ask(user, "DELETE", path)).status).toBe(204);
      expect(existsSync(folder)).toBe(false);
      expect((await place.ask(user, "GET", output)).status).toBe(404);
    });
  },
  { agents },
);
