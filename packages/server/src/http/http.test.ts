import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createMetrics } from "../metrics.js";
import { openApiDocument } from "./openapi.js";
import { HttpProblem, problemDocument } from "./problem.js";
import { createRateLimit } from "./rateLimit.js";
import { readJsonBody } from "./requestBody.js";
import { callerRoute, json } from "./route.js";

const limits = { maxBodyBytes: 1_000, maxJsonDepth: 5 };

function post(body: string | Uint8Array, type = "application/json"): Request {
  const headers = { "content-type": type };
  return new Request("http://x/", {
    method: "POST",
    headers,
    body: new Blob([new Uint8Array(Buffer.from(body))]),
  });
}

const statusOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error) => (error instanceof HttpProblem ? [error.status, error.kind] : error),
  );

describe("a request's body", () => {
  it.each([
    ["{}", {}],
    ["", undefined],
    ["[1,[2,[3,[4,[5]]]]]", [1, [2, [3, [4, [5]]]]]],
    ['"[[[[[[[[[["', "[[[[[[[[[["],
    ["{", [400, "malformed-json"]],
    ["[[[[[[1]]]]]]", [413, "too-deep"]],
    ['{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}', [413, "too-deep"]],
    [`"${"x".repeat(1_000)}"`, [413, "too-large"]],
    [Buffer.from([0x22, 0xff, 0x22]), [400, "malformed-json"]],
  ])("%j gives %j", async (body, expected) => {
    expect(await statusOf(readJsonBody(post(body), limits))).toEqual(expected);
  });

  it("must say that it is JSON", async () => {
    const plain = readJsonBody(post("{}", "text/plain"), limits);
    expect(await statusOf(plain)).toEqual([415, "not-json"]);
    const patch = readJsonBody(post("{}", "application/merge-patch+json; charset=utf-8"), limits);
    expect(await statusOf(patch)).toEqual({});
  });
});

describe("a problem", () => {
  it("says what it is, where it is and what to do", () => {
    const problem = new HttpProblem(422, "invalid-request", "Send less.", {
      errors: [{ field: "a.b", message: "too long" }],
    });
    expect(problemDocument(problem, "r1")).toEqual({
      type: "urn:callboard:problem:invalid-request",
      title: "Cannot be processed",
      status: 422,
      detail: "Send less.",
      request_id: "r1",
      errors: [{ field: "a.b", message: "too long" }],
    });
  });
});

describe("the rate", () => {
  it("is one's own, and comes back with time", () => {
    let now = 0;
    const rate = createRateLimit(2, { monotonic: () => now });
    rate.take("a");
    rate.take("a");
    expect(() => rate.take("a")).toThrow(/try again in 30 s/);
    rate.take("b");
    now += 30_000;
    rate.take("a");
    expect(() => rate.take("a")).toThrow(HttpProblem);
  });

  it("counts amounts, and takes nothing for what it refuses", () => {
    const rate = createRateLimit(100, { monotonic: () => 0 }, "bytes");
    rate.take("a", 60);
    expect(() => rate.take("a", 60)).toThrow("More than 100 bytes a minute: try again in 12 s.");
    rate.take("a", 40);
    expect(() => rate.take("b", 1_000)).toThrow("try again in 1 s");
  });
});

describe("the OpenAPI document", () => {
  it("is made from what checks requests", () => {
    const route = callerRoute({
      method: "POST",
      path: "/things/{id}",
      operation: "makeThing",
      summary: "Makes a thing.",
      params: z.object({ id: z.string() }),
      query: z.object({ size: z.coerce.number().optional() }),
      body: z.object({ name: z.string() }),
      answers: { 201: { description: "It.", schema: z.object({ id: z.string() }) } },
      handle: () => json(201, {}),
    });
    const document = openApiDocument([route], "1");
    expect(document).toMatchObject({
      openapi: "3.1.0",
      paths: {
        "/things/{id}": {
          post: {
            operationId: "makeThing",
            parameters: [
              { name: "id", in: "path", required: true },
              { name: "size", in: "query", required: false },
            ],
            requestBody: {
              content: { "application/json": { schema: { required: ["name"] } } },
            },
            responses: { 201: { description: "It." } },
          },
        },
      },
    });
  });
});

describe("the figures", () => {
  it("are Prometheus's text, with labels escaped", () => {
    const metrics = createMetrics();
    metrics.add("callboard_runs_closed_total", { outcome: 'a"b\n' }, 2);
    const text = metrics.render({
      callboard_runs_open: 1,
      callboard_streams_open: 2,
      callboard_channels_open: 3,
      process_resident_memory_bytes: 4,
      process_cpu_seconds_total: 5,
    });
    expect(text).toMatch(/^callboard_runs_closed_total\{outcome="a\\"b\\n"\} 2$/m);
    expect(text).toMatch(/^callboard_runs_started_total 0$/m);
    expect(text).toMatch(/^# TYPE callboard_runs_open gauge\ncallboard_runs_open 1$/m);
  });
});
