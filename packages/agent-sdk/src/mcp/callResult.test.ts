import type { CallToolResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { resultOf } from "./callResult.js";

const text = (said: string): CallToolResult["content"][number] => ({ type: "text", text: said });

describe("a server's answer", () => {
  it("tells structured content once", () => {
    const structuredContent = { city: "Paris", degrees: 21 };
    expect(resultOf({ content: [], structuredContent }, "s")).toEqual({
      output: structuredContent,
    });
    const repeated = [text(JSON.stringify(structuredContent, null, 2))];
    expect(resultOf({ content: repeated, structuredContent }, "s").output).toEqual(
      structuredContent,
    );
    expect(resultOf({ content: [text("Warm.")], structuredContent }, "s").output).toBe(
      'Warm.\n{"city":"Paris","degrees":21}',
    );
  });

  it("of nothing is an empty text", () => {
    expect(resultOf({ content: [] }, "s")).toEqual({ output: "" });
  });

  it("says what cannot be shown", () => {
    const resource = { uri: "file:///a.zip", mimeType: "application/zip", blob: "AAAAAA==" };
    expect(resultOf({ content: [{ type: "resource", resource }] }, "s").output).toBe(
      "[file:///a.zip, application/zip, 4 bytes, not shown]",
    );
  });

  it("is a failure where the server says so, also without words", () => {
    expect(() => resultOf({ content: [], isError: true }, "files")).toThrow(
      "The server files says that the call failed.",
    );
  });
});
