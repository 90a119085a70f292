/** Who answers: an agent of the server, with its own model or another one that it offers. Pure. */

import type { AgentEntry } from "@callboard/client";
import type { SendOptions } from "@callboard/client/react";
import { withoutUndefined } from "@callboard/run-log/values";

export interface Choice {
  readonly promptId: string;
  /** Absent for the agent's own model. */
  readonly model?: string;
}

export interface Offer {
  readonly choice: Choice;
  readonly label: string;
  readonly isRehearsal: boolean;
  /** Why it cannot be chosen. */
  readonly problem?: string;
}

/** The agent that needs no name comes first. */
export function offersOf(agents: readonly AgentEntry[]): readonly Offer[] {
  const ordered = agents.toSorted(
    (one, other) => Number(other.is_default) - Number(one.is_default),
  );
  return ordered.flatMap((agent) => {
    const { prompt_id: promptId, models = [], is_rehearsal: isRehearsal, problem } = agent;
    const own: Offer = {
      choice: { promptId },
      label: agentLabelOf(agent, agent.model ?? "no model"),
      isRehearsal,
      ...withoutUndefined({ problem }),
    };
    const others = models.map((model) => ({
      choice: { promptId, model },
      label: agentLabelOf(agent, model),
      isRehearsal: false,
    }));
    return [own, ...others];
  });
}

function agentLabelOf({ prompt_id, is_default }: AgentEntry, model: string): string {
  return is_default ? model : `${prompt_id} · ${model}`;
}

export function isSameChoice(one: Choice, other: Choice | undefined): boolean {
  return one.promptId === other?.promptId && one.model === other.model;
}

/** Its fields in a request; empty if nothing was chosen. */
export function optionsOf(choice: Choice | undefined): SendOptions {
  if (!choice) return {};
  const { promptId, model } = choice;
  return {
    prompt_id: promptId,
    ...(model === undefined ? {} : { config_overrides: { model } }),
  };
}
