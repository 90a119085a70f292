import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolNameOf } from "./toolNames.js";

describe("tool names", () => {
  it("say server and tool, in letters that every provider takes", () => {
    expect(toolNameOf("files", "read_file", new Set())).toBe("mcp__files__read_file");
    expect(toolNameOf("my files", "read.file/2", new Set())).toBe("mcp__my_files__read_file_2");
  });

  it("stay apart where cleaning makes them alike", () => {
    const taken = new Set<string>();
    const names = ["a.b", "a/b", "a_b"].map((tool) => toolNameOf("s", tool, taken));
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toBe("mcp__s__a_b");
  });

  it("are never too long, never alike, and the same every time", async () => {
    const pair = fc.tuple(fc.string({ maxLength: 50 }), fc.string({ maxLength: 90 }));
    await fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: (one) => JSON.stringify(one) }), (pairs) => {
        const named = () => {
          const taken = new Set<string>();
          return pairs.map(([server, tool]) => toolNameOf(server, tool, taken));
        };
        const names = named();
        expect(new Set(names).size).toBe(pairs.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(named()).toEqual(names);
      }),
    );
  });
});
