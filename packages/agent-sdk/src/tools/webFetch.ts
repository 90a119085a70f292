/** `web_fetch`: a public web page as text. */
import { systemCodeOf, withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import type { ToolContext, ToolDefinition, ToolResult } from "../types/tools.js";
import { oneLine } from "../utils/oneLine.js";
import { sessionOutputFolder } from "../utils/outputPaths.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { createDeadline } from "./deadline.js";
import { defineTool } from "./defineTool.js";
import { type FetchAccess, type Fetched, guardedFetch } from "./guardedFetch.js";
import { htmlToText } from "./htmlText.js";
import { createOutputSink } from "./outputFile.js";

export interface WebFetchOptions {
  readonly maxOutputChars: number;
  readonly outputFolder: string;
  /** How long all hops together may take. Default 30,000 ms. */
  readonly maxFetchMs?: number;
  /** Only for tests: other addresses than public ones. */
  readonly access?: FetchAccess;
}

const maxBytes = 5 * 1024 ** 2;

const inputSchema = z.strictObject({
  url: z.string().min(1).max(4000).describe("An http or https URL of a public website."),
});

export function createWebFetchTool(options: WebFetchOptions): ToolDefinition {
  const { maxFetchMs = 30_000 } = options;
  return defineTool({
    name: "web_fetch",
    description:
      "Fetch a public web page, JSON or text file. HTML comes as readable text. Private and local addresses are out of reach.",
    kind: "fetch",
    input: inputSchema,
    concurrency: "safe",
    needsApproval: true,
    timeoutMs: maxFetchMs + 10_000,
    title: "Fetching {{url}}",
    display: { arguments: { url: "line" } },
    approvalTarget: ({ url }) => (typeof url === "string" ? plainUrl(url) : ""),
    async run({ url }, context) {
      const deadline = createDeadline(context.signal, maxFetchMs);
      try {
        const fetched = await guardedFetch(url, maxBytes, deadline.signal, options.access);
        return await fetchResultOf(fetched, options, context);
      } catch (error) {
        if (deadline.hasPassed()) {
          throw new ToolFailure(
            "timeout",
            `${oneLine(url)} did not answer within ${maxFetchMs} ms.`,
            {
              isRetryable: true,
              cause: error,
            },
          );
        }
        context.signal.throwIfAborted();
        throw networkFailure(error, url);
      } finally {
        deadline.end();
      }
    },
  });
}

/** In its canonical form, so that no spelling matches a rule for another host. */
function plainUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

function networkFailure(error: unknown, url: string): unknown {
  if (error instanceof ToolFailure || !(error instanceof Error)) return error;
  const code = systemCodeOf(error);
  const isRetryable = code === "ECONNRESET" || code === "EAI_AGAIN" || code === "ETIMEDOUT";
  return new ToolFailure("network", `${oneLine(url)} could not be fetched: ${error.message}`, {
    isRetryable,
    cause: error,
  });
}

async function fetchResultOf(
  fetched: Fetched,
  { maxOutputChars, outputFolder }: WebFetchOptions,
  { runId, callId, sessionId }: ToolContext,
): Promise<ToolResult> {
  const { url, status, contentType, isCut } = fetched;
  const { title, text } = readable(fetched);
  const sink = createOutputSink({
    maxChars: maxOutputChars,
    folder: sessionOutputFolder(outputFolder, sessionId),
    key: `${runId}/${callId}`,
  });
  await sink.write(Buffer.from(text, "utf8"));
  const { text: shown, filePath, persistKey } = await sink.finish();
  const head = [
    url,
    ...(title === undefined || title === "" ? [] : [title]),
    ...(isCut ? [`[only the first ${maxBytes} bytes]`] : []),
  ];
  const output = `${head.join("\n")}\n\n${shown}`;
  if (status < 200 || status > 299) {
    throw new ToolFailure("http_status", `${oneLine(url)} answered with status ${status}.`, {
      isRetryable: status === 429 || status >= 500,
      output,
    });
  }
  return {
    output,
    summary: `${status} · ${contentType.split(";")[0]?.trim() || "unknown type"} · ${fetched.body.length} bytes`,
    ...withoutUndefined({ filePath, persistKey }),
  };
}

function readable({ contentType, body }: Fetched): { title?: string | undefined; text: string } {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "text/html" || type === "application/xhtml+xml") {
    return htmlToText(decodedBody(body, charsetOf(contentType) ?? charsetOf(htmlHead(body))));
  }
  const isText =
    type === "" ||
    type.startsWith("text/") ||
    /[/+](json|xml|javascript|yaml|x-ndjson)$/.test(type);
  if (isText && !body.includes(0)) return { text: decodedBody(body, charsetOf(contentType)) };
  return { text: `(${type === "" ? "Unknown type" : type}, ${body.length} bytes: not text.)` };
}

function htmlHead(body: Buffer): string {
  const head = body.subarray(0, 1024).toString("latin1");
  return /<meta[^>]+charset[^>]*>/i.exec(head)?.[0] ?? "";
}

function charsetOf(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}

/** An unknown charset is read as UTF-8. */
function decodedBody(body: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(body);
    throw error;
  }
}
