import type { JsonObject } from "@callboard/run-log";
import { beforeEach, describe, expect, it } from "vitest";
import { createTestTools, numberedLines, type TestTools } from "./testing/testTools.js";

let tools: TestTools;
beforeEach(async () => {
  tools = await createTestTools();
});

describe("read_file", () => {
  it("gives a small file as it is", async () => {
    await tools.put("a.txt", "\ufeffone\r\ntwo");
    expect(await tools.call("read_file", { path: "a.txt" })).toEqual({
      output: "one\r\ntwo",
      summary: "2 lines",
    });
  });

  it("gives the lines asked for and says how to continue", async () => {
    await tools.put("a.txt", numberedLines(1, 20));
    expect(await tools.call("read_file", { path: "a.txt", offset: 3, limit: 2 })).toEqual({
      output: "line 3\nline 4\n\n[Lines 3–4 of 20; continue with offset 5]",
      summary: "lines 3–4 of 20",
    });
    expect(await tools.call("read_file", { path: "a.txt", offset: 20 })).toMatchObject({
      output: "line 20\n\n[Lines 20–20 of 20]",
    });
  });

  it("cuts at a line's end when there is too much", async () => {
    await tools.put("a.txt", numberedLines(1, 500));
    const { output } = await tools.call("read_file", { path: "a.txt" });
    expect(output).toBe(`${numberedLines(1, 123)}\n[Lines 1–123 of 500; continue with offset 124]`);
  });

  it("reads every line once when it continues", async () => {
    const whole = numberedLines(1, 500);
    await tools.put("a.txt", whole);
    let read = "";
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const { output } = await tools.call("read_file", { path: "a.txt", offset });
      const [part = "", note = ""] = String(output).split("\n[");
      read += part;
      offset = /offset (\d+)/.test(note) ? Number(/offset (\d+)/.exec(note)?.[1]) : undefined;
    }
    expect(read).toBe(whole);
  });

  it("cuts a line that is too long and says so", async () => {
    await tools.put("a.txt", `${"x".repeat(5000)}\nend\n`);
    const { output } = await tools.call("read_file", { path: "a.txt" });
    expect(output).toBe(
      `${"x".repeat(1000)}\n\n[Lines 1–1 of 2; line 1 is longer than shown; continue with offset 2]`,
    );
  });

  it("does not read a huge file to its end for one line", async () => {
    await tools.put("huge.txt", numberedLines(1, 10).padEnd(40 * 1024 ** 2, "x"));
    expect(await tools.call("read_file", { path: "huge.txt", limit: 1 })).toMatchObject({
      output: "line 1\n\n[Lines 1–1 of many; continue with offset 2]",
    });
  });

  it("keeps characters that lie across its buffer", async () => {
    const whole = `${"x".repeat(64 * 1024 - 1)}\nä€😀`;
    await tools.put("a.txt", whole);
    const { output } = await tools.call("read_file", { path: "a.txt", offset: 2 });
    expect(output).toBe("ä€😀\n\n[Lines 2–2 of 2]");
  });

  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n0000"],
    ["image/jpeg", "\xff\xd8\xff\xe0abc"],
    ["image/gif", "GIF89a......"],
    ["image/webp", "RIFF....WEBPVP8 "],
  ])("sees %s by its first bytes", async (mediaType, start) => {
    const bytes = Buffer.from(start, "latin1");
    await tools.put("picture.txt", bytes);
    expect(await tools.call("read_file", { path: "picture.txt" })).toMatchObject({
      images: [{ mediaType, data: bytes.toString("base64") }],
    });
  });

  it.each([
    ["not_text", "is a binary file", Buffer.from([1, 0, 2])],
    ["not_text", "is not UTF-8 text", Buffer.from([0x61, 0xff, 0xfe])],
    ["not_text", "is not UTF-8 text", Buffer.from([0x61, 0xe2, 0x82])],
    ["not_text", "is a binary file", Buffer.from("utf-16", "utf16le")],
  ])("refuses what is no text: %s %s", async (errorType, words, bytes) => {
    await tools.put("a", bytes);
    const { message, ...rest } = await tools.failure("read_file", { path: "a" });
    expect([rest.errorType, message]).toEqual([errorType, `a ${words}.`]);
  });

  it("fails clearly for folders, nothing, past the end, pipes and large images", async () => {
    await tools.put("a", "one\n");
    await tools.put("empty", "");
    const errorOf = async (input: JsonObject) =>
      (await tools.failure("read_file", input)).errorType;
    expect(await errorOf({ path: "." })).toBe("is_folder");
    expect(await errorOf({ path: "none" })).toBe("not_found");
    expect(await errorOf({ path: "a", offset: 2 })).toBe("past_the_end");
    expect(await errorOf({ path: "/etc/hostname" })).toBe("path_outside");
    expect(await errorOf({ path: "a", offset: 0 })).toBe("invalid_arguments");
    await tools.put(
      "big.png",
      Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(6e6)]),
    );
    expect(await errorOf({ path: "big.png" })).toBe("too_large");
    expect(await tools.call("read_file", { path: "empty" })).toMatchObject({ summary: "empty" });
  });
});
