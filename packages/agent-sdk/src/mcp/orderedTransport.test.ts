import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { createOrderedTransport } from "./orderedTransport.js";

const message = (method: string): JSONRPCMessage => ({ jsonrpc: "2.0", method });

describe("an ordered transport", () => {
  it("gives each message the time to take effect, and the end comes last", async () => {
    const inner: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
    const outer = createOrderedTransport(inner);
    const seen: string[] = [];
    outer.onmessage = (one) => {
      const method = "method" in one ? one.method : "";
      seen.push(`got ${method}`);
      void Promise.resolve().then(() => seen.push(`did ${method}`));
    };
    const ended = new Promise<void>((resolve) => {
      outer.onclose = () => {
        seen.push("end");
        resolve();
      };
    });
    await outer.start();
    inner.onmessage?.(message("progress"));
    inner.onmessage?.(message("answer"));
    inner.onclose?.();
    await ended;
    expect(seen).toEqual(["got progress", "did progress", "got answer", "did answer", "end"]);
  });

  it("continues after a message whose reader throws, and says so", async () => {
    const inner: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
    const outer = createOrderedTransport(inner);
    const errors: string[] = [];
    outer.onerror = (error) => errors.push(error.message);
    const second = new Promise<void>((resolve) => {
      outer.onmessage = (one) => {
        if ("method" in one && one.method === "first") throw new Error("no");
        resolve();
      };
    });
    await outer.start();
    inner.onmessage?.(message("first"));
    inner.onmessage?.(message("second"));
    await second;
    expect(errors).toEqual(["no"]);
  });
});
