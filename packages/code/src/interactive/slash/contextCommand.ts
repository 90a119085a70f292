/** `/context`: how full the model's context is, and which part of it is there before the first message. */
import { type Line, span } from "../../door/spans.js";
import { exactText } from "../../door/terminalText.js";
import type { Project } from "../../project/project.js";
import { contextText, countText, sizeText, tokensText } from "../../view/quantities.js";
import type { Desk } from "../dialogue.js";

const gaugeWidth = 20;
const charactersInToken = 4;

export function showContext({ agent, project, listener }: Desk): void {
  const { context, tools } = agent;
  const share = context.window === undefined ? 0 : Math.min(1, context.tokens / context.window);
  const schemas = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify([name, description, inputSchema]),
  );
  const gauge = context.window === undefined ? "" : gaugeOf(share);
  listener.say([
    [span(gauge, "accent"), span(contextText(context), "bold")],
    fact("system prompt", aboutTokens(project.systemPrompt.length)),
    ...instructionLines(project),
    ...project.skills.map(({ name, description }) =>
      fact("skill", exactText(`${name}: ${description}`)),
    ),
    fact("tools", `${tools.length}, ${aboutTokens(schemas.join("").length)}`),
    fact("folder", exactText(project.surroundings.cwd)),
    fact("git", gitText(project)),
  ]);
}

function gaugeOf(share: number): string {
  const full = Math.round(share * gaugeWidth);
  return `${"█".repeat(full)}${"░".repeat(gaugeWidth - full)} `;
}

function aboutTokens(characters: number): string {
  return `about ${tokensText(Math.ceil(characters / charactersInToken))} tokens`;
}

function fact(name: string, text: string): Line {
  return [span(`  ${name.padEnd(14)}`, "dim"), span(text)];
}

function instructionLines({ instructions: { files, deeper } }: Project): readonly Line[] {
  if (files.length + deeper.length === 0) {
    return [fact("rules", "no AGENTS.md here: write one to tell the model how to work")];
  }
  return [
    ...files.map(({ path, bytes, text, isCut }) => {
      const cut = isCut ? `, only the first ${sizeText(text.length)} are sent` : "";
      return fact("rules", `${exactText(path)} · ${sizeText(bytes)}${cut}`);
    }),
    ...deeper.map((path) => fact("rules", `${exactText(path)} · read when it works there`)),
  ];
}

function gitText({ surroundings: { git } }: Project): string {
  if (git === undefined) return "not a repository";
  return `branch ${exactText(git.branch)}, ${countText(git.changed, "changed file")}`;
}
