/**
 * The model's side, in a process of its own so that its work is not counted: an HTTP server that
 * answers with bytes it rendered before, as fast as the socket takes them. The first part of the path
 * names the case; a request that brings a tool's result gets a few words. It tells its parent its port.
 */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { caseOf, piecesOf } from "./cases.js";
import { framesOf } from "./frames.js";

const PIECE = 65_536;
/** Rendered answers that are kept: the one that is measured and the one for the warm-up. */
const KEPT = 3;

/** @type {Map<string, Buffer>} */
const rendered = new Map();

/**
 * @param {string} key
 * @param {() => Buffer} render
 */
function renderedFor(key, render) {
  const bytes = rendered.get(key) ?? render();
  rendered.delete(key);
  rendered.set(key, bytes);
  for (const old of [...rendered.keys()].slice(0, -KEPT)) rendered.delete(old);
  return bytes;
}

/** @param {import("node:http").IncomingMessage} request */
async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function serve(request, response) {
  const [, name = "", ...rest] = (request.url ?? "").split("/");
  const dialect = rest.at(-1) === "messages" ? "anthropic" : "openai";
  const asked = await textOf(request);
  const isSecond = asked.includes('"role":"tool"') || asked.includes('"type":"tool_result"');
  const bytes = isSecond
    ? renderedFor(dialect, () => framesOf(dialect, "text", ["Written."]))
    : renderedFor(`${name} ${dialect}`, () => {
        const of = caseOf(name);
        return framesOf(dialect, of.kind, piecesOf(of));
      });
  response.writeHead(200, { "content-type": "text/event-stream" });
  await pipeline(Readable.from(piecesIn(bytes)), response);
}

/** @param {Buffer} bytes */
function* piecesIn(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
// A client that computes for long between two requests must find its connection open.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : undefined);
});
process.on("disconnect", () => process.exit());
