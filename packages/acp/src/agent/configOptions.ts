/** What a person can choose in the editor for a session: its mode, its model, how hard it thinks. */
import { RequestError } from "@agentclientprotocol/sdk";
import { efforts } from "@callboard/agent-sdk";
import { type ModeId, modeOf, modes } from "./modes.js";

export interface ModelChoice {
  /** `provider:model`, as the agent takes it. */
  readonly id: string;
  readonly name: string;
}

/** `default` leaves the effort to the model. */
export const effortIds = ["default", ...efforts] as const;
export type EffortId = (typeof effortIds)[number];

export interface Choice {
  readonly id: "mode" | "model" | "effort";
  /** What the protocol calls a choice of this kind. */
  readonly category: "mode" | "model" | "thought_level";
  readonly name: string;
  readonly current: string;
  readonly values: readonly { readonly value: string; readonly name: string }[];
}

/** What can be chosen of a session. */
export interface Chosen {
  mode: ModeId;
  readonly model: string;
  readonly effort: EffortId;
  setModel(model: string): Promise<void>;
  setEffort(effort: EffortId): Promise<void>;
}

/** The model is offered where there is more than one to choose from. */
export function choicesOf(
  session: Pick<Chosen, "mode" | "model" | "effort">,
  models: readonly ModelChoice[],
): readonly Choice[] {
  const mode: Choice = {
    ...{ id: "mode", category: "mode", name: "Mode", current: session.mode },
    values: modes.map(({ id, name }) => ({ value: id, name })),
  };
  const known = models.some(({ id }) => id === session.model)
    ? models
    : [{ id: session.model, name: session.model }, ...models];
  const effort: Choice = {
    ...{ id: "effort", category: "thought_level", name: "Effort", current: session.effort },
    values: effortIds.map((id) => ({ value: id, name: effortNames[id] })),
  };
  if (known.length < 2) return [mode, effort];
  const model: Choice = {
    ...{ id: "model", category: "model", name: "Model", current: session.model },
    values: known.map(({ id, name }) => ({ value: id, name })),
  };
  return [mode, model, effort];
}

const effortNames: Readonly<Record<EffortId, string>> = {
  default: "Default",
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra high",
  max: "Maximum",
};

/** Throws what the client is told of a mode that there is not. */
export function setMode(session: { mode: ModeId }, id: string): void {
  const mode = modeOf(id);
  if (mode === undefined) throw RequestError.invalidParams(undefined, `no mode ${id}`);
  session.mode = mode;
}

/** Chooses one of what is offered; throws what the client is told of anything else. */
export async function setOption(
  session: Chosen,
  option: { readonly configId: string; readonly value: string },
  models: readonly ModelChoice[],
): Promise<void> {
  const { configId, value } = option;
  const choice = choicesOf(session, models).find(({ id }) => id === configId);
  if (!choice) throw RequestError.invalidParams(undefined, `no option ${configId}`);
  if (!choice.values.some((known) => known.value === value)) {
    throw RequestError.invalidParams(undefined, `no ${configId} ${value}`);
  }
  switch (choice.id) {
    case "mode":
      return setMode(session, value);
    case "model":
      return session.setModel(value);
    case "effort":
      return session.setEffort(effortIds.find((id) => id === value) ?? "default");
    default:
      return choice.id satisfies never;
  }
}
