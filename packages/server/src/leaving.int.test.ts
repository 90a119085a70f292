import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { namedUuid } from "./ids.js";
import { openPlace } from "./testing/place.js";
import { fieldOf, valuesOf } from "./testing/reading.js";

/** Sends a request whole and leaves at once, without waiting for any answer. */
function sendAndLeave(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`, () =>
        socket.destroy(),
      );
    });
    socket.on("close", () => resolve());
  });
}

describe("a reader that leaves before its run has started", () => {
  it.each([true, false])("ends it where it asked for that, with stream: %s", async (stream) => {
    const { place, close } = await openPlace("one node, embedded");
    const user = await place.newUser();
    const key = randomUUID();
    const user_input = `call wait_for_test {"name":"${key}"}\nsay over`;
    const body = JSON.stringify({ user_input, stream, on_disconnect: "cancel" });
    const headers = { ...user.headers, "idempotency-key": key };
    await sendAndLeave(place.url("/api/agent/execute"), headers, body);
    const path = `/api/agent/runs/${namedUuid("run", user.userId, key)}/events`;
    let events = await place.ask(user, "GET", path);
    while (events.status === 404) events = await place.ask(user, "GET", path);
    const values = await valuesOf(events);
    expect(fieldOf(values.at(-2), "data", "status")).toBe("cancelled");
    await close();
  });
});
