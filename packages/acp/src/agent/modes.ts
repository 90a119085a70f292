/** How much an agent may do without asking, as the person chose it in the editor. */
import { isSteeringPath } from "@callboard/agent-sdk/approvals";

export const modes = [
  {
    id: "ask",
    name: "Ask",
    description: "Asks before it changes files or runs commands.",
  },
  {
    id: "accept-edits",
    name: "Accept edits",
    description: "Changes files without asking, asks before it runs commands.",
  },
  {
    id: "auto",
    name: "Auto",
    description: "Does everything without asking, but for what a rule denies.",
  },
  {
    id: "read-only",
    name: "Read only",
    description: "Reads and searches; whatever needs an approval is rejected.",
  },
] as const satisfies readonly {
  readonly id: ModeId;
  readonly name: string;
  readonly description: string;
}[];

export const modeIds = ["ask", "accept-edits", "auto", "read-only"] as const;

export type ModeId = (typeof modeIds)[number];

/** The mode that a policy of the agent's own comes to. */
export function modeOfPolicy(otherwise: "ask" | "allow" | "deny" = "ask"): ModeId {
  return ({ ask: "ask", allow: "auto", deny: "read-only" } as const)[otherwise];
}

export function modeOf(id: string): ModeId | undefined {
  return modes.find((mode) => mode.id === id)?.id;
}

export interface ModeVerdict {
  readonly optionId: "allow_once" | "reject_once";
  readonly message?: string;
}

/** The answer of a mode by itself; undefined if the person is asked. */
export function modeVerdict(
  mode: ModeId,
  kind: string | undefined,
  paths: readonly string[] = [],
): ModeVerdict | undefined {
  switch (mode) {
    case "ask":
      return undefined;
    case "accept-edits": {
      const isEdit = kind === "edit" || kind === "move" || kind === "delete";
      // Files that decide what programs run are shown to the person.
      return isEdit && !paths.some(isSteeringPath) ? { optionId: "allow_once" } : undefined;
    }
    case "auto":
      return { optionId: "allow_once" };
    case "read-only":
      return { optionId: "reject_once", message: "The mode is read only: change nothing." };
    default:
      return mode satisfies never;
  }
}
