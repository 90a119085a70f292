/**
 * The body of a request as JSON or as a form, within limits of size and depth. It reads no more than it may: an
 * endless body is refused after its first bytes too many.
 */
import { messageOfError } from "@callboard/run-log/values";
import { HttpProblem } from "./problem.js";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxJsonDepth: number;
}

/** Undefined for an empty body. `onBytes` may throw to refuse the rest. */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits,
  onBytes: (count: number) => void = () => undefined,
): Promise<unknown> {
  const bytes = await readBytes(request, limits.maxBodyBytes, onBytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const detail = "Send the body as JSON, with the header Content-Type: application/json.";
    throw new HttpProblem(415, "not-json", detail);
  }
  const text = decodedUtf8(bytes);
  if (depthOf(text, limits.maxJsonDepth) > limits.maxJsonDepth) {
    const detail = `The body is nested more than ${limits.maxJsonDepth} deep: send it flatter.`;
    throw new HttpProblem(413, "too-deep", detail);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = messageOfError(error);
    throw new HttpProblem(400, "malformed-json", `The body is not JSON: ${why}`);
  }
}

/** The fields of a form that a page sends, within a limit of size. Nothing for an empty body. */
export async function readFormBody(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const bytes = await readBytes(request, maxBytes, () => undefined);
  if (bytes.length === 0) return new URLSearchParams();
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    const detail =
      "Send the fields as a form, with the header Content-Type: application/x-www-form-urlencoded.";
    throw new HttpProblem(415, "not-a-form", detail);
  }
  return new URLSearchParams(decodedUtf8(bytes));
}

async function readBytes(
  request: Request,
  maxBytes: number,
  onBytes: (count: number) => void,
): Promise<Buffer> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of request.body) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      onBytes(piece.length);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem(400, "cut-short", "The body was cut short: send it again.");
  }
  return Buffer.concat(pieces);
}

function tooLarge(maxBytes: number): HttpProblem {
  const detail = `The body is larger than ${maxBytes} bytes: send less.`;
  return new HttpProblem(413, "too-large", detail, { headers: { connection: "close" } });
}

function decodedUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, "malformed-json", "The body is not UTF-8: encode it as UTF-8.");
  }
}

/** How deep the text nests, counted up to just beyond the limit, without parsing it. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length && deepest <= limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return deepest;
}
