/** The choices of a person in the editor for a session: its mode, its model, its reasoning effort. */
import { RequestError } from "@agentclientprotocol/sdk";
import { efforts } from "@callboard/agent-sdk/models";
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
  /** The protocol's category for a choice of this kind. */
  readonly category: "mode" | "model" | "thought_level";
  readonly name: string;
  readonly current: string;
  readonly values: readonly { readonly value: string; readonly name: string }[];
}

/** The choices of a session. */
export interface Chosen {
  mode: ModeId;
  readonly model: string;
  readonly effort: EffortId;
  /** Throws if there is no such model. */
  setModel(model: string): void;
  setEffort(effort: EffortId): void;
}

/** The model is offered if there is more than one. */
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

/** Throws the error for the client if there is no such mode. */
export function setMode(session: { mode: ModeId }, id: string): void {
  const mode = modeOf(id);
  if (mode === undefined) throw RequestError.invalidParams(undefined, `no mode ${id}`);
  session.mode = mode;
}

/** Selects one of the offered values; throws the error for the client for any other. */
export function setOption(
  session: Chosen,
  option: { readonly configId: string; readonly value: string },
  models: readonly ModelChoice[],
): void {
  const { configId, value } = option;
  const choice = choicesOf(session, models).find(({ id }) => id === configId);
  if (!choice) throw RequestError.invalidParams(undefined, `no option ${configId}`);
  if (!choice.values.some((known) => known.value === value)) {
    throw RequestError.invalidParams(undefined, `no ${configId} ${value}`);
  }
  switch (choice.id) {
    case "mode":
      setMode(session, value);
      break;
    case "model":
      session.setModel(value);
      break;
    case "effort":
      session.setEffort(effortIds.find((id) => id === value) ?? "default");
      break;
    default:
      choice.id satisfies never;
  }
}
