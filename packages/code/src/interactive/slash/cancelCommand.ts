/** `/cancel`: ends one running call; the model gets the result and continues. */
import { lineOf } from "../../door/spans.js";
import { UsageError } from "../../usageError.js";
import type { Desk } from "../dialogue.js";

export function cancelOneCall({ agent, calls, listener }: Desk, argument: string): void {
  const [only, ...others] = calls;
  if (only === undefined) throw new UsageError("no call is under way");
  if (argument === "" && others.length > 0) {
    const names = calls.map(({ words }, at) => lineOf(`  ${at + 1}  ${words}`));
    listener.say([lineOf("/cancel <number> ends one of them:"), ...names]);
    return;
  }
  const meant = argument === "" ? only : calls[Number(argument) - 1];
  if (meant === undefined || !agent.cancelCall(meant.callId)) {
    throw new UsageError(`there is no call ${argument}: write /cancel alone to see them`);
  }
}
