/** `/model`, `/effort`, `/mode`: what can be chosen, what holds now, and another choice. */
import { efforts } from "@callboard/agent-sdk/models";
import { modelChoices } from "../../acp/modelChoices.js";
import { type Line, lineOf, span } from "../../door/spans.js";
import { exactText } from "../../door/terminalText.js";
import { type PermissionMode, permissionModes } from "../../settings/settings.js";
import { UsageError } from "../../usageError.js";
import type { Desk } from "../dialogue.js";

export async function chooseModel(desk: Desk, argument: string): Promise<void> {
  const { listener, world } = desk;
  if (argument !== "") {
    await desk.change({ model: argument });
    listener.say([lineOf(`Model: ${exactText(desk.agent.model.label)}`)]);
    return;
  }
  const { label } = desk.agent.model;
  const choices = modelChoices(world.env).map(({ id, name }) => choiceLine(id, name, id === label));
  const known = choices.length === 0 ? "No key of a provider is set." : "/model <name> takes one:";
  listener.say([lineOf(`Model: ${exactText(label)}`), lineOf(known, "dim"), ...choices]);
}

export async function chooseEffort(desk: Desk, argument: string): Promise<void> {
  const { listener } = desk;
  const effort = efforts.find((one) => one === argument);
  if (effort !== undefined) await desk.change({ effort });
  else if (argument !== "") {
    throw new UsageError(`there is no effort ${argument}: take ${efforts.join(", ")}`);
  }
  const current = desk.settings.effort;
  if (argument !== "") listener.say([lineOf(`Effort: ${current}`)]);
  else {
    const told = current ?? "as the model's provider decides";
    const choices = efforts.map((one) => choiceLine(one, "", one === current));
    listener.say([lineOf(`Effort: ${told}`), ...choices]);
  }
}

export const modeAbouts: Readonly<Record<PermissionMode, string>> = {
  ask: "asks before it changes something or runs a command",
  "accept-edits": "changes files in the working folders without asking",
  plan: "looks and plans; changes and commands are denied",
  allow: "asks nothing",
  deny: "denies whatever no rule allows",
};

export async function chooseMode(desk: Desk, argument: string): Promise<void> {
  const mode = permissionModes.find((one) => one === argument);
  if (mode !== undefined) await desk.change({ permissionMode: mode });
  else if (argument !== "") {
    throw new UsageError(`there is no mode ${argument}: take ${permissionModes.join(", ")}`);
  }
  const current = desk.settings.permissionMode;
  const shown = argument === "" ? permissionModes : [current];
  desk.listener.say(shown.map((one) => choiceLine(one, modeAbouts[one], one === current)));
}

function choiceLine(name: string, about: string, isCurrent: boolean): Line {
  return [
    span(isCurrent ? "● " : "  ", "good"),
    span(`${exactText(name)}  `, "accent"),
    span(exactText(about), "dim"),
  ];
}
