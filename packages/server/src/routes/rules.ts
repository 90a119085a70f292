/** The rules that people chose to keep: seen, and taken back. A server for many users saves none. */

import type { SavedRules } from "@callboard/agent-sdk/serving";
import { forgetRuleSchema, savedRulesSchema } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { notFound } from "../http/problem.js";
import { callerRoute, json, type Route } from "../http/route.js";

/** `rules` is absent on a server for many users. */
export function ruleRoutes(rules: SavedRules | undefined): readonly Route[] {
  return [
    callerRoute({
      method: "GET",
      path: "/api/rules",
      operation: "listRules",
      summary: "The rules that answers for ever have saved, the oldest first.",
      answers: { 200: { description: "The rules.", schema: savedRulesSchema } },
      handle: async () => json(200, { items: (await rules?.list()) ?? [] }),
    }),
    callerRoute({
      method: "DELETE",
      path: "/api/rules",
      operation: "forgetRule",
      summary: "Removes a saved rule: later runs ask again.",
      body: forgetRuleSchema,
      answers: { 204: { description: "It is gone." } },
      async handle({ body: { rule, effect, folder } }) {
        const saved = { rule, effect, ...withoutUndefined({ folder }) };
        if (!(await rules?.remove(saved))) throw notFound(`saved rule ${rule}`);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
