/** `/cancel`: ends one call that is under way; the model is told and goes on. */
import { lineOf } from "../../door/spans.js";
import { exactText } from "../../door/terminalText.js";
import { UsageError } from "../../usageError.js";
import type { Desk } from "../dialogue.js";

export function cancelOneCall({ agent, calls, listener }: Desk, argument: string): void {
  const [only, ...others] = calls;
  if (only === undefined) throw new UsageError("no call is under way");
  if (argument === "" && others.length > 0) {
    const names = calls.map(({ toolName }, at) => lineOf(`  ${at + 1} ${exactText(toolName)}`));
    listener.say([lineOf("/cancel <number> ends one of them:"), ...names]);
    return;
  }
  const meant = argument === "" ? only : calls[Number(argument) - 1];
  if (meant === undefined || !agent.cancelCall(meant.callId)) {
    throw new UsageError(`there is no call ${argument}: write /cancel alone to see them`);
  }
}
