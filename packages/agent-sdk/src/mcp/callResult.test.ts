import type { CallToolResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { mcpResultOf } from "./callResult.js";

const text = (said: string): CallToolResult["content"][number] => ({ type: "text", text: said });

describe("a server's answer", () => {
  it("tells structured content once", () => {
    const structuredContent = { city: "Paris", degrees: 21 };
    expect(mcpResultOf({ content: [], structuredContent }, "s")).toEqual({
      output: structuredContent,
    });
    const repeated = [text(JSON.stringify(structuredContent, null, 2))];
    expect(mcpResultOf({ content: repeated, structuredContent }, "s").output).toEqual(
      structuredContent,
    );
    expect(mcpResultOf({ content: [text("Warm.")], structuredContent }, "s").output).toBe(
      'Warm.\n{"city":"Paris","degrees":21}',
    );
  });

  it("of nothing is an empty text", () => {
    expect(mcpResultOf({ content: [] }, "s")).toEqual({ output: "" });
  });

  it("names the resources that it links to", () => {
    const link = { type: "resource_link", uri: "file:///a.md", name: "a" } as const;
    const titled = { ...link, title: "The page", description: "How it is built." };
    expect(mcpResultOf({ content: [link, titled] }, "s").output).toBe(
      "[a](file:///a.md)\n[The page](file:///a.md) How it is built.",
    );
  });

  it("says what cannot be shown", () => {
    const resource = { uri: "file:///a.zip", mimeType: "application/zip", blob: "AAAAAA==" };
    expect(mcpResultOf({ content: [{ type: "resource", resource }] }, "s").output).toBe(
      "[file:///a.zip, application/zip, 4 bytes, not shown]",
    );
  });

  it("is a failure where the server says so, also without words", () => {
    expect(() => mcpResultOf({ content: [], isError: true }, "files")).toThrow(
      "The server files says that the call failed.",
    );
  });
});
