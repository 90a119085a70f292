/** "For this session" over HTTP: each message has an agent of its own, perhaps on another node. */
import { expect, it } from "vitest";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, readUntil, textAtPath } from "./testing/reading.js";

const approvalIn = (value: unknown): string =>
  textAtPath(value, "data", "data", "approval", "approval_id");
const isEnd = (value: unknown): boolean => fieldOf(value, "event") === "end";

describePlaces("a rule for the session", (use) => {
  /** Asks for the call; whether someone was asked. The question is answered with the option. */
  async function wasAsked(place: TestPlace, user: TestUser, optionId: string, body: object) {
    const user_input = 'call ask_first {"command":"ls"}';
    const response = await place.ask(user, "POST", "/api/agent/execute", { user_input, ...body });
    const runId = response.headers.get("x-request-id");
    const conversationId = response.headers.get("x-conversation-id");
    const seen = await readUntil(response, (value) => isEnd(value) || approvalIn(value) !== "");
    const approvalId = approvalIn(seen.at(-1));
    if (approvalId !== "") {
      const path = `/api/agent/runs/${runId}/approvals/${approvalId}`;
      expect((await place.ask(user, "POST", path, { option_id: optionId })).status).toBe(200);
    }
    await readUntil(await place.ask(user, "GET", `/api/agent/runs/${runId}/events`), isEnd);
    return { isAsked: approvalId !== "", conversationId };
  }

  it("is not asked for again in the conversation, and is in every other", async () => {
    const place = use();
    const user = await place.newUser();
    const first = await wasAsked(place, user, "allow_session", {});
    expect(first.isAsked).toBe(true);
    const same = { conversation_id: first.conversationId };
    expect((await wasAsked(place, user, "reject_once", same)).isAsked).toBe(false);
    expect((await wasAsked(place, user, "reject_once", {})).isAsked).toBe(true);
  });

  it("is one's own: whoever may edit the conversation too is asked", async () => {
    const place = use();
    const [owner, editor] = [await place.newUser(), await place.newUser()];
    const { conversationId } = await wasAsked(place, owner, "allow_session", {});
    const share = { user_id: editor.userId, level: "editor" };
    await place.ask(owner, "POST", `/api/conversations/${conversationId}/shares`, share);
    const same = { conversation_id: conversationId };
    expect((await wasAsked(place, editor, "reject_once", same)).isAsked).toBe(true);
    expect((await wasAsked(place, owner, "reject_once", same)).isAsked).toBe(false);
  });
});
