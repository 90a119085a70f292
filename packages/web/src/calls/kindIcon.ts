/** The icon of the work that a tool does: by who runs it, else by the kind that the tool names. */
import { askToolName } from "@callboard/run-log/asking";
import type { CallTrack } from "@callboard/run-log/projections";
import type { IconName } from "../values/Icon.js";

const ofKinds: ReadonlyMap<string, IconName> = new Map<string, IconName>([
  ["read", "read"],
  ["edit", "write"],
  ["delete", "delete"],
  ["move", "move"],
  ["search", "search"],
  ["execute", "execute"],
  ["think", "think"],
  ["fetch", "fetch"],
]);

export function kindIcon(track: Pick<CallTrack, "toolName" | "toolType" | "kind">): IconName {
  const { toolName, toolType, kind = "" } = track;
  if (toolType === "agent") return "agent";
  if (toolName === askToolName) return "ask";
  return ofKinds.get(kind) ?? (toolType === "external_mcp" ? "plug" : "tool");
}
