import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { systemClock } from "@callboard/agent-sdk";
import { afterEach, expect, it } from "vitest";
import { type Listener, listen } from "./listener.js";

let listener: Listener | undefined;
afterEach(() => listener?.close());

async function listening(): Promise<number> {
  const arrival = { headersMs: 500, requestMs: 700, lookMs: 10 };
  listener = await listen("127.0.0.1", 0, systemClock, arrival);
  listener.serve((request, response) => {
    request.resume();
    request.once("end", () => response.end("served"));
  });
  return listener.port;
}

/** Everything that a connection is answered until it is closed. */
async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  await once(socket, "close");
  return text;
}

const head = "POST / HTTP/1.1\r\nhost: a\r\n";

it.each([
  ["headers", head],
  ["a body", `${head}content-length: 100000\r\n\r\n`],
])("sends away whoever sends %s a byte at a time, and serves the others", async (_, beginning) => {
  const port = await listening();
  const sockets = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("x");
  }, 5);
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.write(beginning);
  }
  const answers = Promise.all(sockets.map(answerOf));
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("served");
  const statuses = (await answers).map((text) => text.slice(0, 12));
  clearInterval(dripping);
  expect(new Set(statuses)).toEqual(new Set(["HTTP/1.1 408"]));
});
