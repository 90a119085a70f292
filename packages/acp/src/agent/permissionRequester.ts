/**
 * Sends the agent's questions to the client, and returns the answers. Every failure is a rejection with a reason: a call
 * never waits for an answer that cannot come.
 */

import type { ApprovalReply, Logger } from "@callboard/agent-sdk";
import type { AnswerReceipt } from "@callboard/agent-sdk/approvals";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { limitToolName } from "@callboard/run-log/asking";
import type { AcpPermission } from "@callboard/run-log/projections";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import type { Sending } from "../updates/sending.js";
import type { ToolCallField } from "../updates/sessionUpdate.js";
import type { ClientPort, PermissionOutcome } from "./clientPort.js";
import { type ModeId, modeVerdict } from "./modes.js";
import { nextTurn } from "./nextTurn.js";
import { traceMeta } from "./traceMeta.js";

export interface PermissionRequester {
  ask(permission: AcpPermission): void;
  /** The call is over: its question is taken back. */
  withdraw(toolCallId: string): void;
  /** The waiting is over: every question is withdrawn. Open questions wait in the log. */
  close(): void;
}

export interface DeskSetup {
  readonly sessionId: string;
  readonly client: ClientPort;
  readonly logger: Logger;
  readonly mode: () => ModeId;
  readonly answer: (approvalId: string, reply: ApprovalReply) => Promise<AnswerReceipt>;
  /** Resolves when the client has everything that was sent so far. */
  readonly settle: () => Promise<void>;
  readonly fieldOf: (toolCallId: string, field: ToolCallField) => JsonValue | undefined;
  /** Secrets are removed from a question as from an update. */
  readonly redact: (fields: JsonObject) => JsonObject;
  /** The span that a call is, where its run is in a trace. */
  readonly traceOf: (toolCallId: string) => string | undefined;
  /** News of the call that the client applies with the question itself. */
  readonly carry: (toolCallId: string) => Sending | undefined;
}

export function createPermissionRequester(setup: DeskSetup): PermissionRequester {
  const { sessionId, client, logger } = setup;
  const asked = new Map<string, AbortController>();

  async function reply(approvalId: string, given: ApprovalReply): Promise<void> {
    const receipt = await setup.answer(approvalId, given);
    if (receipt.status === "refused")
      logger.debug("Ignored an answer that came too late.", { approvalId });
  }

  async function askClient(
    permission: AcpPermission,
    abort: AbortController,
    news: Sending | undefined,
  ): Promise<void> {
    const { approvalId, toolCallId } = permission;
    try {
      await setup.settle();
      // The call is over: its end contained everything.
      if (abort.signal.aborted) return;
      const trace = traceMeta(setup.traceOf(toolCallId));
      const params = { sessionId, ...paramsOf(permission, news), ...trace };
      const asking = client.requestPermission(params, abort.signal);
      news?.succeed();
      const outcome = await asking;
      // A cancellation of the turn was sent before this answer, and takes precedence.
      if (outcome.outcome === "cancelled") await nextTurn();
      await reply(approvalId, replyOf(outcome));
    } catch (error) {
      // A client that is gone closes the session: the question waits for the next one.
      await nextTurn();
      if (abort.signal.aborted) return;
      news?.fail();
      logger.warn("Sending a permission request to the client failed.", { sessionId, error });
      const reason = messageOfError(error);
      const optionId = "reject_once";
      await reply(approvalId, { optionId, message: `The client could not be asked: ${reason}` });
    }
  }

  /** The question is complete by itself; on v2 it takes along what is new of its call. */
  function paramsOf({ params, toolCallId }: AcpPermission, news: Sending | undefined): JsonObject {
    const repeated = client.facts.profile.withPermission.flatMap((field): [string, JsonValue][] => {
      const value = setup.fieldOf(toolCallId, field);
      return value === undefined ? [] : [[field, value]];
    });
    const { sessionUpdate: _, ...fields } = news?.update ?? { sessionUpdate: "" };
    const own = setup.redact(
      requestJson("toolCall" in params ? params.toolCall : params.subject.toolCall),
    );
    const toolCall = { ...own, ...fields, ...Object.fromEntries(repeated), toolCallId };
    const options = params.options.map((option) => ({ ...option }));
    if ("toolCall" in params) return { toolCall, options };
    const described = withoutUndefined({ description: params.description });
    return {
      ...{ title: params.title, ...described },
      subject: { type: "tool_call", toolCall },
      options,
    };
  }

  return {
    ask(permission) {
      const { approvalId, toolCallId } = permission;
      const kind = setup.fieldOf(toolCallId, "kind");
      const paths = pathsOf(setup.fieldOf(toolCallId, "locations"));
      const verdict = modeVerdict(setup.mode(), typeof kind === "string" ? kind : undefined, paths);
      // Only a person gives a run more than its limit.
      const isLimit = setup.fieldOf(toolCallId, "name") === limitToolName;
      if (verdict && !isLimit) {
        void reply(approvalId, { ...verdict, answeredBy: `mode ${setup.mode()}` });
        return;
      }
      const abort = new AbortController();
      asked.set(toolCallId, abort);
      // v2 applies the fields of a question to its call; on v1 an update comes before it.
      const news = client.facts.version === 2 ? setup.carry(toolCallId) : undefined;
      void askClient(permission, abort, news);
    },
    withdraw(toolCallId) {
      asked.get(toolCallId)?.abort();
      asked.delete(toolCallId);
    },
    close() {
      for (const abort of asked.values()) abort.abort();
      asked.clear();
    },
  };
}

/** A question is JSON by its types; only its optional fields hide it. */
function requestJson(value: object): JsonObject;
function requestJson(value: object): object {
  return value;
}

function replyOf(outcome: PermissionOutcome): ApprovalReply {
  if (outcome.outcome === "selected") return { optionId: outcome.optionId };
  return { optionId: "reject_once", message: "The question was cancelled." };
}

/** The paths of a call's locations. */
function pathsOf(locations: unknown): readonly string[] {
  if (!Array.isArray(locations)) return [];
  return locations.flatMap((location: unknown) =>
    typeof location === "object" && location !== null && "path" in location
      ? [String(location.path)]
      : [],
  );
}
