/** Which agent a conversation's runs are for and how it was bent, so that another node can continue them. */
import type { JsonObject } from "@callboard/run-log";
import type { StoreDb } from "../connections/database.js";
import { readConversation } from "../reading/conversations.js";

export interface RunSetup {
  readonly agentName: string;
  readonly variables: JsonObject;
  readonly overrides: JsonObject;
}

export async function writeSetup(
  db: StoreDb,
  conversationId: string,
  { agentName, variables, overrides }: RunSetup,
): Promise<void> {
  await db
    .updateTable("cx_conversation")
    .set({
      config: JSON.stringify({ prompt_id: agentName }),
      variables: JSON.stringify(variables),
      overrides: JSON.stringify(overrides),
    })
    .where("id", "=", conversationId)
    .execute();
}

/** Undefined where no agent was named. */
export async function readSetup(
  db: StoreDb,
  conversationId: string,
): Promise<RunSetup | undefined> {
  const kept = await readConversation(db, { as: "service", conversationId });
  const agentName = kept?.config.prompt_id;
  if (!kept || typeof agentName !== "string") return undefined;
  return { agentName, variables: kept.variables, overrides: kept.overrides };
}
