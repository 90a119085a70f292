import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { withoutUndefined } from "@callboard/run-log/values";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { isPublicAddress } from "./addresses.js";
import { closedAddresses, closedHosts } from "./testing/closedHosts.js";
import { failureOf } from "./testing/failureOf.js";
import { testContext, testFolder } from "./testing/testContext.js";
import { createWebFetchTool } from "./webFetch.js";

/** Stands in for the public internet; the true loopback stays closed. */
const open = "127.0.0.2";
const isAllowedAddress = (address: string) => address === open || isPublicAddress(address);

let handler: RequestListener;
let connectionsInside = 0;
const outside = createServer((request, response) => handler(request, response));
const inside = createServer((_request, response) => response.end("secret"));
inside.on("connection", () => {
  connectionsInside += 1;
});
let port = 0;
let base = "";

beforeAll(async () => {
  // The crowded address first: nothing else on the machine listens at the other one.
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  port = portOf(inside.address());
  await new Promise<void>((resolve) => outside.listen(port, open, resolve));
  base = `http://${open}:${port}`;
});
afterAll(() => {
  outside.close();
  inside.close();
});
beforeEach(() => {
  connectionsInside = 0;
  handler = (_request, response) => response.end("hello");
});

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

interface Given {
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  readonly maxFetchMs?: number;
  readonly signal?: AbortSignal;
}

async function fetched(url: string, { resolve, maxFetchMs = 5000, signal }: Given = {}) {
  const folder = await testFolder();
  const tool = createWebFetchTool({
    maxOutputChars: 1000,
    outputFolder: folder,
    maxFetchMs,
    access: { isAllowedAddress, ...withoutUndefined({ resolve }) },
  });
  return tool.execute({ url }, testContext(folder, withoutUndefined({ signal })));
}

const refusal = async (url: string, given: Given = {}) =>
  (await failureOf(fetched(url, given))).errorType;

/** Every address that a connection was tried to, but for the stand-in. */
function attemptsInside(): string[] {
  const attempts: string[] = [];
  const listen = (message: unknown) => {
    const { socket } = messageSchema.parse(message);
    socket.on("connectionAttempt", (address: string) => {
      if (address !== open) attempts.push(address);
    });
  };
  subscribe("net.client.socket", listen);
  onTestFinished(() => void unsubscribe("net.client.socket", listen));
  return attempts;
}
const messageSchema = z.object({ socket: z.instanceof(Socket) });

