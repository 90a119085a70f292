/** Planted bugs of what people of other programs expect of a terminal, also of a very small one. */
import type { Mutant } from "./mutant.js";

const src = "packages/code/src";

export const terminalHabits: readonly Mutant[] = [
  {
    bug: "the choices of a question are cut off in a very small terminal",
    file: `${src}/interactive/askPanel.ts`,
    find: "return densePanel(call.question, options) ?? fittedPanel(parts, options);",
    replace: "return fittedPanel(parts, options) ?? densePanel(call.question, options);",
    tests: [`${src}/interactive/askPanel.test.ts`],
  },
  {
    bug: "the text of a question is cut unremarked in a very small terminal",
    file: `${src}/interactive/askPanel.ts`,
    find: "const more = left > 0 && room > 0 ?",
    replace: "const more = left < 0 && room > 0 ?",
    tests: [`${src}/interactive/askPanel.test.ts`],
  },
  {
    bug: "the waiting row loses its time in a narrow terminal",
    file: `${src}/view/waitingRow.ts`,
    find: "widthOf(sign + long + time) <= columns",
    replace: "widthOf(sign + long + time) <= 1_000 + columns",
    tests: [`${src}/view/lives.test.ts`],
  },
  {
    bug: "the picker scrolls its first sessions away",
    file: `${src}/interactive/sessionPicker.ts`,
    find: "sessions.slice(0, Math.min(mostShown, room))",
    replace: "sessions.slice(0, Math.max(mostShown, room))",
    tests: [`${src}/interactive/sessionPicker.test.ts`],
  },
  {
    bug: "a number of a search resumes another session",
    file: `${src}/interactive/sessionPicker.ts`,
    find: "String(numberOf(session))",
    replace: "String(sessions.indexOf(session) + 1)",
    tests: [`${src}/interactive/sessionPicker.test.ts`],
  },
  {
    bug: "the hooks of the configuration are not asked",
    file: `${src}/run/openAgent.ts`,
    find: "      ...hooksOf(settings, cwd, env),\n",
    replace: "",
    tests: [`${src}/run/configuration.e2e.test.ts`],
  },
  {
    bug: "the time of a hook in the configuration does not count",
    file: `${src}/run/openAgent.ts`,
    find: "timeoutMs: timeout * 1_000 }",
    replace: "timeoutMs: timeout * 20_000 }",
    tests: [`${src}/run/configuration.e2e.test.ts`],
  },
  {
    bug: "the named agents of a project are not known to its agent",
    file: `${src}/run/openAgent.ts`,
    find: "    agents: project.agents,\n",
    replace: "",
    tests: [`${src}/run/configuration.e2e.test.ts`],
  },
  {
    bug: "the MCP servers of the configuration are not used",
    file: `${src}/run/openAgent.ts`,
    find: "    mcpServers: settings.mcpServers,\n",
    replace: "",
    tests: [`${src}/run/configuration.e2e.test.ts`],
  },
  {
    bug: "yes and Enter at a question are queued as a message",
    file: `${src}/interactive/keyboard.ts`,
    find: 'replyOf(call, answerWords[word] ?? "")',
    replace: 'replyOf(call, word === "" ? word : "")',
    tests: [`${src}/interactive/keyboard.test.ts`],
  },
  {
    bug: "the rest of the word whose first letter answered is sent as a message",
    file: `${src}/interactive/keyboard.ts`,
    find: "rest !== undefined && word === rest.text",
    replace: "rest !== undefined && word === rest.text.slice(9)",
    tests: [`${src}/interactive/keyboard.test.ts`],
  },
  {
    bug: "a command of the person that waits runs after Esc",
    file: `${src}/interactive/dialogue.ts`,
    find: '      for (const { abort } of commands) abort.abort("taken back");\n',
    replace: "",
    tests: [`${src}/interactive/interactive.e2e.test.ts`],
  },
  {
    bug: "a mistyped command is not guessed",
    file: `${src}/interactive/slashCommands.ts`,
    find: 'meant === undefined ? "see /help"',
    replace: 'meant !== "" ? "see /help"',
    tests: [`${src}/interactive/plainMode.e2e.test.ts`],
  },
];
