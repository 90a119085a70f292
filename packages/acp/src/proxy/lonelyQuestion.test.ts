/** A question about a call that the agent never opened, denied and left as it is: what the proxy adds, and what not. */
import { expect, it } from "vitest";
import { sessionId, update } from "../testing/foreignTalk.js";
import { proxied } from "../testing/proxied.js";

const newText = "line: the quick brown fox jumps over the lazy dog\n".repeat(200);
const toolCall = {
  ...{ toolCallId: "c1", status: "pending", title: "Writing to out.txt", kind: "edit" },
  content: [{ type: "diff", path: "/proj/out.txt", oldText: "", newText }],
};
const question = {
  ...{ jsonrpc: "2.0", id: 0, method: "session/request_permission" },
  params: {
    ...{ sessionId, toolCall },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  },
};

it("gets an opening and an end in two short lines, and passes itself as it came", async () => {
  const { toClient } = await proxied({
    ...{ name: "a lonely question", faults: [], choice: "no" },
    lines: [question, { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } }],
  });
  const call = { toolCallId: "c1", title: "Writing to out.txt", kind: "edit", status: "pending" };
  const opening = update({ sessionUpdate: "tool_call", ...call });
  const end = update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" });
  const at = toClient.findIndex(({ method }) => method === "session/request_permission");
  expect(toClient.slice(at - 1, at + 2)).toEqual([opening, question, end]);
  const added = [opening, end].reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
  expect(added).toBeLessThanOrEqual(500);
});
