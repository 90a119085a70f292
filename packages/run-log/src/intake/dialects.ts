/** The table of every dialect that can be taken in. Adding one is one line here and one in `dialectNames`. */
import {
  createDialectReader,
  type DialectReader,
  type ForeignLine,
  type IntakeDialect,
} from "./dialect.js";
import { acp } from "./dialects/acp.js";
import { agUi } from "./dialects/agUi.js";
import { aiSdk } from "./dialects/aiSdk.js";
import { claudeCode } from "./dialects/claudeCode.js";
import { claudeCodeFile } from "./dialects/claudeCodeFile.js";
import { codex } from "./dialects/codex.js";
import { codexFile } from "./dialects/codexFile.js";
import { codexServer } from "./dialects/codexServer.js";
import { geminiCli } from "./dialects/geminiCli.js";
import { geminiCliFile } from "./dialects/geminiCliFile.js";
import { langGraph } from "./dialects/langGraph.js";
import { log } from "./dialects/log.js";
import { mastra } from "./dialects/mastra.js";
import { openaiAgents } from "./dialects/openaiAgents.js";
import { opencode } from "./dialects/opencode.js";
import { opencodeServer } from "./dialects/opencodeServer.js";
import { otlp } from "./dialects/otlp.js";
import { pi } from "./dialects/pi.js";
import { piFile } from "./dialects/piFile.js";
import { stages } from "./dialects/stages.js";
import { toolEvent } from "./dialects/toolEvent.js";
import { uiMessage } from "./dialects/uiMessage.js";

/** In the order in which a line is tried: dialects with more distinctive lines come first. */
export const intakeDialects = [
  "log",
  "acp",
  "claudeCodeFile",
  "claudeCode",
  "codexFile",
  "codexServer",
  "codex",
  "agUi",
  "mastra",
  "aiSdk",
  "uiMessage",
  "geminiCli",
  "geminiCliFile",
  "opencodeServer",
  "opencode",
  "piFile",
  "pi",
  "openaiAgents",
  "langGraph",
  "otlp",
  "stages",
  "toolEvent",
] as const;
export type DialectName = (typeof intakeDialects)[number];

interface Entry {
  readonly createReader: () => DialectReader;
  readonly isOwn: (line: ForeignLine) => boolean;
  readonly endsSilently: boolean;
}

function entry<Memory>(dialect: IntakeDialect<Memory>): Entry {
  const { isOwn, endsSilently: isSilent = false } = dialect;
  return { createReader: () => createDialectReader(dialect), isOwn, endsSilently: isSilent };
}

const table: Readonly<Record<DialectName, Entry>> = {
  log: entry(log),
  acp: entry(acp),
  claudeCodeFile: entry(claudeCodeFile),
  claudeCode: entry(claudeCode),
  codexFile: entry(codexFile),
  codexServer: entry(codexServer),
  codex: entry(codex),
  agUi: entry(agUi),
  mastra: entry(mastra),
  aiSdk: entry(aiSdk),
  uiMessage: entry(uiMessage),
  geminiCli: entry(geminiCli),
  geminiCliFile: entry(geminiCliFile),
  opencodeServer: entry(opencodeServer),
  opencode: entry(opencode),
  piFile: entry(piFile),
  pi: entry(pi),
  openaiAgents: entry(openaiAgents),
  langGraph: entry(langGraph),
  otlp: entry(otlp),
  stages: entry(stages),
  toolEvent: entry(toolEvent),
};

export function isDialectName(text: string): text is DialectName {
  return Object.hasOwn(table, text);
}

export function readerOf(dialect: DialectName): DialectReader {
  return table[dialect].createReader();
}

export function endsSilently(dialect: DialectName): boolean {
  return table[dialect].endsSilently;
}

/** Undefined when the line could belong to several dialects or to none. */
export function dialectOf(line: ForeignLine): DialectName | undefined {
  return intakeDialects.find((name) => table[name].isOwn(line));
}
