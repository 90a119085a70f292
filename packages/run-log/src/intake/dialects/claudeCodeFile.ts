/** The session files of Claude Code. A prompt starts a turn; no line ends one. */

import { fieldsOf, nameOf } from "../../values/fields.js";
import { withoutUndefined } from "../../values/optional.js";
import type { Claim } from "../claims.js";
import { type IntakeDialect, silent, stepWithClaims } from "../dialect.js";
import { assistantBlocks, userBlocks } from "./claudeBlocks.js";
import { claudeUsage } from "./claudeCode.js";
import { modelIn, timeOf, usageClaimsOf } from "./shared.js";

export interface ClaudeFileMemory {
  /** The message whose tokens were counted last: each of its lines repeats them. */
  readonly counted?: string;
}

export const claudeCodeFile: IntakeDialect<ClaudeFileMemory> = {
  initial: {},
  endsSilently: true,
  isOwn: ({ value }) =>
    nameOf(value.sessionId) !== undefined &&
    (value.type === "user" || value.type === "assistant") &&
    fieldsOf(value.message) !== undefined &&
    "parentUuid" in value,
  step(memory, { value }) {
    const message = fieldsOf(value.message);
    const sessionId = nameOf(value.sessionId);
    if (!message || sessionId === undefined) return silent(memory);
    const agent = nameOf(value.agentId);
    const session = value.isSidechain === true && agent ? `${sessionId}-${agent}` : sessionId;
    const at = timeOf(value.timestamp);
    const about = { session, ...withoutUndefined({ at }) };
    if (value.type === "user") {
      const { results, said } = userBlocks(message, {});
      const isPrompt = said.length > 0 && value.isMeta !== true;
      const turn: readonly Claim[] = isPrompt ? [{ type: "turnStarted" }, ...said] : [];
      return stepWithClaims(
        memory,
        [{ type: "session", agent: "claude-code" }, ...results, ...turn],
        about,
      );
    }
    if (value.type !== "assistant") return silent(memory);
    const id = nameOf(message.id);
    const place = withoutUndefined({ message: id });
    const isCounted = id !== undefined && id === memory.counted;
    const usage = isCounted ? [] : usageClaimsOf(message.usage, claudeUsage);
    const next = id === undefined ? memory : { counted: id };
    return stepWithClaims(
      next,
      [...modelIn(message), ...assistantBlocks(message, place), ...usage],
      about,
    );
  },
};
