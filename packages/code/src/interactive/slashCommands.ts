/** The program's own commands in a dialogue: `/help` and its like. A table; each row does one thing. */
import { type Line, lineOf, span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { cutText } from "../door/textWidth.js";
import type { Project } from "../project/project.js";
import { resumedSession, sessionsLike, sessionsOf } from "../run/sessions.js";
import { exportedText, writeExport } from "../sessions/exportAction.js";
import { similarCommand } from "../similarCommand.js";
import { UsageError } from "../usageError.js";
import { usageText } from "../view/quantities.js";
import type { Desk } from "./dialogue.js";
import { sessionLines } from "./sessionPicker.js";
import { cancelOneCall } from "./slash/cancelCommand.js";
import { showContext } from "./slash/contextCommand.js";
import { chooseEffort, chooseMode, chooseModel } from "./slash/modelCommands.js";
import { showRules } from "./slash/rulesCommand.js";
import { undoLastRun } from "./slash/undoCommand.js";

interface SlashCommand {
  readonly name: string;
  readonly about: string;
  run(desk: Desk, argument: string): Promise<void> | void;
}

const slashCommands: readonly SlashCommand[] = [
  { name: "help", about: "this list", run: (desk) => desk.listener.say(helpLines(desk)) },
  { name: "model", about: "the models, or another one: /model <name>", run: chooseModel },
  { name: "effort", about: "how hard the model thinks: /effort high", run: chooseEffort },
  { name: "mode", about: "who is asked: /mode plan changes nothing", run: chooseMode },
  { name: "tools", about: "what the model can call", run: showTools },
  {
    name: "rules",
    about: "what may run without asking; /rules rm <number> removes one",
    run: showRules,
  },
  {
    name: "resume",
    about: "sessions of this folder, or resume one: /resume <number, id or words>",
    run: resumeSession,
  },
  { name: "new", about: "start a new session", run: (desk) => desk.begin() },
  {
    name: "export",
    about: "this session without secrets: /export notes.html or /export log.jsonl",
    run: exportSession,
  },
  {
    name: "cost",
    about: "tokens and money of this session",
    run({ agent, listener }) {
      const unknown = agent.usage.costUsd === undefined ? "; the cost is not known" : "";
      listener.say([lineOf(usageText(agent.usage) + unknown)]);
    },
  },
  {
    name: "compact",
    about: "summarise the conversation for the model; the session keeps the whole text",
    async run({ agent, listener }) {
      const { status } = await agent.compact();
      if (status !== "nothing") return;
      listener.say([lineOf("There is nothing to summarise yet.", "dim")]);
    },
  },
  { name: "context", about: "how full the context is, and what is in it", run: showContext },
  { name: "cancel", about: "end one call; the model continues", run: cancelOneCall },
  { name: "undo", about: "take back what the last run did to files", run: undoLastRun },
  { name: "quit", about: "leave", run: ({ listener }) => listener.onLeave() },
];

export function commandNames(project: Project): readonly string[] {
  return [...slashCommands, ...project.commands].map(({ name }) => name);
}

export async function runSlashCommand(desk: Desk, text: string): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  const command = slashCommands.find((one) => one.name === name);
  const own = desk.project.commands.find((one) => one.name === name);
  if (command !== undefined) await command.run(desk, argument.trim());
  else if (own !== undefined) await desk.send(own.textFor(argument));
  else {
    const meant = similarCommand(name, commandNames(desk.project));
    const hint = meant === undefined ? "see /help" : `did you mean /${meant}?`;
    throw new UsageError(`there is no command /${name}: ${hint}`);
  }
}

const keyHelp: readonly (readonly [string, string])[] = [
  ["Enter", "send; while something runs, send it afterwards"],
  ["Tab", "during a run: send the model a message before its next answer"],
  ["Ctrl-J, \\ Enter", "a new line"],
  ["Up, Down", "what was sent before; first what waits, to change it"],
  ["Esc, Ctrl-C", "cancel what runs and take back what waits; Ctrl-C twice leaves"],
  ["Ctrl-O", "open calls up, or collapse them again"],
  ["Ctrl-D", "leave, on an empty line"],
  ["Ctrl-Z", "leave for now; fg comes back"],
  ["!command", "run a command yourself"],
  ["@path", "a file or an image goes with the message; Tab completes the path"],
];

function helpLines({ project }: Desk): readonly Line[] {
  const commands = [...slashCommands, ...project.commands].map(
    ({ name, about }) => [`/${name}`, exactText(about)] as const,
  );
  return [...commands, ...keyHelp].map(([name, about]) => [
    span(`  ${name.padEnd(16)}`, "accent"),
    span(about),
  ]);
}

function showTools({ agent, settings, listener }: Desk): void {
  const { tools } = agent;
  const width = Math.max(...tools.map(({ name }) => name.length)) + 2;
  const lines = tools.map(({ name, description, needsApproval }): Line => {
    const [sentence = ""] = cleanText(description).split(/(?<=\.)\s/, 1);
    const asks = needsApproval ? " (asks)" : "";
    return [
      span(`  ${exactText(name).padEnd(width)}`, "accent"),
      span(cutText(sentence, 100)),
      span(asks, "warn"),
    ];
  });
  const servers = Object.keys(settings.mcpServers).map((name) =>
    lineOf(`  MCP server ${exactText(name)}`, "dim"),
  );
  listener.say([...lines, ...servers]);
}

async function resumeSession(desk: Desk, argument: string): Promise<void> {
  const { store, listener, world } = desk;
  const sessions = await sessionsOf(store, world.cwd);
  const numbered = /^\d{1,3}$/.test(argument) ? sessions[Number(argument) - 1] : undefined;
  const [like, ...others] = sessionsLike(sessions, argument);
  if (argument === "" || (numbered === undefined && others.length > 0)) {
    const { columns = 80, rows = 24 } = world.door.out;
    const shown = argument === "" ? sessions : sessionsLike(sessions, argument);
    if (shown.length === 0) listener.say([lineOf("There are no sessions here yet.", "dim")]);
    // Below the list are the input line and the line of facts.
    const size = { now: desk.now(), columns: columns - 1, mostRows: rows - 3 };
    // A number means the same session whatever was searched for.
    listener.say(sessionLines(shown, size, (session) => sessions.indexOf(session) + 1));
    return;
  }
  const found = numbered ?? like;
  await desk.restore(found?.sessionId ?? (await resumedSession(store, argument, world.env)));
}

async function exportSession({ world, agent, listener }: Desk, argument: string): Promise<void> {
  const { sessionId } = agent;
  const output = argument === "" ? `callboard-${sessionId.slice(0, 8)}.html` : argument;
  const format = output.endsWith(".jsonl") ? "jsonl" : "html";
  const { text } = await exportedText(world, sessionId, { format, unredacted: false });
  listener.say([lineOf(await writeExport(world, output, text))]);
}
