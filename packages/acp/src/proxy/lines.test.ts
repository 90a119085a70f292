/** Lines from bytes: what is said of a message that is too long to be read. */
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { headOfMessage, type Line, readLines } from "./lines.js";

async function linesIn(...chunks: readonly (Buffer | string)[]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(Readable.from(chunks), 10_000)) lines.push(line);
  return lines;
}

const long = "x".repeat(20_000);

it.each([
  ["its id first", `{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}`, 7],
  ["its id last", `{"jsonrpc":"2.0","result":{"text":"${long}"},"id":7}`, 7],
  [
    "its id before the version",
    `{"result":{"text":"${long}"},"id":"seven","jsonrpc":"2.0"}`,
    "seven",
  ],
  ["an id that is another's", `{"jsonrpc":"2.0","params":{"text":"${long}","id":7}}`, undefined],
  ["an id in its text", `{"jsonrpc":"2.0","text":"${long},\\"id\\":7}"}`, undefined],
])("a message with %s is known by its own id", async (_, text, id) => {
  const [line] = await linesIn(text);
  expect(line?.type === "tooLong" && headOfMessage(line).id).toEqual(id);
});

it("a message whose session comes last is known by it", async () => {
  const text = `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"text":"${long}"},"sessionId":"s"}}`;
  const [line] = await linesIn(text);
  const head = { id: undefined, method: "session/update", sessionId: "s" };
  expect(line?.type === "tooLong" && headOfMessage(line)).toEqual(head);
});

it("a character that is cut between two pieces is one", async () => {
  const bytes = Buffer.from('{"text":"é"}\n');
  const [line] = await linesIn(bytes.subarray(0, 10), bytes.subarray(10));
  const rest = { bytes: bytes.subarray(0, -1), isInexact: false };
  expect(line).toEqual({ type: "message", message: { text: "é" }, ...rest });
});
