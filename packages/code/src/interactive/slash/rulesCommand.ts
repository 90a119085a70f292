/** `/rules`: what may run without asking and what may not, where each rule is kept, and how it goes away. */
import { join } from "node:path";
import { callboardHome } from "@callboard/agent-sdk";
import type { HeldRule } from "@callboard/agent-sdk/approvals";
import { type Line, lineOf, span } from "../../door/spans.js";
import { exactText } from "../../door/terminalText.js";
import { UsageError } from "../../usageError.js";
import type { Desk } from "../dialogue.js";

export async function showRules(desk: Desk, argument: string): Promise<void> {
  const { agent, listener, world } = desk;
  const rules = agent.approvalRules;
  if (argument !== "") {
    const removed = ruleNamed(rules, argument);
    if (!(await agent.removeApprovalRule(removed))) {
      throw new UsageError(
        `${removed.rule} comes from flags or settings: \`callboard config --show-origin\` says which`,
      );
    }
    listener.say([lineOf(`Removed: ${removed.effect} ${exactText(removed.rule)}`)]);
    return;
  }
  if (rules.length === 0) {
    listener.say([lineOf("There are no rules: every change needs approval.", "dim")]);
    return;
  }
  const file = join(callboardHome(world.env), "approvals.jsonl");
  const places: Readonly<Record<HeldRule["from"], string>> = {
    policy: "from flags or settings",
    saved: `saved for this folder in ${file}`,
    session: "in this session",
  };
  const lines = rules.map(
    ({ rule, effect, from }, index): Line => [
      span(`${String(index + 1).padStart(3)} `, "dim"),
      span(effect.padEnd(6), effect === "allow" ? "good" : "bad"),
      span(exactText(rule)),
      span(`  ${exactText(places[from])}`, "dim"),
    ],
  );
  listener.say([...lines, lineOf("/rules rm <number> removes one.", "dim")]);
}

function ruleNamed(rules: readonly HeldRule[], argument: string): HeldRule {
  const number = /^rm\s+(\d+)$/.exec(argument)?.[1];
  const rule = number === undefined ? undefined : rules[Number(number) - 1];
  if (rule !== undefined) return rule;
  throw new UsageError("write /rules, or /rules rm with the number of a rule");
}
