/** The end of a client's input: what was asked before it is answered, and turns are not waited for. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createAcpStream } from "./acpStream.js";

function streamed(...requests: readonly object[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stream = createAcpStream(input, output, { sent: () => undefined });
  for (const request of requests) input.write(`${JSON.stringify(request)}\n`);
  input.end();
  return {
    stream,
    input,
    output,
    reader: stream.readable.getReader(),
    writer: stream.writable.getWriter(),
  };
}
const asked = (id: number, method: string) => ({ jsonrpc: "2.0", id, method, params: {} }) as const;

it("every request before the end has its answer before the connection ends", async () => {
  const { reader, writer, input } = streamed(asked(1, "initialize"), asked(2, "session/new"));
  const ended = once(input, "close");
  await reader.read();
  await reader.read();
  const order: string[] = [];
  const over = reader.read().then(({ done }) => order.push(`over ${done}`));
  // The end is read, and there was time to say so.
  await ended;
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await writer.write({ jsonrpc: "2.0", id: 1, result: {} });
  order.push("first");
  await writer.write({ jsonrpc: "2.0", id: 2, result: {} });
  await over;
  expect(order).toEqual(["first", "over true"]);
});

it("a turn is not waited for", async () => {
  const { reader } = streamed(asked(1, "session/prompt"));
  await reader.read();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

it("nobody is waited for who reads nothing any more", async () => {
  const { reader, writer, output } = streamed(asked(1, "session/new"));
  await reader.read();
  output.destroy();
  await expect(writer.write({ jsonrpc: "2.0", id: 1, result: {} })).rejects.toThrow("destroyed");
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});
