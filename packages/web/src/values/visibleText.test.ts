import { expect, it } from "vitest";
import { visibleProse, visibleText } from "./visibleText.js";

it.each([
  ["plain text stays as it is", "ls -la\n\tdone\r\n", "ls -la\n\tdone\r\n"],
  ["a direction override", "echo \u202etxt.sh", "echo [U+202E]txt.sh"],
  ["an isolate", "a\u2066b\u2069", "a[U+2066]b[U+2069]"],
  ["direction marks", "a\u200eb\u200fc\u061c", "a[U+200E]b[U+200F]c[U+061C]"],
  ["zero-width characters", "rm\u200b\u2060\ufeff x", "rm[U+200B][U+2060][U+FEFF] x"],
  ["a soft hyphen", "pass\u00adword", "pass[U+00AD]word"],
  ["control characters", "a\u0000\u001b[8mb\u007f\u0085", "a[U+0000][U+001B][8mb[U+007F][U+0085]"],
  ["line and paragraph separators", "a\u2028b\u2029", "a[U+2028]b[U+2029]"],
  ["tag characters", "x\u{e0041}", "x[U+E0041]"],
  ["right-to-left letters stay", "שלום مرحبا", "שלום مرحبا"],
  ["joined emoji stay", "👩‍💻 ❤️", "👩‍💻 ❤️"],
])("%s", (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it("leaves what people say as it is, except for what turns the direction of reading", () => {
  expect(visibleProse("pass\u00adword\u200b \u200fשלום")).toBe("pass\u00adword\u200b \u200fשלום");
  expect(visibleProse("run \u202etxt.sh\u2069")).toBe("run [U+202E]txt.sh[U+2069]");
  expect(visibleProse("\u2066")).toBe("[U+2066]");
});

it("writes out the same characters each time it is asked", () => {
  expect([visibleText("\u202e"), visibleText("\u202e")]).toEqual(["[U+202E]", "[U+202E]"]);
});
