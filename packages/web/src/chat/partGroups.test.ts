/** Which parts of a run stand together. */
import type { MessageOutline } from "@callboard/client";
import { expect, it } from "vitest";
import { partGroups } from "./partGroups.js";

const message = (id: string, ...parts: MessageOutline["parts"]): MessageOutline => ({
  id,
  role: id.startsWith("u") ? "user" : "assistant",
  startedAt: 0,
  parts,
});
const call = (callId: string) => ({ type: "call", callId }) as const;
const text = (partId: string) => ({ type: "text", partId }) as const;

it("are calls in a row, across turns, until something is said", () => {
  const groups = partGroups([
    message("u1", text("q")),
    message("a1", text("t1"), call("c1")),
    message("a2", call("c2"), call("c3")),
    message("a3", text("t2"), call("c4")),
  ]);
  const told = groups.map((group) =>
    group.type === "calls"
      ? group.parts.map(({ callId }) => callId).join(" ")
      : group.type === "part"
        ? group.part.type
        : "user",
  );
  expect(told).toEqual(["user", "text", "c1 c2 c3", "text", "c4"]);
});

it("have one place for a call and the agent that works for it", () => {
  const agent = { type: "agent", callId: "c1", messages: [message("a2", text("t"))] } as const;
  const groups = partGroups([message("a1", call("c1"), agent, call("c2"))]);
  expect(groups).toEqual([{ type: "calls", key: "a1 0", parts: [agent, call("c2")] }]);
});

it("have a call that a person made beside what the person said", () => {
  const groups = partGroups([message("u1", text("q")), message("u2", call("c1"))]);
  expect(groups.map(({ type, key }) => `${type} ${key}`)).toEqual(["user u1", "calls u2 0"]);
});
