/**
 * Matching in a thread of its own. A regular expression of a model may never come to an end, and a
 * thread can be ended; our own could not. The thread reads one file per request and never writes.
 */
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { canHoldFolders } from "../system/heldFolder.js";

const answerSchema = z.strictObject({
  skipped: z.enum(["binary", "large", "unreadable"]).optional(),
  matches: z.array(z.strictObject({ line: z.int(), text: z.string() })),
});
export type FileMatches = z.infer<typeof answerSchema>;

export interface SearchWorker {
  /** Calls must not overlap. Rejects when the thread was ended. */
  search(path: string, maxMatches: number): Promise<FileMatches>;
  end(): Promise<void>;
}

const maxFileBytes = 4 * 1024 ** 2;
const maxLineChars = 300;

const source = `
const { parentPort, workerData } = require("node:worker_threads");
const { openSync, fstatSync, readFileSync, readlinkSync, closeSync, constants } = require("node:fs");
const expression = new RegExp(workerData.pattern, workerData.flags);
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
function search(path, maxMatches) {
  let descriptor;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(descriptor);
    // A link in place of a folder on the way would have led elsewhere.
    const isElsewhere =
      workerData.canHoldFolders && readlinkSync("/proc/self/fd/" + descriptor) !== path;
    if (isElsewhere || !stats.isFile()) return { skipped: "unreadable", matches: [] };
    if (stats.size > ${maxFileBytes}) return { skipped: "large", matches: [] };
    const bytes = readFileSync(descriptor);
    if (bytes.includes(0)) return { skipped: "binary", matches: [] };
    const matches = [];
    const lines = bytes.toString("utf8").split("\\n");
    for (let index = 0; index < lines.length && matches.length < maxMatches; index += 1) {
      const line = lines[index].replace(/\\r$/, "");
      const found = expression.exec(line);
      if (!found) continue;
      const from = Math.max(0, found.index - 100);
      const part = line.slice(from, from + ${maxLineChars});
      const text = (from > 0 ? "…" : "") + part + (from + part.length < line.length ? "…" : "");
      matches.push({ line: index + 1, text });
    }
    return { matches };
  } catch (error) {
    if (error instanceof Error && "code" in error) return { skipped: "unreadable", matches: [] };
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
parentPort.on("message", ({ path, maxMatches }) => parentPort.postMessage(search(path, maxMatches)));
`;

export function createSearchWorker(expression: RegExp): SearchWorker {
  const worker = new Worker(source, {
    eval: true,
    workerData: { pattern: expression.source, flags: expression.flags, canHoldFolders },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    env: {},
  });
  let answered: (answer: unknown) => void = () => {};
  let failed: (error: Error) => void = () => {};
  let ending: Error | undefined;
  worker.on("message", (answer) => answered(answer));
  worker.on("error", (error) => {
    ending = error instanceof Error ? error : new Error(String(error));
    failed(ending);
  });
  worker.on("exit", () => {
    ending ??= new Error("The search was ended.");
    failed(ending);
  });
  return {
    async search(path, maxMatches) {
      const answer = await new Promise<unknown>((resolve, reject) => {
        if (ending !== undefined) return reject(ending);
        answered = resolve;
        failed = reject;
        return worker.postMessage({ path, maxMatches });
      });
      return answerSchema.parse(answer);
    },
    async end() {
      await worker.terminate();
    },
  };
}