describe("what lies inside", () => {
  it("is tried in at least 100 spellings", () => {
    expect(new Set(closedHosts).size).toBeGreaterThan(100);
  });

  it("is never connected to directly", async () => {
    const connect = vi.spyOn(Socket.prototype, "connect");
    onTestFinished(() => void connect.mockRestore());
    for (const host of closedHosts) {
      for (const url of [`http://${host}:${port}/`, `https://${host}/`, `http://user@${host}/`]) {
        expect([url, await refusal(url)]).toEqual([url, "url_refused"]);
      }
    }
    expect([connect.mock.calls, connectionsInside]).toEqual([[], 0]);
  });

  it("is never connected to by default, not even the stand-in", async () => {
    const folder = await testFolder();
    const tool = createWebFetchTool({ maxOutputChars: 1000, outputFolder: folder });
    const spy = vi.spyOn(Socket.prototype, "connect");
    for (const url of [base, `http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const failure = await failureOf(tool.execute({ url }, testContext(folder)));
      expect(failure.errorType).toBe("url_refused");
    }
    expect(spy.mock.calls).toEqual([]);
    spy.mockRestore();
  });

  it.each([301, 302, 303, 307, 308])("is never reached by a redirect %i", async (status) => {
    const attempts = attemptsInside();
    for (const host of closedHosts) {
      const location = encodeURI(`http://${host}:${port}/`).replaceAll("%25", "%");
      handler = (_request, response) => response.writeHead(status, { location }).end();
      expect([location, await refusal(`${base}/start`)]).toEqual([location, "url_refused"]);
    }
    expect([attempts, connectionsInside]).toEqual([[], 0]);
  });

  it.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://x/",
    "data:text/plain,x",
    "javascript:1",
    "//127.0.0.1/x",
    "http:/\\127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http://127.0.0.1#@example.com/",
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:6379/",
    "http://example.com:0/",
    "http://u:p@example.com/",
    "http://",
    "example.com",
    "http://exa mple.com/",
  ])("is not reached by %s", async (url) => {
    const attempts = attemptsInside();
    expect(await refusal(url)).toBe("url_refused");
    handler = (_request, response) => response.writeHead(302, { location: url }).end();
    if (/^[a-z]+:/.test(url)) expect(await refusal(`${base}/start`)).toBe("url_refused");
    expect([attempts, connectionsInside]).toEqual([[], 0]);
  });

  it("is never reached by a name, alone or among open addresses", async () => {
    const attempts = attemptsInside();
    for (const address of closedAddresses) {
      for (const addresses of [[address], ["1.1.1.1", address], [address, open]]) {
        const resolve = async () => addresses;
        expect(await refusal(`http://rebind.test:${port}/`, { resolve })).toBe("url_refused");
      }
    }
    expect(await refusal("http://rebind.test/", { resolve: async () => [] })).toBe("url_refused");
    expect([attempts, connectionsInside]).toEqual([[], 0]);
  });

  it("is never reached by a name that changes its answer", async () => {
    const attempts = attemptsInside();
    for (const address of closedAddresses) {
      const answers = [[open]];
      const resolve = vi.fn(async () => answers.shift() ?? [address]);
      handler = (_request, response) => response.end("outside");
      const { output } = await fetched(`http://rebind.test:${port}/`, { resolve });
      expect([output, resolve.mock.calls]).toEqual([
        `http://rebind.test:${port}/\n\noutside`,
        [["rebind.test"]],
      ]);
      answers.push([open]);
      handler = (_request, response) => response.writeHead(302, { location: "/again" }).end();
      expect(await refusal(`http://rebind.test:${port}/`, { resolve })).toBe("url_refused");
    }
    expect([attempts, connectionsInside]).toEqual([[], 0]);
  });

  it("would be seen if it were reached", async () => {
    const attempts = attemptsInside();
    const folder = await testFolder();
    const access = { isAllowedAddress: () => true };
    const tool = createWebFetchTool({ maxOutputChars: 1000, outputFolder: folder, access });
    await tool.execute({ url: `http://127.0.0.1:${port}/` }, testContext(folder));
    expect([attempts, connectionsInside]).toEqual([["127.0.0.1"], 1]);
  });

  it("is not reached through a proxy of the environment", async () => {
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port}`);
    vi.stubEnv("http_proxy", `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await fetched(base)).toMatchObject({ output: `${base}/\n\nhello` });
    expect(connectionsInside).toBe(0);
  });
});

