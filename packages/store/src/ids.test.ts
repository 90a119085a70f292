import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { IdRefusedError } from "./errors.js";
import { assertUuid, isUuid, nameUuid, rowIdsOf } from "./ids.js";

it("names are turned into the UUIDs that RFC 9562 gives for them", () => {
  const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  expect(nameUuid(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

it.each(["", "run_1", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", `${randomUUID()} `, "../../etc"])(
  "%j is refused, with what to do",
  (text) => {
    expect(isUuid(text)).toBe(false);
    expect(() => assertUuid("run", text)).toThrow(IdRefusedError);
    expect(() => assertUuid("run", text)).toThrow("use a UUID in lower case");
  },
);

describe("the rows of a run", () => {
  const [run, other, conversation] = [randomUUID(), randomUUID(), randomUUID()];
  const rowId = rowIdsOf(run, conversation);

  it("have the same ids whenever they are written", () => {
    expect(rowId("cx_user_request", run)).toBe(run);
    expect(rowId("cx_conversation", "whatever the log says")).toBe(conversation);
    expect(rowId("cx_message", "msg_1")).toBe(rowIdsOf(run, conversation)("cx_message", "msg_1"));
    expect(isUuid(rowId("cx_tool_call", `${run}/call_1`))).toBe(true);
  });

  it("never share one with another run, table or key", () => {
    const elsewhere = rowIdsOf(other, conversation);
    const ids = [
      rowId("cx_message", "a"),
      rowId("cx_message", "b"),
      rowId("cx_tool_call", "a"),
      elsewhere("cx_message", "a"),
      elsewhere("cx_tool_call", "a"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("keep the UUID that a message has", () => {
    const message = randomUUID();
    expect(rowId("cx_message", message)).toBe(message);
  });
});
