/** What a person can choose in the editor for a session: its mode and its model. */
import { RequestError } from "@agentclientprotocol/sdk";
import { type ModeId, modeOf, modes } from "./modes.js";

export interface ModelChoice {
  /** `provider:model`, as the agent takes it. */
  readonly id: string;
  readonly name: string;
}

export interface Choice {
  readonly id: "mode" | "model";
  readonly name: string;
  readonly current: string;
  readonly values: readonly { readonly value: string; readonly name: string }[];
}

/** The model is offered where there is more than one to choose from. */
export function choicesOf(
  session: { readonly mode: ModeId; readonly model: string },
  models: readonly ModelChoice[],
): readonly Choice[] {
  const mode: Choice = {
    ...{ id: "mode", name: "Mode", current: session.mode },
    values: modes.map(({ id, name }) => ({ value: id, name })),
  };
  const known = models.some(({ id }) => id === session.model)
    ? models
    : [{ id: session.model, name: session.model }, ...models];
  if (known.length < 2) return [mode];
  const values = known.map(({ id, name }) => ({ value: id, name }));
  return [mode, { id: "model", name: "Model", current: session.model, values }];
}

/** Throws what the client is told of a mode that there is not. */
export function setMode(session: { mode: ModeId }, id: string): void {
  const mode = modeOf(id);
  if (mode === undefined) throw RequestError.invalidParams(undefined, `no mode ${id}`);
  session.mode = mode;
}

/** Chooses one of what is offered; throws what the client is told of anything else. */
export async function setOption(
  session: { mode: ModeId; readonly model: string; setModel(model: string): Promise<void> },
  option: { readonly configId: string; readonly value: string },
  models: readonly ModelChoice[],
): Promise<void> {
  const { configId, value } = option;
  const choice = choicesOf(session, models).find(({ id }) => id === configId);
  if (!choice) throw RequestError.invalidParams(undefined, `no option ${configId}`);
  if (!choice.values.some((known) => known.value === value)) {
    throw RequestError.invalidParams(undefined, `no ${configId} ${value}`);
  }
  if (choice.id === "mode") setMode(session, value);
  else await session.setModel(value);
}