describe("what is fetched", () => {
  const answer = (type: string, body: string | Uint8Array, headers = {}) => {
    handler = (_request, response) =>
      response.writeHead(200, { "content-type": type, ...headers }).end(body);
  };

  it("keeps host and server name, and follows redirects", async () => {
    const hosts: (string | undefined)[] = [];
    handler = (request, response) => {
      hosts.push(request.headers.host);
      if (request.url === "/end") response.end("done");
      else response.writeHead(302, { location: "/end" }).end();
    };
    const resolve = async () => [open];
    const { output } = await fetched(`http://name.test.:${port}/start`, { resolve });
    expect(output).toBe(`http://name.test.:${port}/end\n\ndone`);
    expect(hosts).toEqual([`name.test.:${port}`, `name.test.:${port}`]);
    const names: string[] = [];
    const secure = createTlsServer({
      SNICallback(name, callback) {
        names.push(name);
        callback(new Error("no certificate"));
      },
    });
    secure.on("tlsClientError", () => {});
    await new Promise<void>((done) => secure.listen(0, open, done));
    onTestFinished(() => void secure.close());
    const url = `https://name.test:${portOf(secure.address())}/`;
    expect(await refusal(url, { resolve })).toBe("network");
    expect(names).toEqual(["name.test"]);
  });

  it("is refused after five redirects", async () => {
    let hops = 0;
    handler = (_request, response) => {
      hops += 1;
      response.writeHead(302, { location: `/${hops}` }).end();
    };
    expect(await refusal(base)).toBe("too_many_redirects");
    expect(hops).toBe(6);
  });

  it("is readable text of HTML, text and JSON, and a word about the rest", async () => {
    answer("text/html; charset=utf-8", "<title>T</title><p>a<script>x</script></p>");
    expect(await fetched(base)).toEqual({
      output: `${base}/\nT\n\na`,
      summary: "200 · text/html · 42 bytes",
    });
    answer("text/html", Buffer.from('<meta charset="iso-8859-1"><p>\xe4', "latin1"));
    expect((await fetched(base)).output).toBe(`${base}/\n\nä`);
    answer("application/json", '{"a":1}');
    expect((await fetched(base)).output).toBe(`${base}/\n\n{"a":1}`);
    answer("image/png", Buffer.alloc(10));
    expect((await fetched(base)).output).toBe(`${base}/\n\n(image/png, 10 bytes: not text.)`);
    answer("text/plain; charset=nonsense", "x");
    expect((await fetched(base)).output).toBe(`${base}/\n\nx`);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("may be packed with %s, and a bomb is cut", async (encoding, pack) => {
    answer("text/plain", pack(Buffer.from("hello")), { "content-encoding": encoding });
    expect((await fetched(base)).output).toBe(`${base}/\n\nhello`);
    answer("text/plain", pack(Buffer.alloc(50e6, "x")), { "content-encoding": encoding });
    const { output, filePath } = await fetched(base);
    expect(String(output)).toContain("[only the first 5242880 bytes]");
    expect(filePath).toMatch(/call-1-[0-9a-f]+\.txt$/);
  });

  it("fails clearly: status, broken answers, silence, cancelling", async () => {
    handler = (_request, response) => response.writeHead(404).end("gone");
    const missing = await failureOf(fetched(base));
    expect([missing.errorType, missing.output]).toEqual(["http_status", `${base}/\n\ngone`]);
    handler = (request) => request.socket.destroy();
    expect(await refusal(base)).toBe("network");
    handler = (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("x");
      setImmediate(() => response.destroy());
    };
    expect(await refusal(base)).toBe("network");
    answer("text/plain", "not gzip", { "content-encoding": "gzip" });
    expect(await refusal(base)).toBe("network");
    answer("text/plain", "x", { "content-encoding": "zstd" });
    expect(await refusal(base)).toBe("content_encoding");
    handler = () => {};
    expect(await refusal(base, { maxFetchMs: 100 })).toBe("timeout");
    // A body that never stands still and never ends, plain and packed.
    for (const encoding of ["identity", "gzip"]) {
      const body = gzipSync(randomBytes(10_000));
      handler = (_request, response) => {
        let at = 0;
        response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding });
        const dripping = setInterval(() => response.write(body.subarray(at, ++at)), 5);
        response.once("close", () => clearInterval(dripping));
      };
      expect(await refusal(base, { maxFetchMs: 100 })).toBe("timeout");
    }
    const resolve = () => new Promise<string[]>(() => {});
    expect(await refusal("http://slow.test/", { resolve, maxFetchMs: 100 })).toBe("timeout");
    const controller = new AbortController();
    handler = () => controller.abort(new Error("stopped by the user"));
    await expect(fetched(base, { signal: controller.signal })).rejects.toThrow(
      "stopped by the user",
    );
  });
});
