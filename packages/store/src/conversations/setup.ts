/** Which agent a conversation's runs are for and how it was bent, so that another node can continue them. */

import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { StoreDb } from "../connections/database.js";
import { readConversation } from "../reading/conversations.js";

export interface RunSetup {
  readonly agentName: string;
  readonly variables: JsonObject;
  readonly overrides: JsonObject;
  /** The tools that the client of the last run executes, as it named them. */
  readonly clientTools?: readonly JsonObject[];
  /** The additional instructions of the client of the last run. */
  readonly instructions?: string;
}

export async function writeSetup(
  db: StoreDb,
  conversationId: string,
  { agentName, variables, overrides, clientTools = [], instructions }: RunSetup,
): Promise<void> {
  await db
    .updateTable("cx_conversation")
    .set({
      config: JSON.stringify({
        prompt_id: agentName,
        ...(clientTools.length === 0 ? {} : { client_tools: clientTools }),
        ...withoutUndefined({ instructions }),
      }),
      variables: JSON.stringify(variables),
      overrides: JSON.stringify(overrides),
    })
    .where("id", "=", conversationId)
    .execute();
}

/** Undefined if no agent was named. */
export async function readSetup(
  db: StoreDb,
  conversationId: string,
): Promise<RunSetup | undefined> {
  const kept = await readConversation(db, { as: "service", conversationId });
  const agentName = kept?.config.prompt_id;
  if (!kept || typeof agentName !== "string") return undefined;
  const { variables, overrides } = kept;
  const { client_tools: tools, instructions } = kept.config;
  const clientTools = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  const told = typeof instructions === "string" ? { instructions } : {};
  return { agentName, variables, overrides, clientTools, ...told };
}
