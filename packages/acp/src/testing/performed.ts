/** Plays a log at its own times through projection and engine, and keeps every line of the agent. */
import type { RunEvent } from "@callboard/run-log";
import {
  type AcpOptions,
  createAcpProjection,
  createProjector,
} from "@callboard/run-log/projections";
import { previewOf } from "../previews.js";
import { wireOf } from "../updates/sessionUpdate.js";
import { createUpdateEngine } from "../updates/updateEngine.js";
import { createFakeClock } from "./fakeClock.js";
import { createRecordingPipe } from "./recordingPipe.js";

export async function performed(
  log: readonly RunEvent[],
  sessionId: string,
  options: AcpOptions,
): Promise<readonly string[]> {
  const clock = createFakeClock(log[0]?.at ?? 0);
  const pipe = createRecordingPipe();
  const lines: string[] = [];
  let taken = 0;
  const takeLines = (): void => {
    lines.push(...pipe.lines.slice(taken));
    taken = pipe.lines.length;
  };
  const engine = createUpdateEngine({ write: pipe.write, clock, version: options.version ?? 1 });
  const projector = createProjector(
    createAcpProjection({ cwd: "/workspace", previewOf, ...options }),
  );
  for (const event of log) {
    await clock.advance(Math.max(0, event.at - clock.now()));
    for (const output of projector.push(event)) {
      if (output.type === "update") engine.offer(sessionId, wireOf(output.update));
      if (output.type !== "ask") continue;
      const { toolCallId, params: question } = output.permission;
      const news = options.version === 2 ? engine.carry(sessionId, toolCallId) : undefined;
      await engine.settle(sessionId);
      takeLines();
      const { sessionUpdate: _, ...fields } = news?.update ?? { sessionUpdate: "" };
      const own = "subject" in question ? question.subject.toolCall : question.toolCall;
      const toolCall = { ...own, ...fields };
      const params =
        "subject" in question
          ? { sessionId, ...question, subject: { ...question.subject, toolCall } }
          : { sessionId, ...question, toolCall };
      const request = { jsonrpc: "2.0", id: 0, method: "session/request_permission", params };
      lines.push(JSON.stringify(request));
      news?.succeed();
    }
  }
  await engine.settle(sessionId);
  takeLines();
  return lines;
}

export function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
