/** A small MCP server whose tools do what the tests need: answer, report, hang, fail, die. */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const text = (content) => ({ content: [{ type: "text", text: content }] });
const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The events are written to the file in MCP_TEST_NOTES, one word a line. */
const note = (word) => {
  if (process.env.MCP_TEST_NOTES) appendFileSync(process.env.MCP_TEST_NOTES, `${word}\n`);
};

export function createTestServer() {
  const server = new McpServer(
    { name: "test", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  const readOnly = { annotations: { readOnlyHint: true } };

  server.registerTool(
    "echo",
    {
      title: "Echo",
      description: "Says what it is told.",
      inputSchema: { text: z.string() },
      ...readOnly,
    },
    ({ text: said }) => text(said),
  );
  server.registerTool("variable", { inputSchema: { name: z.string() } }, ({ name }) =>
    text(process.env[name] ?? "unset"),
  );
  server.registerTool(
    "add.numbers",
    {
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { idempotentHint: true },
    },
    ({ a, b }) => ({
      content: [{ type: "text", text: JSON.stringify({ sum: a + b }) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool("picture", { ...readOnly }, () => ({
    content: [
      { type: "text", text: "A pixel:" },
      { type: "image", data: onePixel, mimeType: "image/png" },
      { type: "resource", resource: { uri: "test://note", text: "A note." } },
      {
        type: "resource",
        resource: { uri: "test://pixel", mimeType: "image/png", blob: onePixel },
      },
      { type: "resource_link", uri: "test://more", name: "more" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ],
  }));
  server.registerTool(
    "steps",
    { inputSchema: { count: z.number() }, ...readOnly },
    async ({ count }, { sendNotification, _meta }) => {
      for (let step = 1; step <= count; step += 1) {
        await sendNotification({
          method: "notifications/progress",
          params: {
            progressToken: _meta.progressToken,
            progress: step,
            total: count,
            message: `step ${step}`,
          },
        });
      }
      return text(`${count} steps`);
    },
  );
  server.registerTool("drip", { ...readOnly }, async ({ sendNotification, _meta }) => {
    for (let progress = 1; progress <= 5; progress += 1) {
      await setTimeout(200);
      await sendNotification({
        method: "notifications/progress",
        params: { progressToken: _meta.progressToken, progress },
      });
    }
    return text("dripped");
  });
  server.registerTool("wait", {}, ({ signal, sendNotification, _meta }) => {
    note("waiting");
    return new Promise((resolve) => {
      const end = async () => {
        note("cancelled");
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken: _meta.progressToken, progress: 99, message: "too late" },
        });
        resolve(text("cancelled"));
      };
      // A cancellation that arrived with the request came first.
      if (signal.aborted) void end();
      else signal.addEventListener("abort", end);
    });
  });
  server.registerTool("fail", { annotations: { destructiveHint: true } }, () => ({
    ...text("The disk is full."),
    isError: true,
  }));
  server.registerTool("die", {}, () => {
    process.stderr.write("I was told to die.\n");
    setImmediate(() => process.exit(1));
    return new Promise(() => {});
  });
  server.registerTool("process", { ...readOnly }, () => text(String(process.pid)));
  server.registerTool("child", {}, () => {
    const child = spawn("sleep", ["300"], { stdio: "inherit" });
    return text(String(child.pid));
  });
  server.registerTool("ask", {}, async () => {
    const requestedSchema = {
      type: "object",
      properties: { name: { type: "string" }, seat: { type: "string", enum: ["a", "w"] } },
      required: ["name"],
    };
    return text(
      JSON.stringify(await server.server.elicitInput({ message: "Who flies?", requestedSchema })),
    );
  });
  server.registerTool("learn", {}, () => {
    server.registerTool("learned", { ...readOnly }, () => text("new"));
    return text("learnt");
  });
  return server;
}
